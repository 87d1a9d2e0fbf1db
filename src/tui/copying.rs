//! Actions that put what is selected on the clipboard, or its picture into the system's viewer.

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::model::query_list::Pane;
use super::screen::Reply;
use crate::jobs::PassTo;

impl App {
    /// Takes one of these actions. What is open on top of the screen is about the selected item.
    pub(super) fn pass_on(&mut self, action: Action) -> Option<Effect> {
        let model = &mut self.model;
        let is_item = self.popup.is_some() || model.selection.pane == Pane::Ranking;
        let copied = match action {
            Action::OpenPicture | Action::CopyPath => {
                let is_opened = action == Action::OpenPicture;
                model.pass_picture(if is_opened { PassTo::Viewer } else { PassTo::Path });
                return None;
            }
            Action::CopyCaption => model.captions_pointed(is_item),
            Action::CopyRow => model.pair_in_json(),
            _ => model.id_pointed(is_item),
        };
        if copied.is_none() {
            model.message = Some("nothing to copy is selected".into());
        }
        match Reply::copy(model, copied) {
            Reply::Effect(effect) => Some(effect),
            _ => None,
        }
    }
}
