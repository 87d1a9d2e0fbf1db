//! Leader menu: groups of actions, and the actions of the chosen group.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::keymap::{Code, Key, Keymap};
use crate::tui::popup::{Answer, Popup};
use crate::tui::state::Model;
use crate::tui::ui::hits::Target;
use crate::tui::ui::pane;

/// Names of groups by the key after the leader key, as in the built-in keymap.
const GROUPS: [(char, &str); 5] =
    [('v', "view"), ('j', "judge"), ('f', "figure"), ('d', "data"), ('w', "what if")];

/// Width of an entry in columns.
const ENTRY_COLUMNS: u16 = 24;

/// Popup that lists the keys after the leader key, with their actions.
pub struct Leader {
    /// Keys typed so far, the leader key first.
    typed: Vec<Key>,
    keymap: Keymap,
}

impl Leader {
    pub(in crate::tui) fn new(ui: &Ui) -> Self {
        let leader = ui.keymap.keys(Action::Leader).first();
        let typed = leader.map_or(Vec::new(), |keys| keys.0.clone());
        Leader { typed, keymap: ui.keymap.clone() }
    }

    /// The possible next keys, each once, with its action (`None` for a group) and label.
    fn entries(&self) -> Vec<(Key, Option<Action>, String)> {
        let mut entries: Vec<(Key, Option<Action>, String)> = Vec::new();
        for (keys, action) in self.keymap.extensions(&self.typed) {
            let key = keys.0[self.typed.len()];
            if keys.0.len() == self.typed.len() + 1 {
                entries.push((key, Some(action), action.name().replace('-', " ")));
            } else if entries.iter().all(|(known, ..)| *known != key) {
                let group = GROUPS.iter().find(|(c, _)| key == Key::plain(Code::Char(*c)));
                entries.push((key, None, group.map_or("…", |(_, name)| name).to_owned()));
            }
        }
        entries
    }
}

impl Popup for Leader {
    fn opened_by(&self) -> Action {
        Action::Leader
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match self.entries().into_iter().find(|(next, ..)| *next == key) {
            Some((_, Some(action), _)) => Answer::Act(action),
            Some((_, None, _)) => {
                self.typed.push(key);
                Answer::Stay
            }
            None if key.closes_popup() => Answer::Pass,
            None => {
                model.message = Some(format!("{key} is not bound there"));
                Answer::Close
            }
        }
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (body, entries) = (cx.ui.frame().body, self.entries());
        let columns = (body.width.saturating_sub(2) / ENTRY_COLUMNS).max(1);
        let rows = (entries.len() as u16).div_ceil(columns);
        let height = (rows + 2).min(body.height);
        let area = Rect { y: body.bottom() - height, height, ..body };
        Clear.render(area, buf);
        buf.set_style(area, cx.theme.base);
        cx.ui.add_target(area, Target::Popup);
        let typed: Vec<String> = self.typed.iter().map(ToString::to_string).collect();
        let inner = pane::draw_frame(typed.join(" "), "", true, cx.theme, area, buf);
        for (at, (key, action, label)) in entries.iter().enumerate() {
            let (x, y) = (inner.x + at as u16 / rows * ENTRY_COLUMNS, inner.y + at as u16 % rows);
            let cell = Rect { x, y, width: ENTRY_COLUMNS - 1, height: 1 }.intersection(inner);
            let look = if action.is_some() { cx.theme.base } else { cx.theme.title };
            let key = Span::styled(format!(" {key} "), cx.theme.key);
            Line::from(vec![key, Span::styled(label.as_str(), look)]).render(cell, buf);
            if let Some(action) = action {
                cx.ui.add_target(cell, Target::Do(*action));
            }
        }
        None
    }
}
