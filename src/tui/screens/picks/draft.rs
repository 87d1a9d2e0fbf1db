//! The figure of picks: what is to be drawn, and what came of it.

use super::{Cx, Pane, Picks};
use crate::error::Error;
use crate::figure::{Layout, page_height};
use crate::jobs::{Draft, Drafted};
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::dirty::Dirty;
use crate::tui::ui::Ui;

/// The most queries that are drawn while a person looks on.
pub(super) const MOST: usize = 40;

impl<'a> Cx<'a> {
    /// Whether the figure is shown as a picture.
    pub fn draws_picture(self) -> bool {
        let chosen = self.model.figure.as_picture;
        let way = self.ui.picture_way();
        way.is_some_and(|way| chosen.unwrap_or(!way.is_text()))
    }

    /// The figure that the screen shows; `None` where it shows none.
    fn shown_draft(self) -> Option<Draft> {
        let inner = self.areas().figure_inner();
        if inner.area() == 0 {
            return None;
        }
        let (mut wanted, _) = self.model.drawable(self.model.figure.scope);
        wanted.truncate(MOST);
        let is_picture = self.draws_picture();
        (!wanted.is_empty()).then(|| Draft {
            study: self.model.known.study_stamp,
            wanted,
            verdicts: self.model.judgements.verdicts.clone(),
            options: self.model.figure.options(),
            page_height: page_height(self.model.figure.columns),
            place: is_picture.then_some((inner.width, inner.height)),
        })
    }

    /// The figure that is to be drawn; `None` where what is shown is there.
    pub(crate) fn wanted_draft(self) -> Option<Draft> {
        let drawn = self.state.drawn.as_ref().map(|(draft, _)| draft.as_ref());
        self.shown_draft().filter(|draft| drawn != Some(draft))
    }

    /// What is known of the figure on the screen, and whether it is that of what is selected now.
    pub(super) fn drawn(self) -> Option<(&'a Result<Drafted, Error>, bool)> {
        let (draft, drawn) = self.state.drawn.as_ref()?;
        let shown = self.shown_draft()?;
        let fits = draft.place == shown.place;
        fits.then(|| (drawn, **draft == shown))
    }
}

impl Picks {
    /// Changes how the figure looks.
    pub(super) fn reshape(&mut self, model: &mut Model, ui: &Ui, action: Action) {
        let mut shape = model.figure;
        match action {
            Action::Scope => shape.scope = shape.scope.stepped(1),
            Action::Columns => shape.columns = 3 - shape.columns,
            Action::Layout => shape.layout = next_layout(shape.layout),
            Action::Plot if ui.picture_way().is_none() => {
                let why = ui.lacks_pictures(model);
                model.message = Some(format!("the figure is shown as text; {why}"));
            }
            Action::Plot => shape.as_picture = Some(!self.cx(model, ui).draws_picture()),
            _ => {}
        }
        if shape != model.figure {
            model.figure = shape;
            self.scroll = None;
            model.dirty |= Dirty::SESSION;
        }
        // What is asked for is to be seen, where the screen has room for one part.
        if self.cx(model, ui).areas().figure.area() == 0 {
            self.pane = Pane::Figure;
        }
    }
}

/// By direction, then each layout.
fn next_layout(layout: Option<Layout>) -> Option<Layout> {
    let at = |layout| Layout::ALL.iter().position(|(_, one)| *one == layout);
    let next = layout.and_then(at).map_or(0, |at| at + 1);
    Layout::ALL.get(next).map(|(_, layout)| *layout)
}
