//! Where the parts of the screen are.

use ratatui::layout::Rect;

use super::Cx;
use super::ranking::{BEFORE, CAPTION};
use crate::tui::model::query_list::Pane;
use crate::tui::screens::layout::{frame, split, stack};

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Areas {
    /// The list of queries, with its frame.
    pub queries: Rect,
    /// The ranking of each model, with its frame. As many have a size as there is room for: that of the first model,
    /// and the one that keys go to with those before it; where there is no room for two, that one alone.
    pub columns: Vec<Rect>,
    /// A row of pictures each, with the model's name above: those of the rankings in sight, where there are
    /// pictures and room.
    pub strips: Vec<Rect>,
    /// The selected query by every model.
    pub table: Rect,
    /// What there is to say of it.
    pub told: Rect,
}

/// Narrower screens show the list or the rankings.
const TWO_LISTS: u16 = 72;
/// Lower screens show rankings only.
const WITH_TABLE: u16 = 15;
/// Rows of the table: a frame, names, and a line for each of four models.
const TABLE: u16 = 7;
/// Rows of it on a high screen, for the sentences beside it, and where that begins.
const HIGH_TABLE: u16 = 9;
const HIGH: u16 = 30;
/// The list of queries is not made narrower than this for the sake of rankings.
const LEAST_QUERIES: u16 = 30;
/// Rows of pictures have at most this share of the rankings' rows; each so many rows at least and at most,
/// with the model's name.
const STRIPS: (u16, u16) = (3, 5);
const LEAST_STRIP: u16 = 8;
const HIGHEST_STRIP: u16 = 12;
/// Columns that each of several rankings needs: a caption, what stands before it, and the frame. Where these are not
/// there for two, one is shown at a time.
const LEAST: u16 = (CAPTION + BEFORE) as u16 + 2;

/// The layout of a terminal of this size, for so many models, and for which of their rankings keys go to.
pub fn areas(size: (u16, u16), pane: Pane, models: usize, column: usize) -> Areas {
    let body = frame(size).body;
    if body.area() == 0 {
        return Areas::default();
    }
    let below = match body.height {
        HIGH.. => HIGH_TABLE,
        WITH_TABLE.. => TABLE,
        _ => 0,
    };
    let (lists, details) = stack(body, below);
    let models = models as u16;
    let (queries, rankings) = match (body.width < TWO_LISTS, pane) {
        (false, _) => {
            let beside = (body.width - LEAST_QUERIES) / LEAST;
            let left = body.width.saturating_sub(beside.clamp(1, models.max(1)) * LEAST);
            split(lists, left.clamp(LEAST_QUERIES, list_width(body.width)))
        }
        (true, Pane::Queries) => (lists, Rect::default()),
        (true, Pane::Ranking) => (Rect::default(), lists),
    };
    let (table, told) = if body.width < TWO_LISTS {
        (details, Rect::default())
    } else {
        split(details, body.width * 55 / 100)
    };
    Areas {
        queries,
        columns: columns(rankings, models, column as u16),
        strips: Vec::new(),
        table,
        told,
    }
}

/// The layout while the rankings are contact sheets: a row of cards a model, as many as there is room for below each
/// other, beside the list of queries where there is room for it.
fn areas_of_cards(size: (u16, u16), pane: Pane, models: usize, column: usize, wide: bool) -> Areas {
    let body = frame(size).body;
    let (queries, rows) = match pane {
        _ if body.width >= TWO_LISTS && !wide => split(body, list_width(body.width)),
        Pane::Queries => (body, Rect::default()),
        Pane::Ranking => (Rect::default(), body),
    };
    let count = (rows.height / LEAST_STRIP).clamp(1, (models as u16).max(1));
    // Rows of one height have cards of one width.
    let height = rows.height / count;
    let part = |place: u16| Rect { y: rows.y + height * place, height, ..rows };
    Areas {
        queries,
        columns: vec![Rect::default(); models],
        strips: placed(models as u16, count, column as u16, part),
        ..Areas::default()
    }
}

