//! The items screen: a row for each query and one of its first items, with both sides of the selected pair in full.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use super::card_view::{self, Card, Cards};
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::Direction;
use crate::data::text::{count, grouped};
use crate::jobs::ItemsOrder;
use crate::truth::verdict::Pair;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui, plain};
use crate::tui::pictures::Place;
use crate::tui::popups::detail as pair;
use crate::tui::popups::export::ExportForm;
use crate::tui::popups::sheet::Page;
use crate::tui::screen::{Hint, Reply, Screen, hints_now};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::state::items::ItemRows;
use crate::tui::state::picks::Sighted;
use crate::tui::state::query_list::Item;
use crate::tui::state::results::{Demand, RankingsOf};
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::pane::{self, Scroll};
use crate::tui::ui::segments::{Segment, Segments};
use crate::tui::ui::{picture, text};

const ITEMS: ListId = "items";
/// The kinds of items, in the frame of the list.
const KINDS: ListId = "kinds";

/// Narrower screens have the preview below the list, and lower ones of these have none.
const BESIDE: u16 = 100;
const WITH_PREVIEW: u16 = 27;
/// Rows of an entry with a thumbnail; smaller lists have none.
const THUMBNAIL: u16 = 2;
const WITH_THUMBNAILS: (u16, u16) = (44, 12);

/// State of the screen; the row is selected in the model.
#[derive(Debug, Default)]
pub struct Items {
    scrolled: Scrolled,
    /// Whether the rows are shown as cards.
    as_cards: bool,
}

type Cx<'a> = Context<'a, Items>;

/// The parts of a body: the line with the answer, the list, the preview.
fn areas(body: Rect) -> [Rect; 3] {
    let [answer, rest] =
        body.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]));
    let [list, preview] = if body.width >= BESIDE {
        let width = Constraint::Length((body.width * 2 / 5).min(72));
        rest.layout(&Layout::horizontal([Constraint::Fill(1), width]))
    } else {
        let has_preview = body.height >= WITH_PREVIEW;
        let height = Constraint::Length(if has_preview { rest.height / 2 } else { 0 });
        rest.layout(&Layout::vertical([Constraint::Fill(1), height]))
    };
    [answer, list, preview]
}

/// A kind of items: in the frame, and what is counted, before and after an `s`.
fn kind(which: Which) -> (&'static str, &'static str, &'static str) {
    match which {
        Which::All => ("all", "item", ""),
        Which::Positive => ("positive", "positive", ""),
        Which::Extra => ("non-GT", "non-GT positive", ""),
        Which::JudgedNo => ("not relevant", "item", " judged not relevant"),
        Which::NotListed => ("unjudged", "unjudged item", ""),
        Which::Missed => ("missed", "most similar item", " not"),
    }
}

impl<'a> Cx<'a> {
    fn areas(self) -> [Rect; 3] {
        let [mut answer, mut list, mut preview] = areas(self.ui.frame().body);
        self.ui.zoom([&mut list, &mut answer, &mut preview], 0);
        [answer, list, preview]
    }

