//! The tab of examples: a query, its top-1 and the nearest positive, with images. Also the definitions of all counts of
//! the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, QueryGroup, Tab};
use crate::analysis::evidence::contrast;
use crate::analysis::kinds;
use crate::analysis::words::{LEVEL, PRIOR};
use crate::data::Direction;
use crate::data::text::{grouped, shown};
use crate::data::words::{Contrast, tokens};
use crate::filter::UserMarks;
use crate::rank::hubs::{DEVIATIONS, MIN_HUB_COUNT};
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popups::sheet::{Page, Sheet};
use crate::tui::screens::queries;
use crate::tui::thumbnails::Place;
use crate::tui::ui::{pane, thumbnail};

/// Columns of the label of a line.
const LABEL_COLUMNS: usize = 8;
/// Minimum columns of the tab for images.
const MIN_WIDTH_WITH_IMAGES: u16 = 70;

/// A line, and the indent of its continuation lines.
type Hanging = (Line<'static>, usize);

/// Draws the current example of the group of queries, with images if there is room.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let (mut title, mut note, mut lines) = ("examples".to_owned(), String::new(), Vec::new());
    let example = cx.example();
    if let Some(QueryGroup { view, name, meaning, queries, applicable, .. }) = cx.group() {
        let model = &cx.model.study.models[view.model].name;
        let (truth, count) = (cx.model.truth_label(view.truth), grouped(queries.len()));
        title = format!("{name} of {model} under {truth}: {count} of {}", grouped(applicable));
        lines.push((Line::styled(meaning, cx.theme.dim), 0));
        if let Some((_, query, index)) = example {
            let is_picked = cx.model.is_picked(view.direction, query as usize);
            let before = if is_picked { "★ picked, " } else { "" };
            note = format!("{before}example {} of {count}", grouped(index + 1));
            lines.extend(example_lines(cx, view, query));
        }
    }
    let mut inner = pane::draw_frame(title, &note, true, cx.theme, area, buf);
    queries::draw_condition(cx, queries::UNFILTERED, area, buf);
    let images = example.map_or_else(Vec::new, |(view, query, _)| cx.images(view, query));
    let has_images = cx.ui.image_protocol().is_some() && inner.width >= MIN_WIDTH_WITH_IMAGES;
    if !images.is_empty() && has_images {
        let columns = [Constraint::Fill(3), Constraint::Fill(2)];
        let [text, right] = inner.layout(&Layout::horizontal(columns));
        inner = text;
        let height = right.height / images.len() as u16;
        for (at, (words, image)) in images.into_iter().enumerate() {
            let cell = Rect { y: right.y + at as u16 * height, height, ..right };
            buf.set_stringn(cell.x, cell.y, words, cell.width.into(), cx.theme.title);
            let area = Rect { y: cell.y + 1, height: height.saturating_sub(1), ..cell };
            thumbnail::show(at, Place { area, image }, cx.ui, buf);
        }
    }
    pane::draw_wrapped(lines, inner, buf);
}

impl Cx<'_> {
    /// The view and the query of the example, and the index of the query in the group; `None` if the group is empty or
    /// not computed yet.
    pub(super) fn example(self) -> Option<(View, u32, usize)> {
        let QueryGroup { view, queries, .. } = self.group()?;
        let index = self.state.example % queries.len().max(1);
        Some((view, *queries.get(index)?, index))
    }

    /// Images of an example, each with a label: the query itself, or top-1 and the original image of the caption.
    fn images(self, view: View, query: u32) -> Vec<(&'static str, usize)> {
        match view.direction {
            Direction::I2t => vec![("query", query as usize)],
            Direction::T2i => {
                let first = self.top_1(view, query).map(|first| ("top-1", first as usize));
                let own = self.model.study.original_items(Direction::T2i, query as usize).first();
                let own = own.map(|image| ("original image", image as usize));
                let own = own.filter(|(_, image)| first.is_none_or(|(_, first)| first != *image));
                first.into_iter().chain(own).collect()
            }
        }
    }

    /// Index of the top-1 item of a query; `None` until it is computed.
    fn top_1(self, view: View, query: u32) -> Option<u32> {
        self.model.top_k_of(view.model, view.direction)?.top_items.first(query)
    }

    /// Word diff of the captions of top-1 and of the nearest positive; `None` without captions, or until computed.
    fn word_diff(self, view: View, query: u32) -> Option<Contrast> {
        let first = self.top_1(view, query)?;
        let marks = UserMarks::new(view.direction, None, &self.model.judgments.decided);
        contrast(&self.model.study, self.model.texts()?, &marks, view, (query.into(), first.into()))
    }

    /// A line with the id and text of the query `index` of a direction. `caption` replaces the text.
    fn query_line(
        self,
        label: &str,
        (direction, index): (Direction, u32),
        caption: Option<Vec<Span<'static>>>,
    ) -> Hanging {
        let id = &self.model.study.gallery.queries(direction)[index as usize];
        // No columns for the id, which is already there.
        let text = || vec![self.model.label(direction, index as usize, 0).into()];
        let id = Span::styled(format!("[{id}] "), self.theme.dim);
        labelled(label, std::iter::once(id).chain(caption.unwrap_or_else(text)))
    }

    /// The words of the caption at a gallery index. Those in `marked` (indices in the vocabulary) get `sign` before
    /// them and the style `look`.
    fn mark_words(
        self,
        caption: u32,
        marked: &[u32],
        sign: &str,
        look: impl Into<Style>,
    ) -> Vec<Span<'static>> {
        let (caption, look) = (self.model.study.gallery.caption(caption as usize), look.into());
        let texts = self.model.texts();
        let mut left: Vec<&str> =
            texts.map_or(Vec::new(), |texts| marked.iter().map(|&word| texts.word(word)).collect());
        let mut words = Vec::new();
        // The diff matches common words from the front, so that repeated words are extra at the end.
        for word in caption.split_whitespace().rev() {
            let before = left.len();
            for token in tokens(word) {
                if let Some(at) = left.iter().position(|word| *word == token) {
                    left.remove(at);
                }
            }
            words.push(if left.len() < before {
                Span::styled(format!("{sign}{word} "), look)
            } else {
                Span::raw(format!("{word} "))
            });
        }
        words.reverse();
        words
    }
}

