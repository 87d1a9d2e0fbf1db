//! Draws the viewer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::viewer::{NAMES, Viewer};
use crate::data::text::{grouped, shown};
use crate::phrase::localisation::Failure;
use crate::tui::action::Action;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::{marked, picture, text};

/// The keys that matter, and what they do.
const KEYS: [(Action, &str); 13] = [
    (Action::Help, "help"),
    (Action::Quit, "quit"),
    (Action::Down, "move"),
    (Action::Sort, "sort"),
    (Action::Filter, "type"),
    (Action::NextModel, "model"),
    (Action::Detail, "large"),
    (Action::Pick, "mark for the figure"),
    (Action::Export, "write figure"),
    (Action::Boxes, "boxes"),
    (Action::Copy, "copy"),
    (Action::Theme, "theme"),
    (Action::Close, "back; remove marks"),
];

/// Columns of a mark, of the coverage of a box, of a part of the picture, of a type; the most of a model.
const MARK: usize = 2;
const IOU: usize = 5;
const SIZE: usize = 7;
const TYPE: usize = 10;
const MODEL: usize = 10;
/// A list with less room for words has no parts of pictures.
const WITH_SIZE: usize = 20;

/// Draws it; there is no cursor.
pub fn draw(viewer: &Viewer<'_>, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let theme = &viewer.ui.theme;
    buf.set_style(area, theme.base);
    let frame = viewer.ui.frame();
    if frame.is_too_small() {
        buf.set_stringn(area.x, area.y, "too small: needs 40x8", area.width.into(), theme.base);
        return None;
    }
    header(viewer, frame.header, buf);
    let parts = viewer.parts();
    if parts.list.area() > 0 {
        list(viewer, parts.list, buf);
    }
    if parts.picture.area() > 0 && viewer.chosen().is_some() {
        let known = viewer.shown_picture();
        let known = known.map(|(painted, _)| painted.as_ref());
        picture::draw(known, theme, parts.picture, buf);
    }
    detail(viewer, parts.detail, buf);
    footer(viewer, frame.footer, buf);
    if viewer.is_helping {
        help(viewer, frame.body, buf);
    }
    None
}

fn header(viewer: &Viewer<'_>, area: Rect, buf: &mut Buffer) {
    let theme = &viewer.ui.theme;
    buf.set_style(area, theme.header);
    let of = &viewer.of;
    let model = match (viewer.model, of.models) {
        (Some(at), models) => models[at].name.clone(),
        (None, [only]) => only.name.clone(),
        (None, models) => format!("{} models", models.len()),
    };
    let kind = viewer.kind.map_or("all types", |kind| kind.name());
    let failed = grouped(viewer.count());
    let counts = format!(" {failed} of {} predictions fail", grouped(of.predictions()));
    let first = Line::from(vec![
        Span::styled(format!(" {model} "), theme.chip),
        Span::styled(" protocol ", theme.dim),
        Span::styled(of.protocol.key, theme.chip),
        Span::raw(counts),
    ]);
    let marks = match viewer.marks() {
        0 => String::new(),
        count => format!(", {} marked", grouped(count)),
    };
    let second = Line::from(vec![
        Span::styled(format!(" {kind}"), theme.chip),
        Span::raw(format!(": {}{marks}", grouped(viewer.listed()))),
        Span::styled(format!(", sorted by {}", viewer.by.words()), theme.dim),
    ]);
    for (line, y) in [first, second].iter().zip(area.top()..area.bottom()) {
        buf.set_line(area.x, y, line, area.width);
    }
}

fn list(viewer: &Viewer<'_>, area: Rect, buf: &mut Buffer) {
    let theme = &viewer.ui.theme;
    let total = viewer.listed();
    let at = if total == 0 { 0 } else { viewer.selected + 1 };
    let title = format!("phrases {}/{}", grouped(at), grouped(total));
    let inner = pane::frame(&title, "", true, theme, area, buf);
    if total == 0 {
        let words = "no prediction fails";
        buf.set_stringn(inner.x + 1, inner.y, words, inner.width.into(), theme.dim);
        return;
    }
    let columns = Columns::of(viewer, usize::from(inner.width));
    buf.set_stringn(inner.x, inner.y, columns.names(), inner.width.into(), theme.dim);
    let rows = Rect { y: inner.y + NAMES, height: inner.height.saturating_sub(NAMES), ..inner };
    for (at, y) in (viewer.offset..total).zip(rows.top()..rows.bottom()) {
        let Some(failure) = viewer.line(at) else {
            break;
        };
        buf.set_line(rows.x, y, &columns.line(viewer, failure), rows.width);
        if at == viewer.selected {
            pane::mark(true, theme, Rect::new(rows.x, y, rows.width, 1), buf);
        }
    }
    let scroll = Scroll { offset: viewer.offset, shown: usize::from(rows.height), total };
    pane::scrollbar(scroll, true, theme, rows, buf);
}

