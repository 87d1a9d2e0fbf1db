//! What the cursor is on, in words and by an example: a query of the error type, with what was retrieved first
//! beside what would have been right.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, Pane, define};
use crate::analysis::evidence::contrast;
use crate::analysis::kinds::Count;
use crate::data::Direction;
use crate::data::text::{grouped, p_value, shown};
use crate::data::words::{Contrast, tokens};
use crate::filter::UserMarks;
use crate::rank::hubs::Hub;
use crate::tui::widgets::{pane, text};

/// A word of a text and its look.
type Piece = (String, Style);
/// What a line is about, and its words.
type Sentence = (&'static str, Vec<Piece>);
/// Title and note of the frame, and what stands in it.
type Told = (String, String, Vec<Sentence>);

/// Columns of what a line is about.
const ABOUT: usize = 9;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let (title, note, sentences) = match cx.state.pane {
        Pane::Kinds => of_kind(cx, area),
        Pane::Hubs => of_hub(cx),
        Pane::Words => of_word(cx),
        Pane::Swapped => {
            let of = cx.swapped().get(cx.selected(Pane::Swapped)).map(|of| (of.p, of.p_holm));
            of_list(cx, of)
        }
        Pane::WhatIf => of_list(cx, None),
    };
    let inner = pane::frame(&title, &note, false, cx.theme, area, buf);
    let lines = sentences.into_iter().flat_map(|one| wrapped(one, inner.width.into())).collect();
    pane::lines(&pane::fitting(lines, inner.height.into()), 0, inner, buf);
}

impl<'a> Cx<'a> {
    /// The queries of the error type under the cursor.
    pub(super) fn list(self) -> Option<&'a [u32]> {
        self.of_kind().map(|of| &*of.queries)
    }

    /// The query of the example, with its place among all of the error type; `None` where there is none, or none
    /// yet.
    pub(super) fn example(self) -> Option<(u32, usize)> {
        let list = self.list()?;
        let place = self.state.example % list.len().max(1);
        Some((*list.get(place)?, place))
    }

    /// The selected hub.
    pub(super) fn hub(self) -> Option<&'a Hub> {
        self.hubs().get(self.selected(Pane::Hubs)).copied()
    }

    /// The item that ranks first for a query, in the view under the cursor.
    fn first(self, query: u32) -> Option<u32> {
        let view = self.view();
        self.model.top_k_of(view.model, view.direction)?.retrieved.first(query)
    }

    /// What the captions of the first item and of the nearest positive lack of each other.
    fn contrast(self, query: u32) -> Option<Contrast> {
        let (view, first) = (self.view(), self.first(query)?);
        let marks = UserMarks::of(view.direction, None, &self.model.judgements.verdicts);
        contrast(&self.model.study, self.model.texts()?, &marks, view, (query.into(), first.into()))
    }

    fn quiet(self, text: &str) -> Sentence {
        ("", words(text, self.theme.dim))
    }

    /// A query of a direction with its id; in place of its words those of a caption, where that is given.
    fn named(self, direction: Direction, index: u32, caption: Option<Vec<Piece>>) -> Vec<Piece> {
        let id = &self.model.study.gallery.queries(direction)[index as usize];
        let mut pieces = vec![(format!("[{id}]"), self.theme.dim.into())];
        pieces.extend(caption.unwrap_or_else(|| {
            // Without room for the id, which stands there already.
            words(&self.model.label(direction, index as usize, 0), self.theme.base)
        }));
        pieces
    }

    /// A caption, some words of which have a look and a sign before them.
    fn marked(self, caption: u32, which: &[u32], sign: &str, look: impl Into<Style>) -> Vec<Piece> {
        let (caption, look) = (self.model.study.gallery.caption(caption as usize), look.into());
        let texts = self.model.texts();
        let mut left: Vec<&str> =
            texts.map_or(Vec::new(), |texts| which.iter().map(|&word| texts.word(word)).collect());
        // What both captions have is matched from the front: what is left over stands behind.
        let mut pieces = words(&caption, self.theme.base);
        for piece in pieces.iter_mut().rev() {
            let before = left.len();
            for token in tokens(&piece.0) {
                if let Some(at) = left.iter().position(|word| *word == token) {
                    left.remove(at);
                }
            }
            if left.len() < before {
                *piece = (format!("{sign}{}", piece.0), look);
            }
        }
        pieces
    }
}

fn words(text: &str, look: impl Into<Style>) -> Vec<Piece> {
    let look = look.into();
    text.split_whitespace().map(|word| (word.to_owned(), look)).collect()
}

/// A sentence in as many lines as it takes.
fn wrapped((about, pieces): Sentence, width: usize) -> Vec<Line<'static>> {
    let indent = if about.is_empty() { 1 } else { ABOUT };
    let room = width.saturating_sub(indent + 1).max(1);
    let mut lines = Vec::new();
    let mut line = vec![Span::raw(format!(" {about:<0$}", indent - 1))];
    let mut used = 0;
    for (piece, look) in pieces {
        let piece = text::fit(&piece, room);
        let wide = text::width(&piece);
        if used + wide > room {
            lines.push(Line::from(std::mem::replace(&mut line, vec![" ".repeat(indent).into()])));
            used = 0;
        }
        used += wide + 1;
        line.extend([Span::styled(piece, look), Span::raw(" ")]);
    }
    lines.push(Line::from(line));
    lines
}

