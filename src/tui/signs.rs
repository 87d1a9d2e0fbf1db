//! The signs of the explorer in one place: badges, marks, numbers.

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

/// A query with a note.
pub const NOTE: &str = "✎";

/// A top-1 item whose judgment is not known yet.
pub const UNKNOWN: &str = "…";

/// Meaning of a badge.
pub fn meaning(badge: Badge) -> &'static str {
    match badge {
        Badge::Original => "positive in the original annotation",
        Badge::Extra => "positive, though the original annotation does not list it",
        Badge::Positive => "positive, where no original annotation is loaded",
        Badge::NotRelevant => "somebody said no: a judgment, a low rating, a grade of 0",
        Badge::NotListed => "no annotated ground truth lists it; nobody said no",
        Badge::NotJudged => "no ground truth beyond the original annotation covers the query",
    }
}

/// Mark of a pair's standing in one ground truth.
pub fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Positive => "✓",
        Standing::NotRelevant => "✗",
        Standing::NotListed => "·",
        Standing::NotJudged => "?",
    }
}

/// R@1 of a query with its style; `None` if R@1 is undefined. Not the sign of a pair: top-1 may just be unjudged.
pub fn top_1(is_correct: Option<bool>, theme: &Theme) -> (&'static str, ThemeStyle) {
    match is_correct {
        Some(true) => ("1", theme.up),
        Some(false) => ("0", theme.dim),
        None => (UNDEFINED, theme.dim),
    }
}

/// Rating of a pair in one ground truth, else the mark of its standing. `rating` is `None` if the truth has no ratings,
/// `Some(None)` if the pair has none.
pub fn mark(standing: Standing, rating: Option<Option<f64>>) -> String {
    match rating {
        Some(Some(rating)) => format!("{rating:.2}"),
        Some(None) if standing != Standing::Positive => UNDEFINED.into(),
        _ => self::standing(standing).into(),
    }
}

/// The sign of a judgment, beside the badge.
pub fn response(response: Response) -> &'static str {
    match response {
        Response::Judgment(Judgment::Yes) => "+",
        Response::Judgment(Judgment::Partial) => "±",
        Response::Judgment(Judgment::MostlyNo) => "∓",
        Response::Judgment(Judgment::No) => "×",
        Response::CantTell => "~",
    }
}

/// Meaning of a mark.
pub fn standing_words(standing: Standing) -> &'static str {
    match standing {
        Standing::Positive => "positive",
        Standing::NotRelevant => "judged not relevant",
        Standing::NotListed => "not listed",
        Standing::NotJudged => "query not covered",
    }
}

/// An ordinal: 1st, 2nd, 3rd, 4th.
pub fn ordinal(place: usize) -> String {
    let ending = match (place % 10, place % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

/// Rank of a query's first positive; if the ranking ends before it, the depth of the ranking.
pub fn first_rank(ranks: QueryRanks<'_>) -> String {
    match (ranks.first(), ranks.depth) {
        (Some(rank), _) => grouped(rank as usize),
        (None, Some(depth)) if depth > 0 && ranks.unranked > 0 => {
            format!(">{}", grouped(depth as usize))
        }
        (None, _) => UNDEFINED.into(),
    }
}

/// A share in percent with `decimals`; a dot if it is undefined.
pub fn share(value: Option<f64>, decimals: usize) -> String {
    // Halves go up, as in tables.
    value.map_or(UNDEFINED.into(), |share| format!("{:.decimals$}", share * 100.0 + CLOSE))
}

/// A number of a query: whole ones as integers, others as scores; a dot if unknown.
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

/// A similarity phi; a dot if unknown.
pub fn phi(value: Option<f64>) -> String {
    value.map_or(UNDEFINED.into(), |value| format!("{value:.2}"))
}

/// A horizontal bar, full at 1, in eighths of a column.
pub fn bar(share: f64, columns: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * columns as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// An upright bar of one column.
pub fn upright(share: f64) -> char {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    EIGHTHS[(share.clamp(0.0, 1.0) * 8.0).round() as usize]
}

/// Name of a model in at most `columns`, distinct from the other models.
pub fn model(study: &Study, model: ModelIx, columns: usize) -> String {
    let all: Vec<&str> = study.models.iter().map(|one| one.name.as_str()).collect();
    text::fit_apart(&study.models[model].name, &all, columns)
}

/// A ground truth's column.
#[derive(Debug, Clone)]
pub struct Mark<'a> {
    /// The truth.
    pub truth: &'a Truth,
    /// Its name as a heading.
    pub heading: String,
    has_ratings: bool,
}

/// Columns of the terminal for a mark or a rating, and for the name above.
pub const MARK: usize = 4;

impl<'a> Mark<'a> {
    /// Columns of the truths of a direction, and of the current one.
    pub fn all(study: &'a Study, direction: Direction, here: TruthIx) -> Vec<Self> {
        let is_shown =
            |(at, truth): &(TruthIx, &Truth)| *at == here || truth.relevance[direction].is_some();
        let mark = |(_, truth): (TruthIx, &'a Truth)| Mark {
            truth,
            heading: truth.name.chars().take(MARK).collect(),
            has_ratings: study.is_rated(truth),
        };
        TruthIx::each(&study.truths).filter(is_shown).map(mark).collect()
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
        (mark(standing, self.has_ratings.then(rating)), standing)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_rating_stands_for_the_mark() {
        use super::{Standing, mark};
        assert_eq!(mark(Standing::Positive, None), "✓");
        assert_eq!(mark(Standing::NotListed, Some(Some(2.975))), "2.98");
        assert_eq!(mark(Standing::NotListed, Some(None)), "·");
        assert_eq!(mark(Standing::Positive, Some(None)), "✓");
    }

    #[test]
    fn numbers_of_queries() {
        let shown = [Some(-17.0), Some(-0.0), Some(3183.0), Some(0.25), None].map(super::number);
        assert_eq!(shown, ["-17", "0", "3,183", "0.2500", "·"]);
    }

    #[test]
    fn a_bar_is_full_at_one() {
        let bars = [0.0, 0.5, 0.3, 1.0, 7.0, -1.0, f64::NAN].map(|share| super::bar(share, 4));
        assert_eq!(bars, ["", "██", "█▎", "████", "████", "", ""]);
        assert_eq!(super::bar(0.5, 0), "");
        let upright = [0.0, 0.5, 1.0, 7.0, f64::NAN].map(super::upright);
        assert_eq!(upright, [' ', '▄', '█', '█', ' ']);
    }

    #[test]
    fn places_have_their_endings() {
        let shown = [1, 2, 3, 4, 11, 12, 13, 21, 112].map(super::ordinal);
        let ends = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"];
        assert_eq!(shown, ends);
    }
}
