//! One model's ranking of the selected query beside those of the others.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::names::{self, others};
use super::{Cx, NAMES};
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::truth::standing::Badge;
use crate::tui::model::compare::Moved;
use crate::tui::model::query_list::Pane;
use crate::tui::model::ranking::Ranked;
use crate::tui::model::view::Numbers;
use crate::tui::screens::layout::rows;
use crate::tui::screens::queries::phrased_label;
use crate::tui::signs;
use crate::tui::theme::Theme;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Columns of the bar before a rank, and digits that a rank has room for at the least.
const BAR: usize = 1;
const DIGITS: usize = 2;
/// Columns of the change against the first ranking, and of its sign and three digits.
const CHANGE: usize = 7;
const SHORT_CHANGE: usize = 5;
/// Columns of the mark of what one model alone has, the badge and the sign of a verdict, with blanks around
/// them.
const SIGN: usize = 5;
/// Columns of a caption that is worth to be read, and of all that stands before it where there is little room.
pub(super) const CAPTION: usize = 28;
pub(super) const BEFORE: usize = BAR + DIGITS + SHORT_CHANGE + SIGN;

/// Columns of each part of a line before the text; 0 for what is left out.
#[derive(Debug, Clone, Copy)]
struct Layout {
    rank: usize,
    /// The change against the first ranking, where that is in sight beside this one.
    change: usize,
    /// The same in the rankings beside this one.
    change_beside: usize,
    /// The ranks by the other models, where this ranking is alone: how many, and the columns of each.
    others: [usize; 2],
}

impl Layout {
    fn before(self) -> usize {
        let [count, columns] = self.others;
        self.rank + self.change + count * columns + SIGN
    }
}

/// Columns of a rank.
fn rank_columns(rank: usize) -> usize {
    text::width(&grouped(rank))
}

/// What the lines of a ranking have room for, whose ranks in sight are at most `highest`.
fn layout(column: usize, highest: usize, width: usize) -> Layout {
    let digits = rank_columns(highest);
    let of = |digits: usize, change: usize| Layout {
        rank: BAR + digits,
        change,
        change_beside: change,
        others: [0; 2],
    };
    let long = of(digits.max(DIGITS + 3), CHANGE);
    let layout = if width.saturating_sub(long.before()) >= CAPTION {
        long
    } else {
        of(digits.max(DIGITS), SHORT_CHANGE)
    };
    // All rankings have the same layout; the first one has nothing that it changed against.
    let change = if column == 0 { 0 } else { layout.change };
    Layout { change, ..layout }
}

/// The same for a ranking that is alone in sight, of which all ranks by the other models have room.
fn layout_alone(cx: Cx<'_>, highest: usize) -> Layout {
    let items = cx.model.study.pool_sizes()[cx.model.view.direction.flipped()];
    Layout {
        rank: BAR + rank_columns(highest).max(DIGITS),
        change: 0,
        change_beside: 0,
        others: [cx.model.compared().len() - 1, rank_columns(items) + 1],
    }
}

pub(super) fn draw(cx: Cx<'_>, column: usize, area: Rect, buf: &mut Buffer) {
    let compared = cx.model.compared();
    let model = compared[column];
    let focus = cx.model.selection.pane == Pane::Ranking && cx.column() == column;
    let is_alone = cx.areas().has_one_ranking();
    let room = usize::from(area.width).saturating_sub(4);
    let [name, beside] = names::titles(cx, column, room);
    let inner = pane::frame(&name, &beside, focus, cx.theme, area, buf);
    let width = usize::from(inner.width);
    let highest = highest(cx, model, area);
    let layout = if is_alone { layout_alone(cx, highest) } else { layout(column, highest, width) };
    let heading = heading(cx, column, layout, width);
    buf.set_stringn(inner.x, inner.y, heading, width, cx.theme.dim);
    let list = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    let Some(ranked) = cx.model.ranked_by(model).filter(|ranked| !ranked.ranking.order.is_empty())
    else {
        let words = nothing(cx, model);
        let width = usize::from(list.width.saturating_sub(2));
        buf.set_stringn(list.x + 2, list.y, words, width, cx.theme.dim);
        return;
    };
    let (offset, total) = (cx.state.offset, ranked.ranking.order.len());
    items(cx, Column { model, column, ranked, layout }, list, buf);
    let shown = rows(area, NAMES);
    pane::scrollbar(Scroll { offset, shown, total }, focus, cx.theme, list, buf);
}

