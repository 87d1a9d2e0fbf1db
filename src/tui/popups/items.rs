//! The list of items: a line for each query and item, as `find --items` has them.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::export::ExportForm;
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::text::{count, grouped};
use crate::jobs::{ItemsKey, ItemsOrder, ListedItems};
use crate::study::View;
use crate::truth::standing::Standing;
use crate::truth::verdict::Pair;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui, plain};
use crate::tui::effect::Effect;
use crate::tui::keymap::Key;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::signs::{self, Mark};
use crate::tui::state::Model;
use crate::tui::state::items::{Common, ItemsState, LastList};
use crate::tui::state::picks::Sighted;
use crate::tui::state::results::Asked;
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::prompt::{PromptLine, Typed};
use crate::tui::ui::segments::{Segment, Segments};
use crate::tui::ui::{pane, text};

const ITEMS: ListId = "items";
/// The kinds of items that can be listed, above the list.
const KINDS: ListId = "kinds";

const HINTS: [Hint; 11] = [
    (Action::NextPane, "others"),
    (Action::Sort, "sort"),
    (Action::DialUp, "more"),
    (Action::DialDown, "fewer"),
    (Action::Detail, "open"),
    (Action::Export, "write rows"),
    (Action::Search, "search"),
    (Action::Copy, "copy"),
    (Action::Pick, "pick"),
    (Action::Direction, "direction"),
    (Action::Help, "help"),
];

/// The list of items.
#[derive(Clone)]
pub struct ItemList {
    key: ItemsKey,
    common: Common,
    selected: usize,
    scrolled: Scrolled,
    /// Words that an item is looked for by.
    search: PromptLine,
    is_typed: bool,
}

/// Opens the first items of the queries that are listed; `None` while it is not known which these are.
pub(in crate::tui) fn open(model: &mut Model) -> Option<ItemList> {
    if model.is_filtering() {
        model.message = Some("the filter is still asked".into());
        return None;
    }
    if let Some(LastList { key, common, .. }) = model.left_items() {
        return Some(ItemList::new(model, key.view, &key.queries, common));
    }
    let named = [("search", model.search.text()), ("filter", &model.filter.text)];
    let named = named.into_iter().filter(|(_, words)| !words.is_empty());
    let words: Vec<String> = named.map(|(what, words)| format!("{what} {words}")).collect();
    let is_condition = model.search.text().is_empty() && model.queue_in_force().is_none();
    let expression = is_condition.then(|| model.filter.text.clone());
    let common = Common { words: words.join(", "), expression };
    Some(ItemList::new(model, model.view, &model.selection.queries, common))
}

impl ItemList {
    /// The first items of these queries of a view; where they were listed last, at the line that was left.
    pub(in crate::tui) fn new(model: &Model, view: View, queries: &[u32], common: Common) -> Self {
        let key = model.items_key(view, queries);
        ItemList {
            selected: model.items_line(&key),
            key,
            common,
            scrolled: Scrolled::default(),
            search: PromptLine::default(),
            is_typed: false,
        }
    }

