//! Layout of the compare screen.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::state::query_list::Pane;

/// Areas of the parts of the screen; those of no size are not shown.
#[derive(Debug, Default)]
pub(super) struct Areas {
    pub(super) conclusion: Rect,
    pub(super) forest: Rect,
    /// Table of all ranked models.
    pub(super) models: Rect,
    pub(super) queries: Rect,
    /// Indices of the compared models whose rankings are visible, with the areas of these.
    pub(super) rankings: Vec<(usize, Rect)>,
    /// Table of the compared models on the selected query.
    pub(super) table: Rect,
}

/// Minimum columns of the screen for queries and rankings side by side.
const MIN_LISTS_WIDTH: u16 = 72;
/// Minimum columns of the list of queries beside rankings.
const MIN_QUERIES_WIDTH: u16 = 30;
/// Minimum columns of each ranking.
const MIN_RANKING_WIDTH: u16 = 43;

/// Minimum rows of the table of models below the forest plot.
const MIN_TABLE_ROWS: u16 = 4;
/// Maximum rows of the table of models.
pub(super) const MAX_TABLE_ROWS: usize = 10;
/// Minimum rows of the lists.
const MIN_LIST_ROWS: u16 = 9;
/// Minimum rows of the body for the lists below the forest plot; if lower, either of them is shown.
const MIN_BODY_ROWS: u16 = 20;
/// Minimum columns of the screen for the table of models beside the forest plot; else it is below.
const MIN_TABLE_BESIDE_WIDTH: u16 = 110;
/// Columns of the table of models beside the forest plot.
const TABLE_WIDTH: u16 = 52;

/// Inputs of the layout besides the area.
#[derive(Debug, Clone, Copy)]
pub(super) struct LayoutInput {
    /// Focused pane.
    pub(super) pane: Pane,
    /// Index of the compared model whose ranking has focus.
    pub(super) column: usize,
    /// Number of compared models.
    pub(super) models: usize,
    /// Whether the forest plot and the table of models have focus.
    pub(super) focuses_models: bool,
    /// Rows that the conclusion, the forest plot and the table of models need; 0 without a table.
    pub(super) rows: [u16; 3],
}

/// Areas of the forest plot and of the table of models within `area`, given [`LayoutInput::rows`]. The table's area is
/// empty if it needs no rows or has no room.
fn forest_and_table(area: Rect, [_, forest, table]: [u16; 3]) -> [Rect; 2] {
    use Constraint::{Fill, Length};
    if table == 0 || area.width < MIN_TABLE_BESIDE_WIDTH && area.height < forest + MIN_TABLE_ROWS {
        return [area, Rect::default()];
    }
    if area.width >= MIN_TABLE_BESIDE_WIDTH {
        return area.layout(&Layout::horizontal([Fill(1), Length(TABLE_WIDTH)]));
    }
    area.layout(&Layout::vertical([Length(forest), Fill(1)]))
}

