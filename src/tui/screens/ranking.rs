//! Drawing of one ranking of the selected query, for Browse and Compare.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::queries::{self, phrased_label};
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

/// Digits of phi, before a bar of one column.
const PHI: usize = 5;

/// The ranking of the selected query by a model.
#[derive(Clone, Copy)]
pub(super) struct Ranking<'a> {
    cx: Context<'a>,
    of: ModelIx,
    ranked: Option<&'a IndexedRanking>,
    /// The items in list order; `None` until they are there.
    listed: Option<&'a [u32]>,
    /// Whether badges have words.
    is_worded: bool,
}

impl<'a> Ranking<'a> {
    /// The ranking by a model.
    pub fn by<S>(cx: Context<'a, S>, of: ModelIx) -> Self {
        let cx = plain(cx.model, cx.ui);
        let ranked = cx.model.ranking_by(of);
        let listed = ranked.map(|ranked| &*ranked.ranking.order);
        Ranking { cx, of, ranked, listed, is_worded: false }
    }

    /// The ranking of the current model, in list order.
    pub fn listed<S>(cx: Context<'a, S>) -> Self {
        Ranking { listed: cx.model.listed_items(), ..Ranking::by(cx, cx.model.view.model) }
    }

    /// With the word of each badge, if the list is wide.
    pub fn worded(self, width: u16) -> Self {
        Ranking { is_worded: width >= 100, ..self }
    }

    /// Number of listed items.
    pub fn len(self) -> usize {
        self.listed.map_or(0, <[u32]>::len)
    }

    /// The item at a list index.
    pub fn item(self, at: usize) -> Option<Item> {
        let (item, ranked) = (*self.listed?.get(at)? as usize, self.ranked?);
        Some(Item { item, rank: ranked.rank(item)?, score: ranked.ranking.scores[item] })
    }

    fn query(self) -> usize {
        self.cx.model.selection.query().unwrap_or_default()
    }

    /// The list of its items with `columns`.
    pub fn list(self, id: ListId, columns: Vec<Column<'a>>, focus: bool) -> ListView<'a> {
        ListView {
            id,
            columns,
            len: self.len(),
            focus,
            empty: queries::unranked(self.cx, self.of, self.listed.is_some()).into(),
            ..ListView::default()
        }
    }

    /// Ranks, columns of the screen, phi and signs. While judging blind, only judgments.
    pub fn columns(self, between: Vec<Column<'a>>) -> Vec<Column<'a>> {
        let (model, theme) = (self.cx.model, self.cx.theme);
        let said = move |item: usize| {
            model.response(self.query(), item).map_or(Span::raw(" "), |said| {
                Span::styled(signs::response(said), theme.response(said))
            })
        };
        if model.is_blind() {
            let said = move |at: usize, _| self.item(at).map_or(Span::raw(""), |of| said(of.item));
            return vec![Column::new("", 1, |_, _| ""), Column::new("", 1, said)];
        }
        // The bar marks the top R items, which AP@R and R-Precision use.
        let listed = model.ranks_by(self.of, self.query()).map_or(0, |ranks| ranks.listed as usize);
        let rank = move |at: usize, room: usize| {
            let rank = self.item(at).map_or(0, |of| of.rank);
            let bar = Span::styled(if rank <= listed { "▎" } else { " " }, theme.line_map);
            let rank = text::pad_left(&grouped(rank), room.saturating_sub(1));
            Line::from(vec![bar, Span::styled(rank, theme.dim)])
        };
        let items = model.study.pool_sizes()[model.view.direction.flipped()];
        let mut columns = vec![Column::new("#", 1 + text::width(&grouped(items)), rank).right()];
        columns.extend(between);
        if let Some(phi) = model.phi_in_force() {
            let title = text::fit(&model.study.phis[phi].name, PHI);
            // The bar is full at the query's highest phi.
            let shown = move |at: usize, _| {
                let shown = self.item(at).map(|of| model.phi_shown(phi, of.item));
                let (number, share) = shown.unwrap_or_default();
                let bar = signs::upright(share).to_string();
                Line::from_iter([
                    Span::styled(number, theme.dim),
                    Span::styled(bar, theme.line_map),
                ])
            };
            columns.push(Column::new(title, PHI + 1, shown).right().keep(5));
        }
        let sign = move |at: usize, _| {
            self.item(at).map_or(Line::default(), |Item { item, .. }| {
                let badge = model.badge(self.query(), item);
                let look = theme.badge(badge);
                let word =
                    if self.is_worded { format!(" {}", badge.word()) } else { String::new() };
                Line::from_iter([
                    Span::styled(badge.glyph(), look),
                    said(item),
                    Span::styled(word, look),
                ])
            })
        };
        columns.push(Column::new("", if self.is_worded { 14 } else { 2 }, sign));
        columns
    }

    /// An item in words.
    pub fn label(self, at: usize, room: usize) -> Line<'static> {
        let (cx, model) = (self.cx, self.cx.model);
        let Some(Item { item, .. }) = self.item(at) else {
            return Line::default();
        };
        let side = model.view.direction.flipped();
        let label = model.label_by(self.of, side, item, room);
        if model.study.text_set_of(self.of) > 0 {
            // Phrases refer to the original texts.
            return label.into();
        }
        phrased_label(cx, (side, item), &label, Style::default()).line(&label).into()
    }
}

/// Columns of the selected query's metrics, for rows with its ranks: rank of the first positive, R@1, AP@R,
/// R-Precision.
pub(super) fn numbers<'a, S>(
    cx: Context<'a, S>,
    ranks: impl Fn(usize) -> Option<QueryRanks<'a>> + Copy + 'a,
) -> [Column<'a>; 4] {
    let first = move |at: usize, _| ranks(at).map_or(String::new(), signs::first_rank);
    let top_1 = move |at: usize, _| {
        let top_1 = ranks(at).map(|ranks| signs::top_1(hit::is_correct(ranks), cx.theme));
        top_1.map_or(Span::default(), |(mark, look)| Span::styled(mark, look))
    };
    let share = move |metric: &'static dyn Metric| {
        let value = move |ranks| signs::share(Spec::new(metric).per_query(ranks), 2);
        move |at: usize, _| ranks(at).map_or(String::new(), value)
    };
    [
        Column::new("first", 7, first).right(),
        Column::new("R@1", 3, top_1).right(),
        Column::new("AP@R", 6, share(&MapAtR)).right(),
        Column::new("R-P", 6, share(&RPrecision)).right().keep(0),
    ]
}

/// The note on the selected query, and other styled texts, each wrapped.
pub(super) fn note_lines<S>(
    cx: Context<'_, S>,
    width: usize,
    words: impl IntoIterator<Item = String>,
) -> Vec<Line<'static>> {
    let query = cx.model.selection.query();
    let note = query.and_then(|query| cx.model.note_words(cx.model.view.direction, query));
    let note = note.map(|note| (format!("{} {note}", signs::NOTE), cx.theme.key));
    let words = words.into_iter().map(|words| (words, cx.theme.title));
    let lines = note.into_iter().chain(words);
    lines.flat_map(|(words, look)| wrapped(&words, width, look.into())).collect()
}

/// Wrapped text for a pane.
pub(super) fn wrapped(words: &str, width: usize, look: Style) -> Vec<Line<'static>> {
    let lines = text::wrap(words, width).into_iter();
    lines.map(|line| Line::styled(format!("  {line}"), look)).collect()
}
