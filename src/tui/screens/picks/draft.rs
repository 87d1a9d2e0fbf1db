//! The figure of picks: what is to be drawn, what came of it, and writing it to a file.

use std::sync::Arc;

use serde_json::{Value, json};

use super::edit::one_line;
use super::{Scope, Shape};
use crate::data::text::{grouped, shown};
use crate::engine::{Draft, Drafted, Export, ExportFigure, PreviewFigure, Wanted};
use crate::error::Error;
use crate::figure::{self, Layout};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::backend::AppJob;
use crate::tui::pictures::{ImageBackend, Painted, Way};
use crate::tui::popups::ExportForm;
use crate::tui::screens::Screen;

/// The most queries that are drawn while a person looks on.
pub(super) const MOST: usize = 40;

impl AppJob for PreviewFigure<ImageBackend> {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let draft = Vec::from_iter(app.wanted_draft().map(Arc::new));
        let input = || (app.study.clone(), app.pictures.backend().cloned());
        Some(Wanted::parts((), draft, input))
    }

    fn take(app: &mut App, (): (), drawn: Self::Output) {
        app.picks.drawn = Some(drawn);
        app.picks_follow();
    }
}

impl AppJob for ExportFigure {
    const MUST_FINISH: bool = true;

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let export = app.picks.export.as_ref()?;
        Some(Wanted::one((), || export.clone()))
    }

    fn take(app: &mut App, (): (), (export, outcome): Self::Output) {
        app.take_export(&export, outcome);
    }

    fn fail(app: &mut App) {
        app.picks.export = None;
    }
}

impl App {
    /// What the picks of a scope show, and why others show nothing in this study.
    pub(in crate::tui) fn drawable(&self, scope: Scope) -> (Vec<figure::Wanted>, Vec<Error>) {
        let mut wanted = Vec::new();
        let mut lacking = Vec::new();
        for pick in self.picks_of(scope) {
            match self.shown_by(pick) {
                Ok(one) => wanted.push(one),
                Err(error) => lacking.push(error),
            }
        }
        (wanted, lacking)
    }

    /// Whether the figure is shown as a picture.
    pub fn draws_picture(&self) -> bool {
        let chosen = self.picks.shape.as_picture;
        let way = self.picture_way();
        way.is_some_and(|way| chosen.unwrap_or(!way.is_text()))
    }

    /// The figure that the screen shows; `None` where it shows none.
    fn shown_draft(&self) -> Option<Draft> {
        let inner = self.picks_areas().figure_inner();
        if self.screen != Screen::Picks || inner.area() == 0 {
            return None;
        }
        let (mut wanted, _) = self.drawable(self.picks.shape.scope);
        wanted.truncate(MOST);
        let is_picture = self.draws_picture();
        (!wanted.is_empty()).then(|| Draft {
            study: self.study_stamp,
            wanted,
            options: self.picks.shape.options(),
            place: is_picture.then_some((inner.width, inner.height)),
        })
    }

    /// The figure that is to be drawn; `None` where what is shown is there.
    fn wanted_draft(&self) -> Option<Draft> {
        let drawn = self.picks.drawn.as_ref().map(|(draft, _)| draft.as_ref());
        self.shown_draft().filter(|draft| drawn != Some(draft))
    }

    /// What is known of the figure on the screen, and whether it is that of what is selected now.
    pub(super) fn drawn(&self) -> Option<(&Result<Drafted<Painted>, Error>, bool)> {
        let (draft, drawn) = self.picks.drawn.as_ref()?;
        let shown = self.shown_draft()?;
        let fits = draft.place == shown.place;
        fits.then(|| (drawn, **draft == shown))
    }

    /// Forgets the figure: the terminal lost its picture.
    pub(in crate::tui) fn forget_draft(&mut self) {
        self.picks.drawn = None;
    }

    /// The figure of which cells know nothing, once it is drawn: what tells whether it is still the same.
    pub(in crate::tui) fn figure_in_cells(&self) -> Option<&Arc<Draft>> {
        let leaves = self.picture_way().is_some_and(Way::leaves_traces);
        let is_seen = leaves && self.screen == Screen::Picks && self.popup.is_none();
        let (draft, _) = self.picks.drawn.as_ref().filter(|_| is_seen)?;
        draft.place.and(Some(draft))
    }

    /// Changes how the figure looks.
    pub(super) fn reshape(&mut self, action: Action) {
        let mut shape = self.picks.shape;
        match action {
            Action::Scope => shape.scope = shape.scope.stepped(1),
            Action::Columns => shape.columns = 3 - shape.columns,
            Action::Layout => shape.layout = next_layout(shape.layout),
            Action::Plot if self.picture_way().is_none() => {
                self.message = Some("pictures are off: the figure is shown as text".into());
            }
            Action::Plot => shape.as_picture = Some(!self.draws_picture()),
            _ => {}
        }
        if shape != self.picks.shape {
            self.picks.shape = shape;
            self.picks.scroll = 0;
            self.turn_page();
        }
    }

    /// Opens the form for a file of the figure.
    pub(super) fn start_export(&mut self) {
        if self.session.picks().is_empty() {
            self.message = Some("no query is picked: there is nothing to write".into());
        } else if self.picks.export.is_some() {
            self.message = Some("a figure is being written".into());
        } else {
            self.open(ExportForm::new(self));
        }
    }

    /// Has a figure written.
    pub(in crate::tui) fn export(&mut self, export: Export) {
        let path = shown(&export.path.display().to_string());
        self.message = Some(format!("writing {path} …"));
        self.picks.export = Some(Arc::new(export));
    }

    /// Takes the outcome of writing a file.
    fn take_export(&mut self, export: &Export, outcome: Result<Vec<String>, Error>) {
        self.picks.export = None;
        self.picks.lost = outcome.as_ref().err().cloned();
        self.message = Some(match outcome {
            Err(error) => one_line(&error),
            Ok(warnings) => {
                let count = export.wanted.len();
                let queries = if count == 1 { "query" } else { "queries" };
                let path = shown(&export.path.display().to_string());
                let told = warnings.iter().map(|warning| format!("; {warning}"));
                let told: String = told.collect();
                format!("wrote {path}: {} {queries}{told}", grouped(count))
            }
        });
    }

    /// How the figure looks, as a session keeps it.
    pub(in crate::tui) fn shape_words(&self) -> Value {
        let shape = self.picks.shape;
        json!({
            "scope": shape.scope.words(),
            "layout": shape.layout.map(Layout::key),
            "columns": shape.columns,
            "picture": shape.as_picture,
        })
    }

    /// Takes it from a session, as far as it is known.
    pub(in crate::tui) fn restore_shape(&mut self, words: &Value) {
        let mut scopes = Scope::ALL.into_iter();
        let scope = scopes.find(|(name, _)| words["scope"].as_str() == Some(name));
        self.picks.shape = Shape {
            scope: scope.map(|(_, scope)| scope).unwrap_or_default(),
            layout: words["layout"].as_str().and_then(Layout::named),
            columns: if words["columns"] == 2 { 2 } else { 1 },
            as_picture: words["picture"].as_bool(),
        };
    }
}

/// By direction, then each layout.
fn next_layout(layout: Option<Layout>) -> Option<Layout> {
    let at = |layout| Layout::ALL.iter().position(|(_, one)| *one == layout);
    let next = layout.and_then(at).map_or(0, |at| at + 1);
    Layout::ALL.get(next).map(|(_, layout)| *layout)
}
