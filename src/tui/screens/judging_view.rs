//! What the judging mode says of itself: whose answers, how many are left, how fast they come.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::data::text::{grouped, shown};
use crate::tui::model::Model;
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// The longest name of an annotator.
const NAME: usize = 12;

/// Columns in which the mode is named at least.
pub(super) const LEAST: usize = 14;
/// Columns in which what is left and the pace stand beside its name.
pub(super) const COUNTED: usize = 26;

/// What the header says of the mode in so many columns; empty where the mode is off.
pub(super) fn strip(cx: Context<'_>, room: usize) -> Line<'static> {
    if !cx.model.judging.is_on {
        return Line::default();
    }
    let style = Style::from(cx.theme.warning).add_modifier(Modifier::REVERSED | Modifier::BOLD);
    let name = text::fit(&shown(cx.model.session.by()), NAME);
    let named = text::fit(&format!(" JUDGING {name}"), room - 1);
    let counts = counts(cx);
    let beside = |mode: &str, around: usize| {
        let left = room.saturating_sub(text::width(mode) + 1);
        fitting(&counts, left, around)
    };
    // What is left and how fast it goes come before whose answers they are.
    let (mode, around) = [(&*named, 2), (&*named, 1), (" JUDGING", 2), (" JUDGING", 1)]
        .into_iter()
        .find(|&(mode, around)| beside(mode, around)[..ALWAYS].iter().all(Option::is_some))
        .unwrap_or((" JUDGING", 1));
    let fitting = beside(mode, around).into_iter().flatten();
    let mut line = Line::styled(format!("{mode} "), style);
    let before = " ".repeat(around - 1);
    line.extend(fitting.map(|words| Span::raw(format!("{before}{words} "))));
    line
}

/// Places among the counts in the order in which they get longer: the time that is left, what is left of what, and
/// the answers of a day.
const LONGER: [usize; 3] = [1, 0, 2];
/// How many of the counts are always shown where there is any room.
const ALWAYS: usize = 2;

/// Each count, with so many blanks around it, in as many words as there is room for: first all in the fewest, the most
/// important one first; then what room is left makes them longer, in the order of [`LONGER`]. `None` for one that does
/// not fit.
fn fitting(counts: &[Vec<String>; 3], room: usize, around: usize) -> Vec<Option<&String>> {
    let width = |words: Option<&String>| words.map_or(0, |words| text::width(words) + around);
    let mut left = room;
    let mut chosen: Vec<Option<&String>> = Vec::new();
    for ways in counts {
        let least = ways.last().filter(|words| width(Some(words)) <= left);
        left -= width(least);
        chosen.push(least);
    }
    for at in LONGER {
        let before = width(chosen[at]);
        let fits = |words: &&String| width(Some(words)) <= left + before;
        if let Some(longer) = counts[at].iter().find(fits).filter(|_| before > 0) {
            left = left + before - width(Some(longer));
            chosen[at] = Some(longer);
        }
    }
    chosen
}

/// What is counted, the most important first: how many answers there are in all is said above. Each in ever fewer words.
fn counts(cx: Context<'_>) -> [Vec<String>; 3] {
    let pace = cx.model.pace();
    let [of_day, all] = [pace.of_day, pace.all].map(grouped);
    let mut paces = vec![format!("{:.0}/min", pace.a_minute)];
    let queued = cx.model.left_in_queue();
    if let Some(time) = queued.and_then(|left| pace.time_for(left)) {
        paces.insert(0, format!("{}, {time} left", paces[0]));
    }
    let answers =
        vec![format!("answers: {of_day} in 24 h, {all} in all"), format!("{of_day} in 24 h")];
    [lefts(cx.model, queued), paces, answers]
}

/// What is left: of the pool that is judged, or else of the queries listed.
fn lefts(model: &Model, queued: Option<usize>) -> Vec<String> {
    // Which items come first is not known before ranks are counted.
    let of_queries = || model.scored().map(|_| model.left_to_judge());
    let left = queued.or_else(of_queries);
    let left = left.map_or("…".to_owned(), grouped);
    let what = if queued.is_some() {
        vec![format!("{left} of the pool left")]
    } else {
        let what = if model.judging.asks_listed { "" } else { " unlisted" };
        let depth = model.judging.depth;
        vec![format!("{left}{what} left in the first {depth}"), format!("{left}{what} left")]
    };
    what.into_iter().chain([format!("{left} left")]).collect()
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn counts_get_shorter_before_one_goes() {
        let counts = [
            vec!["28 of the pool left".to_owned(), "28 left".to_owned()],
            vec!["3/min, 10 min left".into(), "3/min".into()],
            vec!["answers: 3 in 24 h, 3 in all".into(), "3 in 24 h".into()],
        ];
        let shown = |room: usize| {
            let fitting = fitting(&counts, room, 2).into_iter().flatten();
            fitting.map(String::as_str).collect::<Vec<_>>().join("  ")
        };
        assert_eq!(shown(6), "");
        assert_eq!(shown(9), "28 left");
        assert_eq!(shown(20), "28 left  3/min");
        assert_eq!(shown(27), "28 left  3/min  3 in 24 h");
        assert_eq!(shown(40), "28 left  3/min, 10 min left  3 in 24 h");
        assert_eq!(shown(52), "28 of the pool left  3/min, 10 min left  3 in 24 h");
        assert_eq!(
            shown(71),
            "28 of the pool left  3/min, 10 min left  answers: 3 in 24 h, 3 in all"
        );
        // What does not fit leaves its room to what comes after.
        assert_eq!(shown(8), "3/min");
    }
}
