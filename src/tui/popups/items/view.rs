//! Draws the list of items.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{ITEMS, ItemList, KINDS};
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::text::grouped;
use crate::engine::ItemsOrder;
use crate::truth::standing::Standing;
use crate::truth::verdict::Pair;
use crate::tui::model::Model;
use crate::tui::signs::{self, Mark};
use crate::tui::ui::Context;
use crate::tui::widgets::hits::Target;
use crate::tui::widgets::list::{Column, ListView};
use crate::tui::widgets::{pane, text};

/// Columns of a rank, of a score, of phi, and of what the queries are sorted by.
const RANK: usize = 4;
const SCORE: usize = 7;
const PHI: usize = 5;
const SORTED: usize = 9;
/// Of a hundred columns, so many are for the texts of query and item.
const TEXTS: usize = 58;

impl ItemList {
    /// What is listed and whose, after how many they are.
    pub(super) fn title(&self, model: &Model, count: &str) -> String {
        let (view, which, study) = (self.key.view, self.which(model), &model.study);
        let condition = match &*self.common.words {
            "" if !model.has_filter() => String::new(),
            "" => "; without the filter".to_owned(),
            words if !model.has_filter() || words.contains("filter ") => format!("; {words}"),
            words => format!("; without the filter; {words}"),
        };
        let not = if which == Which::Missed { "not " } else { "" };
        let items = which.words_of(count.trim() == "1", study.truths.len() > 1);
        let (depth, queries) = (self.key.depth, grouped(self.key.queries.len()));
        let (name, direction) = (&study.models[view.model].name, view.direction);
        let truth = model.name_in_force(view.truth) + &model.other_dials();
        format!(
            "{count}{items} {not}in the top {depth} of {queries} queries, {name} {direction}, ground truth \
             {truth}{condition}"
        )
    }

