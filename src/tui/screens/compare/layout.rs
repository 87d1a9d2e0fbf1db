//! Where the parts of the screen are.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::model::query_list::Pane;

/// How rankings are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Lists,
    /// Lists with rows of pictures above.
    Pictures,
    Cards,
}

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Default)]
pub(super) struct Areas {
    pub queries: Rect,
    /// The columns of the rankings in sight.
    pub sighted: Vec<usize>,
    /// The list of each ranking in sight; none where all are cards.
    pub lists: Vec<Rect>,
    /// The row of cards of each ranking in sight, of the first ones where there is no room for all.
    pub strips: Vec<Rect>,
    pub table: Rect,
    pub told: Rect,
}

/// Narrower screens show the list or the rankings.
const TWO_LISTS: u16 = 72;
/// Rows of the table of models, and from how many rows of the body on they are there: it and the sentences
/// beside it are higher on a high screen.
const TABLE: u16 = 7;
const WITH_TABLE: u16 = 15;
const HIGH_TABLE: u16 = 9;
const HIGH: u16 = 30;
/// The list of queries is not made narrower than this for the sake of rankings.
const LEAST_QUERIES: u16 = 30;
/// Columns that each of several rankings needs.
const LEAST_RANKING: u16 = 43;
/// Rows of cards with the name of their model: at least, and above a list at most.
const LEAST_STRIP: u16 = 8;
const HIGHEST_STRIP: u16 = 12;

/// The parts of a body for so many models, and for the pane and the column that keys go to.
pub(super) fn areas(
    body: Rect,
    (pane, column): (Pane, usize),
    models: usize,
    look: Look,
    zoom: bool,
) -> Areas {
    use Constraint::{Fill, Length, Percentage};
    let is_single = zoom || body.width < TWO_LISTS;
    let below = match body.height {
        _ if zoom || look == Look::Cards => 0,
        HIGH.. => HIGH_TABLE,
        WITH_TABLE.. => TABLE,
        _ => 0,
    };
    let [lists, details] = body.layout(&Layout::vertical([Fill(1), Length(below)]));
    let widest = (body.width * 34 / 100).max(LEAST_QUERIES);
    let beside = body.width.saturating_sub(LEAST_QUERIES) / LEAST_RANKING;
    let beside = beside.clamp(1, (models as u16).max(1)) * LEAST_RANKING;
    let left = match look {
        Look::Cards => widest,
        _ => body.width.saturating_sub(beside).clamp(LEAST_QUERIES, widest),
    };
    let [queries, rankings] = lists.layout(&Layout::horizontal(match pane {
        _ if !is_single => [Length(left), Fill(1)],
        Pane::Queries => [Fill(1), Length(0)],
        Pane::Ranking => [Length(0), Fill(1)],
    }));
    let told = if is_single { 0 } else { 45 };
    let [table, told] = details.layout(&Layout::horizontal([Fill(1), Percentage(told)]));
    let mut areas = Areas { queries, table, told, ..Areas::default() };
    if rankings.area() == 0 {
        return areas;
    }
    let count = match look {
        Look::Cards => rankings.height / LEAST_STRIP,
        _ if zoom => 1,
        _ => rankings.width / LEAST_RANKING,
    };
    let count = usize::from(count).clamp(1, models.max(1));
    // Changes are against the first model, which stays beside any other.
    let others = (column + 2).saturating_sub(count).max(1);
    areas.sighted = match count {
        1 => vec![column],
        _ => [0].into_iter().chain(others..others + count - 1).collect(),
    };
    // Pictures leave two fifths of the rows to the lists.
    let room = rankings.height * 3 / 5;
    let (strips, height) = match (look, room / LEAST_STRIP) {
        (Look::Cards, _) => (count, rankings.height / count as u16),
        (Look::Pictures, fitting @ 2..) if !zoom => {
            let strips = count.min(fitting.into());
            (strips, (room / strips as u16).min(HIGHEST_STRIP))
        }
        _ => (0, 0),
    };
    let mut rows = vec![Length(height); strips];
    rows.push(Fill(1));
    let rows = Layout::vertical(rows).split(rankings);
    areas.strips = rows[..strips].to_vec();
    if look != Look::Cards {
        areas.lists = Layout::horizontal(vec![Fill(1); count]).split(rows[strips]).to_vec();
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::layout::frame;

    const LOOKS: [Look; 3] = [Look::Lists, Look::Pictures, Look::Cards];

    /// At every size the parts lie inside the body, do not overlap, and fill it but for a rest below cards.
    #[test]
    fn the_parts_tile_the_body() {
        for size in [40, 71, 72, 80, 120, 140, 200, 500]
            .into_iter()
            .flat_map(|width| [8, 12, 18, 24, 40, 60].map(|height| (width, height)))
        {
            let body = frame(size).body;
            for (pane, models) in [(Pane::Queries, 2), (Pane::Ranking, 3), (Pane::Ranking, 4)] {
                for (look, zoom) in LOOKS.into_iter().flat_map(|of| [(of, false), (of, true)]) {
                    let of = areas(body, (pane, 1), models, look, zoom);
                    let mut parts = vec![of.queries, of.table, of.told];
                    parts.extend(of.lists.iter().chain(&of.strips));
                    for (at, part) in parts.iter().enumerate() {
                        assert_eq!(part.intersection(body).area(), part.area());
                        let clear = parts[..at].iter().all(|other| !part.intersects(*other));
                        assert!(clear || part.area() == 0, "{size:?}: {part:?}");
                    }
                    let rest = body.area() - parts.iter().map(|part| part.area()).sum::<u32>();
                    let most = if look == Look::Cards { body.width * 4 } else { 1 };
                    assert!(rest < u32::from(most), "{size:?}, {look:?}: {of:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_ranking_and_the_one_with_keys_are_in_sight() {
        let sighted = |size, models, column| {
            let keys = (Pane::Ranking, column);
            areas(frame(size).body, keys, models, Look::Lists, false).sighted
        };
        assert_eq!(sighted((100, 30), 2, 1), [1]);
        let of_three = [0, 1, 2].map(|column| sighted((120, 40), 3, column));
        assert_eq!(of_three, [[0, 1], [0, 1], [0, 2]]);
        assert_eq!(sighted((160, 50), 3, 0), [0, 1, 2]);
        let of_four = [0, 1, 2, 3].map(|column| sighted((160, 50), 4, column));
        assert_eq!(of_four, [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn cards_are_as_high_as_all_models_that_fit_leave_them() {
        let heights = |size, pane, look, zoom| {
            let of = areas(frame(size).body, (pane, 0), 3, look, zoom);
            (of.queries.width, of.strips.iter().map(|strip| strip.height).collect::<Vec<_>>())
        };
        let cards = |size, zoom| heights(size, Pane::Ranking, Look::Cards, zoom);
        assert_eq!(cards((80, 24), false), (30, vec![10, 10]));
        assert_eq!(cards((80, 24), true), (0, vec![10, 10]));
        assert_eq!(cards((60, 12), false), (0, vec![9]));
        assert_eq!(heights((60, 12), Pane::Queries, Look::Cards, false), (60, vec![]));
        let above = |size| heights(size, Pane::Queries, Look::Pictures, false).1;
        assert_eq!(
            [above((80, 24)), above((120, 40)), above((160, 50))],
            [vec![], vec![8, 8], vec![11, 11]]
        );
    }
}
