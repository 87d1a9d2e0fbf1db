//! How the explorer writes badges, marks, numbers and bars, in one place.

use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
pub use crate::data::text::UNDEFINED;
use crate::data::text::grouped;
pub use crate::data::text::score;
use crate::metric::CLOSE;
use crate::rank::QueryRanks;
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::judgment::Judgment;
use crate::truth::response::Response;
use crate::truth::standing::{Badge, Standing};
use crate::tui::theme::{Theme, ThemeStyle};
use crate::tui::ui::text;

/// Sign of a query with a note.
pub const NOTE: &str = "✎";

/// Sign of a top-1 item that is no positive, while it is not known whether somebody judged it not relevant.
pub const UNKNOWN: &str = "…";

/// Meaning of a badge.
pub fn badge_meaning(badge: Badge) -> &'static str {
    match badge {
        Badge::Original => "positive in the original annotation",
        Badge::NonGt => "positive, though the original annotation does not list it",
        Badge::Positive => "positive, where no original annotation is loaded",
        Badge::NotRelevant => "somebody said no: a judgment, a low rating, a grade of 0",
        Badge::Unjudged => "no annotated ground truth lists it; nobody said no",
        Badge::NotCovered => "no ground truth beyond the original annotation covers the query",
    }
}

/// Mark of the standing of a pair in one ground truth.
pub fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Positive => "✓",
        Standing::NotRelevant => "✗",
        Standing::NotListed => "·",
        Standing::NotCovered => "?",
    }
}

/// R@1 of a query, 1 or 0, with its style; `is_correct` is `None` if R@1 is undefined. It is no mark such as ✗: at
/// R@1 = 0, top-1 may just be unjudged.
pub fn r1_sign(is_correct: Option<bool>, theme: &Theme) -> (&'static str, ThemeStyle) {
    match is_correct {
        Some(true) => ("1", theme.up),
        Some(false) => ("0", theme.dim),
        None => (UNDEFINED, theme.dim),
    }
}

/// Text of a pair in one ground truth: its rating. `Some(None)`, an unrated pair: the mark of a positive, else
/// [`UNDEFINED`]. `None`, a truth without ratings: the mark.
pub fn rating_or_mark(standing: Standing, rating: Option<Option<f64>>) -> String {
    match rating {
        Some(Some(rating)) => format!("{rating:.2}"),
        Some(None) if standing != Standing::Positive => UNDEFINED.into(),
        _ => self::standing(standing).into(),
    }
}

/// The sign of a response, beside the badge.
pub fn response(response: Response) -> &'static str {
    match response {
        Response::Judgment(Judgment::Yes) => "+",
        Response::Judgment(Judgment::Partial) => "±",
        Response::Judgment(Judgment::MostlyNo) => "∓",
        Response::Judgment(Judgment::No) => "×",
        Response::CantTell => "~",
    }
}

/// Meaning of the mark of a standing.
pub fn describe_standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Positive => "positive",
        Standing::NotRelevant => "judged not relevant",
        Standing::NotListed => "not listed",
        Standing::NotCovered => "query not covered",
    }
}

/// An ordinal: 1st, 2nd, 3rd, 4th.
pub fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Rank of a query's first positive as text; `>` and the depth of the ranking if that ends before it; a dot if there is
/// none.
pub fn first_rank(ranks: QueryRanks<'_>) -> String {
    match (ranks.first(), ranks.depth) {
        (Some(rank), _) => grouped(rank as usize),
        (None, Some(depth)) if depth > 0 && ranks.unranked > 0 => {
            format!(">{}", grouped(depth as usize))
        }
        (None, _) => UNDEFINED.into(),
    }
}

/// A share from 0 to 1 as a percentage with `decimals`, without the percent sign; a dot if it is undefined.
pub fn share(value: Option<f64>, decimals: usize) -> String {
    // Halves go up, as in tables.
    value.map_or(UNDEFINED.into(), |share| format!("{:.decimals$}", share * 100.0 + CLOSE))
}

