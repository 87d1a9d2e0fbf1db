//! Details of the selected query and item, beside the image.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::sheet::{Page, Sheet, text_area};
use crate::data::Direction;
use crate::data::ratings::BEST;
use crate::data::text::grouped;
use crate::truth::judgment::Pair;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popup::{ANSWERS, Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::state::query_list::Item;
use crate::tui::thumbnails::Place;
use crate::tui::ui::list::Scrolled;
use crate::tui::ui::text::{self, Phrased};
use crate::tui::ui::{pane, thumbnail};

/// A caption that Flickr30k Entities lists in `UNRELATED_CAPTIONS`.
const UNRELATED: &str = "UNRELATED_CAPTIONS: the caption says nothing of its original image";

/// Details of a query and an item.
#[derive(Default)]
pub struct Detail {
    scrolled: Scrolled,
}

/// Maximum text width there.
const MAX_TEXT_WIDTH: u16 = 52;

fn has_boxes(model: &Model) -> bool {
    model.study.phrases.is_some() && !model.is_blind()
}

impl Popup for Detail {
    fn opened_by(&self) -> Action {
        Action::Detail
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        let is_way = matches!(action, Action::Undo | Action::Redo);
        if model.judging.is_on && (is_way || action.is_of_judging() || action.steps_match()) {
            // The next pair is read from its top.
            self.scrolled = Scrolled::default();
            return Answer::Below(action);
        }
        let is_here = action == Action::Boxes && has_boxes(model);
        if is_here { Answer::Below(action) } else { Answer::Pass }
    }

    fn is_done(&self, model: &Model) -> bool {
        model.selection.query().is_none()
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        let mut hints = Vec::new();
        if model.judging.is_on {
            hints.extend(ANSWERS);
            hints.push((Action::Undo, "undo"));
        }
        hints.extend([(Action::Close, "close"), (Action::Down, "scroll")]);
        hints.extend(has_boxes(model).then_some((Action::Boxes, "boxes")));
        hints
    }

    fn scroll(&mut self, by: isize, _model: &Model) {
        self.scrolled.scroll(by);
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let image = cx.model.selected_image();
        let is_shown = cx.ui.image_protocol().is_some() && cx.ui.lacking(image).is_none();
        let image = image.filter(|_| is_shown);
        let (width, highest) = Sheet::outer(screen.as_size().into());
        let width = if image.is_some() { screen.width } else { width };
        let most = Rect::new(0, 0, width.saturating_sub(2), highest.saturating_sub(2));
        let [_, text] = parts(most, image.is_some());
        let mut page = Page::new(text.width.saturating_sub(2), cx.theme);
        write(cx, &mut page, cx.model.item());
        let rows = page.lines.len() as u16 + 2;
        let height = if image.is_some() { highest } else { rows.min(highest) };
        let inner = pane::popup("detail", "", (width, height), cx.ui, screen, buf);
        let [area, text] = parts(inner, image.is_some());
        self.scrolled.draw_text(&page.lines, cx.theme, text_area(text), buf);
        if let Some(image) = image.filter(|_| area.area() > 0) {
            thumbnail::show(0, Place { area, image }, cx.ui, buf);
        }
        None
    }
}

/// The image, and the text to its right.
fn parts(inner: Rect, has_image: bool) -> [Rect; 2] {
    if !has_image {
        return [Rect::default(), inner];
    }
    let columns = Constraint::Length((inner.width * 2 / 5).min(MAX_TEXT_WIDTH) + 2);
    inner.layout(&Layout::horizontal([Constraint::Fill(1), columns]))
}

/// Adds the selected query, and an item's status in all rankings and ground truths.
pub(in crate::tui) fn write(cx: Context<'_>, page: &mut Page<'_>, item: Option<Item>) {
    let (model, theme) = (cx.model, cx.theme);
    let direction = model.view.direction;
    let Some(query) = model.selection.query() else {
        return;
    };
    page.heading("query");
    about(page, cx, direction, query);
    if let Some(note) = model.note_words(direction, query) {
        page.paragraph(theme.key, 2, &format!("{} {note}", signs::NOTE));
    }
    let Some(selected) = item else {
        return;
    };
    let item = selected.item;
    if model.is_blind() {
        page.heading("item");
        return self::item(cx, page, item);
    }
    let at =
        |rank: usize, score: f64| format!("rank {}, score {}", grouped(rank), signs::score(score));
    page.heading(match selected.rank {
        0 => "item, not ranked".into(),
        rank => format!("item at {}", at(rank, selected.score)),
    });
    let shown = model.shown_models();
    let others = shown.iter().filter(|other| **other != model.view.model);
    for (&other, ranked) in others.filter_map(|other| Some((other, model.ranking_by(*other)?))) {
        let rank = ranked.rank(item).map(|rank| at(rank, ranked.ranking.scores[item]));
        let rank = rank.unwrap_or_else(|| "not ranked".into());
        page.paragraph(theme.base, 2, &format!("{}: {rank}", model.study.models[other].name));
    }
    self::item(cx, page, item);
    page.heading("this pair in each ground truth");
    let study = &model.study;
    for truth in &study.truths {
        let standing = study.standing(truth, direction, query.into(), item.into());
        let rating = match study.rating(direction, query.into(), item.into()) {
            _ if !study.is_rated(truth) => String::new(),
            Some(rating) => format!(", rated {rating:.2} of {BEST}"),
            None => ", not rated".into(),
        };
        page.line(Line::from_iter([
            Span::raw(format!("  {} {}", signs::standing(standing), text::pad(&truth.name, 12))),
            Span::styled(signs::standing_words(standing).to_owned() + &rating, theme.dim),
        ]));
    }
}

/// Adds the badge of the selected item for the selected query, the judgments of both, and its captions. While judging
/// blind, only the own judgment and the captions.
pub(in crate::tui) fn item(cx: Context<'_>, page: &mut Page<'_>, item: usize) {
    let (model, theme) = (cx.model, cx.theme);
    let query = model.selection.query().unwrap_or_default();
    let is_blind = model.is_blind();
    if !is_blind {
        let badge = model.badge(query, item);
        let words = format!("{} {}", badge.glyph(), badge.label());
        page.paragraph(theme.badge(badge), 2, &words);
        for words in model.phi_words(item) {
            page.paragraph(theme.title, 2, &words);
        }
    }
    if let Some(said) = model.response(query, item) {
        let words = format!("{} {said}, your answer", signs::response(said));
        page.paragraph(theme.response(said), 2, &words);
    }
    let pair = Pair::from_query(model.view.direction, query.into(), item.into());
    if let Some(tags) = model.tag_words(pair) {
        page.paragraph(theme.key, 2, &format!("# {tags}"));
    }
    let lacking = cx.ui.lacking(model.selected_image()).map(|why| format!("image: {why}"));
    let is_unrelated = model.is_unrelated() && !is_blind;
    let unrelated = is_unrelated.then(|| UNRELATED.to_owned());
    for (words, look) in
        [(lacking, theme.dim), (model.answered_before(), theme.title), (unrelated, theme.warning)]
    {
        page.paragraph(look, 2, &words.unwrap_or_default());
    }
    about(page, cx, model.view.direction.flipped(), item);
}

/// Adds an image with its captions (`I2t`: it would be the query), or a caption with its image.
fn about(page: &mut Page<'_>, cx: Context<'_>, as_query: Direction, index: usize) {
    let (study, theme) = (&cx.model.study, cx.theme);
    let gallery = &study.gallery;
    if as_query == Direction::I2t {
        for caption in cx.model.captions_of(index) {
            add_caption(page, cx, "  - ", caption as usize);
        }
        let words = format!("{}, image {}", gallery.image(index), gallery.images[index]);
        page.paragraph(theme.dim, 2, &words);
        return;
    }
    // Without texts a caption is its id, which its origin shows.
    if cx.model.is_blind() || !gallery.texts.is_empty() {
        add_caption(page, cx, "  ", index);
    }
    if let (Some(name), Some(original)) = (study.texts_name(), study.original_text(index)) {
        page.paragraph(theme.dim, 2, &format!("{name} text; original: {original}"));
    }
    if !cx.model.is_blind() {
        page.paragraph(theme.dim, 2, &study.origin(index));
    }
}

fn add_caption(page: &mut Page<'_>, cx: Context<'_>, before: &str, caption: usize) {
    let width = page.columns.saturating_sub(before.len());
    let lines = caption_lines(cx, caption, width, Style::default());
    page.beside(before, lines.into_iter().map(|line| line.spans));
}

/// A caption with coloured phrases, and a style for the rest; while judging blind nothing is coloured. An optional
/// prefix comes first.
pub(in crate::tui) fn phrased<'a, S>(
    cx: Context<'a, S>,
    (caption, prefix): (Option<usize>, &str),
    look: Style,
) -> Phrased<'a> {
    let phrases = cx.model.study.phrases.as_deref();
    let phrases = phrases.filter(|_| !cx.model.is_blind() && cx.model.study.shows_original());
    Phrased::new(phrases, (caption, prefix), cx.theme, look)
}

/// Wrapped lines of a caption, with coloured phrases, or marked letters that its original text lacks.
pub(in crate::tui) fn caption_lines<S>(
    cx: Context<'_, S>,
    caption: usize,
    width: usize,
    look: Style,
) -> Vec<Line<'static>> {
    let study = &cx.model.study;
    let wrapped = text::wrap(&study.gallery.caption(caption), width);
    let added = study.added_letters(caption);
    let lines = if added.is_empty() {
        phrased(cx, (Some(caption), ""), look).lines(&wrapped)
    } else {
        text::marked(&wrapped, &added, cx.theme.found.into())
    };
    lines.into_iter().map(Line::from).collect()
}
