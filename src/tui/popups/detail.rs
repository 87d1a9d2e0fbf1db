//! Details of the selected query and item, beside the image.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::sheet::{Page, Sheet, text_area};
use crate::data::Direction;
use crate::data::ratings::MAX_RATING;
use crate::data::text::grouped;
use crate::truth::judgment::Pair;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popup::{Answer, Hint, Popup, RESPONSE_HINTS};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::state::query_list::Item;
use crate::tui::thumbnails::Place;
use crate::tui::ui::list::ScrollState;
use crate::tui::ui::text::{self, PhraseColours};
use crate::tui::ui::{pane, thumbnail};

/// Warning about a caption that Flickr30k Entities lists in `UNRELATED_CAPTIONS`.
const UNRELATED: &str = "UNRELATED_CAPTIONS: the caption says nothing of its original image";

/// Popup with the details of the selected query and item, and the image.
#[derive(Default)]
pub struct Detail {
    scrolled: ScrollState,
}

/// Maximum width in columns of text beside an image.
const MAX_TEXT_COLUMNS: u16 = 52;

/// Whether phrase boxes can be shown: they are known, and blind judging does not hide them.
fn has_boxes(model: &Model) -> bool {
    model.study.phrases.is_some() && !model.is_blind()
}

impl Popup for Detail {
    fn opened_by(&self) -> Action {
        Action::Detail
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        let is_undo = matches!(action, Action::Undo | Action::Redo);
        if model.judging.is_on && (is_undo || action.needs_judging() || action.is_search_step()) {
            // The next pair is read from its top.
            self.scrolled = ScrollState::default();
            return Answer::Below(action);
        }
        let is_box_switch = action == Action::Boxes && has_boxes(model);
        if is_box_switch { Answer::Below(action) } else { Answer::Pass }
    }

    fn is_done(&self, model: &Model) -> bool {
        model.selection.query().is_none()
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        let mut hints = Vec::new();
        if model.judging.is_on {
            hints.extend(RESPONSE_HINTS);
            hints.push((Action::Undo, "undo"));
        }
        hints.extend([(Action::Close, "close"), (Action::Down, "scroll")]);
        hints.extend(has_boxes(model).then_some((Action::Boxes, "boxes")));
        hints
    }

    fn scroll(&mut self, by: isize, _model: &Model) {
        self.scrolled.scroll_by(by);
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let image = cx.model.selected_image();
        let is_shown = cx.ui.image_protocol().is_some() && cx.ui.why_no_image(image).is_none();
        let image = image.filter(|_| is_shown);
        let (width, highest) = Sheet::max_size(screen.as_size().into());
        let width = if image.is_some() { screen.width } else { width };
        let largest = Rect::new(0, 0, width.saturating_sub(2), highest.saturating_sub(2));
        let [_, text] = split_area(largest, image.is_some());
        let mut page = Page::new(text.width.saturating_sub(2), cx.theme);
        write_pair(cx, &mut page, cx.model.item());
        let rows = page.lines.len() as u16 + 2;
        let height = if image.is_some() { highest } else { rows.min(highest) };
        let inner = pane::draw_popup("detail", "", (width, height), cx.ui, screen, buf);
        let [area, text] = split_area(inner, image.is_some());
        self.scrolled.draw_text(&page.lines, cx.theme, text_area(text), buf);
        if let Some(image) = image.filter(|_| area.area() > 0) {
            thumbnail::show(0, Place { area, image }, cx.ui, buf);
        }
        None
    }
}

/// Areas of the image, empty without one, and of the text to its right.
fn split_area(inner: Rect, has_image: bool) -> [Rect; 2] {
    if !has_image {
        return [Rect::default(), inner];
    }
    let columns = Constraint::Length((inner.width * 2 / 5).min(MAX_TEXT_COLUMNS) + 2);
    inner.layout(&Layout::horizontal([Constraint::Fill(1), columns]))
}

/// Adds the selected query, and an item with its rank by each shown model and its standing in each ground truth. Ranks
/// and standings are hidden while judging blind. The caption comes first: a low area cuts the end.
pub(in crate::tui) fn write_pair(cx: Context<'_>, page: &mut Page<'_>, item: Option<Item>) {
    let Some(query) = cx.model.selection.query() else {
        return;
    };
    let is_item_caption = cx.model.view.direction == Direction::I2t;
    if !is_item_caption {
        write_query(cx, page, query);
    }
    if let Some(item) = item {
        write_ranked_item(cx, page, item);
    }
    if is_item_caption {
        write_query(cx, page, query);
    }
    if let Some(item) = item.filter(|_| !cx.model.is_blind()) {
        write_standings(cx, page, query, item.item);
    }
}

/// Adds a query with its note.
fn write_query(cx: Context<'_>, page: &mut Page<'_>, query: usize) {
    let direction = cx.model.view.direction;
    page.heading("query");
    write_item_content(page, cx, direction, query);
    if let Some(note) = cx.model.format_note(direction, query) {
        page.paragraph(cx.theme.key, 2, &format!("{} {note}", signs::NOTE));
    }
}