    fn found<'a>(&self, model: &'a Model) -> Option<&'a Arc<ListedItems>> {
        model.items_of(&self.key)?.as_ref().ok()
    }

    fn which(&self, model: &Model) -> Which {
        model.listed_which(self.found(model).map(|found| &**found))
    }

    fn count(&self, model: &Model) -> usize {
        self.found(model).map_or(0, |found| found.count(self.which(model)))
    }

    fn item(&self, model: &Model, at: usize) -> Option<FirstItem> {
        self.found(model)?.get(self.which(model), at).copied()
    }

    /// Lists other items, from the top. What is listed stays the choice, though another one may take more then.
    fn list(&mut self, model: &mut Model, change: impl FnOnce(&mut ItemsState)) {
        if self.found(model).is_some() {
            model.items.chosen = Some(self.which(model));
        }
        change(&mut model.items);
        (self.key.depth, self.key.order) = (model.items.depth, model.items.order);
        self.selected = 0;
    }

    /// Lists the items of the next choice, or of the previous one, counted round.
    fn step(&mut self, model: &mut Model, by: isize) {
        let (from, choices) = (self.which(model), model.item_choices());
        let at = choices.iter().position(|which| *which == from).unwrap_or(0);
        let to = (at as isize + by).rem_euclid(choices.len() as isize) as usize;
        self.list(model, |items| items.chosen = Some(choices[to]));
    }

    /// Keeps what is listed and where, to come back to it.
    fn keep(&self, model: &mut Model, from: Option<(View, String, String)>) {
        let (key, common, selected) = (self.key.clone(), self.common.clone(), self.selected);
        model.items.last = Some(LastList { key, common, selected, from });
    }

    /// Goes to the selected pair, copies it, or picks its query.
    fn act_on_item(&self, action: Action, model: &mut Model) -> Answer {
        let Some(item) = self.item(model, self.selected) else {
            model.message = Some("no item is listed".into());
            return Answer::Stay;
        };
        let view = self.key.view;
        match action {
            Action::Detail => {
                model.look_at_item(view, item);
                let from = model.looked_for();
                self.keep(model, Some(from));
                return Answer::Act(Action::Browse);
            }
            Action::Copy => {
                let line = self.text(model, item);
                model.message = Some(format!("copied: {}", line.replace('\t', "  ")));
                return Answer::Effect(Effect::Copy(line));
            }
            _ => {
                let (query, models) = (item.query as usize, vec![view.model]);
                let what = model.toggle_pick_alone(Some(Sighted { query, view, models }));
                model.message = what.or(model.message.take());
            }
        }
        Answer::Stay
    }

    /// An item as text: query, item, rank, score and what is known of the pair.
    fn text(&self, model: &Model, one: FirstItem) -> String {
        let direction = self.key.view.direction;
        [
            model.named(direction, one.query as usize),
            model.named(direction.flipped(), one.item as usize),
            one.rank.to_string(),
            signs::score(one.score),
            one.badge.in_lists().to_owned(),
        ]
        .join("\t")
    }

    /// Opens the form that has the rows written, which are too many for a clipboard.
    fn export(&self, model: &mut Model) -> Option<Answer> {
        let rows = model.rows_of(&self.key, &self.common);
        let rows = rows.map_err(|why| model.message = Some(why)).ok()?;
        let title = self.title(model, &format!("{}: ", count(rows.count(), "row")));
        let form = ExportForm::of_rows(model, rows, title, Box::new(self.clone()))?;
        Some(Answer::Open(Box::new(form)))
    }

    /// Looks at something else, and lists its items where the queries listed were those of the screen.
    fn look(&mut self, model: &mut Model, action: Action) -> Answer {
        let is_of_screen = model.is_of_list(&self.key);
        match action {
            Action::Direction => model.flip_direction(),
            Action::NextTruth => model.step_truth(1),
            Action::PreviousTruth => model.step_truth(-1),
            Action::NextModel => model.step_model(1),
            _ => model.step_model(-1),
        }
        let Some(list) = open(model).filter(|_| is_of_screen) else {
            return Answer::Close;
        };
        *self = list;
        Answer::Stay
    }

    /// Goes to the next item that has all words of the search, from so many lines after the selected one on; `by` -1
    /// goes backwards.
    fn find_item(&mut self, model: &mut Model, (by, from): (isize, isize)) {
        let wanted = self.search.text().to_lowercase();
        let count = self.count(model) as isize;
        let has_words = |at: &usize| {
            let text = self.item(model, *at).map(|item| self.text(model, item).to_lowercase());
            text.is_some_and(|text| wanted.split_whitespace().all(|word| text.contains(word)))
        };
        let start = self.selected as isize + from;
        let mut places = (0..count).map(|step| (start + by * step).rem_euclid(count) as usize);
        let place = places.find(has_words);
        model.message = Some(match place.filter(|_| !wanted.trim().is_empty()) {
            Some(place) => {
                self.selected = place;
                format!("row {} of {}", grouped(place + 1), grouped(count as usize))
            }
            None => format!("no item has {wanted:?}"),
        });
    }
}

