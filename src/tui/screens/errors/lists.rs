//! The lists beside the table: hubs, words of failures, swapped words, and what rescaled scores would give.

use std::cmp::Reverse;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::{Cx, Errors, Pane};
use crate::analysis::kinds;
use crate::analysis::rescale::{Quality, Rescaling};
use crate::analysis::survey::Detail;
use crate::analysis::words::{LEVEL, Swapped, Word, over_represented};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::metric::Unit;
use crate::rank::hubs::{DEPTHS, Hub};
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::export::one_line;
use crate::tui::theme::ThemeStyle;
use crate::tui::widgets::list::{Column, ListView};
use crate::tui::widgets::{pane, text, trend};

/// The orders that the lists have, by pane.
pub(super) const ORDERS: [&[&str]; 5] = [
    &[],
    &["most top-1 misses", "most N_1", "most N_10"],
    &["most over-represented", "most failures", "highest failing share"],
    &["most added", "most lacked"],
    &[],
];

impl Errors {
    /// Puts the list that keys go to in its next order.
    pub(super) fn next_order(&mut self, model: &mut Model) {
        let at = self.pane as usize;
        self.orders[at] = (self.orders[at] + 1) % ORDERS[at].len();
        self.selected[at] = 0;
        model.message = Some(format!("sorted, {}", ORDERS[at][self.orders[at]]));
    }
}

/// R@1 and mAP@R of a direction, as they are or rescaled in some way.
pub(super) struct Rescaled {
    pub direction: Direction,
    pub name: &'static str,
    /// As shares, `None` where they are undefined.
    pub numbers: [Option<f64>; 2],
    /// As they are, where these are rescaled.
    before: Option<[Option<f64>; 2]>,
}

impl<'a> Cx<'a> {
    fn detail(self) -> Option<&'a Detail> {
        self.model.detail_of(self.model.view).map(AsRef::as_ref)
    }

    fn order(self, pane: Pane) -> usize {
        self.state.orders[pane as usize]
    }

    /// How many entries a pane's list has.
    pub(super) fn len(self, pane: Pane) -> usize {
        match (pane, self.detail()) {
            (Pane::Kinds, _) => kinds::of(&self.model.study).len(),
            (Pane::WhatIf, _) => self.rescaled().len(),
            (_, None) => 0,
            (Pane::Hubs, Some(of)) => of.hubs.len(),
            (Pane::Words, Some(of)) => over_represented(&of.words).count(),
            (Pane::Swapped, Some(of)) => of.swapped.len(),
        }
    }

    /// The hubs in their order.
    pub fn hubs(self) -> Vec<&'a Hub> {
        let mut hubs: Vec<&Hub> = self.detail().map_or(&[][..], |of| &of.hubs).iter().collect();
        match self.order(Pane::Hubs) {
            0 => {}
            1 => hubs.sort_by_key(|hub| Reverse(hub.first)),
            _ => hubs.sort_by_key(|hub| Reverse(hub.occurrences.last().copied())),
        }
        hubs
    }

    /// The words that are over-represented among failures, in their order.
    pub fn words(self) -> Vec<Word> {
        let words = self.detail().map_or(&[][..], |of| &of.words);
        let mut words: Vec<Word> = over_represented(words).copied().collect();
        let share = |word: &Word| f64::from(word.failures) / f64::from(word.failures + word.others);
        match self.order(Pane::Words) {
            0 => {}
            1 => words.sort_by_key(|word| Reverse(word.failures)),
            _ => words.sort_by(|one, other| share(other).total_cmp(&share(one))),
        }
        words
    }

    /// The words that tell first items from positives, in their order.
    pub fn swapped(self) -> Vec<Swapped> {
        let mut swapped = self.detail().map_or(Vec::new(), |of| of.swapped.clone());
        if self.order(Pane::Swapped) > 0 {
            swapped.reverse();
        }
        swapped
    }

    /// What rescaled scores would give, once that is computed.
    pub(super) fn rescaled(self) -> Vec<Rescaled> {
        let found = self.model.what_if().and_then(|found| found.as_ref().ok());
        let numbers = |of: &Quality| [of.r1.value, of.map_at_r.value];
        let mut lines = Vec::new();
        for of in found.into_iter().flat_map(|found| found.iter()) {
            let (direction, before) = (of.direction, numbers(&of.before));
            lines.push(Rescaled { direction, name: "now", numbers: before, before: None });
            for (way, quality) in &of.after {
                let name = match way {
                    Rescaling::Csls(_) => "CSLS",
                    Rescaling::InvertedSoftmax(_) => "inv. softmax",
                };
                let numbers = numbers(quality);
                lines.push(Rescaled { direction, name, numbers, before: Some(before) });
            }
        }
        lines
    }

    /// Draws the list of a pane inside of its frame.
    fn draw_list(self, pane: Pane, columns: Vec<Column<'_>>, inner: Rect, buf: &mut Buffer) {
        let has_words = pane == Pane::Hubs || !self.model.study.gallery.texts.is_empty();
        let empty = match self.detail() {
            None => "…",
            Some(_) if has_words => "none",
            Some(_) => "no captions file: no words",
        };
        let list = ListView {
            id: pane.list(),
            columns,
            len: self.len(pane),
            selected: Some(self.selected(pane)),
            focus: self.state.pane == pane,
            least: usize::from(inner.width) * 45 / 100,
            empty: empty.into(),
            ..ListView::default()
        };
        list.draw(&self.state.scrolled[pane as usize], self.ui, inner, buf);
    }
}

