//! The sentence, the list of items, and the preview of the selected pair.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{Cx, ITEMS, KINDS};
use crate::analysis::listed_items::{ListedItem, Which};
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

/// A kind of items in words: label in the frame, noun in the singular, and words after the noun.
fn describe_kind(which: Which) -> (&'static str, &'static str, &'static str) {
    match which {
        Which::All => ("all", "item", ""),
        Which::Positive => ("positive", "positive", ""),
        Which::NonGt => ("non-GT", "non-GT positive", ""),
        Which::NotRelevant => ("not relevant", "item", " judged not relevant"),
        Which::Unjudged => ("unjudged", "unjudged item", ""),
        Which::Missed => ("missed", "most similar item", " not"),
    }
}

impl<'a> Cx<'a> {
    /// Rows of the list; `None` until they are computed.
    fn rows(self) -> Option<ItemRows<'a>> {
        self.model.item_rows()
    }

    /// The listed kind of items.
    pub(super) fn listed_kind(self) -> Which {
        self.rows().map_or_else(|| self.model.listed_kind(None), |rows| rows.which)
    }

    /// Number of items of a kind; `None` until they are computed, or if the kind cannot be determined.
    fn kind_count(self, which: Which) -> Option<usize> {
        let count = self.rows()?.found.count(which);
        (count > 0 || which.unknown_reason(&self.model.study).is_none()).then_some(count)
    }

    /// The sentence on the list in three forms: number of items, depth, number of queries and view; without the view;
    /// only the number of items.
    pub(super) fn sentence(self) -> [String; 3] {
        let (model, which) = (self.model, self.listed_kind());
        let (_, noun, rest) = describe_kind(which);
        let items = self.kind_count(which).map_or_else(|| format!("… {noun}s"), |n| count(n, noun));
        let items = items + rest;
        let queries = count(model.selection.queries.len(), "query");
        let top = format!("{items} in the top {} of {queries}", model.items.depth);
        let name = &model.study.models[model.view.model].name;
        let truth = model.truth_label(model.view.truth);
        [format!("{top} ({name}, {}, {truth})", model.view.direction), top, items]
    }

    /// The line above the list: the sentence, the kind, search text and order.
    pub(super) fn sentence_line(self) -> Segments {
        let [full, top, items] = self.sentence().map(|words| format!(" {words}"));
        let look = self.theme.title;
        let sentence = Segment::new(4, Line::styled(full, look))
            .or_form(5, Line::styled(top, look))
            .or_form(9, Line::styled(items, look));
        let search = match self.model.search.text() {
            "" => String::new(),
            words => format!("   /{words}"),
        };
        let order = format!("{search}   sorted {} ", self.model.items.order.label());
        let order = Segment::new(2, Line::styled(order, self.theme.dim)).right();
        let kind = format!("   kind: {} ", describe_kind(self.listed_kind()).0);
        let kind = Segment::new(1, Line::styled(kind, self.theme.dim)).right();
        Segments(vec![sentence, order.target(Target::Do(Action::Sort)), kind])
    }

    /// Labels of the kinds of items, with counts if there is room; a click on a label lists that kind.
    pub(super) fn kind_labels(self) -> Segments {
        let segment = |(at, which): (usize, &Which)| {
            let (name, ..) = describe_kind(*which);
            let unknown = if self.rows().is_some() { "?" } else { "…" };
            let count = self.kind_count(*which).map_or(unknown.into(), grouped);
            let is_listed = *which == self.listed_kind();
            let (keep, look) = if is_listed { (3, self.theme.chip) } else { (1, self.theme.dim) };
            Segment::new(keep, Line::styled(format!(" {name} {count} "), look))
                .or_form(keep + 1, Line::styled(format!(" {name} "), look))
                .target(Target::Row(KINDS, at))
        };
        Segments(self.model.item_choices().iter().enumerate().map(segment).collect())
    }

    /// Cell function of a [`Column`], from row index and width: `content` of the row's item and the width; empty if the
    /// row has no item.
    fn cell<T: Default>(
        self,
        content: impl Fn(ListedItem, usize) -> T + 'a,
    ) -> impl Fn(usize, usize) -> T + 'a {
        let rows = self.rows();
        move |at, room| {
            rows.and_then(|rows| rows.get(at)).map_or_else(T::default, |row| content(row, room))
        }
    }

    /// Columns of the list.
    fn columns(self) -> Vec<Column<'a>> {
        let (model, theme, order) = (self.model, self.theme, self.model.items.order);
        let direction = model.view.direction;
        let by_score = order == ItemsOrder::Score;
        let pick = self.cell(move |row, _| {
            let is_picked = model.is_picked(direction, row.query as usize);
            Span::styled(if is_picked { "★" } else { " " }, theme.key)
        });
        let rank = self.cell(move |row, _| {
            let rank = if row.rank == 0 { signs::UNDEFINED.into() } else { row.rank.to_string() };
            Span::styled(rank, theme.dim)
        });
        let rank = Column::new("rank", 5, rank).right();
        let score = self.cell(move |row, _| Span::styled(signs::score(row.score), theme.dim));
        let (title, look) = if by_score { ("score↓", theme.title) } else { ("score", theme.dim) };
        let score = Column::new(Span::styled(title, look), 7, score).right();
        let score = if by_score { score } else { score.keep(0) };
        let mut columns = vec![Column::new("", 1, pick), rank, score];
        if let Some(key) = model.selection.sort.heading().filter(|_| order == ItemsOrder::Queries) {
            let title = text::fit(&key, 8) + model.selection.sort.sign();
            let value = self.cell(move |row, _| signs::number(model.sort_value(row.at)));
            columns.push(Column::new(title, 9, value).right());
        }
        if self.listed_kind() == Which::Missed {
            let phi = self.cell(move |row, _| Span::styled(signs::phi(Some(row.phi)), theme.key));
            columns.push(Column::new("phi", 5, phi).right());
        }
        let query = self.cell(move |row, room| model.label(direction, row.query as usize, room));
        columns.push(Column::rest("query", query));
        let sign = self.cell(move |row, _| {
            let (query, item) = (row.query.into(), row.item.into());
            let response = model.judgments.response(Pair::from_query(direction, query, item));
            let judgment = response.and_then(Response::judgment);
            let badge = model.study.badge(judgment, direction, query, item);
            let badge = Span::styled(badge.glyph(), theme.badge(badge));
            let response = response.map(|of| Span::styled(signs::response(of), theme.response(of)));
            [badge].into_iter().chain(response).collect::<Line>()
        });
        columns.push(Column::new("", 2, sign));
        let item =
            self.cell(move |row, room| model.label(direction.flipped(), row.item as usize, room));
        columns.push(Column::rest("item", item));
        columns
    }

    /// Draws the list of items.
    pub(super) fn draw_list(self, area: Rect, buf: &mut Buffer) {
        let (model, rows) = (self.model, self.rows());
        let list = ListView {
            id: ITEMS,
            columns: self.columns(),
            len: rows.map_or(0, ItemRows::count),
            selected: Some(model.items.row),
            min_rest: usize::from(area.width) * 78 / 100,
            highlight: model.search.text(),
            empty: match model.items_result() {
                None => model.files.placeholder().into(),
                Some(Err(error)) => error.to_string(),
                Some(Ok(_)) => {
                    let why = self.listed_kind().unknown_reason(&model.study);
                    why.unwrap_or("no item is of this kind").into()
                }
            },
            ..ListView::default()
        };
        list.draw(&self.state.scrolled, self.ui, area, buf);
    }

    /// Draws the query and the item of the selected row, its image above the text or, in a low area, beside it.
    pub(super) fn draw_preview(self, area: Rect, buf: &mut Buffer) {
        let model = self.model;
        let mut inner = pane::draw_frame("preview", "", false, self.theme, area, buf);
        let Some(row) = model.item_row() else {
            return;
        };
        let image = match model.view.direction {
            Direction::T2i => row.item as usize,
            Direction::I2t => row.query as usize,
        };
        let has_image =
            self.ui.image_protocol().is_some() && self.ui.why_no_image(Some(image)).is_none();
        let is_beside = inner.width > 4 * inner.height;
        let mut show = |area| thumbnail::show(0, Place { area, image }, self.ui, buf);
        if has_image && is_beside {
            let width = card_view::image_columns(inner.height).min(inner.width / 3);
            show(Rect { width, ..inner });
            inner = Rect { x: inner.x + width + 1, width: inner.width - width - 1, ..inner };
        }
        let mut page = Page::new(inner.width.saturating_sub(1), self.theme);
        let item = Item { item: row.item as usize, rank: row.rank as usize, score: row.score };
        pair::write_pair(plain(model, self.ui), &mut page, Some(item));
        let mut lines = page.lines;
        if is_beside {
            lines.retain(|line| line.width() > 0);
        } else if has_image {
            // The rows that the text leaves, but between a quarter and half of all.
            let left = inner.height.saturating_sub(lines.len() as u16);
            let height = left.clamp(inner.height / 4, inner.height / 2);
            let height = height.min(card_view::image_rows(inner.width));
            show(Rect { height, ..inner });
            inner = Rect { y: inner.y + height, height: inner.height - height, ..inner };
        }
        pane::draw_lines(&pane::clip(lines, inner.height.into()), 0, inner, buf);
    }
}
