//! Popups. Each is one file here, and one line in [`open`] if an action opens it from any screen.

pub mod detail;
pub mod export;
pub mod filter;
pub mod help;
pub mod leader;
mod nearest;
pub mod paired_tests;
pub mod prompt;
pub mod sheet;

use super::action::Action;
use super::context::Ui;
use super::popup::Popup;
use super::state::Model;

/// The popup that an action opens from any screen. `None`: the action opens no popup. `Some(None)`: its popup cannot
/// open now, and a message says why.
pub fn open(action: Action, model: &mut Model, ui: &Ui) -> Option<Option<Box<dyn Popup>>> {
    Some(match action {
        Action::Leader => Some(boxed(leader::Leader::new(ui))),
        Action::Study => Some(boxed(sheet::Sheet::new(action, sheet::write_study))),
        Action::Filter => Some(boxed(filter::FilterMenu::new(model))),
        Action::SortBy => Some(boxed(prompt::PromptPopup::for_sort(model))),
        Action::Detail if model.pick_target().is_some() && !model.demand.items => {
            Some(boxed(detail::Detail::default()))
        }
        Action::JudgeDepth => prompt::PromptPopup::for_depth(model).map(boxed),
        Action::Jump => Some(boxed(prompt::PromptPopup::for_jump())),
        Action::Tag => prompt::PromptPopup::for_tag(model).map(boxed),
        Action::Nearest => nearest::NearestList::new(model).map(boxed),
        Action::Tests => paired_tests::open(model).map(boxed),
        _ => return None,
    })
}

fn boxed<P: Popup>(popup: P) -> Box<dyn Popup> {
    Box::new(popup)
}