/// A line with a label before it.
fn labelled(label: &str, spans: impl IntoIterator<Item = Span<'static>>) -> Hanging {
    let label = Span::raw(format!("{label:<LABEL_COLUMNS$}"));
    (std::iter::once(label).chain(spans).collect(), LABEL_COLUMNS)
}

/// Lines of an example: the query, its top-1, the nearest positive, the note, and all captions of the image.
fn example_lines(cx: Cx<'_>, view: View, query: u32) -> Vec<Hanging> {
    let direction = view.direction;
    let (first, diff) = (cx.top_1(view, query), cx.word_diff(view, query));
    let missing = |diff: &Contrast| cx.mark_words(diff.wanted, &diff.missing, "−", cx.theme.up);
    let extra = |diff: &Contrast| cx.mark_words(diff.retrieved, &diff.extra, "+", cx.theme.down);
    let is_query = |diff: &&Contrast| direction == Direction::T2i && diff.wanted == query;
    let caption = diff.as_ref().filter(is_query).map(missing);
    let mut lines = vec![cx.query_line("query", (direction, query), caption)];
    if let Some(first) = first {
        lines.push(cx.query_line("top-1", (direction.flipped(), first), diff.as_ref().map(extra)));
    }
    // The query and top-1 are shown already.
    let is_new = |diff: &&Contrast| !is_query(diff) && diff.wanted != diff.retrieved;
    lines.extend(diff.as_ref().filter(is_new).map(|diff| labelled("nearest", missing(diff))));
    let note = cx.model.format_note(direction, query as usize);
    lines.extend(note.map(|note| labelled("note", [Span::styled(note, cx.theme.key)])));
    if let Some(diff) = &diff {
        let wanted = if is_query(&diff) { "the query" } else { "the nearest positive" };
        let signs = format!("+ only in the caption of top-1, − only in {wanted}");
        lines.push((Line::styled(signs, cx.theme.dim), 0));
    }
    // All captions of an image, if there is room.
    let (name, image) = match direction {
        Direction::I2t => ("the query", Some(query)),
        Direction::T2i => ("top-1", first),
    };
    let captions = image.map_or_else(Vec::new, |image| cx.model.shown_captions(image as usize));
    if !captions.is_empty() {
        lines.push((Line::default(), 0));
        lines.push((Line::styled(format!("captions of {name}"), cx.theme.title), 0));
    }
    lines.extend(captions.into_iter().map(|caption| {
        let caption = cx.model.study.gallery.caption(caption as usize);
        (Line::from(format!("- {}", shown(&caption))), 2)
    }));
    lines
}

/// Popup with the definitions of all counts of the screen, with their sources.
pub(super) fn definitions(view: View) -> Sheet {
    Sheet::new(Action::Define, move |cx, page| write_definitions(cx, view, page))
}

/// Writes the definitions.
fn write_definitions(cx: Context<'_>, view: View, page: &mut Page<'_>) {
    let model = &cx.model.study.models[view.model].name;
    let truth = cx.model.truth_label(view.truth);
    page.title = format!("error types of {model}, {}, ground truth {truth}", view.direction);
    page.paragraph(cx.theme.dim, 0, TYPES);
    for kind in kinds::for_study(&cx.model.study) {
        page.heading(kind.name);
        page.paragraph(cx.theme.base, 2, kind.meaning);
        match kind.expression(&cx.model.study, view) {
            Some(condition) => page.paragraph(cx.theme.key, 2, &condition),
            None => page.paragraph(cx.theme.dim, 2, "the study lacks what it is about"),
        }
    }
    let hubs = format!(
        "A hub is top-1 for {MIN_HUB_COUNT} queries or more, and for more than the mean item by {DEVIATIONS} standard \
         deviations. miss/of: covered queries for which it is top-1 and no positive, of those for which it is top-1. \
         N_k: queries that have an item in their top k; skew: third central moment of N_k over the cube of its \
         standard deviation. Source: Radovanovic et al., JMLR 11 (2010), 2487-2531."
    );
    let words = format!(
        "More frequent in failures: log-odds of a word among failures less those among the other covered queries, each \
         query once, with a Dirichlet prior worth {PRIOR} words. Shown: two-sided p, Holm-adjusted over all words, \
         below {LEVEL}. Source: Monroe et al., Political Analysis 16 (2008), 372-403. Top-1 against the nearest \
         positive: failures where the caption of top-1 has the word and the nearest positive caption (most words in \
         common) lacks it (+), or the other way round (−)."
    );
    for (tab, meaning) in [(Tab::Hubs, hubs), (Tab::Words, words)] {
        page.heading(tab.title());
        page.paragraph(cx.theme.base, 2, &meaning);
    }
}

/// Definition of the bar, and of shares of error types.
const TYPES: &str = "The bar has each covered query once: a missing label if it is one, else correct, near miss, far \
                     miss or other; under the original, uncovered if the richest ground truth has no positive of it. Error types overlap: a query may be of several, and a failure of none. A share is \
                     one of the queries that could be of the type: of two ground truths compared, those that both judge.";
