//! What a line of the ranking has room for.

use super::{Cx, NAMES};
use crate::data::text::grouped;
use crate::truth::Truth;
use crate::tui::model::query_list::Item;
use crate::tui::screens::layout::rows;
use crate::tui::signs::{self, Mark, Shown};
use crate::tui::widgets::columns::{Text, fitting};
use crate::tui::widgets::text;

/// Columns of the bar before a rank, and digits that a rank has room for at the least.
const BAR: usize = 1;
const DIGITS: usize = 3;
/// Columns of the badge and the sign of a verdict, with blanks around both.
const SIGN: usize = 4;
/// Columns of scores where none is in sight yet.
const SCORE: usize = 6;
/// Columns of phi: the blank before it, the number, and its bar.
const PHI: usize = 6;
const BAR_OF_PHI: usize = 5;
/// The same where it stands upright.
const UPRIGHT: usize = 1;
/// Columns of one's own verdict in words.
const MINE: usize = 11;
/// Columns of a line that has room for the verdict in words beside the text alone.
const ROOMY: usize = 60;

/// What a line of the ranking has room for, in columns of the terminal.
#[derive(Clone)]
pub(super) struct Columns<'a> {
    /// The bar and the rank.
    pub rank: usize,
    /// The score; 0 where there is no room for scores.
    pub score: usize,
    /// phi of the item; 0 where there is none.
    pub phi: usize,
    /// A bar of phi after it: upright in one column.
    pub bar: usize,
    /// The picture before the text, with a blank.
    pub picture: usize,
    pub text: usize,
    /// The truths after the text.
    pub marks: Vec<Mark<'a>>,
    /// One's own verdict in words; 0 where its sign must do.
    pub mine: usize,
}

/// What is left out, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Whole,
    WithoutVerdicts,
    ShortNames,
    WithoutBars,
    WithoutScores,
    WithoutRatings,
}

const LEVELS: [Level; 6] = [
    Level::Whole,
    Level::WithoutVerdicts,
    Level::ShortNames,
    Level::WithoutBars,
    Level::WithoutScores,
    Level::WithoutRatings,
];

impl Level {
    fn shown(self) -> Shown {
        match self {
            Level::Whole | Level::WithoutVerdicts => Shown::Names,
            Level::ShortNames | Level::WithoutBars | Level::WithoutScores => Shown::Letters,
            Level::WithoutRatings => Shown::Marks,
        }
    }
}

impl Columns<'_> {
    /// Columns before the picture or the text.
    pub fn before(&self) -> usize {
        self.rank + self.score + self.phi + self.bar + SIGN
    }

    fn after(&self) -> usize {
        let marks = self.marks.iter().map(|mark| mark.columns);
        marks.sum::<usize>() + self.mine
    }

    /// The same for an item: its text has the picture's columns, too, where it has no picture.
    pub fn of(&self, cx: Cx<'_>, item: Item) -> Self {
        let mut columns = self.clone();
        if cx.ui.pictures.lacks(item.item).is_some() {
            columns.text += std::mem::take(&mut columns.picture);
        }
        columns
    }

    /// Leaves out truths, the last first, until the text has half of the line; the one looked at stays.
    fn without_marks(mut self, width: usize, here: &Truth) -> Self {
        while self.text * 2 < width {
            let is_other = |mark: &Mark| !std::ptr::eq(mark.truth, here);
            let Some(last) = self.marks.iter().rposition(is_other) else {
                break;
            };
            self.text += self.marks.remove(last).columns;
        }
        self
    }
}

impl<'a> Cx<'a> {
    /// What the lines of the ranking have room for at the present size.
    pub(super) fn columns(self) -> Columns<'a> {
        let width = usize::from(self.areas().ranking.width.saturating_sub(2));
        let picture = usize::from(self.thumb_columns());
        let picture = picture + usize::from(picture > 0);
        let room = width.saturating_sub(picture);
        let at = |level| self.columns_at(level, room);
        let level = fitting(&LEVELS, Text::Most, room, |level| at(level).text);
        let columns = at(level.unwrap_or(Level::WithoutRatings));
        Columns { picture, ..columns.without_marks(room, self.model.truth()) }
    }

    fn columns_at(self, level: Level, room: usize) -> Columns<'a> {
        if self.model.is_blind() {
            return self.blind_columns(room);
        }
        let (ranks, scores) = self.widths_in_sight();
        let view = self.model.view;
        let judged = !self.model.judgements.is_empty();
        let has_phi = self.model.phi_in_force().is_some();
        let of_phi = |columns: usize| if has_phi { columns } else { 0 };
        let marks = Mark::all(&self.model.study, view.direction, view.truth, level.shown());
        let is_narrow = level >= Level::ShortNames && !self.has_rating_in_sight();
        let narrowed = |mark: Mark<'a>| {
            if is_narrow { mark.without_ratings() } else { mark }
        };
        let mut columns = Columns {
            rank: BAR + ranks,
            score: if level < Level::WithoutScores { scores + 1 } else { 0 },
            phi: of_phi(PHI),
            bar: of_phi(if level < Level::WithoutBars { BAR_OF_PHI } else { UPRIGHT }),
            picture: 0,
            text: 0,
            marks: marks.into_iter().map(narrowed).collect(),
            mine: if judged && level == Level::Whole { MINE } else { 0 },
        };
        columns.text = room.saturating_sub(columns.before() + columns.after());
        columns
    }

    /// Text and answers alone.
    fn blind_columns(self, room: usize) -> Columns<'a> {
        let mut columns = Columns {
            rank: BAR,
            score: 0,
            phi: 0,
            bar: 0,
            picture: 0,
            text: 0,
            marks: Vec::new(),
            mine: if self.model.judgements.is_empty() || room < ROOMY { 0 } else { MINE },
        };
        columns.text = room.saturating_sub(columns.before() + columns.after());
        columns
    }

    /// The items that there are rows for, from the first one in sight on.
    fn sighted(self) -> impl Iterator<Item = Item> {
        let first = self.state.item_offset;
        let count = rows(self.areas().ranking, NAMES);
        (first..first + count).map_while(move |place| self.model.listed_item(place))
    }

    /// Whether people rated any of them with the query.
    fn has_rating_in_sight(self) -> bool {
        let (study, direction) = (&self.model.study, self.model.view.direction);
        let query = self.model.selection.query();
        let is_rated = |query: usize, item: Item| {
            let rating = study.rating(direction, query.into(), item.item.into());
            rating.is_some()
        };
        query.is_some_and(|query| self.sighted().any(|item| is_rated(query, item)))
    }

    /// Digits of the ranks in sight, and columns of the scores.
    fn widths_in_sight(self) -> (usize, usize) {
        let last = self.state.item_offset + rows(self.areas().ranking, NAMES);
        let (mut rank, mut score) = (last, None);
        for item in self.sighted() {
            rank = rank.max(item.rank);
            score = score.max(Some(text::width(&signs::score(item.score))));
        }
        let score = score.unwrap_or(SCORE).max("score".len());
        (text::width(&grouped(rank)).max(DIGITS), score)
    }
}