/// Areas of the parts of the screen in `body`.
pub(super) fn areas(body: Rect, input: LayoutInput) -> Areas {
    use Constraint::{Fill, Length};
    let LayoutInput { pane, column, models, focuses_models, rows } = input;
    let [conclusion, forest, table] = rows;
    let [conclusion, rest] = body.layout(&Layout::vertical([Length(conclusion), Fill(1)]));
    let room = rest.height.saturating_sub(MIN_LIST_ROWS);
    let wanted = match rest.width >= MIN_TABLE_BESIDE_WIDTH {
        true => forest.max(table),
        false if room < forest + MIN_TABLE_ROWS => forest,
        false => forest + table,
    };
    let is_low = body.height < MIN_BODY_ROWS;
    let height = match focuses_models {
        true if is_low => rest.height,
        false if is_low => 0,
        _ => wanted.min(room),
    };
    let [evidence, below] = rest.layout(&Layout::vertical([Length(height), Fill(1)]));
    let [forest, models_area] = match height {
        0 => [Rect::default(); 2],
        _ => forest_and_table(evidence, rows),
    };
    let top = Areas { conclusion, forest, models: models_area, ..Areas::default() };
    if below.height == 0 {
        return top;
    }
    let table_height = match below.height {
        32.. => 9,
        22.. => 7,
        _ => 0,
    };
    let [lists, table] = below.layout(&Layout::vertical([Fill(1), Length(table_height)]));
    let max_left = (lists.width * 34 / 100).max(MIN_QUERIES_WIDTH);
    let max_rankings = lists.width.saturating_sub(MIN_QUERIES_WIDTH) / MIN_RANKING_WIDTH;
    let right = max_rankings.clamp(1, (models as u16).max(1)) * MIN_RANKING_WIDTH;
    let left = lists.width.saturating_sub(right).clamp(MIN_QUERIES_WIDTH, max_left);
    let [queries, rankings] = lists.layout(&Layout::horizontal(match pane {
        _ if lists.width >= MIN_LISTS_WIDTH => [Length(left), Fill(1)],
        Pane::Queries => [Fill(1), Length(0)],
        Pane::Ranking => [Length(0), Fill(1)],
    }));
    let mut areas = Areas { queries, table, ..top };
    if rankings.area() == 0 {
        return areas;
    }
    let count = usize::from(rankings.width / MIN_RANKING_WIDTH).clamp(1, models.max(1));
    // Model A, against which changes are shown, is always visible beside others.
    let first_other = (column + 2).saturating_sub(count).max(1);
    let visible = match count {
        1 => vec![column],
        _ => [0].into_iter().chain(first_other..first_other + count - 1).collect(),
    };
    let parts = Layout::horizontal(vec![Fill(1); count]);
    areas.rankings = visible.into_iter().zip(parts.split(rankings).iter().copied()).collect();
    areas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::frame;

    const PLAIN: LayoutInput = LayoutInput {
        pane: Pane::Ranking,
        column: 0,
        models: 3,
        focuses_models: false,
        rows: [2, 8, 6],
    };

    /// At every size the parts lie inside the body, do not overlap, and fill it.
    #[test]
    fn the_parts_tile_the_body() {
        for size in [40, 71, 72, 80, 120, 140, 200, 500]
            .into_iter()
            .flat_map(|width| [8, 12, 18, 24, 40, 60].map(|height| (width, height)))
        {
            let body = frame(size).body;
            for (pane, models) in [(Pane::Queries, 2), (Pane::Ranking, 3), (Pane::Ranking, 4)] {
                for focuses_models in [false, pane == Pane::Queries] {
                    let rows = [2, 8, if models > 2 { 6 } else { 0 }];
                    let shape = LayoutInput { pane, column: 1, models, focuses_models, rows };
                    let of = areas(body, shape);
                    let mut parts = vec![of.conclusion, of.forest, of.models, of.queries, of.table];
                    parts.extend(of.rankings.iter().map(|(_, area)| *area));
                    for (at, part) in parts.iter().enumerate() {
                        assert_eq!(part.intersection(body).area(), part.area());
                        let clear = parts[..at].iter().all(|other| !part.intersects(*other));
                        assert!(clear || part.area() == 0, "{size:?}: {part:?}");
                    }
                    let covered: u32 = parts.iter().map(|part| part.area()).sum();
                    assert_eq!(covered, body.area(), "{size:?}, {shape:?}: {of:?}");
                }
            }
        }
    }

    /// Below 23 rows the forest plot and the table are shown only with focus, instead of the lists.
    #[test]
    fn lists_have_priority_over_the_forest_plot_in_few_rows() {
        let shown = |size, focuses_models| {
            let pane = Pane::Queries;
            let of = areas(frame(size).body, LayoutInput { pane, focuses_models, ..PLAIN });
            [of.conclusion, of.forest, of.models, of.queries].map(|area| area.area() > 0)
        };
        assert_eq!(shown((80, 20), false), [true, false, false, true]);
        assert_eq!(shown((80, 20), true), [true, true, true, false]);
        assert_eq!(shown((80, 24), false), [true, true, false, true]);
        assert_eq!(shown((120, 40), false), [true; 4]);
    }

    #[test]
    fn the_focused_ranking_is_visible_and_beside_others_the_first() {
        let sighted = |size, models, column| -> Vec<usize> {
            let of = areas(frame(size).body, LayoutInput { models, column, ..PLAIN });
            of.rankings.iter().map(|(column, _)| *column).collect()
        };
        assert_eq!(sighted((100, 30), 2, 1), [1]);
        let of_three = [0, 1, 2].map(|column| sighted((120, 40), 3, column));
        assert_eq!(of_three, [[0, 1], [0, 1], [0, 2]]);
        assert_eq!(sighted((160, 50), 3, 0), [0, 1, 2]);
        let of_four = [0, 1, 2, 3].map(|column| sighted((160, 50), 4, column));
        assert_eq!(of_four, [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 2, 3]]);
    }
}
