//! The list of one ranking of the selected query, and columns and lines with its metrics and notes, for Browse and
//! Compare.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::queries::{self, label_colours};
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::metric::{Metric, Spec, hit, map_at_r::MapAtR, rprecision::RPrecision};
use crate::rank::QueryRanks;
use crate::tui::context::{Context, plain};
use crate::tui::signs;
use crate::tui::state::query_list::Item;
use crate::tui::state::ranking::IndexedRanking;
use crate::tui::ui::hits::ListId;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::text;

/// Columns of phi, before a bar of one column.
const PHI_COLUMNS: usize = 5;

/// The ranking of the selected query by a model.
#[derive(Clone, Copy)]
pub(super) struct RankingList<'a> {
    cx: Context<'a>,
    model: ModelIx,
    /// The ranking of all items; `None` until it is computed.
    ranking: Option<&'a IndexedRanking>,
    /// The listed items in list order; `None` until they are known.
    items: Option<&'a [u32]>,
    /// Whether badges are shown with their words.
    has_badge_words: bool,
}

impl<'a> RankingList<'a> {
    /// The ranking of a model, best item first.
    pub fn for_model<S>(cx: Context<'a, S>, model: ModelIx) -> Self {
        let cx = plain(cx.model, cx.ui);
        let ranking = cx.model.ranking_by(model);
        let items = ranking.map(|ranking| &*ranking.ranking.order);
        RankingList { cx, model, ranking, items, has_badge_words: false }
    }

    /// The ranking of the current model, in the order in which the view lists items.
    pub fn for_view<S>(cx: Context<'a, S>) -> Self {
        RankingList { items: cx.model.listed_items(), ..Self::for_model(cx, cx.model.view.model) }
    }

    /// Shows badges with their words, if the list has at least 100 columns.
    pub fn with_badge_words(self, width: u16) -> Self {
        RankingList { has_badge_words: width >= 100, ..self }
    }

    /// Number of listed items.
    pub fn len(self) -> usize {
        self.items.map_or(0, <[u32]>::len)
    }

    /// The item at a list index.
    pub fn item(self, at: usize) -> Option<Item> {
        let (item, ranking) = (*self.items?.get(at)? as usize, self.ranking?);
        Some(Item { item, rank: ranking.rank(item)?, score: ranking.ranking.scores[item] })
    }

    /// Gallery index of the selected query; 0 if none is selected.
    fn query(self) -> usize {
        self.cx.model.selection.query().unwrap_or_default()
    }