/// Columns of the list of queries beside one ranking.
fn list_width(width: u16) -> u16 {
    (width * 34 / 100).max(LEAST_QUERIES)
}

/// Gives the upper part of the rankings to rows of pictures, one a ranking in sight, or where one is alone one a
/// model; to none where there is no room for two, or for lists below.
fn add_strips(areas: &mut Areas) {
    let is_alone = areas.has_one_ranking();
    let is_shown = |at: &usize| is_alone || areas.columns[*at].area() > 0;
    let shown: Vec<usize> = (0..areas.columns.len()).filter(is_shown).collect();
    let room = areas.ranking().height * STRIPS.0 / STRIPS.1;
    let count = (shown.len() as u16).min(room / LEAST_STRIP);
    let mut sighted = areas.columns.iter().filter(|column| column.area() > 0);
    let (Some(first), true) = (sighted.next(), count > 1) else {
        return;
    };
    let last = sighted.next_back().unwrap_or(first);
    let height = (room / count).min(HIGHEST_STRIP);
    let (x, y, width) = (first.x, first.y, last.right() - first.x);
    areas.strips = vec![Rect::default(); areas.columns.len()];
    for (row, at) in (0..count).zip(shown) {
        areas.strips[at] = Rect::new(x, y + row * height, width, height);
    }
    for column in areas.columns.iter_mut().filter(|column| column.area() > 0) {
        column.y += count * height;
        column.height -= count * height;
    }
}

/// Equal parts beside each other for the rankings in sight; where there is no room for two, all of it for one.
fn columns(area: Rect, models: u16, column: u16) -> Vec<Rect> {
    let count = (area.width / LEAST).clamp(1, models.max(1));
    let start = |place: u16| area.x + area.width * place / count;
    let part =
        |place: u16| Rect { x: start(place), width: start(place + 1) - start(place), ..area };
    placed(models, count, column, part)
}

/// The parts of those of the models that are among `count` in sight: the first one's, and those up to that which keys
/// go to.
fn placed(models: u16, count: u16, column: u16, part: impl Fn(u16) -> Rect) -> Vec<Rect> {
    let column = column.min(models.saturating_sub(1));
    // Changes are against the first one: it stays beside any other.
    let beside = count - 1;
    let first = (column + 1).saturating_sub(beside).max(1);
    let place = |at: u16| match at {
        _ if beside == 0 => (at == column).then_some(0),
        0 => Some(0),
        at => (first..first + beside).contains(&at).then(|| at - first + 1),
    };
    let parts = (0..models).map(|at| place(at).map_or(Rect::default(), &part));
    parts.collect()
}

impl Areas {
    /// A ranking: all of them are equally high, but where one has the whole screen.
    pub fn ranking(&self) -> Rect {
        let columns = self.columns.iter().copied();
        columns.max_by_key(|column| column.height).unwrap_or_default()
    }

    /// Whether one ranking alone is in sight.
    pub fn has_one_ranking(&self) -> bool {
        self.sighted().count() == 1
    }

    /// The places of the rankings in sight, as lists or as rows of cards.
    pub fn sighted(&self) -> impl DoubleEndedIterator<Item = usize> {
        let is_sighted =
            |parts: &[Rect], at: usize| parts.get(at).is_some_and(|part| part.area() > 0);
        let columns = 0..self.columns.len();
        columns.filter(move |&at| is_sighted(&self.columns, at) || is_sighted(&self.strips, at))
    }

    /// All of them: the list, the rankings, what is told.
    fn parts(&mut self) -> impl Iterator<Item = &mut Rect> {
        let lists = [&mut self.queries].into_iter().chain(&mut self.columns);
        let told = [&mut self.table, &mut self.told];
        lists.chain(told).chain(&mut self.strips)
    }
}