    fn rows(self) -> Option<ItemRows<'a>> {
        self.model.item_rows()
    }

    fn which(self) -> Which {
        self.rows().map_or_else(|| self.model.listed_which(None), |rows| rows.which)
    }

    /// How many items of a kind were found; `None` while they are ranked, and where nobody looked.
    fn count(self, which: Which) -> Option<usize> {
        let count = self.rows()?.found.count(which);
        (count > 0 || which.is_unknown(&self.model.study).is_none()).then_some(count)
    }

    /// What is listed, how deep, of how many queries, and in which view.
    fn sentence(self) -> [String; 3] {
        let (model, which) = (self.model, self.which());
        let (_, one, rest) = kind(which);
        let items = self.count(which).map_or_else(|| format!("… {one}s"), |n| count(n, one)) + rest;
        let queries = count(model.selection.queries.len(), "query");
        let top = format!("{items} in the top {} of {queries}", model.items.depth);
        let name = &model.study.models[model.view.model].name;
        let truth = model.name_in_force(model.view.truth);
        [format!("{top} ({name}, {}, {truth})", model.view.direction), top, items]
    }

    fn answer(self) -> Segments {
        let [full, top, items] = self.sentence().map(|words| format!(" {words}"));
        let look = self.theme.title;
        let answer = Segment::new(4, Line::styled(full, look))
            .or(5, Line::styled(top, look))
            .or(9, Line::styled(items, look));
        let search = match self.model.search.text() {
            "" => String::new(),
            words => format!("   /{words}"),
        };
        let sorted = format!("{search}   sorted {} ", self.model.items.order.words());
        let sorted = Segment::new(2, Line::styled(sorted, self.theme.dim)).right();
        let listed = format!("   kind: {}", kind(self.which()).0);
        let listed = Segment::new(1, Line::styled(listed, self.theme.dim)).right();
        Segments(vec![answer, sorted.on(Target::Do(Action::Sort)), listed])
    }

    /// The kinds of items, and as far as there is room how many of each there are.
    fn kinds(self) -> Segments {
        let segment = |(at, which): (usize, &Which)| {
            let (name, ..) = kind(*which);
            let unknown = if self.rows().is_some() { "?" } else { "…" };
            let counted = self.count(*which).map_or(unknown.into(), grouped);
            let is_listed = *which == self.which();
            let (keep, look) = if is_listed { (3, self.theme.chip) } else { (1, self.theme.dim) };
            Segment::new(keep, Line::styled(format!(" {name} {counted} "), look))
                .or(keep + 1, Line::styled(format!(" {name} "), look))
                .on(Target::Row(KINDS, at))
        };
        Segments(self.model.item_choices().iter().enumerate().map(segment).collect())
    }

    /// Rows of an entry.
    fn height(self) -> u16 {
        let [_, list, _] = self.areas();
        let has_room = list.width >= WITH_THUMBNAILS.0 && list.height >= WITH_THUMBNAILS.1;
        if has_room && self.ui.ranks_pictures(self.model.view.direction) { THUMBNAIL } else { 1 }
    }

    /// The cards; `None` where there are none.
    fn cards(self) -> Option<Cards> {
        let [_, list, _] = self.areas();
        let has_cards = self.state.as_cards && self.rows().is_some_and(|rows| rows.len() > 0);
        let inner = card_view::inner(list);
        has_cards.then(|| Cards::of(inner, self.ui, self.model.view.direction))
    }

    /// What a column has of the item of a row, in so many columns of the terminal.
    fn cell<T: Default>(
        self,
        of: impl Fn(FirstItem, usize) -> T + 'a,
    ) -> impl Fn(usize, usize) -> T + 'a {
        let rows = self.rows();
        move |at, room| {
            rows.and_then(|rows| rows.get(at)).map_or_else(T::default, |one| of(one, room))
        }
    }

    /// A query of a direction in words, in as many lines as an entry has.
    fn words(self, direction: Direction, index: u32, room: usize) -> Text<'static> {
        let height = usize::from(self.height());
        let label = self.model.label(direction, index as usize, room);
        if height == 1 {
            return label.into();
        }
        let lines = text::wrap(&label, room).into_iter().map(Line::from);
        pane::fitting(lines.collect(), height).into()
    }

    /// The columns, each with the order that a click on its title asks for.
    fn columns(self) -> Vec<(Column<'a>, Option<ItemsOrder>)> {
        let (model, theme, order) = (self.model, self.theme, self.model.items.order);
        let direction = model.view.direction;
        let title = |name: &str, of: ItemsOrder, sign: &str| {
            let (sign, look) = if order == of { (sign, theme.title) } else { ("", theme.dim) };
            Span::styled(format!("{name}{sign}"), look)
        };
        let sorts = |column: Column<'a>, order| (column.sortable(), Some(order));
        let pick = self.cell(move |one, _| {
            let is_picked = model.is_picked(direction, one.query as usize);
            Span::styled(if is_picked { "★" } else { " " }, theme.key)
        });
        let rank = self.cell(move |one, _| {
            let rank = if one.rank == 0 { "-".into() } else { one.rank.to_string() };
            Span::styled(rank, theme.dim)
        });
        let rank = Column::new(title("rank", ItemsOrder::Rank, "↑"), 5, rank).right();
        let score = self.cell(move |one, _| Span::styled(signs::score(one.score), theme.dim));
        let score = Column::new(title("score", ItemsOrder::Score, "↓"), 7, score).right();
        let score = if order == ItemsOrder::Score { score } else { score.keep(0) };
        let mut columns = vec![
            (Column::new("", 1, pick), None),
            sorts(rank, ItemsOrder::Rank),
            sorts(score, ItemsOrder::Score),
        ];
        if let Some(name) = model.selection.sort.heading().filter(|_| order == ItemsOrder::Queries)
        {
            let name = text::fit(&name, 8) + model.selection.sort.sign();
            let value = self.cell(move |one, _| {
                signs::sorted(model.sort_value(one.at), model.selection.has_fractions)
            });
            columns.push(sorts(Column::new(name, 9, value).right(), ItemsOrder::Queries));
        }
        if self.which() == Which::Missed {
            let phi = self.cell(move |one, _| Span::styled(signs::phi(Some(one.phi)), theme.key));
            columns.push((Column::new("phi", 5, phi).right(), None));
        }
        let query = self.cell(move |one, room| self.words(direction, one.query, room));
        columns.push(sorts(Column::rest("query", query), ItemsOrder::Queries));
        let sign = self.cell(move |one, _| {
            let (query, item) = (one.query.into(), one.item.into());
            let response = model.judgements.response(Pair::of(direction, query, item));
            let verdict = response.and_then(|response| response.verdict());
            let badge = model.study.badge(verdict, direction, query, item);
            let badge = Span::styled(signs::badge(badge), theme.badge(badge));
            let response = response.map(|of| Span::styled(signs::response(of), theme.response(of)));
            [badge].into_iter().chain(response).collect::<Line>()
        });
        let sign = Column::new(title(" ", ItemsOrder::Standing, "↓"), 2, sign);
        columns.push(sorts(sign, ItemsOrder::Standing));
        if self.height() > 1 {
            let width = card_view::columns(THUMBNAIL).into();
            columns.push((Column::new("", width, |_, _| ""), None));
        }
        let item = self.cell(move |one, room| self.words(direction.flipped(), one.item, room));
        columns.push((Column::rest("item", item), None));
        columns
    }

    fn draw_list(self, area: Rect, buf: &mut Buffer) {
        let (model, rows) = (self.model, self.rows());
        let columns: Vec<Column> = self.columns().into_iter().map(|(column, _)| column).collect();
        let at_picture = columns.len() - 2;
        let is_marked = move |at| {
            let one = rows.and_then(|rows| rows.get(at));
            let here = one.filter(|one| model.selection.query() == Some(one.query as usize));
            here.is_some_and(|one| model.is_item_marked(one.item as usize))
        };
        let list = ListView {
            id: ITEMS,
            columns,
            len: rows.map_or(0, ItemRows::len),
            selected: Some(model.items.row),
            rows: (self.height(), 0),
            least: usize::from(area.width) * 78 / 100,
            marked: Some(Box::new(is_marked)),
            found: model.search.text(),
            empty: match model.items_found() {
                None => model.files.waiting().into(),
                Some(Err(error)) => error.to_string(),
                Some(Ok(_)) => {
                    let why = self.which().is_unknown(&model.study);
                    why.unwrap_or("no item is of this kind").into()
                }
            },
            ..ListView::default()
        };
        let drawn = list.draw(&self.state.scrolled, self.ui, area, buf);
        for (at, entry) in drawn.entries.iter().filter(|_| self.height() > 1) {
            if let Some(one) = rows.and_then(|rows| rows.get(*at)) {
                let area = drawn.cell(*entry, at_picture);
                let place = Place { area, image: one.item as usize };
                picture::show(2 + at.abs_diff(model.items.row), place, self.ui, buf);
            }
        }
    }

    fn draw_cards(self, cards: Cards, area: Rect, buf: &mut Buffer) {
        let (Some(rows), row) = (self.rows(), self.model.items.row) else {
            return;
        };
        let direction = self.model.view.direction;
        let (across, lines) = (usize::from(cards.columns), usize::from(cards.rows));
        let total = rows.len().div_ceil(across);
        let offset = self.state.scrolled.follow(row / across, lines, total, self.ui);
        for (at, place) in (offset * across..).take(cards.count()).enumerate() {
            let Some(one) = rows.get(place) else {
                break;
            };
            let query = one.query as usize;
            let card = Card {
                query,
                item: one.item as usize,
                rank: one.rank as usize,
                words: Some(self.model.label(direction, query, 0)),
                beside: (signs::score(one.score), Style::from(self.theme.dim)),
                marked: (place == row).then_some(true),
            };
            self.ui.hit(cards.card(at), Target::Row(ITEMS, place));
            card_view::draw(self, (2 + place.abs_diff(row), &card), cards.card(at), buf);
        }
        let scroll = Scroll { offset, shown: lines, total };
        pane::scrollbar(scroll, true, self.theme, area, buf);
    }

    /// Draws both sides of the selected pair, its image above.
    fn draw_preview(self, area: Rect, buf: &mut Buffer) {
        let model = self.model;
        let mut inner = pane::frame("preview", "", false, self.theme, area, buf);
        let Some(one) = model.item_row() else {
            return;
        };
        let image = match model.view.direction {
            Direction::T2i => one.item as usize,
            Direction::I2t => one.query as usize,
        };
        if self.ui.picture_way().is_some() && self.ui.lacking(Some(image)).is_none() {
            let height = (inner.height * 2 / 5).min(card_view::rows(inner.width));
            let place = Place { area: Rect { height, ..inner }, image };
            picture::show(0, place, self.ui, buf);
            inner = Rect { y: inner.y + height, height: inner.height - height, ..inner };
        }
        let mut page = Page::new(inner.width.saturating_sub(1), self.theme);
        let item = Item { item: one.item as usize, rank: one.rank as usize, score: one.score };
        pair::write(plain(model, self.ui), &mut page, Some(item));
        pane::lines(&pane::fitting(page.lines, inner.height.into()), 0, inner, buf);
    }

    /// The selected row as text: query, item, rank, score and what is known of the pair.
    fn copied(self) -> Option<String> {
        let (one, direction) = (self.model.item_row()?, self.model.view.direction);
        let row = [
            self.model.named(direction, one.query as usize),
            self.model.named(direction.flipped(), one.item as usize),
            one.rank.to_string(),
            signs::score(one.score),
            one.badge.in_lists().to_owned(),
        ];
        Some(row.join("\t"))
    }
}

