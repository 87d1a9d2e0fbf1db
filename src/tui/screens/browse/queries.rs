//! The list of queries.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use crate::data::text::grouped;
use crate::metric::{Spec, map_at_r::MapAtR};
use crate::tui::model::Model;
use crate::tui::model::items::Top;
use crate::tui::model::query_list::Pane;
use crate::tui::screens::queries;
use crate::tui::signs;
use crate::tui::widgets::columns::{Text, fitting};
use crate::tui::widgets::{pane, text};

/// Columns of the rank of the first positive at the least, and of AP@R: with all digits, and in a narrow list.
const RANK: usize = 5;
const AP: [usize; 2] = [7, 6];
/// Columns of the bookmark and of the badge, with blanks around both.
const SIGNS: usize = 4;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.model.selection.pane == Pane::Queries;
    let title = queries::title(cx.model, area.width);
    // Two corners, and blanks around the title and the words.
    let room = usize::from(area.width).saturating_sub(text::width(&title) + 6);
    let words = queries::order_in(cx.model, room, true);
    let inner = pane::frame(&title, &words, focus, cx.theme, area, buf);
    queries::draw_condition(cx, &title, area, buf);
    let width = usize::from(inner.width);
    let layout = layout(cx.model, width);
    let row = |place, query| row(cx, (place, query), layout, width);
    queries::list(cx, inner, &names(cx, layout), row, buf);
}

/// Columns of each number before the text; 0 where it is left out.
#[derive(Debug, Clone, Copy)]
struct Layout {
    rank: usize,
    ap: usize,
    /// What queries are sorted by, where that is neither of both.
    sorted: usize,
    /// Decimals of AP@R in percent.
    decimals: usize,
}

impl Layout {
    fn before(self) -> usize {
        self.rank + self.ap + self.sorted + SIGNS
    }
}

/// As many numbers as leave most of the list to the text. What queries are sorted by stays.
fn layout(model: &Model, width: usize) -> Layout {
    let sort = &model.selection.sort;
    let (by_rank, by_ap) = (sort.is_by_rank(), sort.is_by_ap());
    // These have columns already.
    let sorted = if by_rank || by_ap { 0 } else { queries::sorted_columns(model) };
    let of = |at: usize, rank: bool, ap: bool| Layout {
        rank: if rank { rank_columns(model) } else { 0 },
        ap: if ap { AP[at] } else { 0 },
        sorted,
        decimals: 2 - at,
    };
    let layouts = [
        of(0, true, true),
        of(1, true, true),
        of(1, true, by_ap),
        of(1, sorted == 0 && !by_ap, by_ap),
    ];
    let text = |layout: Layout| width.saturating_sub(layout.before());
    fitting(&layouts, Text::Most, width, text).unwrap_or(layouts[3])
}

/// A rank of this gallery has so many digits; the sign of an order by it has a column too.
fn rank_columns(model: &Model) -> usize {
    let items = model.study.pool_sizes()[model.view.direction.flipped()];
    let least = RANK + usize::from(model.selection.sort.is_by_rank());
    least.max(text::width(&grouped(items)) + 1)
}

/// The names of the columns; that of the number that queries are sorted by stands out.
fn names(cx: Cx<'_>, layout: Layout) -> Line<'static> {
    if cx.model.is_blind() {
        return Line::default();
    }
    let sort = &cx.model.selection.sort;
    let style = |is_sorted: bool| -> Style {
        if is_sorted { cx.theme.title.into() } else { cx.theme.dim.into() }
    };
    let name = |name: &str, columns: usize, is_sorted: bool| {
        let sign = if is_sorted { sort.sign() } else { "" };
        let name = text::pad_left(&format!("{name}{sign}"), columns);
        Span::styled(name, style(is_sorted))
    };
    let (by_rank, by_ap) = (sort.is_by_rank(), sort.is_by_ap());
    let sorted = match layout.sorted {
        0 => String::new(),
        columns => queries::sorted_heading(cx.model, columns),
    };
    Line::from(vec![
        name("rank", layout.rank, by_rank),
        name("AP@R", layout.ap, by_ap),
        Span::styled(sorted, style(true)),
    ])
}

fn row(cx: Cx<'_>, (place, query): (usize, usize), layout: Layout, width: usize) -> Line<'static> {
    if cx.model.is_blind() {
        let label = text::fit(&queries::label(cx.model, query), width.saturating_sub(2));
        return Line::from(format!("  {label}"));
    }
    let ranks = cx.model.ranks_of(cx.model.view.truth, query);
    let rank = ranks.map_or("·".into(), signs::first_rank);
    let ap = ranks.map_or("·".into(), |ranks| {
        signs::share(Spec::new(&MapAtR).per_query(ranks), layout.decimals)
    });
    let (sign, style) = match cx.model.top(query) {
        Top::Unranked => (" ", Style::default()),
        Top::Unknown => (signs::UNKNOWN, cx.theme.dim.into()),
        Top::Known(badge) => (signs::badge(badge), cx.theme.badge(badge)),
    };
    let is_picked = cx.model.is_picked(cx.model.view.direction, query);
    let picked = if is_picked { "★" } else { " " };
    let room = width.saturating_sub(layout.before());
    let words = queries::words(cx, (cx.model.view.direction, query), room);
    let mut spans = vec![
        Span::styled(text::pad_left(&rank, layout.rank), cx.theme.dim),
        Span::raw(text::pad_left(&ap, layout.ap)),
        Span::raw(match layout.sorted {
            0 => String::new(),
            columns => queries::sorted_value(cx.model, place, columns),
        }),
        Span::styled(text::pad_left(picked, SIGNS - 2), cx.theme.key),
        Span::styled(format!("{sign} "), style),
    ];
    spans.extend(words);
    Line::from(spans)
}
