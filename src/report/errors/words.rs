//! Words of failures, for people.

use super::Errors;
use super::sheets::heads;
use crate::analysis::survey::Detail;
use crate::analysis::words::{LEVEL, Swapped, Word};
use crate::data::text::grouped;
use crate::report::compare::differences::{marked, p_value};
use crate::report::sheet::Sheet;

/// Words over-represented among failures; `None` without texts.
pub(super) fn words(errors: &Errors<'_>, detail: &Detail) -> Option<Sheet> {
    let row = |word: &Word| {
        vec![
            errors.evidence.texts.word(word.word).to_owned(),
            grouped(word.failures as usize),
            grouped(word.others as usize),
            format!("{:.2}", word.z),
            p_value(Some(word.p)),
            marked(Some(word.p_holm)),
        ]
    };
    let rows: Vec<Vec<String>> = errors.words(detail).map(row).collect();
    (!rows.is_empty()).then(|| Sheet {
        title: format!(
            "words of failing queries against the others, under {} (z: difference of log-odds over \
             its deviation)",
            errors.truth(detail.view.truth)
        ),
        head: heads(["word", "failures", "others", "z", "p", "Holm"]),
        rows,
        words: 1,
    })
}

/// Words that the first items add, and those that they lack; `None` without texts.
pub(super) fn swapped(errors: &Errors<'_>, detail: &Detail) -> Option<Sheet> {
    let name = |of: Option<&Swapped>, is_extra: bool| {
        let of = of.filter(|of| (of.extra > of.missing) == is_extra);
        of.map_or_else(
            || vec![String::new(); 5],
            |of| {
                let word = errors.evidence.texts.word(of.word).to_owned();
                vec![
                    word,
                    grouped(of.extra as usize),
                    grouped(of.missing as usize),
                    p_value(Some(of.p)),
                    marked(Some(of.p_holm)),
                ]
            },
        )
    };
    let (all, count) = (&detail.swapped, detail.swapped.len());
    let row = |at: usize| {
        let mut cells = name(all.get(at), true);
        cells.extend(name(all.get(count - 1 - at), false));
        cells
    };
    let rows = (0..errors.words.min(count)).map(row);
    let rows: Vec<Vec<String>> = rows.filter(|row| row.concat() != "").collect();
    (!rows.is_empty()).then(|| Sheet {
        title: format!(
            "words of failures under {}: + in the first item's caption and not in the nearest right one, - the \
             other way round",
            errors.truth(detail.view.truth)
        ),
        head: heads([
            "added", "+", "-", "p", "Holm", "lacked", "+", "-", "p", "Holm",
        ]),
        rows,
        words: 1,
    })
}

/// How the p-values of words are corrected; nothing where there are none.
pub(super) fn legend(errors: &Errors<'_>) -> Vec<String> {
    let looked_at = |detail: &Detail| !(detail.words.is_empty() && detail.swapped.is_empty());
    if !errors.survey.details.iter().any(looked_at) {
        return Vec::new();
    }
    vec![format!(
        "words: p, two-sided, of z by the normal distribution, of + against - by McNemar's mid-p, queries taken as \
         independent; Holm: corrected over all words of a table that occur, those not printed too; * below \
         {LEVEL}: without it a word may be there by chance"
    )]
}
