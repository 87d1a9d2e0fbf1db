//! The preview of the figure of picks, as an image or in text, and changes of the figure's options.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::Line;

use super::{Cx, FIGURE, Pane, Picks};
use crate::data::text::{count, grouped};
use crate::error::Error;
use crate::figure::{FigureQuery, Layout, page_height};
use crate::jobs::{Draft, DraftPreview, DraftView};
use crate::study::WHOLE_GALLERY;
use crate::tui::action::Action;
use crate::tui::context::Ui;
use crate::tui::screen::Screen;
use crate::tui::state::Model;
use crate::tui::state::changes::Dirty;
use crate::tui::state::export::one_line;
use crate::tui::ui::hits::Target;
use crate::tui::ui::{pane, text, thumbnail};

/// Maximum number of queries in the preview.
const MAX_QUERIES: usize = 40;

impl<'a> Cx<'a> {
    /// Area inside the frame of the figure.
    pub(super) fn figure_area(self) -> Rect {
        self.areas()[1].inner(Margin::new(1, 1))
    }

    /// Queries of the figure, and the errors of picks that cannot be shown.
    fn figure_queries(self) -> (Vec<FigureQuery>, Vec<Error>) {
        self.model.resolve_picks(self.model.figure.scope)
    }

    /// The draft of the figure for the current picks, options and size; `None` if it is empty or not visible.
    fn current_draft(self) -> Option<Draft> {
        let inner = self.figure_area();
        if inner.area() == 0 {
            return None;
        }
        let (mut queries, _) = self.figure_queries();
        queries.truncate(MAX_QUERIES);
        (!queries.is_empty()).then(|| Draft {
            study: self.model.known.study_stamp,
            queries,
            judgments: self.model.judgments.decided.clone(),
            options: self.model.figure.options(),
            page_height: page_height(self.model.figure.columns),
            image_cells: self.ui.image_protocol().map(|_| (inner.width, inner.height)),
        })
    }

    /// The draft to draw; `None` if the preview is current, or nothing is to be drawn.
    pub(crate) fn wanted_draft(self) -> Option<Draft> {
        let drawn = self.state.preview.as_ref().map(|(draft, _)| draft.as_ref());
        self.current_draft().filter(|draft| drawn != Some(draft))
    }

    /// The preview, and whether it is current; `None` until it is drawn for the current size.
    fn preview(self) -> Option<(&'a Result<DraftPreview, Error>, bool)> {
        let (draft, preview) = self.state.preview.as_ref()?;
        let current = self.current_draft()?;
        (draft.image_cells == current.image_cells).then(|| (preview, **draft == current))
    }

    /// Index of the selected pick among the queries of the figure, if it is one of them.
    fn selected_index(self) -> Option<usize> {
        let selected = self.model.resolve_pick(self.model.selected_pick()?).ok()?;
        self.figure_queries().0.iter().position(|query| *query == selected)
    }
}

impl Picks {
    /// Applies an action that changes the scope, columns or layout of the figure.
    pub(super) fn change_options(&mut self, model: &mut Model, ui: &Ui, action: Action) {
        let mut figure = model.figure;
        match action {
            Action::Scope => figure.scope = figure.scope.step(1),
            Action::Columns => figure.columns = 3 - figure.columns,
            Action::Layout => {
                // `None`, by direction, comes before each layout.
                let index = |layout| Layout::ALL.iter().position(|(_, other)| *other == layout);
                let next = figure.layout.and_then(index).map_or(0, |at| at + 1);
                figure.layout = Layout::ALL.get(next).map(|(_, layout)| *layout);
            }
            _ => {}
        }
        if figure != model.figure {
            model.figure = figure;
            self.is_scrolled = false;
            model.dirty |= Dirty::SESSION;
        }
        // If only the list is visible, show the changed figure.
        if self.cx(model, ui).figure_area().area() == 0 {
            self.pane = Pane::Figure;
        }
    }
}