impl Cx<'_> {
    /// The parts of the compare screen at the present size.
    pub fn areas(self) -> Areas {
        let pane = self.model.selection.pane;
        let models = self.model.compared().len();
        if self.shows_cards() {
            let wide = self.ui.is_zoomed;
            return areas_of_cards(self.ui.size, pane, models, self.state.column, wide);
        }
        let mut areas = areas(self.ui.size, pane, models, self.state.column);
        if self.ui.ranks_pictures(self.model.view.direction) {
            add_strips(&mut areas);
        }
        let last = areas.columns.len().saturating_sub(1);
        let focused = match pane {
            Pane::Queries => 0,
            Pane::Ranking => 1 + self.state.column.min(last),
        };
        self.ui.zoom(areas.parts(), focused);
        areas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panics where the parts overlap; gives how many cells they cover.
    fn covered(areas: &Areas, size: (u16, u16)) -> u32 {
        let mut parts = vec![areas.queries, areas.table, areas.told];
        parts.extend(areas.columns.iter().chain(&areas.strips));
        for (at, part) in parts.iter().enumerate() {
            let clear = parts[..at].iter().all(|other| !part.intersects(*other));
            assert!(clear || part.area() == 0, "{size:?}: {part:?}");
        }
        parts.iter().map(|part| part.area()).sum()
    }

    #[test]
    fn rows_of_cards_have_the_screen_of_any_size() {
        let of = |size, pane, models, wide| {
            let areas = areas_of_cards(size, pane, models, models - 1, wide);
            let body = frame(size).body;
            let rest = body.area() - covered(&areas, size);
            assert!(rest < u32::from(body.width) * models as u32, "{size:?}");
            let heights = areas.strips.iter().map(|strip| strip.height);
            (areas.queries.width, heights.collect::<Vec<_>>())
        };
        let ranking = |size, models, wide| of(size, Pane::Ranking, models, wide);
        assert_eq!(ranking((80, 24), 2, false), (30, vec![10, 10]));
        assert_eq!(ranking((80, 24), 3, true), (0, vec![10, 0, 10]));
        assert_eq!(ranking((160, 50), 4, false), (54, vec![11; 4]));
        assert_eq!(ranking((60, 12), 2, false), (0, vec![0, 9]));
        assert_eq!(of((60, 12), Pane::Queries, 2, false), (60, vec![0, 0]));
    }

    /// At every size the parts fill what is between header and footer, and do not overlap.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 71, 72, 80, 120, 140, 200, 500] {
            for height in [8, 12, 18, 24, 40, 60] {
                for (pane, models) in [(Pane::Queries, 2), (Pane::Ranking, 3), (Pane::Ranking, 4)] {
                    let mut areas = areas((width, height), pane, models, 1);
                    if models < 4 {
                        add_strips(&mut areas);
                    }
                    let body = frame((width, height)).body;
                    assert_eq!(covered(&areas, (width, height)), body.area());
                }
            }
        }
        let of = |size, models| areas(size, Pane::Queries, models, 1);
        let small = of((80, 24), 3);
        assert!(small.has_one_ranking() && small.columns[1].width == 50);
        let sighted = |size, models, column| {
            let areas = areas(size, Pane::Ranking, models, column);
            areas.sighted().collect::<Vec<_>>()
        };
        assert_eq!(sighted((100, 30), 2, 0), [0]);
        assert_eq!(sighted((120, 40), 2, 0), [0, 1]);
        let of_three = [0, 1, 2].map(|column| sighted((120, 40), 3, column));
        assert_eq!(of_three, [[0, 1], [0, 1], [0, 2]]);
        assert_eq!(sighted((160, 50), 3, 0), [0, 1, 2]);
        let of_four = [0, 1, 2, 3].map(|column| sighted((160, 50), 4, column));
        assert_eq!(of_four, [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 2, 3]]);
        let wide = areas((120, 40), Pane::Ranking, 3, 2);
        assert!(wide.columns.iter().all(|column| [0, 43].contains(&column.width)));
        assert_eq!(of((39, 50), 2), Areas::default());
        let strips = |size, models| {
            let mut areas = areas(size, Pane::Queries, models, 0);
            add_strips(&mut areas);
            areas.strips.iter().filter(|strip| strip.area() > 0).count()
        };
        assert_eq!([strips((80, 24), 2), strips((120, 40), 2), strips((160, 50), 3)], [0, 2, 2]);
    }
}
