//! What the signs on the screens mean.

use super::{Entry, Row};
use crate::truth::response::Response;
use crate::truth::standing::{Badge, Standing};
use crate::truth::verdict::Verdict;
use crate::tui::popups::sheet::Tone;
use crate::tui::signs;

/// Every sign, under its heading.
pub(super) fn rows() -> Vec<Row> {
    let mut rows = vec![Row::Heading("signs of a retrieved item, over all ground truths".into())];
    rows.extend(Badge::ALL.map(|badge| {
        let sign = format!("{} {}", signs::badge(badge), badge.words());
        Entry::sign(Tone::Badge(badge), sign, signs::meaning(badge))
    }));
    rows.push(Row::Heading("marks in the column of one ground truth".into()));
    rows.extend(
        [
            (Standing::Positive, "listed as positive"),
            (Standing::NotRelevant, "judged not relevant: somebody said no"),
            (Standing::NotListed, "the query is judged, the item not listed: nobody said no"),
            (Standing::NotJudged, "the ground truth does not judge this query"),
        ]
        .map(|(standing, words)| Entry::sign(Tone::Base, signs::standing(standing), words)),
    );
    rows.push(Row::Heading("beside an item under several models".into()));
    rows.extend(
        [
            (
                "▲3 ▼12 ▼2k =",
                "its rank against the first model: higher, lower (2k: some 2,000), the same",
            ),
            ("new", "the first model does not rank it"),
            (signs::ONLY, "among the first 10 of this model alone"),
        ]
        .map(|(sign, words)| Entry::sign(Tone::Key, sign, words)),
    );
    rows.push(Row::Heading("your verdicts, beside the sign of the item".into()));
    rows.extend(Verdict::ALL.map(|verdict| {
        let sign = format!("{} {}", signs::verdict(verdict), verdict.key());
        Entry::sign(Tone::Key, sign, counts(verdict))
    }));
    let sign = format!("{} {}", signs::response(Response::CantTell), Response::CantTell);
    rows.push(Entry::sign(Tone::Key, sign, "counts as nothing, and is not asked again"));
    rows.push(Row::Heading("beside a line".into()));
    rows.extend(
        [
            (signs::MARKED, "marked: Space and verdicts are about all that are marked"),
            ("▎", "among the first R items of a ranking, which AP@R and R-Precision look at"),
            ("▸", "the ground truth looked at"),
            ("★", "picked"),
            (signs::NOTE, "a note"),
        ]
        .map(|(sign, words)| Entry::sign(Tone::Key, sign, words)),
    );
    rows.push(Row::Heading("in the header".into()));
    rows.push(Entry::sign(
        Tone::Base,
        "▁▄█",
        "beside a number: how it went over the last steps, from its least to its greatest value; begins anew with \
         another model, direction, ground truth, pool or filter. The history has all steps",
    ));
    rows.push(Row::Heading("in the list of queries".into()));
    rows.push(Entry::sign(
        Tone::Dim,
        signs::UNKNOWN,
        "top-1 is no positive; whether somebody judged it not relevant is not known yet",
    ));
    rows.extend(of_mouse());
    rows.push(Row::Heading("the search".into()));
    rows.push(Entry::sign(
        Tone::Key,
        "'",
        "before a text asks for it as it stands; without, whole words are found first, then parts of words, then all \
         words in any place; where no text has any of that, texts spelt alike: with the letters in this order",
    ));
    rows
}

/// What a click does.
fn of_mouse() -> Vec<Row> {
    let told = [
        ("click on a heading", "sorts by the column, again the other way round"),
        (
            "click on a header word",
            "model, direction, ground truth, pool, number of queries: as their key does",
        ),
        ("click on a hint", "in the last line: as its key does"),
        ("click on a line", "selects it; the wheel scrolls"),
        ("drag", "alpha of a mixture, in the header"),
    ];
    let entries = told.map(|(sign, words)| Entry::sign(Tone::Key, sign, words));
    let heading = Row::Heading("the mouse".into());
    std::iter::once(heading).chain(entries).collect()
}

fn counts(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Partial => "counts as positive in every ground truth, as half in nDCG",
        _ if verdict.is_positive() => "counts as positive in every ground truth",
        _ => "counts as not relevant in every ground truth",
    }
}
