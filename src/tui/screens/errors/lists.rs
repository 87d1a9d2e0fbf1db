//! The table of error types and the lists below it: hubs, words of failures, swapped words, rescaled scores.

use std::cmp::Reverse;
use std::rc::Rc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::{Cx, Pane};
use crate::analysis::kinds::{self, Kind, OfKind};
use crate::analysis::rescale::{Quality, Rescaling};
use crate::analysis::survey::Detail;
use crate::analysis::words::{Swapped, Word, over_represented};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::metric::Unit;
use crate::rank::hubs::{DEPTHS, Hub};
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::screens::queries;
use crate::tui::signs;
use crate::tui::state::export::one_line;
use crate::tui::theme::ThemeStyle;
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, Group, ListView};
use crate::tui::ui::trend::delta;
use crate::tui::ui::{pane, text};

/// Rows of the frame and above the error types: ground truths, models.
pub(super) const AROUND: u16 = 4;
/// Columns of the terminal for the name of an error type, for a count and for its share.
const NAME: usize = 24;
const COUNT: usize = 6;
const SHARE: usize = 6;

/// The orders of hubs.
pub(super) const ORDERS: [&str; 3] = ["most top-1 misses", "most N_1", "most N_10"];

/// R@1 and mAP@R of a direction, as they are or rescaled in some way.
struct Rescaled {
    direction: Direction,
    name: &'static str,
    /// As shares, `None` where they are undefined.
    numbers: [Option<f64>; 2],
    /// As they are, where these are rescaled.
    before: Option<[Option<f64>; 2]>,
}

/// A word, whether it is significant, and two numbers of it.
type WordRow = (u32, bool, [(String, ThemeStyle); 2]);

impl<'a> Cx<'a> {
    /// The view of each column of the table: ground truth by ground truth, each model that has numbers.
    pub(super) fn columns(self) -> Vec<View> {
        let mut views = self.model.explained_views();
        views.sort_by_key(|view| (view.truth, view.model));
        views
    }

