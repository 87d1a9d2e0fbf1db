//! What opens on top of a screen. A popup is one file here, and one line in `POPUPS` where an action
//! opens it from everywhere.

mod changed;
mod curve;
mod define;
mod define_errors;
mod detail;
mod export;
mod filter;
mod footer_line;
mod help;
mod history;
mod note;
mod paired_tests;
mod palette;
mod pick;
mod sheet;
mod sort;
mod study;
mod unsaved;

use std::any::Any;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use changed::draw as draw_changed;
pub use curve::Curve;
pub use export::ExportForm;
pub use filter::FilterMenu;
pub use history::HistoryList;
pub use note::NoteLine;
pub use paired_tests::{TestResults, p};
pub use pick::{PickField, PickLine};
pub use sheet::{Piece, Sheet, Tone};
pub use unsaved::Unsaved;

use super::action::Action;
use super::app::{App, Effect};
use super::keymap::Key;
use super::screens::Screen;

/// What is open on top of a screen; one at a time.
pub trait Popup: Any {
    /// The action that opens it, and closes it again.
    fn opened_by(&self) -> Action;

    /// Takes a key before the bindings do.
    fn key(&mut self, _key: Key, _app: &mut App) -> Answer {
        Answer::Pass
    }

    /// Takes an action that a key is bound to.
    fn act(&mut self, _action: Action, _app: &mut App) -> Answer {
        Answer::Pass
    }

    /// Takes pasted text where something is typed.
    fn paste(&mut self, _text: &str, _app: &App) -> Pasted {
        Pasted::Nowhere
    }

    /// Moves its text or what is selected by so many lines.
    fn scroll(&mut self, _by: i32, _app: &App) {}

    /// Makes it anew for another size of the terminal or other facts; whether it stays open.
    fn refresh(&mut self, _app: &App) -> bool {
        true
    }

    /// Whether something is typed that a click must not lose.
    fn is_typed(&self) -> bool {
        false
    }

    /// Draws it over `screen`; gives the cursor's place, where there is one.
    fn draw(&self, app: &App, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)>;
}

/// What a popup makes of a key or an action.
#[derive(Debug, PartialEq)]
pub enum Answer {
    /// It is none of its own: what all popups do with it.
    Pass,
    /// It stays open, and the action is done as without it.
    Below,
    /// Done; it stays open.
    Stay,
    /// Done; it closes.
    Close,
    /// It closes, and this action is done.
    Act(Action),
    /// It stays open, and the terminal's owner does this.
    Effect(Effect),
}

/// What became of pasted text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pasted {
    /// Nothing is typed here.
    Nowhere,
    /// All of it was taken.
    Whole,
    /// There was not room for all of it.
    Cut,
}

impl From<bool> for Pasted {
    /// From whether there was room for all of it.
    fn from(is_whole: bool) -> Self {
        if is_whole { Pasted::Whole } else { Pasted::Cut }
    }
}

type Open = fn(&App) -> Box<dyn Popup>;

/// The popups that an action opens from everywhere.
const POPUPS: &[(Action, Open)] = &[
    (Action::Help, |app| Box::new(help::sheet(app))),
    (Action::Palette, |_| Box::new(palette::Palette::new())),
    (Action::Define, |app| Box::new(define(app))),
    (Action::Study, |app| Box::new(study::sheet(app))),
    (Action::Filter, |app| Box::new(FilterMenu::new(app))),
    (Action::SortBy, |app| Box::new(sort::SortLine::new(app))),
    (Action::History, |app| Box::new(HistoryList::new(app))),
];

fn define(app: &App) -> Sheet {
    match app.screen {
        Screen::Errors => define_errors::sheet(app),
        _ => define::sheet(app),
    }
}

/// The popup that `action` opens from everywhere; `None` for an action that opens none.
pub fn open(action: Action, app: &App) -> Option<Box<dyn Popup>> {
    let (_, open) = POPUPS.iter().find(|(opens, _)| *opens == action)?;
    Some(open(app))
}

/// Draws the open popup over `screen`; gives the cursor's place, where there is one.
pub fn draw(app: &App, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    if let Some(error) = &app.changed {
        draw_changed(error, app, screen, buf);
    }
    app.popup.as_ref()?.draw(app, screen, buf)
}

impl App {
    /// Opens what is to be told of the selected item, if there is one.
    pub(super) fn open_detail(&mut self) {
        self.popup = detail::sheet(self).map(|sheet| Box::new(sheet) as Box<dyn Popup>);
    }

    /// Opens a popup over the screen, in place of the one that is open.
    pub(super) fn open(&mut self, popup: impl Popup) {
        self.popup = Some(Box::new(popup));
    }

    /// The open popup, if it is of this kind.
    pub(super) fn popup<P: Popup>(&self) -> Option<&P> {
        let popup: &dyn Any = self.popup.as_deref()?;
        popup.downcast_ref()
    }

    /// The same, to be changed.
    pub(super) fn popup_mut<P: Popup>(&mut self) -> Option<&mut P> {
        let popup: &mut dyn Any = self.popup.as_deref_mut()?;
        popup.downcast_mut()
    }

    /// Asks the open popup, which stays open unless it closes or opens another.
    fn ask_popup(&mut self, ask: impl FnOnce(&mut dyn Popup, &mut App) -> Answer) -> Answer {
        let Some(mut popup) = self.popup.take() else {
            return Answer::Pass;
        };
        let answer = ask(popup.as_mut(), self);
        let closes = matches!(answer, Answer::Close | Answer::Act(_));
        if !closes && self.popup.is_none() {
            self.popup = Some(popup);
        }
        answer
    }

    /// Gives a key to the open popup; [`Answer::Pass`] where it is for the bindings.
    pub(super) fn popup_key(&mut self, key: Key) -> Answer {
        self.ask_popup(|popup, app| popup.key(key, app))
    }

    /// Gives pasted text to the open popup.
    pub(super) fn popup_paste(&mut self, text: &str) -> Pasted {
        let Some(mut popup) = self.popup.take() else {
            return Pasted::Nowhere;
        };
        let pasted = popup.paste(text, self);
        self.popup = Some(popup);
        pasted
    }

    /// Gives an action to the open popup: it takes it, scrolls or closes; whether the action is done.
    pub(super) fn popup_act(&mut self, action: Action) -> bool {
        match self.ask_popup(|popup, app| popup.act(action, app)) {
            Answer::Pass => {}
            answer => return answer != Answer::Below,
        }
        let page = i32::from(self.size.1) / 2;
        let by = match action {
            Action::Down => 1,
            Action::Up => -1,
            Action::PageDown => page,
            Action::PageUp => -page,
            Action::First => i32::MIN / 2,
            Action::Last => i32::MAX / 2,
            Action::Theme | Action::Redraw | Action::Suspend => return false,
            other => {
                let closed = self.popup.take();
                let opened_by = closed.map(|popup| popup.opened_by());
                return matches!(other, Action::Close | Action::Quit) || opened_by == Some(other);
            }
        };
        self.scroll_popup(by);
        true
    }

    /// Scrolls what is open on top.
    pub(super) fn scroll_popup(&mut self, by: i32) {
        self.ask_popup(|popup, app| {
            popup.scroll(by, app);
            Answer::Stay
        });
    }

    /// After a change of size or of what it tells, the open popup is made anew.
    pub(super) fn refresh_popup(&mut self) {
        self.ask_popup(|popup, app| {
            if popup.refresh(app) {
                Answer::Stay
            } else {
                Answer::Close
            }
        });
    }
}
