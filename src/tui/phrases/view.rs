//! Draws the viewer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{FAILURES, Viewer};
use crate::data::text::{grouped, shown};
use crate::phrase::localisation::Failure;
use crate::tui::action::Action;
use crate::tui::signs;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::segments::{Segment, Segments};
use crate::tui::ui::{pane, picture, text};

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

/// Columns of the coverage of a box, of a part of the picture, of a type; the most of a model's name.
const IOU: usize = 4;
const SIZE: usize = 7;
const TYPE: usize = 9;
const MODEL: usize = 10;
/// A list with less room for words has no parts of pictures.
const WORDS: usize = 20;

/// Draws the viewer.
pub fn draw(viewer: &Viewer<'_>, area: Rect, buf: &mut Buffer) {
    let theme = &viewer.ui.theme;
    buf.set_style(area, theme.base);
    viewer.ui.hits.borrow_mut().clear(viewer.ui.size);
    let frame = viewer.ui.frame();
    if frame.is_too_small() {
        Line::styled("too small: needs 40x8", theme.base).render(area, buf);
        return;
    }
    header(viewer, frame.header, buf);
    let [list_area, picture_area, detail_area] = viewer.parts();
    list(viewer, list_area, buf);
    if picture_area.area() > 0 && viewer.chosen().is_some() {
        let known = viewer.shown_picture();
        let known = known.map(|(painted, _)| painted.as_ref());
        picture::draw(known, theme, picture_area, buf);
    }
    detail(viewer, detail_area, buf);
    footer(viewer, frame.footer, buf);
    if viewer.is_helping {
        help(viewer, frame.body, buf);
    }
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
    let failed = grouped(viewer.all.len());
    let counts = format!(" {failed} of {} predictions fail", grouped(of.predictions()));
    let first = Line::from(vec![
        Span::styled(format!(" {model} "), theme.chip),
        Span::styled(" protocol ", theme.dim),
        Span::styled(of.protocol.key, theme.chip),
        Span::raw(counts),
    ]);
    let marks = match viewer.marked.len() {
        0 => String::new(),
        count => format!(", {} marked", grouped(count)),
    };
    let second = Line::from(vec![
        Span::styled(format!(" {kind}"), theme.chip),
        Span::raw(format!(": {}{marks}", grouped(viewer.listed.len()))),
        Span::styled(format!(", sorted by {}", viewer.by.words()), theme.dim),
    ]);
    pane::lines(&[first, second], 0, area, buf);
}

fn list(viewer: &Viewer<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let (theme, total) = (&viewer.ui.theme, viewer.listed.len());
    let at = (viewer.selected + 1).min(total);
    let title = format!("phrases {}/{}", grouped(at), grouped(total));
    let inner = pane::frame(title, "", true, theme, area, buf);
    let cell = |look: Style, words: &'static dyn Fn(&Viewer<'_>, &Failure<'_>) -> String| {
        move |at: usize, _: usize| {
            let failure = viewer.line(at);
            Span::styled(failure.map_or(String::new(), |failure| words(viewer, failure)), look)
        }
    };
    let dim = Style::from(theme.dim);
    let models = viewer.of.models.iter().map(|model| text::width(&model.name));
    let is_one = viewer.model.is_some() || viewer.of.models.len() == 1;
    let mut columns = vec![
        Column::new(" IoU", IOU + 2, cell(Style::default(), &iou)).right(),
        Column::new("size", SIZE, cell(dim, &|_, of| format!("{:.1} %", of.size * 100.0)))
            .right()
            .keep(0),
        Column::new("type", TYPE, cell(dim, &|_, of| of.target.types.names())),
    ];
    if !is_one {
        let width = models.max().unwrap_or(0).min(MODEL);
        columns.push(Column::new("model", width, cell(dim, &|_, of| of.model.name.clone())));
    }
    let words = move |at: usize, room: usize| {
        let words = viewer.line(at).map(|of| shown(viewer.of.parts(of)[1]));
        text::fit(&words.unwrap_or_default(), room)
    };
    columns.push(Column::rest("phrase", words));
    let list = ListView {
        id: FAILURES,
        columns,
        len: total,
        selected: Some(viewer.selected),
        least: WORDS,
        marked: Some(Box::new(|at| viewer.line(at).is_some_and(|of| viewer.is_marked(of)))),
        empty: "no prediction fails".into(),
        ..ListView::default()
    };
    list.draw(&viewer.scrolled, &viewer.ui, inner, buf);
}

fn iou(_: &Viewer<'_>, failure: &Failure<'_>) -> String {
    let first = failure.outcome.first;
    first.map_or(signs::UNDEFINED.into(), |_| format!("{:.2}", failure.outcome.best[0]))
}

fn detail(viewer: &Viewer<'_>, area: Rect, buf: &mut Buffer) {
    let theme = &viewer.ui.theme;
    let Some(failure) = viewer.chosen() else {
        return;
    };
    let image = viewer.of.image(&failure);
    let title = format!("image {}, sentence {}", image.id, failure.target.sentence);
    let inner = pane::frame(title, "", false, theme, area, buf);
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
    let look = viewer.ui.theme.localised()[0].add_modifier(Modifier::REVERSED);
    let looks = [Style::default(), look, Style::default()];
    let spans = parts.into_iter().zip(looks).map(|(part, look)| Span::styled(part, look));
    text::wrap_line(&spans.collect(), columns, 0)
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
    let hints = (0..u8::MAX).rev().zip(keys(viewer));
    let hints = hints.filter_map(|(keep, hint)| Segment::hint(keep, hint, &viewer.ui));
    Segments(hints.collect()).draw(area, &viewer.ui, buf);
}

/// The keys that are bound, and what they do.
fn keys(viewer: &Viewer<'_>) -> impl Iterator<Item = (Action, &'static str)> {
    let is_one = viewer.of.models.len() == 1;
    let keymap = &viewer.ui.keymap;
    KEYS.into_iter().filter(move |(action, _)| {
        !(keymap.hint(*action).is_empty() || is_one && *action == Action::NextModel)
    })
}

fn help(viewer: &Viewer<'_>, body: Rect, buf: &mut Buffer) {
    let theme = &viewer.ui.theme;
    let keys: Vec<_> = keys(viewer).collect();
    let size = (44, keys.len() as u16 + 2);
    let inner = pane::popup("keys", "", size, &viewer.ui, body, buf);
    let line = |(action, words): &(Action, &'static str)| {
        let key = viewer.ui.keymap.hint(*action);
        Line::from(vec![
            Span::styled(format!(" {}", text::pad(&key, 9)), theme.key),
            Span::raw(*words),
        ])
    };
    let lines: Vec<Line<'_>> = keys.iter().map(line).collect();
    pane::lines(&lines, 0, inner, buf);
}
