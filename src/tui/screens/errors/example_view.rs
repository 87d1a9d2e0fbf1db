//! Draws what the cursor is on, in words and by an example.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::example::{Example, Piece};
use super::kinds_view::WAITING;
use super::{Cx, Pane};
use crate::analysis::kinds::Count;
use crate::data::Direction;
use crate::data::text::{grouped, p_value, shown};
use crate::study::View;
use crate::tui::screens::queries::label;
use crate::tui::theme::ThemeStyle;
use crate::tui::widgets::{pane, text};

/// Columns of what a line is about.
const ABOUT: usize = 9;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let (titles, note, lines) = match cx.state.pane {
        Pane::Kinds => of_kind(cx),
        Pane::Hubs => of_hub(cx),
        Pane::Words => of_word(cx),
        Pane::Swapped => of_swapped(cx),
        Pane::WhatIf => of_what_if(cx),
    };
    // Corners, and the blanks around title and note.
    let room = usize::from(area.width).saturating_sub(text::width(&note) + 6);
    let title = text::first_whole(titles, room);
    let inner = pane::frame(&title, &note, false, cx.theme, area, buf);
    let width = usize::from(inner.width).saturating_sub(2);
    let mut y = inner.y;
    for line in lines {
        for wrapped in wrapped(line, width) {
            if y < inner.bottom() {
                buf.set_line(inner.x, y, &wrapped, inner.width);
                y += 1;
            }
        }
    }
}

/// What is told: a title in ever fewer words, a note, and lines of what they are about and pieces of text.
type Explanation = (Vec<String>, String, Vec<Sentence>);

/// A line before it is wrapped.
struct Sentence {
    about: &'static str,
    pieces: Vec<(String, ThemeStyle)>,
}

/// What the signs before words stand for.
const SIGNS: &str = "+ only in the caption of top-1, − only in the nearest positive";

impl Sentence {
    /// Whether words of it have a sign before them.
    fn has_signs(&self) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|(piece, _)| piece.len() > 1 && piece.starts_with(['+', '−']))
    }
}

fn plain(cx: Cx<'_>, about: &'static str, words: &str) -> Sentence {
    let pieces = words.split_whitespace();
    let style = cx.theme.base;
    Sentence { about, pieces: pieces.map(|piece| (piece.to_owned(), style)).collect() }
}

fn quiet(cx: Cx<'_>, words: &str) -> Sentence {
    let mut told = plain(cx, "", words);
    for (_, style) in &mut told.pieces {
        *style = cx.theme.dim;
    }
    told
}

/// A line in as many of the screen as it takes.
fn wrapped(told: Sentence, width: usize) -> Vec<Line<'static>> {
    let before = if told.about.is_empty() { 1 } else { ABOUT };
    let room = width.saturating_sub(before).max(1);
    let begin = format!(" {}", text::pad(told.about, before - 1));
    let mut lines = vec![vec![Span::raw(begin)]];
    let mut used = 0;
    for (piece, style) in told.pieces {
        let piece = text::fit(&piece, room);
        let wide = text::width(&piece);
        if used > 0 && used + 1 + wide > room {
            lines.push(vec![Span::raw(" ".repeat(before))]);
            used = 0;
        }
        let last = lines.last_mut().expect("never empty");
        if used > 0 {
            last.push(Span::raw(" "));
            used += 1;
        }
        last.push(Span::styled(piece, style));
        used += wide;
    }
    lines.into_iter().map(Line::from).collect()
}