impl Popup for ItemList {
    fn opened_by(&self) -> Action {
        Action::Items
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        if !self.is_typed {
            return Answer::Pass;
        }
        match self.search.key(key, &[]) {
            Typed::Closed => (self.is_typed, self.search) = (false, PromptLine::default()),
            Typed::Entered => {
                self.is_typed = false;
                self.find_item(model, (1, 0));
            }
            Typed::Edited | Typed::Ignored => {}
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        self.is_typed.then_some(&mut self.search)
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        self.keep(model, None);
        match action {
            Action::NextPane | Action::Right => self.step(model, 1),
            Action::PreviousPane | Action::Left => self.step(model, -1),
            Action::DialUp => self.list(model, |items| items.step_depth(1)),
            Action::DialDown => self.list(model, |items| items.step_depth(-1)),
            Action::Sort => {
                self.list(model, |items| items.order = items.order.next());
                model.message = Some(format!("sorted: {}", model.items.order.words()));
            }
            Action::Detail | Action::Copy | Action::Pick => return self.act_on_item(action, model),
            Action::Export => return self.export(model).unwrap_or(Answer::Stay),
            Action::Search => (self.is_typed, self.search) = (true, PromptLine::default()),
            Action::NextMatch => self.find_item(model, (1, 1)),
            Action::PreviousMatch => self.find_item(model, (-1, -1)),
            Action::Direction
            | Action::NextTruth
            | Action::PreviousTruth
            | Action::NextModel
            | Action::PreviousModel => return self.look(model, action),
            Action::Close if !self.search.text().is_empty() => self.search = PromptLine::default(),
            // What lies below the list is not in sight.
            Action::Mark | Action::Judge => refuse(model),
            of_mode if of_mode.is_of_judging() && !model.judging.is_on => return Answer::Pass,
            of_item if of_item.is_of_item() => refuse(model),
            _ => return Answer::Pass,
        }
        Answer::Stay
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        let is_searched = !self.search.text().is_empty();
        let close = if is_searched { "end the search" } else { "close" };
        let next = is_searched.then_some((Action::NextMatch, "next match"));
        [(Action::Close, close)].into_iter().chain(next).chain(HINTS).collect()
    }

    fn refresh(&mut self, model: &Model) {
        self.key.ranks = model.items_key(self.key.view, &[]).ranks;
    }

    fn is_done(&self, model: &Model) -> bool {
        !model.has_model(self.key.view.model)
    }

    fn selected(&mut self, model: &Model) -> Option<(&mut usize, usize)> {
        let count = self.count(model);
        Some((&mut self.selected, count))
    }

    fn point(&mut self, target: Target, model: &mut Model, ui: &Ui) {
        match target {
            Target::Row(ITEMS, at) => self.selected = at,
            Target::Row(KINDS, at) => {
                let which = model.item_choices().get(at).copied();
                self.list(model, |items| items.chosen = which.or(items.chosen));
            }
            Target::Heading(ITEMS, column) => {
                let order = self.columns(plain(model, ui)).into_iter().nth(column);
                if let Some(order) = order.and_then(|(_, order)| order) {
                    self.list(model, |items| items.order = order);
                }
            }
            _ => {}
        }
    }

    fn asks(&self) -> Asked {
        Asked::Items(self.key.clone())
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let body = cx.ui.frame().body;
        let count = self.found(cx.model).map(|_| self.counted(self.which(cx.model), cx) + " ");
        let title = self.title(cx.model, &count.unwrap_or_default());
        let inner = pane::popup(&title, "", body.as_size().into(), cx.ui, body, buf);
        let rows = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]);
        let [kinds, list] = inner.layout(&rows);
        self.kinds(cx).draw(kinds, cx.ui, buf);
        let view = ListView {
            id: ITEMS,
            columns: self.columns(cx).into_iter().map(|(column, _)| column).collect(),
            len: self.count(cx.model),
            selected: Some(self.selected),
            least: usize::from(list.width) * 58 / 100,
            found: self.search.text(),
            empty: match cx.model.items_of(&self.key) {
                None => cx.model.files.waiting().into(),
                Some(Err(error)) => error.to_string(),
                Some(Ok(_)) => {
                    let why = self.which(cx.model).is_unknown(&cx.model.study);
                    why.unwrap_or("no item is of this kind").into()
                }
            },
            ..ListView::default()
        };
        view.draw(&self.scrolled, cx.ui, list, buf);
        let (note, footer) = (("words of an item", cx.theme.dim), cx.ui.frame().footer);
        self.is_typed.then(|| self.search.draw_over(" / ", note, footer, cx.theme, buf))?
    }
}