impl Items {
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Cx<'a> {
        Context::new(self, model, ui)
    }

    /// Lists the items of the next kind, or of the previous one, counted round.
    fn step_kind(&self, model: &mut Model, ui: &Ui, by: isize) {
        let (from, choices) = (self.cx(model, ui).which(), model.item_choices());
        let at = choices.iter().position(|which| *which == from).unwrap_or(0);
        let to = (at as isize + by).rem_euclid(choices.len() as isize) as usize;
        model.list_items(|items| items.chosen = Some(choices[to]));
    }

    /// Opens the form that has the rows written.
    fn export(&self, model: &mut Model, ui: &Ui) -> Reply {
        let [words, ..] = self.cx(model, ui).sentence();
        let rows = model.attempt(|model| model.rows_to_write());
        Reply::open(rows.and_then(|rows| ExportForm::of_rows(model, rows, words)))
    }
}

impl Screen for Items {
    fn shown_by(&self) -> Action {
        Action::Items
    }

    fn title(&self) -> &'static str {
        "Items"
    }

    fn demand(&self) -> Demand {
        Demand { rankings: RankingsOf::Compared, items: true, ..Demand::default() }
    }

    fn settle(&mut self, model: &mut Model, _ui: &Ui) {
        model.follow_items();
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let cards = self.cx(model, ui).cards();
        let (line, page) = cards.map_or((1, self.scrolled.page()), |cards| {
            (cards.columns as isize, cards.count() as isize)
        });
        match action {
            Action::Plot => self.as_cards = !self.as_cards,
            Action::Close => self.as_cards = false,
            Action::Left if cards.is_some() => model.move_item_row(-1),
            Action::Right if cards.is_some() => model.move_item_row(1),
            // Above the first cards there are none.
            Action::Up if model.items.row < line.unsigned_abs() && cards.is_some() => {}
            Action::Up | Action::PreviousMatch => model.move_item_row(-line),
            Action::Down | Action::NextMatch => model.move_item_row(line),
            Action::PutOff => model.move_item_row(1),
            Action::NextPane | Action::Right => self.step_kind(model, ui, 1),
            Action::PreviousPane | Action::Left => self.step_kind(model, ui, -1),
            Action::DialUp => model.list_items(|items| items.step_depth(1)),
            Action::DialDown => model.list_items(|items| items.step_depth(-1)),
            Action::Sort => model.list_items(|items| items.order = items.order.next()),
            Action::Export => return self.export(model, ui),
            Action::Copy => {
                let line = self.cx(model, ui).copied();
                return Reply::copy(model, line);
            }
            // The pair is selected there, too.
            Action::Detail => return Reply::Act(Action::Browse),
            answers if answers.is_of_judging() => {
                model.attempt(|model| model.respond_in_items(answers.response()));
            }
            movement => {
                if let Some(by) = movement.lines(page) {
                    model.move_item_row(by);
                }
            }
        }
        Reply::Done
    }

    fn takes(&self, model: &Model, _ui: &Ui, action: Action) -> bool {
        match action {
            Action::Export | Action::DialUp | Action::DialDown => true,
            Action::Close => self.as_cards,
            Action::VerdictClear | Action::PutOff => model.judging.is_on,
            other if other.steps_match() => model.is_searched(),
            other => model.judging.is_on && other.response().is_some(),
        }
    }

    fn hints(&self, model: &Model, _ui: &Ui) -> Vec<Hint> {
        let is_searched = !model.search.text().is_empty();
        hints_now([
            (true, Action::Down, "move"),
            (is_searched, Action::Close, "end search"),
            (true, Action::NextPane, "kind"),
            (true, Action::Judge, "judge"),
            (true, Action::Pick, "pick"),
            (true, Action::Export, "export"),
            (true, Action::Detail, "open"),
            (true, Action::Plot, if self.as_cards { "list" } else { "grid" }),
            (true, Action::Sort, "sort"),
            (true, Action::DialUp, "deeper"),
            (true, Action::DialDown, "less deep"),
            (true, Action::Search, "search"),
            (true, Action::Direction, "direction"),
            (true, Action::NextTruth, "truth"),
            (true, Action::NextModel, "model"),
            (model.history.present() > 0, Action::Undo, "undo"),
        ])
    }

    fn point(&mut self, model: &mut Model, ui: &Ui, target: Target) {
        match target {
            Target::Row(ITEMS, row) => {
                model.select_item_row(row);
                model.follow_items();
            }
            Target::Row(KINDS, at) => {
                let which = model.item_choices().get(at).copied();
                model.list_items(|items| items.chosen = which);
            }
            Target::Heading(ITEMS, column) => {
                let mut columns = self.cx(model, ui).columns().into_iter();
                let order = columns.nth(column).and_then(|(_, order)| order);
                drop(columns);
                model.list_items(|items| items.order = order.unwrap_or(items.order));
            }
            _ => {}
        }
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, _list: ListId, by: isize) {
        let across = self.cx(model, ui).cards().map_or(1, |cards| cards.columns as isize);
        model.move_item_row(if across > 1 { by.signum() * across } else { by });
    }

    fn draw(&self, model: &Model, ui: &Ui, _body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        let [answer, list, preview] = cx.areas();
        cx.answer().draw(answer, ui, buf);
        let inner = pane::frame("", "", true, cx.theme, list, buf);
        cx.kinds().draw(Rect { x: list.x + 1, width: inner.width, ..list }, ui, buf);
        ui.hit(inner, Target::List(ITEMS));
        match cx.cards() {
            Some(cards) => cx.draw_cards(cards, inner, buf),
            None => cx.draw_list(inner, buf),
        }
        if preview.area() > 0 {
            cx.draw_preview(preview, buf);
        }
    }

    fn sighted(&self, model: &Model, _ui: &Ui) -> Option<Sighted> {
        let (query, view) = (model.item_row()?.query as usize, model.view);
        Some(Sighted { query, view, models: vec![view.model] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::frame;

    /// At every size the parts fill the body, and do not overlap.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 80, 99, 100, 160, 400] {
            for height in [8, 12, 24, 29, 30, 50] {
                let body = frame((width, height)).body;
                let parts = areas(body);
                let covered: u32 = parts.iter().map(|part| part.area()).sum();
                assert_eq!(covered, body.area(), "{width}x{height}");
                assert!(!parts[1].intersects(parts[2]) && parts[1].area() > 0);
                assert_eq!(parts[2].area() > 0, width >= 100 || height >= 30);
            }
        }
    }
}
