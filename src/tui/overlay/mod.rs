//! What opens on top of a screen: a sheet of text to read, or the palette.

mod conditions;
mod conditions_view;
mod contest;
pub(in crate::tui) mod contest_view;
mod curve_view;
mod define;
mod define_errors;
mod detail;
mod export;
mod export_view;
mod help;
mod leave_view;
mod note;
mod note_view;
mod order;
mod palette;
mod pick;
mod sheet;
mod steps;
mod steps_view;
mod study;
mod unsaved;
pub mod view;

pub use conditions::{Answer, Conditions};
pub use contest::Contested;
pub use export::ExportForm;
pub use note::{NoteLine, Written};
pub use order::{OrderLine, Ordered};
pub use palette::Palette;
pub use pick::{PickField, PickLine};
pub use sheet::{Piece, Sheet, Tone};
pub use steps::Steps;
pub use unsaved::Unsaved;

use super::action::Action;
use super::app::App;
use super::screens::Screen;

/// One thing at a time.
pub enum Overlay {
    /// Text to read and scroll.
    Sheet(Sheet),
    /// Every action by name.
    Palette(Palette),
    /// Every change.
    Steps(Steps),
    /// The filter.
    Conditions(Conditions),
    /// A note that is typed.
    Note(NoteLine),
    /// A number to sort by that is typed.
    Order(OrderLine),
    /// R@1 and mAP@R over alpha.
    Curve,
    /// Paired tests of two models.
    Tests(Contested),
    /// A part of a pick that is typed.
    Pick(PickLine),
    /// The form for a file of the figure.
    Export(ExportForm),
    /// Where to save what is in no file.
    Unsaved(Unsaved),
}

impl Overlay {
    /// What `action` opens.
    pub fn open(action: Action, app: &App) -> Option<Self> {
        let sheet = match action {
            Action::History => {
                let selected = app.history.present();
                return Some(Overlay::Steps(Steps { selected }));
            }
            Action::SortBy => return Some(Overlay::Order(OrderLine::new(app))),
            Action::Filter => return Some(Overlay::Conditions(Conditions::new(app))),
            Action::Palette => return Some(Overlay::Palette(Palette::new())),
            Action::Help => help::sheet(app),
            Action::Define if app.screen == Screen::Errors => define_errors::sheet(app),
            Action::Define => define::sheet(app),
            Action::Study => study::sheet(app),
            Action::Detail => detail::sheet(app)?,
            _ => return None,
        };
        Some(Overlay::Sheet(sheet))
    }

    /// The action that opens it, and closes it again.
    pub fn opened_by(&self) -> Action {
        match self {
            Overlay::Sheet(sheet) => sheet.opened_by,
            Overlay::Palette(_) => Action::Palette,
            Overlay::Steps(_) => Action::History,
            Overlay::Conditions(_) => Action::Filter,
            Overlay::Note(_) => Action::Note,
            Overlay::Order(_) => Action::SortBy,
            Overlay::Curve => Action::Curve,
            Overlay::Tests(_) => Action::Tests,
            Overlay::Pick(line) => line.field.opened_by(),
            Overlay::Export(_) => Action::Export,
            Overlay::Unsaved(_) => Action::Quit,
        }
    }

    /// Whether something is typed that a click must not lose.
    pub fn is_typed(&self) -> bool {
        matches!(
            self,
            Overlay::Note(_) | Overlay::Pick(_) | Overlay::Export(_) | Overlay::Unsaved(_)
        )
    }

    /// Scrolls a sheet by so many lines.
    pub fn scroll(&mut self, by: i32, size: (u16, u16)) {
        if let Overlay::Sheet(sheet) = self {
            sheet.scroll(by, size);
        }
    }
}

impl App {
    /// Scrolls what is open on top.
    pub(super) fn scroll_overlay(&mut self, by: i32) {
        let last = self.history.steps().len() - 1;
        match &mut self.overlay {
            Some(Overlay::Steps(steps)) => {
                steps.selected = steps.selected.saturating_add_signed(by as isize).min(last);
            }
            Some(Overlay::Tests(tests)) => tests.step(by),
            Some(open) => open.scroll(by, self.size),
            None => {}
        }
    }

    /// After a change of size, an open sheet is wrapped anew.
    pub(super) fn rewrap_overlay(&mut self) {
        let Some(Overlay::Sheet(old)) = &self.overlay else {
            return;
        };
        let (action, offset) = (old.opened_by, old.offset);
        self.overlay = Overlay::open(action, self);
        if let Some(overlay) = &mut self.overlay {
            overlay.scroll(i32::try_from(offset).unwrap_or(i32::MAX), self.size);
        }
    }
}