    /// The error type under the cursor.
    pub(super) fn kind(self) -> &'static Kind {
        &kinds::of(&self.model.study)[self.selected(Pane::Kinds)]
    }

    /// The queries of the error type under the cursor; `None` where the study lacks what it is about, and while they
    /// are not known.
    pub(super) fn of_kind(self) -> Option<&'a OfKind> {
        self.model.lists_of(self.view())?[self.selected(Pane::Kinds)].as_ref()
    }

    fn detail(self) -> Option<&'a Detail> {
        self.model.detail_of(self.model.view).map(AsRef::as_ref)
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
        match self.state.order {
            0 => {}
            1 => hubs.sort_by_key(|hub| Reverse(hub.first)),
            _ => hubs.sort_by_key(|hub| Reverse(hub.occurrences.last().copied())),
        }
        hubs
    }

    /// The words that are over-represented among failures, the highest z first.
    pub fn words(self) -> Vec<Word> {
        let words = self.detail().map_or(&[][..], |of| &of.words);
        over_represented(words).copied().collect()
    }

    /// The words that tell first items from positives, most added first.
    pub fn swapped(self) -> &'a [Swapped] {
        self.detail().map_or(&[], |of| &of.swapped)
    }

    /// What rescaled scores would give, once that is computed.
    fn rescaled(self) -> Vec<Rescaled> {
        let found = self.model.what_if().and_then(|found| found.as_ref().ok());
        let numbers = |of: &Quality| [of.r1.value, of.map_at_r.value];
        let mut lines = Vec::new();
        for of in found.into_iter().flat_map(|found| found.iter()) {
            let (direction, before) = (of.direction, numbers(&of.before));
            lines.push(Rescaled { direction, name: "now", numbers: before, before: None });
            lines.extend(of.after.iter().map(|(way, quality)| {
                let name = match way {
                    Rescaling::Csls(_) => "CSLS",
                    Rescaling::InvertedSoftmax(_) => "inv. softmax",
                };
                Rescaled { direction, name, numbers: numbers(quality), before: Some(before) }
            }));
        }
        lines
    }

    /// The title of a pane and its list.
    fn list(self, pane: Pane) -> (String, ListView<'a>) {
        let (title, columns) = match pane {
            Pane::Kinds => return self.table(),
            Pane::Hubs => self.hub_columns(),
            Pane::Words => (pane.list().into(), self.word_columns()),
            Pane::Swapped => (pane.list().into(), self.swapped_columns()),
            Pane::WhatIf => self.rescaled_columns(),
        };
        let list = ListView {
            id: pane.list(),
            columns,
            len: self.len(pane),
            selected: (pane != Pane::WhatIf).then(|| self.selected(pane)),
            focus: self.state.pane == pane,
            least: 14,
            empty: match (pane, self.detail()) {
                (Pane::WhatIf, _) => self.why_not_rescaled(),
                (_, None) => "…".into(),
                (_, Some(_)) => "none".into(),
            },
            ..ListView::default()
        };
        (title, list)
    }

    /// The selected entry of the list that keys go to as text; of rescaled scores all.
    pub(super) fn copied(self) -> Option<String> {
        let (pane, (_, list)) = (self.state.pane, self.list(self.state.pane));
        let at = self.selected(pane);
        if pane == Pane::Kinds {
            let cells = self.columns().into_iter().map(|view| {
                let model = &self.model.study.models[view.model].name;
                let truth = &self.model.study.truths[view.truth].name;
                format!("\t{truth} {model}\t{}", self.counted_as(view, at).join("\t"))
            });
            return Some(self.kind().name.to_owned() + &cells.collect::<String>());
        }
        let copied = if pane == Pane::WhatIf { 0..list.len } else { at..list.len.min(at + 1) };
        let lines: Vec<String> = copied.map(|at| list.text(at)).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// The number of queries of an error type by its place, and their share in percent.
    fn counted_as(self, view: View, kind: usize) -> [String; 2] {
        match self.model.lists_of(view).map(|lists| &lists[kind]) {
            None => ["…".into(), String::new()],
            Some(None) => ["-".into(), String::new()],
            Some(Some(of)) => [grouped(of.count().met), of.count().percent()],
        }
    }

    fn table(self) -> (String, ListView<'a>) {
        let (kinds, views) = (kinds::of(&self.model.study), self.columns());
        let here = views.iter().position(|view| *view == self.view()).unwrap_or(0);
        let mut columns = vec![Column::new("", NAME, |at, _| format!(" {}", kinds[at].name))];
        columns.extend(views.iter().enumerate().map(|(at, &view)| {
            let is_here = view == self.model.view;
            let look = if is_here { self.theme.key } else { self.theme.dim };
            let name = signs::model(&self.model.study, view.model, COUNT + SHARE);
            let cell = move |kind: usize, _| {
                let [count, share] = self.counted_as(view, kind);
                let share = Span::styled(text::pad_left(&share, SHARE), self.theme.dim);
                Line::from_iter([Span::raw(count), share])
            };
            let column = Column::new(Span::styled(name, look), COUNT + SHARE, cell);
            column.right().near(at.abs_diff(here))
        }));
        let of_truths = views.chunk_by(|one, other| one.truth == other.truth);
        let of_truths = of_truths.map(|of| self.above_truth(of[0], of.len()));
        let list = ListView {
            id: Pane::Kinds.list(),
            columns,
            groups: of_truths.collect(),
            len: kinds.len(),
            selected: Some(self.selected(Pane::Kinds)),
            focus: self.state.pane == Pane::Kinds,
            has_cells: true,
            cell: Some(here + 1),
            ..ListView::default()
        };
        let direction = self.model.view.direction;
        (format!("error types, {direction}: count, % of applicable queries"), list)
    }

    /// A ground truth above its columns, with the number of queries that it judges.
    fn above_truth(self, view: View, columns: usize) -> Group<'a> {
        let dial = self.model.dial_words(&self.model.study.truths[view.truth]);
        let name = format!("{}{dial}", self.model.name_in_force(view.truth));
        // Every judged query could be of the first error type, a failure.
        let failures = self.model.lists_of(view).and_then(|lists| lists.first()?.as_ref());
        let judged = failures.map_or(String::new(), |of| format!(": {} judged", grouped(of.of)));
        let is_here = view.truth == self.model.view.truth;
        let look = if is_here { self.theme.key } else { self.theme.title };
        let title = move |room| Line::styled(text::fit(&format!("{name}{judged}"), room), look);
        (columns, Box::new(title))
    }

    fn hub_columns(self) -> (String, Vec<Column<'a>>) {
        let (view, hubs) = (self.model.view, self.hubs());
        let mut title = format!("hubs of {}", self.model.study.models[view.model].name);
        let top_k = self.model.top_k_of(view.model, view.direction);
        if let Some(top_k) = top_k.filter(|_| self.detail().is_some()) {
            let least = top_k.hubness.first().threshold();
            title = format!("{title}: {} with N_1 ≥ {least}", grouped(hubs.len()));
        }
        let titles = [("miss/of", 11), ("N_1", 6), ("N_5", 6), ("N_10", 6), ("item", 0)];
        let columns = columns(titles, move |at, room| {
            let hub = hubs[at];
            let misses = format!("{}/{}", grouped(hub.taken.len()), grouped(hub.judged));
            let [one, five, ten] = [0, 1, 2].map(|depth| hub.occurrences[depth] as usize);
            let label = self.model.label(view.direction.flipped(), hub.item as usize, room);
            let misses = Span::styled(misses, self.theme.title);
            [misses, grouped(one).into(), grouped(five).into(), grouped(ten).into(), label.into()]
        });
        let keep = |(at, column): (usize, Column<'a>)| match at {
            1..=3 => column.keep(0),
            _ => column,
        };
        (title, columns.into_iter().enumerate().map(keep).collect())
    }

    fn word_columns(self) -> Vec<Column<'a>> {
        let row = |of: Word| {
            let all = grouped((of.failures + of.others) as usize);
            let ratio = format!("{}/{all}", grouped(of.failures as usize));
            let numbers = [(format!("{:.2}", of.z), self.theme.down), (ratio, self.theme.dim)];
            (of.word, of.is_significant(), numbers)
        };
        let titles = [("z", 7), ("failures/all", 12), ("word", 0)];
        self.by_significance(titles, self.words().into_iter().map(row).collect())
    }

    fn swapped_columns(self) -> Vec<Column<'a>> {
        let count = |sign: char, count: u32| format!("{sign}{}", grouped(count as usize));
        let row = |of: &Swapped| {
            let added = (count('+', of.extra), self.theme.down);
            (of.word, of.is_significant(), [added, (count('−', of.missing), self.theme.up)])
        };
        let titles = [("added", 7), ("lacked", 7), ("top-1 against positive", 0)];
        self.by_significance(titles, self.swapped().iter().map(row).collect())
    }

    /// Words behind their numbers; grey where they may be there by chance.
    fn by_significance(
        self,
        titles: [(&'static str, usize); 3],
        rows: Vec<WordRow>,
    ) -> Vec<Column<'a>> {
        columns(titles, move |at, _| {
            let (word, is_significant, [first, second]) = &rows[at];
            let word = self.model.texts().map_or("", |texts| texts.word(*word)).to_owned();
            [first.clone(), second.clone(), (word, self.theme.base)].map(|(cell, look)| {
                Span::styled(cell, if *is_significant { look } else { self.theme.dim })
            })
        })
    }

    fn rescaled_columns(self) -> (String, Vec<Column<'a>>) {
        let dial = self.model.dial_words(self.model.truth());
        let title = format!("what if, {}{dial}", self.model.name_in_force(self.model.view.truth));
        let lines = self.rescaled();
        let titles = [("", 0), ("R@1", 6), ("", 6), ("mAP@R", 6), ("", 6)];
        let columns = columns(titles, move |at, _| {
            let Rescaled { direction, name, numbers, before } = &lines[at];
            let look = if before.is_none() { self.theme.title } else { self.theme.base };
            let [r1, map_at_r] = numbers.map(|number| Span::raw(Unit::Share.shown(number)));
            let change = |number: usize| {
                let Some(before) = before else {
                    return Span::default();
                };
                let change = numbers[number].zip(before[number]).map(|(now, was)| now - was);
                let (words, look) = delta(change, 2, self.theme);
                Span::styled(words, look)
            };
            let name = Span::styled(format!(" {direction} {name}"), look);
            [name, r1, change(0), map_at_r, change(1)]
        });
        (title, columns)
    }

    fn why_not_rescaled(self) -> String {
        match self.model.what_if() {
            Some(Err(error)) => one_line(error),
            _ if self.model.wanted_rescaling().is_some() => {
                let percent = 100.0 * self.model.known.error_analysis.progress;
                format!("rescaling … {percent:.0}% of this pass")
            }
            _ => {
                let key = self.ui.keymap.hint(Action::WhatIf);
                format!("{key} computes R@1 and mAP@R of both directions with rescaled scores")
            }
        }
    }
}