/// How retrieval spreads over the items, and the items that are first too often.
pub(super) fn draw_hubs(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let (view, hubs) = (cx.model.view, cx.hubs());
    let hubness = cx.model.top_k_of(view.model, view.direction).map(|of| &of.hubness);
    let mut title = format!("hubs of {}", cx.model.study.models[view.model].name);
    if let Some(hubness) = hubness.filter(|_| cx.detail().is_some()) {
        let least = hubness.first().threshold();
        title = format!("{title}: {} with N_1 ≥ {least}", grouped(hubs.len()));
    }
    let order = ORDERS[Pane::Hubs as usize][cx.order(Pane::Hubs)];
    let inner = cx.frame(Pane::Hubs, &title, order, area, buf);
    let rows = [Constraint::Length(DEPTHS.len() as u16 + 2), Constraint::Fill(1)];
    let [top, list] = inner.layout(&Layout::vertical(rows));
    let mut lines = vec![Line::styled("        skew   most   never retrieved", cx.theme.dim)];
    for (at, k) in DEPTHS.iter().enumerate() {
        let numbers = hubness.map_or("     …".into(), |hubness| {
            let of = &hubness.depths[at];
            let skew = of.skewness.map_or("-".into(), |skew| format!("{skew:.2}"));
            let (most, never) = (grouped(of.most() as usize), grouped(of.never));
            let share = 100.0 * of.never as f64 / of.items.max(1) as f64;
            format!("{skew:>6}{most:>7}{never:>9} {share:>5.1}%")
        });
        let name = Span::styled(format!(" N_{k:<3}"), cx.theme.dim);
        lines.push(Line::from(vec![name, Span::raw(numbers)]));
    }
    pane::lines(&lines, 0, top, buf);
    let misses = |hub: &Hub| format!("{}/{}", grouped(hub.taken.len()), grouped(hub.judged));
    let widest = hubs.iter().map(|hub| text::width(&misses(hub))).max().unwrap_or(0).max(7) + 1;
    let hubs = &hubs;
    let misses = move |at: usize, _| Span::styled(misses(hubs[at]), cx.theme.title);
    let mut columns = vec![Column::new("miss/of", widest, misses).right()];
    // The deepest count tells more than the one in the middle.
    for (depth, keep) in [2, 0, 1].into_iter().enumerate() {
        let count = move |at: usize, _| grouped(hubs[at].occurrences[depth] as usize);
        let column = Column::new(format!("N_{}", DEPTHS[depth]), 6, count).right();
        columns.push(column.keep(keep));
    }
    columns.push(Column::rest("item", move |at, room| {
        let item = hubs[at].item as usize;
        text::fit(&cx.model.label(view.direction.flipped(), item, room), room)
    }));
    cx.draw_list(Pane::Hubs, columns, list, buf);
}