fn refuse(model: &mut Model) {
    model.message = Some("Enter goes to the pair, which this key is about".into());
}

impl ItemList {
    /// What is listed and whose.
    fn title(&self, model: &Model, count: &str) -> String {
        let (view, which, study) = (self.key.view, self.which(model), &model.study);
        let words = &*self.common.words;
        let is_filtered = !model.has_filter() || words.contains("filter ");
        let filter = if is_filtered { "" } else { "; without the filter" };
        let before = if words.is_empty() { "" } else { "; " };
        let not = if which == Which::Missed { "not " } else { "" };
        let items = which.words_of(count.trim() == "1", study.truths.len() > 1);
        let (depth, direction) = (self.key.depth, view.direction);
        let (queries, name) = (grouped(self.key.queries.len()), &study.models[view.model].name);
        let truth = model.name_in_force(view.truth) + &model.other_dials();
        format!(
            "{count}{items} {not}in the top {depth} of {queries} queries, {name} {direction}, ground truth \
             {truth}{filter}{before}{words}"
        )
    }

    /// How many items of a kind were found; a question mark where nobody looked.
    fn counted(&self, which: Which, cx: Context<'_>) -> String {
        match self.found(cx.model).map(|found| found.count(which)) {
            None => "…".into(),
            Some(0) if which.is_unknown(&cx.model.study).is_some() => "?".into(),
            Some(count) => grouped(count),
        }
    }

    /// Which items can be listed, and as far as there is room how many these are.
    fn kinds(&self, cx: Context<'_>) -> Segments {
        let kind = |(at, which): (usize, &Which)| {
            let name = which.word().replace('-', " ");
            let counted = format!(" {name} {} ", self.counted(*which, cx));
            let is_listed = *which == self.which(cx.model);
            let (keep, look) = if is_listed { (3, cx.theme.chip) } else { (1, cx.theme.dim) };
            let kind = Segment::new(keep, Line::styled(counted, look));
            let kind = kind.or(keep + 1, Line::styled(format!(" {name} "), look));
            kind.on(Target::Row(KINDS, at))
        };
        Segments(cx.model.item_choices().iter().enumerate().map(kind).collect())
    }