/// Columns of phi with its bar and a blank, and the least room for it and a text.
const PHI: usize = 7;
const WITH_PHI: usize = 24;

/// The names of the columns; ranks changed against those of the first model, or are those of the others.
fn heading(cx: Cx<'_>, column: usize, layout: Layout, width: usize) -> String {
    let rank = text::pad_left("#", layout.rank);
    let [count, columns] = layout.others;
    if count > 0 {
        let letters = others(cx, column).map(|(letter, _)| letter.to_string());
        return rank + &letters.map(|letter| text::pad_left(&letter, columns)).collect::<String>();
    }
    if layout.change == 0 {
        return rank;
    }
    let room = width.saturating_sub(layout.rank + 4);
    let first = signs::model(&cx.model.study, cx.model.compared()[0], room);
    format!("{rank} vs {first}")
}

/// A ranking, and which one it is.
#[derive(Clone, Copy)]
struct Column<'a> {
    model: ModelIx,
    column: usize,
    ranked: &'a Ranked,
    layout: Layout,
}

/// The highest rank in sight: the linked item stands on the last row where its own is below.
fn highest(cx: Cx<'_>, model: ModelIx, area: Rect) -> usize {
    let ranked = cx.model.ranked_by(model);
    let linked = ranked.and_then(|ranked| ranked.rank(cx.model.linked()?));
    linked.unwrap_or(0).max(cx.state.offset + rows(area, NAMES))
}

/// The items in sight. The linked one stands on the first or the last row where its own is out of
/// sight.
fn items(cx: Cx<'_>, of: Column<'_>, list: Rect, buf: &mut Buffer) {
    let linked = cx.model.linked();
    let place = linked.and_then(|item| of.ranked.rank(item)).map(|rank| rank - 1);
    let (offset, height) = (cx.state.offset, usize::from(list.height));
    let focus = cx.model.selection.pane == Pane::Ranking && cx.column() == of.column;
    for row in 0..height {
        let is_pinned = place.is_some_and(|place| {
            place < offset && row == 0 || place >= offset + height && row + 1 == height
        });
        let at = place.filter(|_| is_pinned).unwrap_or(offset + row);
        let Some(&item) = of.ranked.ranking.order.get(at) else {
            continue;
        };
        let area = Rect::new(list.x, list.y + row as u16, list.width, 1);
        let line = line(cx, of, item as usize, at + 1, usize::from(list.width));
        buf.set_line(area.x, area.y, &line, area.width);
        if cx.model.is_item_marked(item as usize) {
            buf.set_stringn(area.x + 1, area.y, signs::MARKED, 1, cx.theme.key);
        }
        if linked == Some(item as usize) {
            pane::mark(focus, cx.theme, area, buf);
        }
    }
}