/// Draws the preview, or why there is none yet.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::Figure;
    let title = format!("figure of {}", cx.model.figure.scope.label());
    let inner = pane::draw_frame(title, "", focus, cx.theme, area, buf);
    cx.ui.add_target(area, Target::List(FIGURE));
    let (queries, errors) = cx.figure_queries();
    let words = match (cx.preview(), errors.first()) {
        (Some((Ok(DraftPreview { view: DraftView::Image(painted), .. }), _)), _) => {
            // Some terminals would draw the image over a popup.
            if !cx.ui.hides_images() {
                thumbnail::draw(Some(Ok(painted)), cx.theme, inner, buf);
            }
            return;
        }
        (Some((Ok(DraftPreview { view: DraftView::Lines(text), .. }), is_current)), _) => {
            let columns = usize::from(inner.width).saturating_sub(1);
            let wrap = |lines: &[String]| -> Vec<Line> {
                lines.iter().flat_map(|line| wrap_hanging(cx, line, columns)).collect()
            };
            if !cx.state.is_scrolled {
                // At the first pick, the lines above it are visible, too.
                let at = cx.selected_index().filter(|at| is_current && *at > 0);
                let start = at.and_then(|at| text.starts.get(at)).copied().unwrap_or(0);
                cx.state.figure.scroll_to(wrap(&text.lines[..start]).len());
            }
            return cx.state.figure.draw_text(&wrap(&text.lines), cx.theme, inner, buf);
        }
        (Some((Err(error), _)), _) => one_line(error),
        (None, Some(error)) if queries.is_empty() => one_line(error),
        (None, _) => "drawing …".into(),
    };
    pane::draw_wrapped([(Line::styled(words, cx.theme.dim), 0)], inner, buf);
}

/// Sentence on the figure: number of picks, layouts, size, whether it is higher than a page, pool, and numbers of drawn
/// and of excluded picks.
pub(super) fn summary(cx: Cx<'_>) -> String {
    let figure = cx.model.figure;
    let (queries, errors) = cx.figure_queries();
    let picks = cx.model.session.picks().len();
    let mut parts = vec![count(picks, "pick")];
    let layout = |query: &FigureQuery| figure.options().layout(query.direction).key();
    let mut layouts: Vec<&str> = queries.iter().map(layout).collect();
    layouts.sort_unstable();
    layouts.dedup();
    parts.push(layouts.join(" and "));
    match cx.preview() {
        Some((Ok(DraftPreview { size: [width, height], .. }), true)) => {
            let max_height = page_height(figure.columns);
            parts.push(format!("{width:.0} x {height:.0} mm"));
            if *height > max_height {
                parts.push(format!("higher than a page ({max_height:.0} mm)"));
            }
        }
        _ if queries.is_empty() => {}
        _ => parts.push("drawing …".into()),
    }
    parts.extend(other_pool_note(cx.model));
    if queries.len() > MAX_QUERIES {
        parts.push(format!("the first {MAX_QUERIES} of {} drawn", grouped(queries.len())));
    }
    if !errors.is_empty() && !queries.is_empty() {
        parts.push(format!("{} excluded", grouped(errors.len())));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// A note on the current pool, if any pick of the figure was made in another one.
fn other_pool_note(model: &Model) -> Option<String> {
    let current = model.study.own_pool_name();
    let picks = model.scoped_picks(model.figure.scope);
    let is_other = picks.iter().any(|pick| pick.pool.as_deref() != current.as_deref());
    let name = current.as_deref().unwrap_or(WHOLE_GALLERY);
    is_other.then(|| format!("ranked in pool {name}"))
}

/// `line` wrapped to `columns`, with a hanging indent that depends on its own indent.
fn wrap_hanging(cx: Cx<'_>, line: &str, columns: usize) -> Vec<Line<'static>> {
    let blanks = line.len() - line.trim_start().len();
    let line = Line::styled(format!(" {line}"), cx.theme.base);
    text::wrap_line(&line, columns, blanks + if blanks > 2 { 9 } else { 3 })
}