    /// The widget that lists the items with `columns`.
    pub fn list(self, id: ListId, columns: Vec<Column<'a>>, focus: bool) -> ListView<'a> {
        ListView {
            id,
            columns,
            len: self.len(),
            focus,
            empty: queries::why_no_items(self.cx, self.model, self.items.is_some()).into(),
            ..ListView::default()
        }
    }

    /// Columns of ranks, then `middle`, then phi and signs. While judging blind, only judgments.
    pub fn columns(self, middle: Vec<Column<'a>>) -> Vec<Column<'a>> {
        let (model, theme) = (self.cx.model, self.cx.theme);
        let judgment = move |item: Item| {
            model.response(self.query(), item.item).map_or(Span::raw(" "), |response| {
                Span::styled(signs::response(response), theme.response(response))
            })
        };
        if model.is_blind() {
            let cell = move |at: usize, _| self.item(at).map_or("".into(), judgment);
            return vec![Column::new("", 1, |_, _| ""), Column::new("", 1, cell)];
        }
        // The bar marks the top R items, which AP@R and R-Precision use.
        let r = model.ranks_by(self.model, self.query()).map_or(0, |ranks| ranks.listed as usize);
        let rank = move |at: usize, room: usize| {
            let rank = self.item(at).map_or(0, |item| item.rank);
            let bar = Span::styled(if rank <= r { "▎" } else { " " }, theme.line_map);
            let rank = text::pad_left(&grouped(rank), room.saturating_sub(1));
            Line::from(vec![bar, Span::styled(rank, theme.dim)])
        };
        let items = model.study.pool_sizes()[model.view.direction.flipped()];
        let mut columns = vec![Column::new("#", 1 + text::width(&grouped(items)), rank).right()];
        columns.extend(middle);
        if let Some(phi) = model.phi_in_force() {
            let title = text::fit(&model.study.phis[phi].name, PHI_COLUMNS);
            // The bar is full at the query's highest phi.
            let cell = move |at: usize, _| {
                let shown = self.item(at).map(|item| model.format_phi(phi, item.item));
                let (number, share) = shown.unwrap_or_default();
                let bar = signs::vertical_bar(share).to_string();
                Line::from_iter([
                    Span::styled(number, theme.dim),
                    Span::styled(bar, theme.line_map),
                ])
            };
            columns.push(Column::new(title, PHI_COLUMNS + 1, cell).right().keep(5));
        }
        let sign = move |at: usize, _| {
            self.item(at).map_or(Line::default(), |item| {
                let badge = model.badge(self.query(), item.item);
                let look = theme.badge(badge);
                let word = badge.short_label();
                let words = if self.has_badge_words { format!(" {word}") } else { String::new() };
                Line::from_iter([
                    Span::styled(badge.glyph(), look),
                    judgment(item),
                    Span::styled(words, look),
                ])
            })
        };
        columns.push(Column::new("", if self.has_badge_words { 14 } else { 2 }, sign));
        columns
    }

    /// The label of the item at a list index, with coloured phrases.
    pub fn label(self, at: usize, room: usize) -> Line<'static> {
        let (cx, model) = (self.cx, self.cx.model);
        let Some(Item { item, .. }) = self.item(at) else {
            return Line::default();
        };
        let direction = model.view.direction.flipped();
        let label = model.label_by(self.model, direction, item, room);
        if model.study.text_set_index(self.model) > 0 {
            // Phrases refer to the original texts.
            return label.into();
        }
        label_colours(cx, (direction, item), &label, Style::default()).line(&label).into()
    }
}

/// Columns with metrics of a query: rank of the first positive, R@1, AP@R, R-Precision. `ranks` returns the ranks of
/// its positives for the index of a list row; `None` leaves the cells empty.
pub(super) fn metric_columns<'a, S>(
    cx: Context<'a, S>,
    ranks: impl Fn(usize) -> Option<QueryRanks<'a>> + Copy + 'a,
) -> [Column<'a>; 4] {
    let first = move |at: usize, _| ranks(at).map_or(String::new(), signs::first_rank);
    let top_1 = move |at: usize, _| {
        let top_1 = ranks(at).map(|ranks| signs::r1_sign(hit::is_correct(ranks), cx.theme));
        top_1.map_or(Span::default(), |(mark, look)| Span::styled(mark, look))
    };
    let values = move |metric: &'static dyn Metric| {
        let value = move |ranks| signs::share(Spec::new(metric).per_query(ranks), 2);
        move |at: usize, _| ranks(at).map_or(String::new(), value)
    };
    [
        Column::new("first", 7, first).right(),
        Column::new("R@1", 3, top_1).right(),
        Column::new("AP@R", 6, values(&MapAtR)).right(),
        Column::new("R-P", 6, values(&RPrecision)).right().keep(0),
    ]
}

/// The note on the selected query, if there is one, and `words`, each wrapped to `width`.
pub(super) fn note_lines<S>(
    cx: Context<'_, S>,
    width: usize,
    words: impl IntoIterator<Item = String>,
) -> Vec<Line<'static>> {
    let query = cx.model.selection.query();
    let note = query.and_then(|query| cx.model.format_note(cx.model.view.direction, query));
    let note = note.map(|note| (format!("{} {note}", signs::NOTE), cx.theme.key));
    let words = words.into_iter().map(|words| (words, cx.theme.title));
    let lines = note.into_iter().chain(words);
    lines.flat_map(|(words, look)| wrapped_lines(&words, width, look.into())).collect()
}

/// A text wrapped to `width`, with an indent of two.
pub(super) fn wrapped_lines(words: &str, width: usize, look: Style) -> Vec<Line<'static>> {
    let lines = text::wrap(words, width).into_iter();
    lines.map(|line| Line::styled(format!("  {line}"), look)).collect()
}
