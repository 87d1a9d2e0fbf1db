//! Layout of the compare screen.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::state::query_list::Pane;

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Default)]
pub(super) struct Areas {
    pub(super) conclusion: Rect,
    pub(super) forest: Rect,
    pub(super) models: Rect,
    pub(super) queries: Rect,
    /// Visible ranking columns, and their areas.
    pub(super) rankings: Vec<(usize, Rect)>,
    pub(super) table: Rect,
}

/// Narrower screens show the list or the rankings.
const TWO_LISTS: u16 = 72;
/// Minimum width of the list of queries beside rankings.
const MIN_QUERIES_WIDTH: u16 = 30;
/// Minimum columns of each ranking.
const MIN_RANKING_WIDTH: u16 = 43;

/// Minimum and maximum rows of the table.
const MIN_TABLE_ROWS: u16 = 4;
pub(super) const MAX_TABLE_ROWS: usize = 10;
/// Minimum rows of the lists.
const MIN_LIST_ROWS: u16 = 9;
/// Lower bodies show the forest plot and the table of models instead of the lists.
const MIN_BODY_ROWS: u16 = 20;
/// Wider: the table of models is beside the forest plot.
const SIDE_BY_SIDE: u16 = 110;
/// Columns of the table of models beside the forest plot.
const TABLE: u16 = 52;

/// Inputs of the layout besides the area.
#[derive(Debug, Clone, Copy)]
pub(super) struct LayoutInput {
    pub(super) pane: Pane,
    pub(super) column: usize,
    /// Number of compared models.
    pub(super) models: usize,
    pub(super) on_models: bool,
    /// Rows of the conclusion, the forest plot and the table of models; 0 without a table.
    pub(super) rows: [u16; 3],
}

/// The forest plot and the table of models within their part.
fn evidence(area: Rect, [_, forest, table]: [u16; 3]) -> [Rect; 2] {
    use Constraint::{Fill, Length};
    if table == 0 || area.width < SIDE_BY_SIDE && area.height < forest + MIN_TABLE_ROWS {
        return [area, Rect::default()];
    }
    if area.width >= SIDE_BY_SIDE {
        return area.layout(&Layout::horizontal([Fill(1), Length(TABLE)]));
    }
    area.layout(&Layout::vertical([Length(forest), Fill(1)]))
}

/// The parts of a body.
pub(super) fn areas(whole: Rect, of: LayoutInput) -> Areas {
    use Constraint::{Fill, Length};
    let LayoutInput { pane, column, models, on_models, rows } = of;
    let [conclusion, forest, table] = rows;
    let [conclusion, body] = whole.layout(&Layout::vertical([Length(conclusion), Fill(1)]));
    let is_wide = body.width >= SIDE_BY_SIDE;
    let room = body.height.saturating_sub(MIN_LIST_ROWS);
    let wanted = match is_wide {
        true => forest.max(table),
        false if room < forest + MIN_TABLE_ROWS => forest,
        false => forest + table,
    };
    let is_low = whole.height < MIN_BODY_ROWS;
    let shown = match on_models {
        true if is_low => body.height,
        false if is_low => 0,
        _ => wanted.min(room),
    };
    let [evidence_area, body] = body.layout(&Layout::vertical([Length(shown), Fill(1)]));
    let [forest, models_area] = match shown {
        0 => [Rect::default(); 2],
        _ => evidence(evidence_area, rows),
    };
    let answer = Areas { conclusion, forest, models: models_area, ..Areas::default() };
    if body.height == 0 {
        return answer;
    }
    let is_single = body.width < TWO_LISTS;
    let below = match body.height {
        32.. => 9,
        22.. => 7,
        _ => 0,
    };
    let [lists, table] = body.layout(&Layout::vertical([Fill(1), Length(below)]));
    let widest = (body.width * 34 / 100).max(MIN_QUERIES_WIDTH);
    let beside = body.width.saturating_sub(MIN_QUERIES_WIDTH) / MIN_RANKING_WIDTH;
    let beside = beside.clamp(1, (models as u16).max(1)) * MIN_RANKING_WIDTH;
    let left = body.width.saturating_sub(beside).clamp(MIN_QUERIES_WIDTH, widest);
    let [queries, rankings] = lists.layout(&Layout::horizontal(match pane {
        _ if !is_single => [Length(left), Fill(1)],
        Pane::Queries => [Fill(1), Length(0)],
        Pane::Ranking => [Length(0), Fill(1)],
    }));
    let mut areas = Areas { queries, table, ..answer };
    if rankings.area() == 0 {
        return areas;
    }
    let count = usize::from(rankings.width / MIN_RANKING_WIDTH).clamp(1, models.max(1));
    // Changes are against the first model, which is always visible.
    let others = (column + 2).saturating_sub(count).max(1);
    let sighted = match count {
        1 => vec![column],
        _ => [0].into_iter().chain(others..others + count - 1).collect(),
    };
    let parts = Layout::horizontal(vec![Fill(1); count]);
    areas.rankings = sighted.into_iter().zip(parts.split(rankings).iter().copied()).collect();
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
        on_models: false,
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
                for on_models in [false, pane == Pane::Queries] {
                    let rows = [2, 8, if models > 2 { 6 } else { 0 }];
                    let shape = LayoutInput { pane, column: 1, models, on_models, rows };
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
    fn lists_come_before_the_forest_plot_where_rows_are_few() {
        let shown = |size, on_models| {
            let pane = Pane::Queries;
            let of = areas(frame(size).body, LayoutInput { pane, on_models, ..PLAIN });
            [of.conclusion, of.forest, of.models, of.queries].map(|area| area.area() > 0)
        };
        assert_eq!(shown((80, 20), false), [true, false, false, true]);
        assert_eq!(shown((80, 20), true), [true, true, true, false]);
        assert_eq!(shown((80, 24), false), [true, true, false, true]);
        assert_eq!(shown((120, 40), false), [true; 4]);
    }

    #[test]
    fn the_first_ranking_and_the_one_with_keys_are_in_sight() {
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
