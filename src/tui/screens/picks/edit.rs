//! What is done to picks: moved, edited, removed, opened.

use super::Pane;
use crate::data::index::ModelIx;
use crate::data::text::shown;
use crate::error::Error;
use crate::figure::scene::DEEPEST;
use crate::session::{Pick, groups};
use crate::tui::action::Action;
use crate::tui::app::{App, Numbers};
use crate::tui::history::Change;
use crate::tui::popups::{PickField, PickLine};
use crate::tui::screens::Screen;
use crate::tui::selection::View;

/// A pick in words.
fn named(pick: &Pick) -> String {
    format!("{} query {}", pick.direction, pick.query)
}

impl App {
    /// The picks group by group, as every change leaves them.
    fn picks_in_order(&self) -> Vec<Pick> {
        self.listed_picks().cloned().collect()
    }

    /// Whether there is no pick to change, or none may be, which is then said.
    fn has_no_pick(&mut self) -> bool {
        if self.session.picks().is_empty() {
            self.message = Some("no query is picked".into());
            return true;
        }
        self.is_read_only()
    }

    /// Removes the selected pick.
    pub(super) fn remove_pick(&mut self) {
        if self.has_no_pick() {
            return;
        }
        let mut after = self.picks_in_order();
        let pick = after.remove(self.picks_selected());
        let what = format!("no longer picked: {}", named(&pick));
        self.message = Some(format!("{what}; {} undoes", self.keymap.hint(Action::Undo)));
        self.change_picks(what, after);
    }

    /// Moves the selected pick within its group; at the edge of it, the whole group.
    pub(super) fn move_pick(&mut self, by: isize) {
        if self.has_no_pick() {
            return;
        }
        let picks = self.picks_in_order();
        let mut groups = groups(&picks);
        let here = self.picks_selected();
        let Some(group) = groups.iter().position(|group| group.contains(&here)) else {
            return;
        };
        let at = here - groups[group][0];
        let to = at.checked_add_signed(by);
        let beside = group.checked_add_signed(by);
        if let Some(to) = to.filter(|to| *to < groups[group].len()) {
            groups[group].swap(at, to);
        } else if let Some(beside) = beside.filter(|beside| *beside < groups.len()) {
            groups.swap(group, beside);
        } else {
            self.message = Some("there is no place to move it to".into());
            return;
        }
        let order = groups.concat();
        let selected = order.iter().position(|place| *place == here);
        self.picks.selected = selected.unwrap_or(here);
        let after = order.into_iter().map(|place| picks[place].clone());
        let after = after.collect();
        self.change_picks(format!("moved: {}", named(&picks[here])), after);
    }

    /// Edits the selected pick.
    fn edit_pick(&mut self, what: &str, edit: impl FnOnce(&mut Pick)) {
        if self.has_no_pick() {
            return;
        }
        let mut after = self.picks_in_order();
        let pick = &mut after[self.picks_selected()];
        edit(pick);
        let pick = pick.clone();
        let order = groups(&after).concat();
        let after: Vec<Pick> = order.iter().map(|&place| after[place].clone()).collect();
        let place = after.iter().position(|one| *one == pick);
        self.picks.selected = place.unwrap_or(self.picks.selected);
        self.change_picks(format!("{what}: {}", named(&pick)), after);
    }

    /// Shows more or fewer items of the selected pick.
    pub(super) fn turn_depth(&mut self, by: i32) {
        let Some(depth) = self.selected_pick().map(|pick| pick.depth) else {
            return;
        };
        let to = depth.saturating_add_signed(by).clamp(1, DEEPEST);
        if to == depth {
            self.message = Some(format!("a pick shows 1 to {DEEPEST} items"));
        } else {
            self.edit_pick(&format!("{to} items"), |pick| pick.depth = to);
        }
    }

    /// Shows the next choice of models: the one looked at, those compared, all.
    pub(super) fn next_models(&mut self) {
        let Some(pick) = self.selected_pick() else {
            return;
        };
        let names = |models: &[ModelIx]| -> Vec<String> {
            let names = models.iter();
            names
                .map(|&at| self.study.models[at].name.clone())
                .collect()
        };
        let is_there = |model: &ModelIx| !matches!(self.numbers[*model], Numbers::Failed(_));
        let all: Vec<ModelIx> = ModelIx::all(&self.numbers).filter(is_there).collect();
        let mut choices = vec![
            names(&[self.view.model]),
            names(&self.compared()),
            names(&all),
        ];
        choices.dedup_by(|one, other| {
            one.len() == other.len() && one.iter().all(|name| other.contains(name))
        });
        let here = choices.iter().position(|choice| *choice == pick.models);
        let next = here.map_or(0, |at| (at + 1) % choices.len());
        let models = choices.swap_remove(next);
        if models == pick.models {
            self.message = Some("no other model is loaded".into());
            return;
        }
        let what = format!("models {}", shown(&models.join(", ")));
        self.edit_pick(&what, |pick| pick.models = models);
    }

