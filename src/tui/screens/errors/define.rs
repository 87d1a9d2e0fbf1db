//! What the errors screen counts, with definitions and their sources.

use crate::analysis::kinds;
use crate::analysis::words::{LEVEL, PRIOR};
use crate::rank::hubs::{DEVIATIONS, LEAST};
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::popups::sheet::{Page, Sheet};
use crate::tui::ui::Context;

pub(super) fn sheet(view: View) -> Sheet {
    Sheet::new(Action::Define, move |cx, page| write(cx, view, page))
}

fn write(cx: Context<'_>, view: View, page: &mut Page<'_>) {
    let model = &cx.model.study.models[view.model].name;
    let truth = cx.model.name_in_force(view.truth);
    page.title = format!("error types of {model}, {}, ground truth {truth}", view.direction);
    page.paragraph(
        cx.theme.dim,
        0,
        "Kinds overlap: a query may be of several, and a failure of none. Shares are of the queries that the \
         ground truth judges and of which all is known that a kind compares: of two ground truths those that both judge.",
    );
    for kind in kinds::of(&cx.model.study) {
        page.heading(kind.name);
        page.paragraph(cx.theme.base, 2, kind.meaning);
        match kind.expression(&cx.model.study, view) {
            Some(condition) => page.paragraph(cx.theme.key, 2, &condition),
            None => page.paragraph(cx.theme.dim, 2, "the study lacks what it is about"),
        }
    }
    numbers(cx, page);
}

fn numbers(cx: Context<'_>, page: &mut Page<'_>) {
    let hub = format!(
        "N_k of an item: the queries among whose first k items it stands. Skew: the third central moment of N_k \
         over the items of the pool, over the cube of its standard deviation; never retrieved: items with N_k = \
         0. A hub has an N_1 of {LEAST} or more, and above the mean by more than {DEVIATIONS} standard \
         deviations. False: the judged queries for which it is top-1 and no labelled positive. Source: Radovanovic et al., \
         JMLR 11 (2010), 2487-2531."
    );
    let chance = format!(
        "the two-sided p-value, Holm-adjusted over all words that occur and with queries taken as independent, \
         is {LEVEL} or more: the word may be there by chance."
    );
    let words = format!(
        "Each word is counted once a query. z: the difference of its log-odds among failures and among the \
         other judged queries, both with a Dirichlet prior worth {PRIOR} words of the gallery, over its \
         standard deviation. Source: Monroe et al., Political Analysis 16 (2008), 372-403. Grey: {chance}"
    );
    let swapped = format!(
        "Over all failures, the first item's caption beside the nearest right one (most words in common): those where \
         a word is in the first and not in the other, and the other way round. Case, punctuation and articles \
         are left out. A caption that asks is itself the right one, unless a \
         caption of a right image says the same as one of the first item. Grey: {chance}"
    );
    let rescaled = "CSLS: 2 s(q, x) - r(q) - r(x), r being the mean of the 10 best scores of a query or an \
                    item; Conneau et al. 2018, arXiv:1710.04087. Inverted softmax: exp(s(q, x) / t) over its sum \
                    over all queries, t = 0.05; Smith et al. 2017, arXiv:1702.03859. Both need all queries at \
                    once.";
    for (name, meaning) in [
        ("hubs", hub.as_str()),
        ("words of failures", words.as_str()),
        ("words swapped", swapped.as_str()),
        ("what if scores were rescaled", rescaled),
    ] {
        page.heading(name);
        page.paragraph(cx.theme.base, 2, meaning);
    }
}