/// Columns of what may be left out, and of the words.
struct Columns {
    size: usize,
    model: usize,
    words: usize,
}

impl Columns {
    fn of(viewer: &Viewer<'_>, width: usize) -> Self {
        let is_one = viewer.model.is_some() || viewer.of.models.len() == 1;
        let names = viewer.of.models.iter().map(|model| text::width(&model.name));
        let model =
            if is_one { 0 } else { names.max().map_or(0, |longest| MODEL.min(longest + 1)) };
        let words = width.saturating_sub(MARK + IOU + TYPE + model + 2);
        let size = if words < SIZE + WITH_SIZE { 0 } else { SIZE };
        Columns { size, model, words: words - size }
    }

    fn names(&self) -> String {
        let blank = " ".repeat(MARK);
        let (iou, size) = (text::pad_left("IoU", IOU), text::pad_left("size", self.size));
        let (kind, model) = (text::pad("type", TYPE), text::pad("model", self.model));
        format!("{blank}{iou}{size} {kind}{model} phrase")
    }

    fn line(&self, viewer: &Viewer<'_>, failure: &Failure<'_>) -> Line<'static> {
        let theme = &viewer.ui.theme;
        let mark = if viewer.is_marked(failure) { "* " } else { "  " };
        let iou = match failure.outcome.first {
            Some(_) => format!("{:.2}", failure.outcome.best[0]),
            None => "-".into(),
        };
        let size = format!("{:.1} %", failure.size * 100.0);
        let kind = text::fit(&failure.target.types.names(), TYPE - 1);
        let model = text::fit(&failure.model.name, self.model.saturating_sub(1));
        let [_, words, _] = viewer.of.parts(failure);
        Line::from(vec![
            Span::styled(mark, theme.key),
            Span::raw(text::pad_left(&iou, IOU)),
            Span::styled(text::pad_left(&size, self.size), theme.dim),
            Span::styled(format!(" {}", text::pad(&kind, TYPE)), theme.dim),
            Span::styled(text::pad(&model, self.model), theme.dim),
            Span::raw(format!(" {}", text::fit(&shown(words), self.words))),
        ])
    }
}

fn detail(viewer: &Viewer<'_>, area: Rect, buf: &mut Buffer) {
    let theme = &viewer.ui.theme;
    let Some(failure) = viewer.chosen() else {
        return;
    };
    let image = viewer.of.image(&failure);
    let title = format!("image {}, sentence {}", image.id, failure.target.sentence);
    let inner = pane::frame(&title, "", false, theme, area, buf);
    let columns = usize::from(inner.width).saturating_sub(2);
    let mut lines = sentence(viewer, &failure, columns);
    for (words, style) in said(viewer, &failure) {
        let wrapped = text::wrap(&words, columns);
        lines.extend(wrapped.into_iter().map(|line| Line::styled(line, style)));
    }
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    pane::lines(&lines, 0, inner, buf);
}

/// The sentence, its phrase marked.
fn sentence(viewer: &Viewer<'_>, failure: &Failure<'_>, columns: usize) -> Vec<Line<'static>> {
    let parts = viewer.of.parts(failure).map(shown);
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).count();
    let marks = parts.iter().zip([false, true, false]);
    let marks: Vec<bool> =
        marks.flat_map(|(part, is_marked)| std::iter::repeat_n(is_marked, letters(part))).collect();
    let wrapped = text::wrap(&parts.concat(), columns);
    let marked_look = viewer.ui.theme.localised()[0].add_modifier(Modifier::REVERSED);
    let span = |(is_marked, piece): (bool, String)| {
        let look = if is_marked { marked_look } else { Style::default() };
        Span::styled(piece, look)
    };
    let lines = marked::lines(&wrapped, &marks).into_iter();
    lines.map(|pieces| pieces.into_iter().map(span).collect()).collect()
}

