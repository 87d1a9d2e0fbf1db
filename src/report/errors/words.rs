//! Words of failures, for people.

use super::Errors;
use crate::analysis::survey::Detail;
use crate::analysis::words::{LEVEL, PRIOR, Swapped, Word};
use crate::data::text::grouped;
use crate::report::Table;
use crate::report::cell::{Cell, row};

/// Words over-represented among failures; `None` without texts.
pub(super) fn words<'a>(errors: &'a Errors<'_>, detail: &'a Detail) -> Option<Table<'a>> {
    let row = |word: &Word| {
        row![
            errors.evidence.texts.word(word.word),
            word.failures,
            word.others,
            Cell::Number(word.z, 2),
            Cell::P(word.p),
            Cell::corrected(word.p_holm)
        ]
    };
    let title = format!(
        "words of failing queries against the others, under {} (z: difference of log-odds over its deviation)",
        errors.truth(detail.view.truth)
    );
    let head = ["word", "failures", "others", "z", "p", "Holm"];
    Table::new(title, head, 1, errors.words(detail).map(row)).if_any()
}

/// Words that the first items add, and those that they lack; `None` without texts.
pub(super) fn swapped<'a>(errors: &'a Errors<'_>, detail: &'a Detail) -> Option<Table<'a>> {
    let (all, count) = (&detail.swapped, detail.swapped.len());
    let at_end = move |at: usize| [all.get(at), all.get(count - 1 - at)];
    let pairs = (0..errors.words.min(count)).map(at_end);
    // What is at neither end of the right sign is not told.
    let told = pairs.map(|[added, lacked]| {
        [added.filter(|of| of.extra > of.missing), lacked.filter(|of| of.extra <= of.missing)]
    });
    let told = told.filter(|both| both.iter().any(Option::is_some));
    let title = format!(
        "words of failures under {}: + in the first item's caption and not in the nearest right one, - the other \
         way round",
        errors.truth(detail.view.truth)
    );
    let head = ["added", "+", "-", "p", "Holm", "lacked", "+", "-", "p", "Holm"];
    let cells = |of: Option<&Swapped>| of.map_or_else(nothing, |of| word(errors, of));
    let rows = told.map(move |both| both.map(cells).concat());
    Table::new(title, head, 1, rows).if_any()
}

fn nothing() -> Vec<Cell> {
    vec![Cell::Empty; 5]
}

fn word(errors: &Errors<'_>, of: &Swapped) -> Vec<Cell> {
    row![
        errors.evidence.texts.word(of.word),
        of.extra,
        of.missing,
        Cell::P(of.p),
        Cell::corrected(of.p_holm)
    ]
}

/// How the p-values of words are corrected; nothing where there are none.
pub(super) fn legend(errors: &Errors<'_>) -> Vec<String> {
    let looked_at = |detail: &Detail| !(detail.words.is_empty() && detail.swapped.is_empty());
    if !errors.survey.details.iter().any(looked_at) {
        return Vec::new();
    }
    let (texts, of) = (&errors.evidence.texts, &errors.study().gallery.texts);
    let background: usize = texts.occurrences().into_iter().map(|of| of as usize).sum();
    let z = format!(
        "z: Monroe et al. 2008, equations 16, 19, 22, of words once a query; the Dirichlet prior is worth {PRIOR} words, \
         shared out as the {} captions of the gallery have them ({} words, each once a caption)",
        grouped(of.len()),
        grouped(background)
    );
    let p = format!(
        "words: p, two-sided, by the normal distribution, of z and of + against - (one of each added to fewer than 10), queries taken as \
         independent; Holm: corrected over all words of a table that occur, those not printed too; * below \
         {LEVEL}: without it a word may be there by chance"
    );
    let is_with_z = errors.survey.details.iter().any(|of| !of.words.is_empty());
    is_with_z.then_some(z).into_iter().chain([p]).collect()
}
