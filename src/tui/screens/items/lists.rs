//! The sentence, the list, and the preview of the pair.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{Cx, ITEMS, KINDS};
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::Direction;
use crate::data::text::{count, grouped};
use crate::jobs::ItemsOrder;
use crate::truth::judgment::Pair;
use crate::truth::response::Response;
use crate::tui::action::Action;
use crate::tui::context::plain;
use crate::tui::popups::detail as pair;
use crate::tui::popups::sheet::Page;
use crate::tui::screens::card_view;
use crate::tui::signs;
use crate::tui::state::item_list::ItemRows;
use crate::tui::state::query_list::Item;
use crate::tui::thumbnails::Place;
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::segments::{Segment, Segments};
use crate::tui::ui::{pane, text, thumbnail};

/// A kind of items: label in the frame, and noun, before and after an `s`.
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
    fn rows(self) -> Option<ItemRows<'a>> {
        self.model.item_rows()
    }

    pub(super) fn which(self) -> Which {
        self.rows().map_or_else(|| self.model.listed_which(None), |rows| rows.which)
    }

    /// Number of items of a kind; `None` while they are ranked, or if it cannot be known.
    fn count(self, which: Which) -> Option<usize> {
        let count = self.rows()?.found.count(which);
        (count > 0 || which.is_unknown(&self.model.study).is_none()).then_some(count)
    }

    /// Items, depth, queries and view of the list.
    pub(super) fn sentence(self) -> [String; 3] {
        let (model, which) = (self.model, self.which());
        let (_, one, rest) = kind(which);
        let items = self.count(which).map_or_else(|| format!("… {one}s"), |n| count(n, one)) + rest;
        let queries = count(model.selection.queries.len(), "query");
        let top = format!("{items} in the top {} of {queries}", model.items.depth);
        let name = &model.study.models[model.view.model].name;
        let truth = model.name_in_force(model.view.truth);
        [format!("{top} ({name}, {}, {truth})", model.view.direction), top, items]
    }

    pub(super) fn answer(self) -> Segments {
        let [full, top, items] = self.sentence().map(|words| format!(" {words}"));
        let look = self.theme.title;
        let answer = Segment::new(4, Line::styled(full, look))
            .or(5, Line::styled(top, look))
            .or(9, Line::styled(items, look));
        let search = match self.model.search.text() {
            "" => String::new(),
            words => format!("   /{words}"),
        };
        let sorted = format!("{search}   sorted {} ", self.model.items.order.label());
        let sorted = Segment::new(2, Line::styled(sorted, self.theme.dim)).right();
        let listed = format!("   kind: {} ", kind(self.which()).0);
        let listed = Segment::new(1, Line::styled(listed, self.theme.dim)).right();
        Segments(vec![answer, sorted.on(Target::Do(Action::Sort)), listed])
    }

    /// The kinds of items, with counts if there is room.
    pub(super) fn kinds(self) -> Segments {
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

    /// Cell of a column for the item of a row, by width in columns.
    fn cell<T: Default>(
        self,
        of: impl Fn(FirstItem, usize) -> T + 'a,
    ) -> impl Fn(usize, usize) -> T + 'a {
        let rows = self.rows();
        move |at, room| {
            rows.and_then(|rows| rows.get(at)).map_or_else(T::default, |one| of(one, room))
        }
    }

    fn columns(self) -> Vec<Column<'a>> {
        let (model, theme, order) = (self.model, self.theme, self.model.items.order);
        let direction = model.view.direction;
        let by_score = order == ItemsOrder::Score;
        let pick = self.cell(move |one, _| {
            let is_picked = model.is_picked(direction, one.query as usize);
            Span::styled(if is_picked { "★" } else { " " }, theme.key)
        });
        let rank = self.cell(move |one, _| {
            let rank = if one.rank == 0 { signs::UNDEFINED.into() } else { one.rank.to_string() };
            Span::styled(rank, theme.dim)
        });
        let rank = Column::new("rank", 5, rank).right();
        let score = self.cell(move |one, _| Span::styled(signs::score(one.score), theme.dim));
        let (title, look) = if by_score { ("score↓", theme.title) } else { ("score", theme.dim) };
        let score = Column::new(Span::styled(title, look), 7, score).right();
        let score = if by_score { score } else { score.keep(0) };
        let mut columns = vec![Column::new("", 1, pick), rank, score];
        if let Some(name) = model.selection.sort.heading().filter(|_| order == ItemsOrder::Queries)
        {
            let name = text::fit(&name, 8) + model.selection.sort.sign();
            let value = self.cell(move |one, _| signs::number(model.sort_value(one.at)));
            columns.push(Column::new(name, 9, value).right());
        }
        if self.which() == Which::Missed {
            let phi = self.cell(move |one, _| Span::styled(signs::phi(Some(one.phi)), theme.key));
            columns.push(Column::new("phi", 5, phi).right());
        }
        let query = self.cell(move |one, room| model.label(direction, one.query as usize, room));
        columns.push(Column::rest("query", query));
        let sign = self.cell(move |one, _| {
            let (query, item) = (one.query.into(), one.item.into());
            let response = model.judgments.response(Pair::from_query(direction, query, item));
            let judgment = response.and_then(Response::judgment);
            let badge = model.study.badge(judgment, direction, query, item);
            let badge = Span::styled(badge.glyph(), theme.badge(badge));
            let response = response.map(|of| Span::styled(signs::response(of), theme.response(of)));
            [badge].into_iter().chain(response).collect::<Line>()
        });
        columns.push(Column::new("", 2, sign));
        let item =
            self.cell(move |one, room| model.label(direction.flipped(), one.item as usize, room));
        columns.push(Column::rest("item", item));
        columns
    }

    pub(super) fn draw_list(self, area: Rect, buf: &mut Buffer) {
        let (model, rows) = (self.model, self.rows());
        let columns = self.columns();
        let list = ListView {
            id: ITEMS,
            columns,
            len: rows.map_or(0, ItemRows::count),
            selected: Some(model.items.row),
            least: usize::from(area.width) * 78 / 100,
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
        list.draw(&self.state.scrolled, self.ui, area, buf);
    }

    /// Draws both sides of the selected pair, its image above the text or, with few rows, beside it.
    pub(super) fn draw_preview(self, area: Rect, buf: &mut Buffer) {
        let model = self.model;
        let mut inner = pane::frame("preview", "", false, self.theme, area, buf);
        let Some(one) = model.item_row() else {
            return;
        };
        let image = match model.view.direction {
            Direction::T2i => one.item as usize,
            Direction::I2t => one.query as usize,
        };
        let has_image =
            self.ui.image_protocol().is_some() && self.ui.lacking(Some(image)).is_none();
        let is_beside = inner.width > 4 * inner.height;
        let mut show = |area| thumbnail::show(0, Place { area, image }, self.ui, buf);
        if has_image && is_beside {
            let width = card_view::columns(inner.height).min(inner.width / 3);
            show(Rect { width, ..inner });
            inner = Rect { x: inner.x + width + 1, width: inner.width - width - 1, ..inner };
        }
        let mut page = Page::new(inner.width.saturating_sub(1), self.theme);
        let item = Item { item: one.item as usize, rank: one.rank as usize, score: one.score };
        pair::write(plain(model, self.ui), &mut page, Some(item));
        let mut lines = page.lines;
        if is_beside {
            lines.retain(|line| line.width() > 0);
        } else if has_image {
            // The remaining rows, within bounds.
            let left = inner.height.saturating_sub(lines.len() as u16);
            let height = left.clamp(inner.height / 4, inner.height / 2);
            let height = height.min(card_view::rows(inner.width));
            show(Rect { height, ..inner });
            inner = Rect { y: inner.y + height, height: inner.height - height, ..inner };
        }
        pane::lines(&pane::fitting(lines, inner.height.into()), 0, inner, buf);
    }
}
