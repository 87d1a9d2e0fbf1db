//! The figure of picks: its request, and its preview as an image or in text.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::Line;

use super::{Cx, FIGURE, Pane, Picks};
use crate::data::text::{count, grouped};
use crate::error::Error;
use crate::figure::{Layout, Wanted, page_height};
use crate::jobs::{Draft, DraftView, Drafted};
use crate::study::WHOLE_GALLERY;
use crate::tui::action::Action;
use crate::tui::context::Ui;
use crate::tui::screen::Screen;
use crate::tui::state::Model;
use crate::tui::state::changes::Dirty;
use crate::tui::state::export::one_line;
use crate::tui::ui::hits::Target;
use crate::tui::ui::{pane, text, thumbnail};

/// Maximum number of queries in a preview.
const MAX_QUERIES: usize = 40;

impl<'a> Cx<'a> {
    pub(super) fn figure_inner(self) -> Rect {
        self.areas()[1].inner(Margin::new(1, 1))
    }

    /// Content of the figure, and errors of excluded picks.
    fn drawable(self) -> (Vec<Wanted>, Vec<Error>) {
        self.model.drawable(self.model.figure.scope)
    }

    /// The figure on screen; `None` if there is none.
    fn shown_draft(self) -> Option<Draft> {
        let inner = self.figure_inner();
        if inner.area() == 0 {
            return None;
        }
        let (mut wanted, _) = self.drawable();
        wanted.truncate(MAX_QUERIES);
        (!wanted.is_empty()).then(|| Draft {
            study: self.model.known.study_stamp,
            queries: wanted,
            judgments: self.model.judgments.decided.clone(),
            options: self.model.figure.options(),
            page_height: page_height(self.model.figure.columns),
            image_cells: self.ui.image_protocol().map(|_| (inner.width, inner.height)),
        })
    }

    /// The figure to draw; `None` if the one on screen is current.
    pub(crate) fn wanted_draft(self) -> Option<Draft> {
        let drawn = self.state.drawn.as_ref().map(|(draft, _)| draft.as_ref());
        self.shown_draft().filter(|draft| drawn != Some(draft))
    }

    /// The drawn figure on screen, and whether it is current.
    fn drawn(self) -> Option<(&'a Result<Drafted, Error>, bool)> {
        let (draft, drawn) = self.state.drawn.as_ref()?;
        let shown = self.shown_draft()?;
        (draft.image_cells == shown.image_cells).then(|| (drawn, **draft == shown))
    }

    /// Index of the selected pick in the figure, if it is drawn.
    fn place_in_figure(self) -> Option<usize> {
        let selected = self.model.shown_by(self.model.selected_pick()?).ok()?;
        self.drawable().0.iter().position(|one| *one == selected)
    }
}

impl Picks {
    /// Changes the figure's options.
    pub(super) fn reshape(&mut self, model: &mut Model, ui: &Ui, action: Action) {
        let mut shape = model.figure;
        match action {
            Action::Scope => shape.scope = shape.scope.stepped(1),
            Action::Columns => shape.columns = 3 - shape.columns,
            Action::Layout => {
                // By direction, then each layout.
                let at = |layout| Layout::ALL.iter().position(|(_, one)| *one == layout);
                let next = shape.layout.and_then(at).map_or(0, |at| at + 1);
                shape.layout = Layout::ALL.get(next).map(|(_, layout)| *layout);
            }
            _ => {}
        }
        if shape != model.figure {
            model.figure = shape;
            self.is_scrolled = false;
            model.dirty |= Dirty::SESSION;
        }
        // If the screen has room for one part, show the changed figure.
        if self.cx(model, ui).figure_inner().area() == 0 {
            self.pane = Pane::Figure;
        }
    }
}

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::Figure;
    let title = format!("figure of {}", cx.model.figure.scope.label());
    let inner = pane::frame(title, "", focus, cx.theme, area, buf);
    cx.ui.hit(area, Target::List(FIGURE));
    let (wanted, lacking) = cx.drawable();
    let words = match (cx.drawn(), lacking.first()) {
        (Some((Ok(Drafted { view: DraftView::Image(painted), .. }), _)), _) => {
            // Some terminals would draw it over a popup.
            if !cx.ui.hides_images() {
                thumbnail::draw(Some(Ok(painted)), cx.theme, inner, buf);
            }
            return;
        }
        (Some((Ok(Drafted { view: DraftView::Lines(told), .. }), is_its)), _) => {
            let columns = usize::from(inner.width).saturating_sub(1);
            let wrapped = |lines: &[String]| -> Vec<Line> {
                lines.iter().flat_map(|line| hanging(cx, line, columns)).collect()
            };
            if !cx.state.is_scrolled {
                // The first pick shows the lines above it, too.
                let at = cx.place_in_figure().filter(|at| is_its && *at > 0);
                let start = at.and_then(|at| told.starts.get(at)).copied().unwrap_or(0);
                cx.state.figure.scroll_to(wrapped(&told.lines[..start]).len());
            }
            return cx.state.figure.draw_text(&wrapped(&told.lines), cx.theme, inner, buf);
        }
        (Some((Err(error), _)), _) => one_line(error),
        (None, Some(error)) if wanted.is_empty() => one_line(error),
        (None, _) => "drawing …".into(),
    };
    pane::wrapped([(Line::styled(words, cx.theme.dim), 0)], inner, buf);
}

/// Number of picks, and the figure's layout, size, whether it fits, and what it lacks or shows differently than picked.
pub(super) fn summary(cx: Cx<'_>) -> String {
    let shape = cx.model.figure;
    let (wanted, lacking) = cx.drawable();
    let picks = cx.model.session.picks().len();
    let mut parts = vec![count(picks, "pick")];
    let layout = |one: &Wanted| shape.options().layout(one.direction).key();
    let mut layouts: Vec<&str> = wanted.iter().map(layout).collect();
    layouts.sort_unstable();
    layouts.dedup();
    parts.push(layouts.join(" and "));
    match cx.drawn() {
        Some((Ok(Drafted { size: [width, height], .. }), true)) => {
            let most = page_height(shape.columns);
            parts.push(format!("{width:.0} x {height:.0} mm"));
            parts.push(match shape.columns {
                _ if *height > most => format!("higher than a page ({most:.0} mm)"),
                1 => "fits the page".into(),
                _ => "fits one column".into(),
            });
        }
        _ if wanted.is_empty() => {}
        _ => parts.push("drawing …".into()),
    }
    parts.extend(other_pool(cx.model));
    if wanted.len() > MAX_QUERIES {
        parts.push(format!("the first {MAX_QUERIES} of {} drawn", grouped(wanted.len())));
    }
    if !lacking.is_empty() && !wanted.is_empty() {
        parts.push(format!("{} excluded", grouped(lacking.len())));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// The current pool, if picks of the figure were made in others.
fn other_pool(model: &Model) -> Option<String> {
    let shown = model.study.own_pool();
    let picks = model.picks_of(model.figure.scope);
    let is_of_other = picks.iter().any(|pick| pick.pool.as_deref() != shown.as_deref());
    let name = shown.as_deref().unwrap_or(WHOLE_GALLERY);
    is_of_other.then(|| format!("ranked in pool {name}"))
}

/// A wrapped line with a hanging indent.
fn hanging(cx: Cx<'_>, line: &str, columns: usize) -> Vec<Line<'static>> {
    let blanks = line.len() - line.trim_start().len();
    let line = Line::styled(format!(" {line}"), cx.theme.base);
    text::wrap_line(&line, columns, blanks + if blanks > 2 { 9 } else { 3 })
}