/// The words of failures.
pub(super) fn draw_words(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let words = cx.words();
    let row = |at: usize| {
        let word = words[at];
        let all = grouped((word.failures + word.others) as usize);
        let ratio = format!("{}/{all}", grouped(word.failures as usize));
        let numbers = [(format!("{:.2}", word.z), cx.theme.down), (ratio, cx.theme.dim)];
        (word.word, word.is_significant(), numbers)
    };
    let titles = ["z", "failures/all", "word"];
    draw_by_significance(cx, Pane::Words, titles, &row, area, buf);
}

/// The words that tell first items from positives.
pub(super) fn draw_swapped(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let swapped = cx.swapped();
    let row = |at: usize| {
        let of = &swapped[at];
        let count = |sign: char, n: u32| format!("{sign}{}", grouped(n as usize));
        let numbers =
            [(count('+', of.extra), cx.theme.down), (count('−', of.missing), cx.theme.up)];
        (of.word, of.is_significant(), numbers)
    };
    let titles = ["added", "lacked", "top-1 against positive"];
    draw_by_significance(cx, Pane::Swapped, titles, &row, area, buf);
}

/// A word, whether it is significant, and two numbers of it.
type WordRow = (u32, bool, [(String, ThemeStyle); 2]);

/// A list of words with the titles of its columns; grey where they may be there by chance.
fn draw_by_significance(
    cx: Cx<'_>,
    pane: Pane,
    titles: [&'static str; 3],
    row: &dyn Fn(usize) -> WordRow,
    area: Rect,
    buf: &mut Buffer,
) {
    let inner = cx.frame(pane, pane.list(), &format!("grey: Holm p ≥ {LEVEL}"), area, buf);
    let number = |column: usize| {
        move |at: usize, _| {
            let (_, is_significant, numbers) = row(at);
            let (number, look) = &numbers[column];
            Span::styled(number.clone(), if is_significant { *look } else { cx.theme.dim })
        }
    };
    let word = move |at: usize, _| {
        let (word, is_significant, _) = row(at);
        let word = cx.model.texts().map_or("", |texts| texts.word(word)).to_owned();
        Span::styled(word, if is_significant { cx.theme.base } else { cx.theme.dim })
    };
    let columns = vec![
        Column::new(titles[0], 7, number(0)).right(),
        Column::new(titles[1], text::width(titles[1]).max(7), number(1)).right(),
        Column::rest(titles[2], word),
    ];
    cx.draw_list(pane, columns, inner, buf);
}

/// What rescaled scores would give: R@1 and mAP@R now and then.
pub(super) fn draw_what_if(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let dial = cx.model.dial_words(cx.model.truth());
    let title = format!("what if, {}{dial}", cx.model.name_in_force(cx.model.view.truth));
    let inner = cx.frame(Pane::WhatIf, &title, "", area, buf);
    let lines = &cx.rescaled();
    let name = |at: usize, _| {
        let Rescaled { direction, name, before, .. } = &lines[at];
        match before {
            None => Span::styled(format!(" {direction} {name}"), cx.theme.title),
            Some(_) => Span::raw(format!("     {name}")),
        }
    };
    let mut columns = vec![Column::new("", 17, name)];
    for (number, title) in ["R@1", "mAP@R"].into_iter().enumerate() {
        let shown = move |at: usize, _| Unit::Share.shown(lines[at].numbers[number]);
        let change = move |at: usize, _| {
            let Rescaled { numbers, before, .. } = &lines[at];
            let change = before.and_then(|before| Some(numbers[number]? - before[number]?));
            let (words, look) = trend::delta(change, 2, cx.theme);
            Span::styled(if before.is_some() { words } else { String::new() }, look)
        };
        columns.push(Column::new(title, 6, shown).right());
        columns.push(Column::new("", 6, change));
    }
    let empty = match cx.model.what_if() {
        Some(Err(error)) => one_line(error),
        _ if cx.model.wanted_rescaling().is_some() => {
            let percent = 100.0 * cx.model.known.error_analysis.progress;
            format!("rescaling … {percent:.0}% of this pass")
        }
        _ => {
            let key = cx.ui.keymap.hint(Action::WhatIf);
            format!("{key} computes R@1 and mAP@R of both directions with rescaled scores")
        }
    };
    let list = ListView {
        id: Pane::WhatIf.list(),
        columns,
        len: lines.len(),
        empty,
        focus: cx.state.pane == Pane::WhatIf,
        ..ListView::default()
    };
    list.draw(&cx.state.scrolled[Pane::WhatIf as usize], cx.ui, inner, buf);
}