/// What is said of a failure: both boxes, how far they cover each other, where the predicted one lies.
fn said(viewer: &Viewer<'_>, failure: &Failure<'_>) -> Vec<(String, Style)> {
    let theme = &viewer.ui.theme;
    let [of_truth, of_predicted] = theme.localised();
    let dim: Style = theme.dim.into();
    let outcome = failure.outcome;
    let truth = viewer.of.truth(failure).into_iter();
    let truth: Vec<String> = truth.map(|rect| rect.to_string()).collect();
    let score = outcome.score.map_or(String::new(), |score| format!(", score {score:.3}"));
    let predicted = outcome.first.map_or("no box".to_owned(), |first| format!("{first}{score}"));
    let best = outcome.best[outcome.best.len() - 1];
    let hit =
        outcome.hit.map_or(String::new(), |place| format!(", the first hit is box {}", place + 1));
    let iou = format!("IoU {:.3}; best of {} boxes {best:.3}{hit}", outcome.best[0], outcome.boxes);
    let mut lines = vec![
        (format!("true box {}", truth.join("; ")), of_truth),
        (format!("predicted box {predicted}"), of_predicted),
        (iou, theme.title.into()),
    ];
    lines.extend(mistaken(viewer, failure).map(|words| (words, Style::default())));
    let size = failure.size * 100.0;
    let types = failure.target.types.names();
    let about = format!(
        "{types}, {size:.1} % of the picture; phrase {}, chain {}; {}",
        failure.target.phrase,
        viewer.of.targets.chain(failure.target).chain.0,
        failure.model.name
    );
    lines.push((about, dim));
    lines.extend(lacks(viewer).map(|words| (words, dim)));
    lines
}

/// What the first box were a hit for.
fn mistaken(viewer: &Viewer<'_>, failure: &Failure<'_>) -> Option<String> {
    let image = viewer.of.image(failure);
    let chain = &image.chains[failure.outcome.mistaken?];
    let sentences = &viewer.of.entities.image(&image.id)?.sentences;
    let mut phrases = sentences.iter().flatten().flat_map(|sentence| {
        let phrases = sentence.phrases.iter();
        phrases.map(move |phrase| (sentence, phrase))
    });
    let (sentence, phrase) = phrases.find(|(_, phrase)| phrase.chain == chain.chain)?;
    let words = shown(sentence.words_of(phrase));
    Some(format!("the predicted box lies on: {words} ({})", chain.types.names()))
}

/// Why the picture is not shown.
fn lacks(viewer: &Viewer<'_>) -> Option<String> {
    if viewer.of.pictures.is_none() {
        return Some("--images names the folder of the pictures".into());
    }
    let (_, lacks) = viewer.shown_picture()?;
    lacks.map(|why| format!("picture: {why}"))
}

fn footer(viewer: &Viewer<'_>, area: Rect, buf: &mut Buffer) {
    let theme = &viewer.ui.theme;
    buf.set_style(area, theme.header);
    let width = usize::from(area.width);
    if let Some(message) = &viewer.message {
        let words = text::fit(&format!(" {}", shown(message)), width);
        buf.set_string(area.x, area.y, words, theme.warning);
        return;
    }
    let mut spans = vec![Span::raw(" ")];
    let mut used = 1;
    for (key, words) in keys(viewer) {
        let words = format!(" {words}  ");
        used += text::width(&key) + text::width(&words);
        if used <= width {
            spans.push(Span::styled(key, theme.key));
            spans.push(Span::styled(words, theme.dim));
        }
    }
    buf.set_line(area.x, area.y, &Line::from(spans), area.width);
}

/// The keys that are bound, and what they do.
fn keys(viewer: &Viewer<'_>) -> impl Iterator<Item = (String, &'static str)> {
    let is_one = viewer.of.models.len() == 1;
    let means = move |(action, _): &(Action, &str)| !(is_one && *action == Action::NextModel);
    let bound = KEYS.into_iter().filter(means);
    let bound = bound.map(|(action, words)| (viewer.ui.keymap.hint(action), words));
    bound.filter(|(key, _)| !key.is_empty())
}

fn help(viewer: &Viewer<'_>, body: Rect, buf: &mut Buffer) {
    let theme = &viewer.ui.theme;
    let keys: Vec<_> = keys(viewer).collect();
    let size = (44, keys.len() as u16 + 2);
    let inner = pane::popup("keys", "", size, &viewer.ui, body, buf);
    for ((key, words), y) in keys.iter().zip(inner.top()..inner.bottom()) {
        let line = Line::from(vec![
            Span::styled(format!(" {}", text::pad(key, 9)), theme.key),
            Span::raw(*words),
        ]);
        buf.set_line(inner.x, y, &line, inner.width);
    }
}