    /// The columns, each with the order that a click on its title asks for.
    fn columns<'a>(&'a self, cx: Context<'a>) -> Vec<(Column<'a>, Option<ItemsOrder>)> {
        let (model, theme, view, order) = (cx.model, cx.theme, self.key.view, self.key.order);
        let direction = view.direction;
        let title = |name: &str, of: ItemsOrder, sign: &str| {
            let (sign, look) = if order == of { (sign, theme.title) } else { ("", theme.dim) };
            Span::styled(format!("{name}{sign}"), look)
        };
        let sorts = |column: Column<'a>, order| (column.sortable(), Some(order));
        let pick = self.cell(model, move |one, _| {
            let is_picked = model.is_picked(direction, one.query as usize);
            Line::styled(if is_picked { "★" } else { " " }, theme.key)
        });
        let query = self
            .cell(model, move |one, room| model.label(direction, one.query as usize, room).into());
        let mut columns = vec![
            (Column::new("", 1, pick), None),
            sorts(Column::rest("query", query), ItemsOrder::Queries),
        ];
        let is_sorted = order == ItemsOrder::Queries && model.is_of_list(&self.key);
        if let Some(name) = model.selection.sort.heading().filter(|_| is_sorted) {
            let name = text::fit(&name, 8) + model.selection.sort.sign();
            let value = self.cell(model, move |one, _| {
                signs::sorted(model.sort_value(one.at), model.selection.has_fractions).into()
            });
            columns.push(sorts(Column::new(name, 9, value).right(), ItemsOrder::Queries));
        }
        let rank = self.cell(model, |one, _| {
            Line::styled(if one.rank == 0 { "-".into() } else { one.rank.to_string() }, theme.dim)
        });
        let rank = Column::new(title("#", ItemsOrder::Rank, "↑"), 4, rank).right();
        columns.push(sorts(rank, ItemsOrder::Rank));
        let score = self.cell(model, |one, _| Line::styled(signs::score(one.score), theme.dim));
        let score = Column::new(title("score", ItemsOrder::Score, "↓"), 7, score).right();
        let score = if order == ItemsOrder::Score { score } else { score.keep(0) };
        columns.push(sorts(score, ItemsOrder::Score));
        if self.which(model) == Which::Missed {
            let phi = self.cell(model, |one, _| Line::styled(signs::phi(Some(one.phi)), theme.key));
            columns.push((Column::new("phi", 5, phi).right(), None));
        }
        // An answer may be newer than the list.
        let known = move |one: FirstItem| {
            let (query, item) = ((one.query as usize).into(), (one.item as usize).into());
            let verdict = model.judgements.verdicts.get(Pair::of(direction, query, item));
            (verdict, model.study.badge(verdict, direction, query, item))
        };
        let sign = self.cell(model, move |one, _| {
            let (verdict, badge) = known(one);
            let badge = Span::styled(signs::badge(badge), theme.badge(badge));
            let verdict = verdict.map(|of| Span::styled(signs::verdict(of), theme.verdict(of)));
            [badge].into_iter().chain(verdict).collect::<Line>()
        });
        let sign = Column::new(title(" ", ItemsOrder::Standing, "↓"), 2, sign);
        columns.push(sorts(sign, ItemsOrder::Standing));
        let item = self.cell(model, move |one, room| {
            model.label(direction.flipped(), one.item as usize, room).into()
        });
        columns.push((Column::rest("item", item), None));
        for mark in Mark::all(&model.study, direction, view.truth) {
            let ([name, letters], [wide, narrow]) = (mark.headings.clone(), mark.widths);
            let mark = self.cell(model, move |one, _| {
                let pair = (one.query as usize, one.item as usize);
                let (words, standing) = mark.of(&model.study, direction, pair);
                let positive = (standing == Standing::Positive).then(|| theme.badge(known(one).1));
                Line::styled(words, positive.unwrap_or(theme.dim.into()))
            });
            let column = Column::new(name, wide, mark).right().short(letters, narrow).keep(1);
            columns.push((column, None));
        }
        columns
    }

    /// What a column has of the item at a place, in so many columns of the terminal.
    fn cell<'a>(
        &'a self,
        model: &'a Model,
        of: impl Fn(FirstItem, usize) -> Line<'static> + 'a,
    ) -> impl Fn(usize, usize) -> Line<'static> + 'a {
        move |at, room| self.item(model, at).map_or_else(Line::default, |one| of(one, room))
    }
}