/// Adds an item with its rank and score by each shown model, which are hidden while judging blind.
fn write_ranked_item(cx: Context<'_>, page: &mut Page<'_>, selected: Item) {
    let (model, item) = (cx.model, selected.item);
    if model.is_blind() {
        page.heading("item");
        return write_item(cx, page, item);
    }
    let rank_and_score =
        |rank: usize, score: f64| format!("rank {}, score {}", grouped(rank), signs::score(score));
    page.heading(match selected.rank {
        0 => "item, not ranked".into(),
        rank => format!("item at {}", rank_and_score(rank, selected.score)),
    });
    let shown = model.shown_models();
    let others = shown.iter().filter(|other| **other != model.view.model);
    for (&other, ranked) in others.filter_map(|other| Some((other, model.ranking_by(*other)?))) {
        let rank = ranked.rank(item).map(|rank| rank_and_score(rank, ranked.ranking.scores[item]));
        let rank = rank.unwrap_or_else(|| "not ranked".into());
        page.paragraph(cx.theme.base, 2, &format!("{}: {rank}", model.study.models[other].name));
    }
    write_item(cx, page, item);
}

/// Adds the standing of a pair in each ground truth.
fn write_standings(cx: Context<'_>, page: &mut Page<'_>, query: usize, item: usize) {
    page.heading("this pair in each ground truth");
    let (study, direction) = (&cx.model.study, cx.model.view.direction);
    for truth in &study.truths {
        let standing = study.standing(truth, direction, query.into(), item.into());
        let rating = match study.rating(direction, query.into(), item.into()) {
            _ if !study.is_rated(truth) => String::new(),
            Some(rating) => format!(", rated {rating:.2} of {MAX_RATING}"),
            None => ", not rated".into(),
        };
        page.line(Line::from_iter([
            Span::raw(format!("  {} {}", signs::standing(standing), text::pad(&truth.name, 12))),
            Span::styled(signs::describe_standing(standing).to_owned() + &rating, cx.theme.dim),
        ]));
    }
}

/// Adds what is known of an item under the selected query: badge, similarities, your response, tags, why its image is
/// missing, earlier judgments, and its captions. While judging blind, neither badge nor similarities.
pub(in crate::tui) fn write_item(cx: Context<'_>, page: &mut Page<'_>, item: usize) {
    let (model, theme) = (cx.model, cx.theme);
    let query = model.selection.query().unwrap_or_default();
    let is_blind = model.is_blind();
    if !is_blind {
        let badge = model.badge(query, item);
        let words = format!("{} {}", badge.glyph(), badge.label());
        page.paragraph(theme.badge(badge), 2, &words);
        for words in model.phi_lines(item) {
            page.paragraph(theme.title, 2, &words);
        }
    }
    if let Some(response) = model.response(query, item) {
        let words = format!("{} {response}, your answer", signs::response(response));
        page.paragraph(theme.response(response), 2, &words);
    }
    let pair = Pair::from_query(model.view.direction, query.into(), item.into());
    if let Some(tags) = model.format_tags(pair) {
        page.paragraph(theme.key, 2, &format!("# {tags}"));
    }
    let no_image = cx.ui.why_no_image(model.selected_image()).map(|why| format!("image: {why}"));
    let is_unrelated = model.is_unrelated() && !is_blind;
    let unrelated = is_unrelated.then(|| UNRELATED.to_owned());
    for (words, look) in
        [(no_image, theme.dim), (model.prior_judgments(), theme.title), (unrelated, theme.warning)]
    {
        page.paragraph(look, 2, &words.unwrap_or_default());
    }
    write_item_content(page, cx, model.view.direction.flipped(), item);
}

/// Adds an image with its captions, or a caption with its original image. `index` is a gallery index of queries of the
/// direction `as_query`.
fn write_item_content(page: &mut Page<'_>, cx: Context<'_>, as_query: Direction, index: usize) {
    let (study, theme) = (&cx.model.study, cx.theme);
    let gallery = &study.gallery;
    if as_query == Direction::I2t {
        for caption in cx.model.shown_captions(index) {
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

/// Adds a caption, wrapped, after a prefix.
fn add_caption(page: &mut Page<'_>, cx: Context<'_>, prefix: &str, caption: usize) {
    let width = page.columns.saturating_sub(prefix.len());
    let lines = caption_lines(cx, caption, width, Style::default());
    page.lines_after(prefix, lines.into_iter().map(|line| line.spans));
}

/// Colours the phrases of a caption, whose lines may begin with a prefix, and styles the rest by `look`. While judging
/// blind, or without a caption, nothing is coloured.
pub(in crate::tui) fn phrase_colours<'a, S>(
    cx: Context<'a, S>,
    (caption, prefix): (Option<usize>, &str),
    look: Style,
) -> PhraseColours<'a> {
    let phrases = cx.model.study.phrases.as_deref();
    let phrases = phrases.filter(|_| !cx.model.is_blind() && cx.model.study.has_original_texts());
    PhraseColours::new(phrases, (caption, prefix), cx.theme, look)
}

/// Wrapped lines of a caption. Letters of words that its original text lacks are marked; without any, phrases are
/// coloured.
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
        phrase_colours(cx, (Some(caption), ""), look).lines(&wrapped)
    } else {
        text::mark_letters(&wrapped, &added, cx.theme.found.into())
    };
    lines.into_iter().map(Line::from).collect()
}