    /// Opens the line for a part of the selected pick.
    pub(super) fn start_pick_line(&mut self, field: PickField) {
        if self.has_no_pick() {
            return;
        }
        let Some(pick) = self.selected_pick() else {
            return;
        };
        let text = match field {
            PickField::Note => shown(&pick.note),
            PickField::Heading => pick.group.as_deref().map_or(String::new(), shown),
            PickField::Models => shown(&pick.models.join(", ")),
        };
        self.open(PickLine::new(field, text));
    }

    /// Keeps what was typed of the selected pick.
    ///
    /// # Errors
    /// Names that no model has.
    pub(in crate::tui) fn keep_pick_line(
        &mut self,
        field: PickField,
        text: &str,
    ) -> Result<(), Error> {
        let text = text.trim().to_owned();
        match field {
            PickField::Note => self.edit_pick("note", |pick| pick.note = text),
            PickField::Heading => {
                let group = (!text.is_empty()).then_some(text);
                self.edit_pick("heading", |pick| pick.group = group);
            }
            PickField::Models => {
                let names = text.split(',').map(str::trim);
                let names = names.filter(|name| !name.is_empty());
                let names: Vec<String> = names.map(str::to_owned).collect();
                crate::figure::models_named(&self.study, &names)?;
                if names.is_empty() {
                    return Err(Error::new("models", "no name"));
                }
                self.edit_pick("models", |pick| pick.models = names);
            }
        }
        Ok(())
    }

    /// Shows the selected query on the browse screen, as the pick has it.
    pub(super) fn open_pick(&mut self) {
        let Some(pick) = self.selected_pick() else {
            return;
        };
        let wanted = match self.shown_by(pick) {
            Ok(wanted) => wanted,
            Err(error) => {
                self.message = Some(one_line(&error));
                return;
            }
        };
        let view = View {
            model: wanted.models.first().copied().unwrap_or(self.view.model),
            truth: wanted.truth,
            direction: wanted.direction,
        };
        let truth = &self.study.truths[view.truth];
        let judged = truth.relevance[view.direction].as_ref();
        if judged
            .and_then(|judged| judged.place(wanted.query))
            .is_none()
        {
            self.message = Some(format!("truth {} does not judge this query", truth.name));
            return;
        }
        self.look_for(view, wanted.query);
    }

    /// Looks at a query; a search or a condition that hides it is ended.
    fn look_for(&mut self, view: View, query: usize) {
        let is_it = |&listed: &u32| listed as usize == query;
        let is_listed = view.direction == self.view.direction
            && view.truth == self.view.truth
            && view.model == self.view.model
            && self.browse.queries.iter().any(is_it);
        let before = (self.view, self.filter.text.clone());
        let mut after = (view, self.filter.text.clone());
        if !is_listed {
            self.search.clear();
            after.1.clear();
        }
        self.show(Screen::Browse);
        if before == after {
            self.browse_refresh();
        } else {
            self.make(Change::List { before, after });
        }
        if let Some(place) = self.browse.queries.iter().position(is_it) {
            self.browse_select(place);
        }
        self.browse.pane = crate::tui::screens::browse::Pane::Queries;
    }

    /// Takes an action that is about picks, from any screen.
    pub(in crate::tui) fn picks_act(&mut self, action: Action) {
        let was_here = self.screen == Screen::Picks;
        self.show(Screen::Picks);
        match action {
            Action::Export => self.start_export(),
            _ if !was_here => {}
            Action::MoveDown => self.move_pick(1),
            Action::MoveUp => self.move_pick(-1),
            Action::Models => self.next_models(),
            Action::ModelsBy => self.start_pick_line(PickField::Models),
            Action::Heading => self.start_pick_line(PickField::Heading),
            _ => self.reshape(action),
        }
        self.picks_follow();
    }

    /// Gives keys to the other pane.
    pub(super) fn other_pane(&mut self) {
        self.picks.pane = match self.picks.pane {
            Pane::List => Pane::Figure,
            Pane::Figure => Pane::List,
        };
    }
}

/// An error in one line.
pub(in crate::tui) fn one_line(error: &Error) -> String {
    error.to_string().replace("\n ", ";")
}