/// Columns from their titles and widths, 0 for what the others leave, and the cells of a row in columns so wide.
fn columns<'a, const N: usize>(
    titles: [(&'static str, usize); N],
    row: impl Fn(usize, usize) -> [Span<'static>; N] + 'a,
) -> Vec<Column<'a>> {
    let row = Rc::new(row);
    let column = |(number, (title, width)): (usize, (&'static str, usize))| {
        let row = row.clone();
        let cell = move |at: usize, room: usize| row(at, room)[number].clone();
        match width {
            0 => Column::rest(title, cell),
            _ => Column::new(title, width, cell).right(),
        }
    };
    titles.into_iter().enumerate().map(column).collect()
}

/// Draws a pane with its list, in its order.
pub(super) fn draw(cx: Cx<'_>, pane: Pane, area: Rect, buf: &mut Buffer) {
    let (title, list) = cx.list(pane);
    let order = if pane == Pane::Hubs { ORDERS[cx.state.order] } else { "" };
    let mut inner = pane::frame(&title, order, list.focus, cx.theme, area, buf);
    queries::condition(cx, queries::UNFILTERED, area, buf);
    cx.ui.hit(area, Target::List(pane.list()));
    if pane == Pane::Hubs {
        let rows = [Constraint::Length(DEPTHS.len() as u16 + 2), Constraint::Fill(1)];
        let [top, below] = inner.layout(&Layout::vertical(rows));
        draw_hubness(cx, top, buf);
        inner = below;
    }
    list.draw(&cx.state.scrolled[pane as usize], cx.ui, inner, buf);
}

/// How retrieval spreads over the items at each depth.
fn draw_hubness(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let view = cx.model.view;
    let mut lines = vec![Line::styled("        skew   most   never retrieved", cx.theme.dim)];
    let top_k = cx.model.top_k_of(view.model, view.direction);
    for of in top_k.iter().flat_map(|of| &of.hubness.depths) {
        let skew = of.skewness.map_or("-".into(), |skew| format!("{skew:.2}"));
        let (most, never) = (grouped(of.most() as usize), grouped(of.never));
        let share = 100.0 * of.never as f64 / of.items.max(1) as f64;
        lines.push(Line::from_iter([
            Span::styled(format!(" N_{:<3}", of.k), cx.theme.dim),
            Span::raw(format!("{skew:>6}{most:>7}{never:>9} {share:>5.1}%")),
        ]));
    }
    pane::lines(&lines, 0, area, buf);
}
