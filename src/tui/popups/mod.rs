//! What opens on top of a screen. A popup is one file here, and one line in `POPUPS` where an action
//! opens it from everywhere.

pub mod curve;
pub mod define;
pub mod detail;
mod entries;
pub mod export;
pub mod filter;
pub mod help;
pub mod history;
pub mod items;
pub(in crate::tui) mod judging_hints;
pub mod paired_tests;
pub mod palette;
pub mod prompt;
pub mod sheet;
mod steps;
pub mod study;
pub mod unsaved;
pub mod verdicts;
use super::action::Action;
use super::model::Model;
use super::popup::Popup;
use super::ui::Ui;
use prompt::PromptPopup;

/// Makes a popup; `None` where there is nothing to open, which is then said.
type Open = fn(&mut Model, &Ui) -> Option<Box<dyn Popup>>;

/// The popups that an action opens from everywhere.
const POPUPS: &[(Action, Open)] = &[
    (Action::Help, |_, ui| boxed(Some(help::Help::new(ui)))),
    (Action::Palette, |_, ui| boxed(Some(palette::Palette::new(ui)))),
    (Action::Study, |_, _| boxed(Some(study::sheet()))),
    (Action::Filter, |model, _| boxed(Some(filter::FilterMenu::new(model)))),
    (Action::SortBy, |model, _| boxed(Some(PromptPopup::sort_by(model)))),
    (Action::History, |model, _| boxed(Some(history::HistoryList::new(model)))),
    (Action::Verdicts, |model, _| boxed(verdicts::VerdictTable::new(model))),
    (Action::Jump, |_, _| boxed(Some(PromptPopup::jump()))),
    (Action::Items, |model, _| boxed(items::open(model))),
    (Action::Note, |model, _| {
        let selected = model.sighted();
        boxed(PromptPopup::note(model, selected.as_ref()))
    }),
    (Action::Tests, |model, _| boxed(paired_tests::open(model))),
    (Action::Curve, |model, _| boxed(curve::open(model))),
    (Action::Steps, |model, _| boxed(steps::open(model))),
];

fn boxed<P: Popup>(popup: Option<P>) -> Option<Box<dyn Popup>> {
    popup.map(|popup| Box::new(popup) as Box<dyn Popup>)
}

fn entry(action: Action) -> Option<Open> {
    let (_, open) = POPUPS.iter().find(|(opens, _)| *opens == action)?;
    Some(*open)
}

/// Whether an action opens a popup from everywhere.
pub fn opens(action: Action) -> bool {
    entry(action).is_some()
}

/// The popup that an action opens from everywhere; `None` for an action that opens none, and where there is
/// nothing to open.
pub fn open(action: Action, model: &mut Model, ui: &Ui) -> Option<Box<dyn Popup>> {
    entry(action)?(model, ui)
}