fn of_kind(cx: Cx<'_>) -> Explanation {
    let kind = cx.kind();
    let view = cx.view();
    let name = &cx.model.study.models[view.model].name;
    let truth = cx.model.name_in_force(view.truth);
    let whole = format!("{} of {name} under {truth}", kind.name);
    let mut titles = vec![whole, kind.name.to_owned()];
    let lists = cx.model.lists_of(view);
    let mut meaning = kind.meaning.to_owned();
    if let Some(Some(of_kind)) = lists.map(|lists| &lists[cx.kind_place()]) {
        let told = |Count { met, of }| format!("{} of {}", grouped(met), grouped(of));
        let counted = told(of_kind.count());
        for title in &mut titles {
            *title = format!("{title}: {counted}");
        }
        meaning = format!("of {}: {meaning}", kind.of);
        if of_kind.count() != of_kind.loaded {
            let loaded = told(of_kind.loaded);
            meaning = format!("{meaning}; without your verdicts {loaded}");
        }
    }
    let mut lines = vec![quiet(cx, &meaning)];
    let mut note = String::new();
    match (lists, cx.list()) {
        (None, _) => lines.push(quiet(cx, WAITING)),
        (Some(_), None) => lines.push(quiet(cx, "The study lacks what this kind is about.")),
        (Some(_), Some(_)) => match cx.example() {
            Some(example) => {
                note = example.words();
                if cx.model.is_picked(view.direction, example.query as usize) {
                    note = format!("★ picked, {note}");
                }
                lines.extend(of_example(cx, view, example));
                lines.extend(noted(cx, view, example));
                lines.extend(lacking(cx, view, example));
                if lines.iter().any(Sentence::has_signs) {
                    lines.push(quiet(cx, SIGNS));
                }
            }
            None => lines.push(quiet(cx, "No query is of this kind.")),
        },
    }
    (titles, note, lines)
}

/// The query, the first item and what would have been right.
fn of_example(cx: Cx<'_>, view: View, example: Example) -> Vec<Sentence> {
    let query = example.query;
    let contrast = cx.contrast(view, query);
    let first = cx.first_of(view, query);
    let id = &cx.model.study.gallery.queries(view.direction)[query as usize];
    let item = first.map(|item| &cx.model.study.gallery.items(view.direction)[item as usize]);
    let item = item.map_or_else(String::new, |item| format!("[{item}]"));
    let (added, lacked) = (cx.theme.down, cx.theme.up);
    let Some(contrast) = contrast else {
        let words = label(cx.model, query as usize);
        let first = first.map(|item| cx.item_words(view.direction, item as usize));
        let first = first.unwrap_or_default();
        return vec![plain(cx, "query", &words), plain(cx, "first", &first)];
    };
    let wanted = cx.marked(contrast.wanted, &contrast.missing);
    let retrieved = cx.marked(contrast.retrieved, &contrast.extra);
    let first = signed(cx, ("first", item), retrieved, ('+', added));
    match view.direction {
        Direction::T2i if contrast.wanted == query => {
            let query = signed(cx, ("query", format!("[{id}]")), wanted, ('−', lacked));
            vec![query, first]
        }
        // Another caption is the nearest right one, where the top-1 item is correct.
        Direction::T2i => {
            let words = cx.item_words(Direction::I2t, query as usize);
            vec![plain(cx, "query", &words), first]
        }
        Direction::I2t => {
            let words = cx.item_words(Direction::T2i, query as usize);
            let mut sentences = vec![plain(cx, "query", &words), first];
            // Where top-1 is the positive, it stands there already.
            if contrast.wanted != contrast.retrieved {
                let about = ("right", String::new());
                sentences.push(signed(cx, about, wanted, ('−', lacked)));
            }
            sentences
        }
    }
}

/// What a person noted on the query.
fn noted(cx: Cx<'_>, view: View, example: Example) -> Option<Sentence> {
    let words = cx.model.note_words(view.direction, example.query as usize)?;
    let mut sentence = plain(cx, "note", &words);
    for (_, style) in &mut sentence.pieces {
        *style = cx.theme.key;
    }
    Some(sentence)
}

/// The phrases of the pair's caption that its image lacks; `None` where there are none, or none annotated.
fn lacking(cx: Cx<'_>, view: View, example: Example) -> Option<Sentence> {
    let (query, first) = (example.query as usize, cx.first_of(view, example.query)? as usize);
    let (caption, image) = match view.direction {
        Direction::I2t => (first, query),
        Direction::T2i => (query, first),
    };
    let phrases = cx.model.study.phrases.as_ref()?;
    let sentence = phrases.caption(caption)?.sentence;
    let lacking = phrases.lacking(caption, image)?;
    let words = lacking.iter().map(|of| sentence.words_of(&sentence.phrases[of.phrase]));
    let words: Vec<&str> = words.collect();
    (!words.is_empty()).then(|| plain(cx, "no match", &shown(&words.join(", "))))
}