/// A value of a query as text: whole ones as integers, others as scores; a dot if unknown.
pub fn number(value: Option<f64>) -> String {
    match value {
        None => UNDEFINED.into(),
        Some(value) if value.fract() == 0.0 && value.abs() < 1e9 => {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{sign}{}", grouped(value.abs() as usize))
        }
        Some(value) => score(value),
    }
}

/// A similarity phi with two decimals; a dot if unknown.
pub fn phi(value: Option<f64>) -> String {
    value.map_or(UNDEFINED.into(), |value| format!("{value:.2}"))
}

/// A horizontal bar for a share from 0 to 1, full at 1, in eighths of a column; `columns`: its full length.
pub fn bar(share: f64, columns: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * columns as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// A vertical bar of one cell for a share from 0 to 1, full at 1, in eighths of a row.
pub fn vertical_bar(share: f64) -> char {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    EIGHTHS[(share.clamp(0.0, 1.0) * 8.0).round() as usize]
}

/// Name of a model in at most `columns`, distinct from the other models.
pub fn model_name(study: &Study, model: ModelIx, columns: usize) -> String {
    let all: Vec<&str> = study.models.iter().map(|model| model.name.as_str()).collect();
    text::fit_distinct(&study.models[model].name, &all, columns)
}

/// Column of an item list with the mark or rating of each item in one ground truth.
#[derive(Debug, Clone)]
pub struct MarkColumn<'a> {
    /// The truth.
    pub truth: &'a Truth,
    /// Its name as a heading.
    pub heading: String,
    /// Whether ratings take the place of marks.
    has_ratings: bool,
}

/// Width in terminal columns of a mark or a rating, and of the heading.
pub const MARK_COLUMNS: usize = 4;

impl<'a> MarkColumn<'a> {
    /// A column for each truth that covers a direction, and for the current truth.
    pub fn all(study: &'a Study, direction: Direction, current: TruthIx) -> Vec<Self> {
        let is_shown = |(at, truth): &(TruthIx, &Truth)| {
            *at == current || truth.relevance[direction].is_some()
        };
        let mark = |(_, truth): (TruthIx, &'a Truth)| MarkColumn {
            truth,
            heading: truth.name.chars().take(MARK_COLUMNS).collect(),
            has_ratings: study.is_rated(truth),
        };
        TruthIx::enumerate(&study.truths).filter(is_shown).map(mark).collect()
    }

    /// Content of the column for a query and an item, and its standing in the truth.
    pub fn cell(
        &self,
        study: &Study,
        direction: Direction,
        (query, item): (usize, usize),
    ) -> (String, Standing) {
        let standing = study.standing(self.truth, direction, query.into(), item.into());
        let rating = || study.rating(direction, query.into(), item.into());
        (rating_or_mark(standing, self.has_ratings.then(rating)), standing)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_rating_replaces_the_mark() {
        use super::{Standing, rating_or_mark};
        assert_eq!(rating_or_mark(Standing::Positive, None), "✓");
        assert_eq!(rating_or_mark(Standing::NotListed, Some(Some(2.975))), "2.98");
        assert_eq!(rating_or_mark(Standing::NotListed, Some(None)), "·");
        assert_eq!(rating_or_mark(Standing::Positive, Some(None)), "✓");
    }

    #[test]
    fn values_of_queries_are_formatted() {
        let shown = [Some(-17.0), Some(-0.0), Some(3183.0), Some(0.25), None].map(super::number);
        assert_eq!(shown, ["-17", "0", "3,183", "0.2500", "·"]);
    }

    #[test]
    fn a_bar_is_full_at_one() {
        let bars = [0.0, 0.5, 0.3, 1.0, 7.0, -1.0, f64::NAN].map(|share| super::bar(share, 4));
        assert_eq!(bars, ["", "██", "█▎", "████", "████", "", ""]);
        assert_eq!(super::bar(0.5, 0), "");
        let upright = [0.0, 0.5, 1.0, 7.0, f64::NAN].map(super::vertical_bar);
        assert_eq!(upright, [' ', '▄', '█', '█', ' ']);
    }

    #[test]
    fn ordinals_have_their_endings() {
        let shown = [1, 2, 3, 4, 11, 12, 13, 21, 112].map(super::ordinal);
        let ends = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"];
        assert_eq!(shown, ends);
    }
}