fn of_kind(cx: Cx<'_>, area: Rect) -> Told {
    let (kind, view) = (cx.kind(), cx.view());
    let told = |Count { met, of }| format!("{} of {}", grouped(met), grouped(of));
    let mut count = String::new();
    let mut meaning = kind.meaning.to_owned();
    if let Some(of_kind) = cx.of_kind() {
        count = format!(": {}", told(of_kind.count()));
        meaning = format!("of {}: {meaning}", kind.of);
        if of_kind.count() != of_kind.loaded {
            meaning = format!("{meaning}; without your verdicts {}", told(of_kind.loaded));
        }
    }
    let mut sentences = vec![cx.quiet(&meaning)];
    let mut note = String::new();
    if let (Some((query, place)), Some(list)) = (cx.example(), cx.list()) {
        let is_picked = cx.model.is_picked(view.direction, query as usize);
        let before = if is_picked { "★ picked, " } else { "" };
        note = format!("{before}example {} of {}", grouped(place + 1), grouped(list.len()));
        sentences.extend(of_example(cx, query));
    }
    let name = &cx.model.study.models[view.model].name;
    let of = format!(" of {name} under {}", cx.model.name_in_force(view.truth));
    let titles = [&*of, ""].map(|of| format!("{}{of}{count}", kind.name));
    // Corners, and the blanks around title and note.
    let room = usize::from(area.width).saturating_sub(text::width(&note) + 6);
    (text::first_whole(titles, room), note, sentences)
}

/// The query, its first item, the nearest positive, and what is known besides.
fn of_example(cx: Cx<'_>, query: u32) -> Vec<Sentence> {
    let direction = cx.view().direction;
    let (first, contrast) = (cx.first(query), cx.contrast(query));
    let missing = |of: &Contrast| cx.marked(of.wanted, &of.missing, "−", cx.theme.up);
    let extra = |of: &Contrast| cx.marked(of.retrieved, &of.extra, "+", cx.theme.down);
    let asks = |of: &&Contrast| direction == Direction::T2i && of.wanted == query;
    let own = contrast.as_ref().filter(asks).map(missing);
    let mut sentences = vec![("query", cx.named(direction, query, own))];
    if let Some(first) = first {
        let caption = contrast.as_ref().map(extra);
        sentences.push(("first", cx.named(direction.flipped(), first, caption)));
    }
    // Where it is the query or the first item, it stands there already.
    let is_new = |of: &&Contrast| !asks(of) && of.wanted != of.retrieved;
    if let Some(of) = contrast.as_ref().filter(is_new) {
        sentences.push(("right", missing(of)));
    }
    if let Some(note) = cx.model.note_words(direction, query as usize) {
        sentences.push(("note", words(&note, cx.theme.key)));
    }
    if let Some(lacking) = first.and_then(|first| lacking(cx, query, first)) {
        sentences.push(("no match", words(&lacking, cx.theme.base)));
    }
    if contrast.is_some_and(|of| !of.extra.is_empty() || !of.missing.is_empty()) {
        let signs = "+ only in the caption of top-1, − only in the nearest positive";
        sentences.push(cx.quiet(signs));
    }
    sentences
}

/// The phrases of the pair's caption that its image lacks; `None` where there are none, or none annotated.
fn lacking(cx: Cx<'_>, query: u32, first: u32) -> Option<String> {
    let (caption, image) = match cx.view().direction {
        Direction::I2t => (first as usize, query as usize),
        Direction::T2i => (query as usize, first as usize),
    };
    let phrases = cx.model.study.phrases.as_ref()?;
    let sentence = phrases.caption(caption)?.sentence;
    let lacking = phrases.lacking(caption, image)?;
    let phrases: Vec<&str> =
        lacking.iter().map(|of| sentence.words_of(&sentence.phrases[of.phrase])).collect();
    (!phrases.is_empty()).then(|| shown(&phrases.join(", ")))
}

fn of_hub(cx: Cx<'_>) -> Told {
    let Some(hub) = cx.hub() else {
        return of_list(cx, None);
    };
    let direction = cx.model.view.direction;
    let title = format!(
        "hub: top-1 for {}, of which {} judged: a miss for {}",
        grouped(hub.first),
        grouped(hub.judged),
        grouped(hub.taken.len())
    );
    let mut sentences = vec![("item", cx.named(direction.flipped(), hub.item, None))];
    let taken = hub.taken.iter().take(5);
    sentences.extend(taken.map(|&query| ("taken", cx.named(direction, query, None))));
    (title, String::new(), sentences)
}

/// A word of failures, in a caption of a failing query.
fn of_word(cx: Cx<'_>) -> Told {
    let word = cx.words().get(cx.selected(Pane::Words)).copied();
    let of = word.map(|word| (word.p, word.p_holm));
    let (title, note, mut sentences) = of_list(cx, of);
    let found = word.and_then(|word| {
        let texts = cx.model.texts()?;
        let lists = cx.model.lists_of(cx.model.view)?;
        let has = |caption: &u32| texts.sorted(*caption).binary_search(&word.word).is_ok();
        let mut failures = lists[0].as_ref()?.queries.iter().copied();
        let caption = failures.find_map(|query| match cx.model.view.direction {
            Direction::T2i => Some(query).filter(has),
            Direction::I2t => cx.model.study.own(Direction::I2t, query as usize).iter().find(has),
        })?;
        Some(cx.marked(caption, &[word.word], "", cx.theme.key))
    });
    if let Some(caption) = found {
        sentences.insert(0, ("such as", caption));
    }
    (title, note, sentences)
}

/// What the list that keys go to is about, and p-values of its selected entry.
fn of_list(cx: Cx<'_>, p: Option<(f64, f64)>) -> Told {
    let note = p.map_or(String::new(), |(value, adjusted)| {
        format!("p {}, Holm-adjusted {}", p_value(value), p_value(adjusted))
    });
    let meaning = cx.quiet(&define::meaning(cx.state.pane));
    (cx.state.pane.list().to_owned(), note, vec![meaning])
}