/// A caption whose marked words have a sign and a colour.
fn signed(
    cx: Cx<'_>,
    (about, id): (&'static str, String),
    marked: Vec<Piece>,
    (sign, style): (char, ThemeStyle),
) -> Sentence {
    let mut pieces = Vec::new();
    if !id.is_empty() {
        pieces.push((id, cx.theme.dim));
    }
    for (word, is_marked) in marked {
        pieces.push(if is_marked {
            (format!("{sign}{word}"), style)
        } else {
            (word, cx.theme.base)
        });
    }
    Sentence { about, pieces }
}

fn of_hub(cx: Cx<'_>) -> Explanation {
    let title =
        "an item that is top-1 for many queries (N_1), and not a positive of them".to_owned();
    let Some(hub) = cx.hub() else {
        let known = cx.detail();
        let words = known.map_or(WAITING, |_| "No item is first for so many queries.");
        return (vec![title], String::new(), vec![quiet(cx, words)]);
    };
    let direction = cx.model.view.direction;
    let words = cx.item_words(direction, hub.item as usize);
    let note = format!(
        "top-1 for {}, of which {} judged: a miss for {}",
        grouped(hub.first),
        grouped(hub.judged),
        grouped(hub.taken.len())
    );
    let mut lines = vec![plain(cx, "item", &words)];
    for &query in hub.taken.iter().take(4) {
        let words = label(cx.model, query as usize);
        lines.push(plain(cx, "taken", &words));
    }
    (vec![title], note, lines)
}

fn of_word(cx: Cx<'_>) -> Explanation {
    let title = "a word, counted once a query".to_owned();
    let meaning = format!(
        "z: how much more likely it is among failures than among the other judged queries, over the standard \
         deviation; {GREY}"
    );
    let mut lines = vec![quiet(cx, &meaning)];
    let words = cx.words();
    let selected = cx.state.place(Pane::Words).selected;
    let word = words.get(selected).or(words.last());
    let note = word.map(|word| p_values(word.p, word.p_holm));
    let caption = word.and_then(|word| cx.failure_with(word.word));
    if let (Some(word), Some(caption)) = (word, caption) {
        let marked = cx.with_word(caption, word.word).into_iter();
        let style = |is_it| {
            if is_it { cx.theme.key } else { cx.theme.base }
        };
        lines.push(Sentence {
            about: "such as",
            pieces: marked.map(|(piece, is_it)| (piece, style(is_it))).collect(),
        });
    }
    (vec![title], note.unwrap_or_default(), lines)
}

fn of_swapped(cx: Cx<'_>) -> Explanation {
    let title = "a word that one caption has and the other lacks".to_owned();
    let meaning = format!(
        "over all failures: + those whose first item's caption has it and the nearest right one lacks it, − the \
         other way round; {GREY}"
    );
    let swapped = cx.swapped();
    let selected = cx.state.place(Pane::Swapped).selected;
    let of = swapped.get(selected).or(swapped.last());
    let note = of.map(|of| p_values(of.p, of.p_holm)).unwrap_or_default();
    // Where there is no room for the words, the p-values stand beside few.
    (vec![title, "a swapped word".to_owned()], note, vec![quiet(cx, &meaning)])
}

/// What a grey word is: [`crate::analysis::words::LEVEL`] in words.
const GREY: &str = "grey: Holm-adjusted p over all words 0.05 or more, may be chance";

fn p_values(value: f64, adjusted: f64) -> String {
    format!("p {}, Holm-adjusted {}", p_value(value), p_value(adjusted))
}

fn of_what_if(cx: Cx<'_>) -> Explanation {
    let title = "scores made comparable over items".to_owned();
    let csls = "CSLS takes half the mean of an item's 10 best scores from all of its scores.";
    let softmax = "The inverted softmax takes 0.05 times the logarithm of the sum over all queries of \
                   exp(score / 0.05): that suits cosines. Both need the scores of all queries at once.";
    let lines = vec![quiet(cx, csls), quiet(cx, softmax)];
    (vec![title], String::new(), lines)
}