    pub(super) fn draw_list(&self, cx: Context<'_>, buf: &mut Buffer) {
        let body = cx.ui.frame().body;
        let count = self.found(cx.model).map(|_| self.counted(self.which(cx.model), cx) + " ");
        let title = self.title(cx.model, &count.unwrap_or_default());
        let inner = pane::popup(&title, "", body.as_size().into(), cx.ui, body, buf);
        if text::width(&title) > usize::from(inner.width).saturating_sub(2) {
            // What the queries have in common has the lower border.
            let words = Line::styled(self.common.words.clone(), cx.theme.dim);
            let border = Rect { y: inner.bottom(), height: 1, ..inner }.intersection(body);
            words.render(border, buf);
        }
        let rows = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]);
        let [kinds, list] = inner.layout(&rows);
        self.draw_kinds(cx, kinds, buf);
        let view = ListView {
            id: ITEMS,
            columns: self.columns(cx).into_iter().map(|(column, _)| column).collect(),
            len: self.count(cx.model),
            selected: Some(self.selected),
            least: usize::from(list.width) * TEXTS / 100,
            found: self.search.text(),
            empty: match cx.model.items_of(&self.key) {
                None if cx.model.files.is_overwritten() => {
                    "not ranked: a file was written over".into()
                }
                None => "ranking …".into(),
                Some(Err(error)) => error.to_string(),
                Some(Ok(_)) => {
                    let why = self.which(cx.model).is_unknown(&cx.model.study);
                    why.unwrap_or("no item is of this kind").into()
                }
            },
            ..ListView::default()
        };
        view.draw(&self.scrolled, cx.ui, list, buf);
    }

    /// How many items of a kind were found; a question mark where nobody looked.
    fn counted(&self, which: Which, cx: Context<'_>) -> String {
        match self.found(cx.model).map(|found| found.count(which)) {
            None => "…".into(),
            Some(0) if which.is_unknown(&cx.model.study).is_some() => "?".into(),
            Some(count) => grouped(count),
        }
    }

    /// Which items can be listed, and how many these are. Where there is no room for all numbers, only the one of
    /// what is listed stands there: a number that is cut would be another number.
    fn draw_kinds(&self, cx: Context<'_>, row: Rect, buf: &mut Buffer) {
        let (listed, choices) = (self.which(cx.model), cx.model.item_choices());
        let words = |is_counted: bool| {
            let words = choices.iter().map(|&which| {
                let name = which.word().replace('-', " ");
                if is_counted || which == listed {
                    return format!(" {name} {} ", self.counted(which, cx));
                }
                format!(" {name} ")
            });
            words.collect::<Vec<String>>()
        };
        let has_room = text::width(&words(true).concat()) <= row.width.into();
        let mut rest = row.intersection(buf.area);
        for (at, words) in words(has_room).into_iter().enumerate() {
            let is_listed = choices[at] == listed;
            let style = if is_listed { cx.theme.chip } else { cx.theme.dim };
            let width = (text::width(&words) as u16).min(rest.width);
            buf.set_stringn(rest.x, rest.y, words, width.into(), style);
            cx.ui.hit(Rect { width, ..rest }, Target::Row(KINDS, at));
            (rest.x, rest.width) = (rest.x + width, rest.width - width);
        }
    }

    /// The columns, each with the order that a click on its title asks for.
    pub(super) fn columns<'a>(&'a self, cx: Context<'a>) -> Vec<(Column<'a>, Option<ItemsOrder>)> {
        let (model, theme, view) = (cx.model, cx.theme, self.key.view);
        let (study, direction, order) = (&*model.study, view.direction, self.key.order);
        let (found, which) = (self.found(model), self.which(model));
        let item = move |at: usize| found?.get(which, at).copied();
        let cell = move |of: fn(Context<'a>, FirstItem) -> Span<'static>| {
            move |at: usize, _| item(at).map_or_else(Span::default, |one| of(cx, one))
        };
        let heading = |name: &str, of: ItemsOrder, sign: &str| {
            let is_so = order == of && of != ItemsOrder::Queries;
            let look = if is_so { theme.title } else { theme.dim };
            Span::styled(if is_so { format!("{name}{sign}") } else { name.to_owned() }, look)
        };
        let label = move |at: usize, side, index: fn(FirstItem) -> u32, room| {
            item(at).map_or(String::new(), |one| model.label(side, index(one) as usize, room))
        };
        // Of less weight where the line above is of the same query.
        let query_look = move |at: usize| -> Style {
            let above = at.checked_sub(1).filter(|above| *above >= self.scrolled.offset());
            let is_same =
                above.and_then(item).map(|one| one.query) == item(at).map(|one| one.query);
            if is_same { theme.dim.into() } else { Style::default() }
        };
        let badge = move |one: FirstItem| {
            let (query, item) = ((one.query as usize).into(), (one.item as usize).into());
            let verdict = model.judgements.verdicts.get(Pair::of(direction, query, item));
            (verdict, study.badge(verdict, direction, query, item))
        };
        let mut columns = vec![
            (
                Column::new("", 1, move |at, _| {
                    let is_picked =
                        item(at).is_some_and(|one| model.is_picked(direction, one.query as usize));
                    Span::styled(if is_picked { "★" } else { " " }, theme.key)
                }),
                None,
            ),
            (
                Column::rest("query", move |at, room| {
                    Span::styled(label(at, direction, |one| one.query, room), query_look(at))
                })
                .sortable(),
                Some(ItemsOrder::Queries),
            ),
        ];
        let sort = &model.selection.sort;
        let is_sorted = order == ItemsOrder::Queries && model.is_of_list(&self.key);
        if let Some(name) = sort.heading().filter(|_| is_sorted) {
            let value = move |at: usize, _| {
                let value = item(at).and_then(|one| model.sort_value(one.at));
                let words = signs::sorted(value, model.selection.has_fractions);
                Span::styled(words, query_look(at))
            };
            let name = text::fit(&name, SORTED - 1) + sort.sign();
            let column = Column::new(name, SORTED, value).right().sortable();
            columns.push((column, Some(ItemsOrder::Queries)));
        }
        let rank = cell(|cx, one| {
            let rank = if one.rank == 0 { "-".into() } else { one.rank.to_string() };
            Span::styled(rank, cx.theme.dim)
        });
        let rank = Column::new(heading("#", ItemsOrder::Rank, "↑"), RANK, rank).right().sortable();
        columns.push((rank, Some(ItemsOrder::Rank)));
        let score = cell(|cx, one| Span::styled(signs::score(one.score), cx.theme.dim));
        let score = Column::new(heading("score", ItemsOrder::Score, "↓"), SCORE, score).right();
        let score = if order == ItemsOrder::Score { score } else { score.keep(0) };
        columns.push((score.sortable(), Some(ItemsOrder::Score)));
        if which == Which::Missed {
            let phi = cell(|cx, one| Span::styled(signs::phi(Some(one.phi)), cx.theme.key));
            columns.push((Column::new("phi", PHI, phi).right(), None));
        }
        let sign = move |at: usize, _| {
            item(at).map_or_else(Line::default, |one| {
                let (verdict, badge) = badge(one);
                let said = verdict.map_or(Span::raw(" "), |verdict| {
                    Span::styled(signs::verdict(verdict), theme.verdict(verdict))
                });
                Line::from(vec![Span::styled(signs::badge(badge), theme.badge(badge)), said])
            })
        };
        let sign = Column::new(heading(" ", ItemsOrder::Standing, "↓"), 2, sign).sortable();
        columns.push((sign, Some(ItemsOrder::Standing)));
        let text = move |at, room| label(at, direction.flipped(), |one| one.item, room);
        columns.push((Column::rest("item", text), None));
        for mark in Mark::all(study, direction, view.truth) {
            let ([name, letters], [wide, narrow]) = (mark.headings.clone(), mark.widths);
            let cell = move |at: usize, _| {
                item(at).map_or_else(Span::default, |one| {
                    let pair = (one.query as usize, one.item as usize);
                    let (words, standing) = mark.of(study, direction, pair);
                    let is_positive = standing == Standing::Positive;
                    let dim = theme.dim.into();
                    let look = if is_positive { theme.badge(badge(one).1) } else { dim };
                    Span::styled(words, look)
                })
            };
            columns
                .push((Column::new(name, wide, cell).right().short(letters, narrow).keep(1), None));
        }
        columns
    }
}
