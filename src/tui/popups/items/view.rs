//! Draws the list of items.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{ITEMS, ItemList, KINDS};
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::jobs::ItemsOrder;
use crate::truth::standing::{Badge, Standing};
use crate::truth::verdict::{Pair, Verdict};
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
        let (study, view, order) = (&*cx.model.study, self.key.view, self.key.order);
        let cell = |of: fn(&Shown<'a>, usize) -> Line<'static>| {
            move |at, room| self.shown(cx, at).map_or_else(Line::default, |shown| of(&shown, room))
        };
        let title = |name: &str, of: ItemsOrder, sign: &str| {
            if order == of {
                return Span::styled(format!("{name}{sign}"), cx.theme.title);
            }
            Span::styled(name.to_owned(), cx.theme.dim)
        };
        let mut columns = vec![
            (Column::new("", 1, cell(Shown::pick)), None),
            (Column::rest("query", cell(Shown::query)), Some(ItemsOrder::Queries)),
        ];
        let sort = &cx.model.selection.sort;
        let is_sorted = order == ItemsOrder::Queries && cx.model.is_of_list(&self.key);
        if let Some(name) = sort.heading().filter(|_| is_sorted) {
            let name = text::fit(&name, SORTED - 1) + sort.sign();
            let column = Column::new(name, SORTED, cell(Shown::sorted)).right();
            columns.push((column, Some(ItemsOrder::Queries)));
        }
        let rank = Column::new(title("#", ItemsOrder::Rank, "↑"), RANK, cell(Shown::rank)).right();
        columns.push((rank, Some(ItemsOrder::Rank)));
        let score = title("score", ItemsOrder::Score, "↓");
        let score = Column::new(score, SCORE, cell(Shown::score)).right();
        let score = if order == ItemsOrder::Score { score } else { score.keep(0) };
        columns.push((score, Some(ItemsOrder::Score)));
        if self.which(cx.model) == Which::Missed {
            columns.push((Column::new("phi", PHI, cell(Shown::phi)).right(), None));
        }
        let sign = Column::new(title(" ", ItemsOrder::Standing, "↓"), 2, cell(Shown::sign));
        columns.push((sign, Some(ItemsOrder::Standing)));
        columns.push((Column::rest("item", cell(Shown::item)), None));
        for mark in Mark::all(study, view.direction, view.truth) {
            let ([name, letters], [wide, narrow]) = (mark.headings.clone(), mark.widths);
            let mark = move |at: usize, _| {
                self.shown(cx, at).map_or_else(Span::default, |shown| shown.mark(&mark))
            };
            let column = Column::new(name, wide, mark).right().short(letters, narrow).keep(1);
            columns.push((column, None));
        }
        let sortable = |(column, order): (Column<'a>, Option<ItemsOrder>)| match order {
            Some(_) => (column.sortable(), order),
            None => (column, order),
        };
        columns.into_iter().map(sortable).collect()
    }

    fn shown<'a>(&self, cx: Context<'a>, at: usize) -> Option<Shown<'a>> {
        let one = self.item(cx.model, at)?;
        let above = at.checked_sub(1).filter(|above| *above >= self.scrolled.offset());
        let above = above.and_then(|above| self.item(cx.model, above));
        let is_again = above.is_some_and(|above| above.query == one.query);
        Some(Shown { cx, direction: self.key.view.direction, one, is_again })
    }
}

/// A pair as it is shown.
struct Shown<'a> {
    cx: Context<'a>,
    direction: Direction,
    one: FirstItem,
    /// Whether the line above is of the same query.
    is_again: bool,
}

impl Shown<'_> {
    fn dim(&self, words: String) -> Line<'static> {
        Line::styled(words, self.cx.theme.dim)
    }

    fn pick(&self, _room: usize) -> Line<'static> {
        let is_picked = self.cx.model.is_picked(self.direction, self.one.query as usize);
        Line::styled(if is_picked { "★" } else { " " }, self.cx.theme.key)
    }

    /// Of less weight where the line above has it, too.
    fn of_query(&self, words: String) -> Line<'static> {
        if self.is_again { self.dim(words) } else { words.into() }
    }

    fn query(&self, room: usize) -> Line<'static> {
        self.of_query(self.cx.model.label(self.direction, self.one.query as usize, room))
    }

    fn sorted(&self, _room: usize) -> Line<'static> {
        let value = self.cx.model.sort_value(self.one.at);
        self.of_query(signs::sorted(value, self.cx.model.selection.has_fractions))
    }

    fn rank(&self, _room: usize) -> Line<'static> {
        self.dim(if self.one.rank == 0 { "-".into() } else { self.one.rank.to_string() })
    }

    fn score(&self, _room: usize) -> Line<'static> {
        self.dim(signs::score(self.one.score))
    }

    fn phi(&self, _room: usize) -> Line<'static> {
        Line::styled(signs::phi(Some(self.one.phi)), self.cx.theme.key)
    }

    fn item(&self, room: usize) -> Line<'static> {
        self.cx.model.label(self.direction.flipped(), self.one.item as usize, room).into()
    }

    /// The verdict, and what is known of the pair with it.
    fn known(&self) -> (Option<Verdict>, Badge) {
        let [query, item] = [self.one.query as usize, self.one.item as usize];
        let pair = Pair::of(self.direction, query.into(), item.into());
        let verdict = self.cx.model.judgements.verdicts.get(pair);
        let study = &self.cx.model.study;
        (verdict, study.badge(verdict, self.direction, query.into(), item.into()))
    }

    fn sign(&self, _room: usize) -> Line<'static> {
        let (verdict, badge) = self.known();
        let verdict = verdict
            .map(|of| Span::styled(signs::verdict(of), self.cx.theme.verdict(of)))
            .unwrap_or_default();
        Line::from_iter([Span::styled(signs::badge(badge), self.cx.theme.badge(badge)), verdict])
    }

    /// What a ground truth says of the pair.
    fn mark(&self, mark: &Mark<'_>) -> Span<'static> {
        let pair = (self.one.query as usize, self.one.item as usize);
        let (words, standing) = mark.of(&self.cx.model.study, self.direction, pair);
        let theme = self.cx.theme;
        let is_positive = standing == Standing::Positive;
        let look = if is_positive { theme.badge(self.known().1) } else { theme.dim.into() };
        Span::styled(words, look)
    }
}