fn line(cx: Cx<'_>, of: Column<'_>, item: usize, rank: usize, width: usize) -> Line<'static> {
    let query = cx.model.selection.query().unwrap_or_default();
    let direction = cx.model.view.direction;
    let badge = cx.model.badge(query, item);
    let words: Style = if badge.is_positive() { Style::default() } else { cx.theme.dim.into() };
    // The bar marks the first R items, as in Browse.
    let listed = cx.model.ranks_by(of.model, query).map(|ranks| ranks.listed);
    let is_within = listed.is_some_and(|r| rank <= r as usize);
    let mut spans = vec![
        Span::styled(if is_within { "▎" } else { " " }, cx.theme.line_map),
        Span::styled(text::pad_left(&grouped(rank), of.layout.rank - BAR), cx.theme.dim),
    ];
    if of.layout.change > 0 {
        let (words, style) = change(cx.model.change_of(item, rank), badge, cx.theme);
        let words = text::pad_left(&shortened(words, of.layout.change), of.layout.change);
        spans.push(Span::styled(words, style));
    }
    let [count, columns] = of.layout.others;
    for (_, other) in others(cx, of.column).take(count) {
        let words = text::pad_left(&rank_by(cx, other, item), columns);
        spans.push(Span::styled(words, cx.theme.dim));
    }
    let room = width.saturating_sub(of.layout.before());
    let phi = cx.model.phi_in_force().filter(|_| room >= WITH_PHI);
    let room = room - if phi.is_some() { PHI } else { 0 };
    // All rankings beside each other have ids, or none: the others have the columns of a change less.
    let least = room.saturating_sub(of.layout.change_beside - of.layout.change);
    let label = cx.model.label_by(of.model, direction.flipped(), item, least);
    let only = if cx.model.is_only(of.model, item) { signs::ONLY } else { " " };
    let verdict = cx.model.verdict(query, item);
    let judged = verdict.map_or(Style::default(), |verdict| cx.theme.verdict(verdict));
    spans.extend([
        Span::styled(format!(" {only}"), cx.theme.key),
        Span::styled(signs::badge(badge), cx.theme.badge(badge)),
        Span::styled(verdict.map_or(" ", signs::verdict), judged),
        Span::raw(" "),
    ]);
    if let Some(phi) = phi {
        let (number, share) = cx.model.phi_shown(phi, item);
        let number = text::pad_left(&number, PHI - 2);
        spans.push(Span::styled(number, cx.theme.dim));
        let bar = format!("{} ", signs::upright(share));
        spans.push(Span::styled(bar, cx.theme.line_map));
    }
    let label = text::fit(&label, room);
    if cx.model.study.text_set_of(of.model) > 0 {
        // Phrases are known of the original texts.
        spans.push(Span::styled(label, words));
        return Line::from(spans);
    }
    let item = (direction.flipped(), item);
    spans.extend(phrased_label(cx, item, &label, words).line(&label));
    Line::from(spans)
}

/// The rank of an item by another model; while that is not there, a sign of it.
fn rank_by(cx: Cx<'_>, model: ModelIx, item: usize) -> String {
    let ranked = cx.model.ranked_by(model);
    ranked.map_or(signs::UNKNOWN.into(), |ranked| ranked.rank(item).map_or("-".into(), grouped))
}

/// A change in so many columns, the blank before it included: in thousands where its digits do not fit.
fn shortened(words: String, columns: usize) -> String {
    if text::width(&words) < columns {
        return words;
    }
    let (sign, digits): (String, String) =
        words.chars().filter(|c| *c != ',').partition(|c| !c.is_ascii_digit());
    let number = digits.parse::<usize>().ok().filter(|number| *number >= 1_000);
    number.map_or(words, |number| format!("{sign}{}k", grouped((number + 500) / 1_000)))
}

/// A change of rank in words, and its look: what is good for the model is as a number that rose, so of a
/// positive that it rose, of an item judged not relevant that it fell. Of any other nobody knows.
pub(super) fn change(change: Option<Moved>, badge: Badge, theme: &Theme) -> (String, Style) {
    let rose = match badge {
        badge if badge.is_positive() => Some(true),
        Badge::NotRelevant => Some(false),
        _ => None,
    };
    let look = |is_up: bool| match rose {
        Some(good) if good == is_up => theme.up.into(),
        Some(_) => theme.down.into(),
        None => theme.dim.into(),
    };
    let style = match change {
        Some(Moved::Up(_) | Moved::New) => look(true),
        Some(Moved::Down(_)) => look(false),
        Some(Moved::Same) | None => theme.dim.into(),
    };
    (moved_words(change), style)
}

/// A change of rank in words.
pub(super) fn moved_words(change: Option<Moved>) -> String {
    match change {
        Some(Moved::Up(by)) => format!("▲{}", grouped(by)),
        Some(Moved::Down(by)) => format!("▼{}", grouped(by)),
        Some(Moved::Same) => "=".into(),
        Some(Moved::New) => "new".into(),
        None => String::new(),
    }
}

/// Why there are no items.
fn nothing(cx: Cx<'_>, model: ModelIx) -> &'static str {
    match (&cx.model.numbers[model], cx.model.selection.query(), cx.model.ranked_by(model)) {
        (Numbers::Failed(_), ..) => "this model cannot be ranked",
        (_, None, _) => "no query is selected",
        (.., Some(_)) => "ranks nothing here",
        _ if cx.model.files.is_overwritten() => "not ranked: a file was written over",
        _ => "ranking …",
    }
}
