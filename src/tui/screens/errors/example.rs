//! What the cursor is on, in words and by an example: a query of the error type, with what was retrieved first
//! beside what would have been right; and the definitions of it all.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, Pane};
use crate::analysis::evidence::contrast;
use crate::analysis::kinds::{self, Count};
use crate::analysis::words::{LEVEL, PRIOR};
use crate::data::Direction;
use crate::data::text::{grouped, p_value, shown};
use crate::data::words::{Contrast, tokens};
use crate::filter::UserMarks;
use crate::rank::hubs::{DEVIATIONS, Hub, LEAST};
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popups::sheet::{Page, Sheet};
use crate::tui::ui::pane;

/// Columns of what a line is about.
const ABOUT: usize = 8;

/// A line, and the blanks before what is wrapped of it.
type Hanging = (Line<'static>, usize);
/// Title and note of the frame, and what stands in it.
type Told = (String, String, Vec<Hanging>);

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let (title, note, lines) = match cx.state.pane {
        Pane::Kinds => of_kind(cx),
        pane => of_list(cx, pane),
    };
    let inner = pane::frame(&title, &note, false, cx.theme, area, buf);
    pane::wrapped(lines, inner, buf);
}

impl<'a> Cx<'a> {
    /// The queries of the error type under the cursor.
    pub(super) fn list_of_kind(self) -> Option<&'a [u32]> {
        self.of_kind().map(|of| &*of.queries)
    }

    /// The query of the example, with its place among all of the error type; `None` where there is none, or none
    /// yet.
    pub(super) fn example(self) -> Option<(u32, usize)> {
        let list = self.list_of_kind()?;
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

    /// A query of a direction with its id; in place of its words those of a caption, where that is given.
    fn named(
        self,
        about: &str,
        (direction, index): (Direction, u32),
        caption: Option<Vec<Span<'static>>>,
    ) -> Hanging {
        let id = &self.model.study.gallery.queries(direction)[index as usize];
        // Without room for the id, which stands there already.
        let label = || vec![self.model.label(direction, index as usize, 0).into()];
        let id = Span::styled(format!("[{id}] "), self.theme.dim);
        self::about(about, std::iter::once(id).chain(caption.unwrap_or_else(label)))
    }

    /// A caption, some words of which have a look and a sign before them.
    fn marked(
        self,
        caption: u32,
        which: &[u32],
        sign: &str,
        look: impl Into<Style>,
    ) -> Vec<Span<'static>> {
        let (caption, look) = (self.model.study.gallery.caption(caption as usize), look.into());
        let texts = self.model.texts();
        let mut left: Vec<&str> =
            texts.map_or(Vec::new(), |texts| which.iter().map(|&word| texts.word(word)).collect());
        let mut words = Vec::new();
        // What both captions have is matched from the front: what is left over stands behind.
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

/// A line with what it is about before it.
fn about(about: &str, words: impl IntoIterator<Item = Span<'static>>) -> Hanging {
    let about = Span::raw(format!("{about:<ABOUT$}"));
    (std::iter::once(about).chain(words).collect(), ABOUT)
}

fn of_kind(cx: Cx<'_>) -> Told {
    let (kind, view) = (cx.kind(), cx.view());
    let told = |Count { met, of }| format!("{} of {}", grouped(met), grouped(of));
    let name = &cx.model.study.models[view.model].name;
    let truth = cx.model.name_in_force(view.truth);
    let mut title = format!("{} of {name} under {truth}", kind.name);
    let mut meaning = format!("of {}: {}", kind.of, kind.meaning);
    if let Some(of_kind) = cx.of_kind() {
        title = format!("{title}: {}", told(of_kind.count()));
        if of_kind.count() != of_kind.loaded {
            meaning = format!("{meaning}; without your verdicts {}", told(of_kind.loaded));
        }
    }
    let mut lines = vec![(Line::styled(meaning, cx.theme.dim), 0)];
    let mut note = String::new();
    if let (Some((query, place)), Some(list)) = (cx.example(), cx.list_of_kind()) {
        let is_picked = cx.model.is_picked(view.direction, query as usize);
        let before = if is_picked { "★ picked, " } else { "" };
        note = format!("{before}example {} of {}", grouped(place + 1), grouped(list.len()));
        lines.extend(of_example(cx, query));
    }
    (title, note, lines)
}

/// The query, its first item, the nearest positive, and what is known besides.
fn of_example(cx: Cx<'_>, query: u32) -> Vec<Hanging> {
    let direction = cx.view().direction;
    let (first, contrast) = (cx.first(query), cx.contrast(query));
    let missing = |of: &Contrast| cx.marked(of.wanted, &of.missing, "−", cx.theme.up);
    let extra = |of: &Contrast| cx.marked(of.retrieved, &of.extra, "+", cx.theme.down);
    let asks = |of: &&Contrast| direction == Direction::T2i && of.wanted == query;
    let own = contrast.as_ref().filter(asks).map(missing);
    let mut lines = vec![cx.named("query", (direction, query), own)];
    if let Some(first) = first {
        lines.push(cx.named("first", (direction.flipped(), first), contrast.as_ref().map(extra)));
    }
    // Where it is the query or the first item, it stands there already.
    let is_new = |of: &&Contrast| !asks(of) && of.wanted != of.retrieved;
    lines.extend(contrast.as_ref().filter(is_new).map(|of| about("right", missing(of))));
    let note = cx.model.note_words(direction, query as usize);
    lines.extend(note.map(|note| about("note", [Span::styled(note, cx.theme.key)])));
    let lacking = first.and_then(|first| lacking(cx, query, first));
    lines.extend(lacking.map(|lacking| about("no match", [format!(" {lacking}").into()])));
    if contrast.is_some_and(|of| !of.extra.is_empty() || !of.missing.is_empty()) {
        let signs = "+ only in the caption of top-1, − only in the nearest positive";
        lines.push((Line::styled(signs, cx.theme.dim), 0));
    }
    lines
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

/// The selected entry of a list: its p-values, what it is found in, and what the list is about.
fn of_list(cx: Cx<'_>, pane: Pane) -> Told {
    let (at, direction) = (cx.selected(pane), cx.model.view.direction);
    let (mut p, mut lines) = (None, Vec::new());
    match pane {
        Pane::Hubs => lines.extend(cx.hub().into_iter().flat_map(|hub| {
            let taken = hub.taken.iter().take(5);
            let item = cx.named("item", (direction.flipped(), hub.item), None);
            let taken = taken.map(|&query| cx.named("taken", (direction, query), None));
            std::iter::once(item).chain(taken).collect::<Vec<_>>()
        })),
        Pane::Words => {
            if let Some(word) = cx.words().get(at) {
                p = Some((word.p, word.p_holm));
                let caption = failing_caption(cx, word.word);
                lines.extend(caption.map(|caption| {
                    let words = cx.marked(caption, &[word.word], "", cx.theme.key);
                    about("such as", words)
                }));
            }
        }
        Pane::Swapped => p = cx.swapped().get(at).map(|of| (of.p, of.p_holm)),
        Pane::Kinds | Pane::WhatIf => {}
    }
    lines.push((Line::styled(meaning(pane), cx.theme.dim), 0));
    let p = p.map(|(p, adjusted)| format!("p {}, Holm-adjusted {}", p_value(p), p_value(adjusted)));
    (pane.list().to_owned(), p.unwrap_or_default(), lines)
}

/// A caption with a word, of the first failure that has one.
fn failing_caption(cx: Cx<'_>, word: u32) -> Option<u32> {
    let texts = cx.model.texts()?;
    let lists = cx.model.lists_of(cx.model.view)?;
    let has = |caption: &u32| texts.sorted(*caption).binary_search(&word).is_ok();
    let mut failures = lists[0].as_ref()?.queries.iter().copied();
    failures.find_map(|query| match cx.model.view.direction {
        Direction::T2i => Some(query).filter(has),
        Direction::I2t => cx.model.study.own(Direction::I2t, query as usize).iter().find(has),
    })
}

/// Definitions of all that the screen counts, with their sources.
pub(super) fn sheet(view: View) -> Sheet {
    Sheet::new(Action::Define, move |cx, page| write(cx, view, page))
}

fn write(cx: Context<'_>, view: View, page: &mut Page<'_>) {
    let model = &cx.model.study.models[view.model].name;
    let truth = cx.model.name_in_force(view.truth);
    page.title = format!("error types of {model}, {}, ground truth {truth}", view.direction);
    page.paragraph(cx.theme.dim, 0, &meaning(Pane::Kinds));
    for kind in kinds::of(&cx.model.study) {
        page.heading(kind.name);
        page.paragraph(cx.theme.base, 2, kind.meaning);
        match kind.expression(&cx.model.study, view) {
            Some(condition) => page.paragraph(cx.theme.key, 2, &condition),
            None => page.paragraph(cx.theme.dim, 2, "the study lacks what it is about"),
        }
    }
    for pane in &Pane::ALL[1..] {
        page.heading(pane.list());
        page.paragraph(cx.theme.base, 2, &meaning(*pane));
    }
}

/// What a pane shows, and where it is from.
fn meaning(pane: Pane) -> String {
    let grey = format!("Grey: two-sided p, Holm-adjusted over all words, is {LEVEL} or more.");
    match pane {
        Pane::Kinds => "Error types overlap: a query may be of several, and a failure of none. A share is one of the \
                        queries that could be of the type: of two ground truths compared, those that both judge."
            .into(),
        Pane::Hubs => format!(
            "A hub is top-1 for {LEAST} queries or more, and for more than the mean item by {DEVIATIONS} standard \
             deviations. miss/of: judged queries for which it is top-1 and no positive, of those for which it is \
             top-1. N_k: queries that have an item in their top k; skew: third central moment of N_k over the \
             cube of its standard deviation. Source: Radovanovic et al., JMLR 11 (2010), 2487-2531."
        ),
        Pane::Words => format!(
            "z: the log-odds of a word among failures less those among the other judged queries, over the standard \
             deviation; each word counts once a query, and the Dirichlet prior is worth {PRIOR} words. {grey} \
             Source: Monroe et al., Political Analysis 16 (2008), 372-403."
        ),
        Pane::Swapped => format!(
            "added: failures where the caption of top-1 has the word and the nearest positive caption (most words in \
             common) lacks it; lacked: the other way round. Case, punctuation and articles are ignored. {grey}"
        ),
        Pane::WhatIf => "CSLS: 2 s(q, x) - r(q) - r(x), r being the mean of the 10 best scores of a query or an item; \
                         Conneau et al. 2018, arXiv:1710.04087. Inverted softmax: exp(s(q, x) / t) over its sum over \
                         all queries, t = 0.05, which suits cosines; Smith et al. 2017, arXiv:1702.03859. Both need \
                         all queries at once."
            .into(),
    }
}
