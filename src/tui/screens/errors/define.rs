//! What the errors screen counts, with definitions and their sources.

use super::Pane;
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
    page.paragraph(cx.theme.dim, 0, &meaning(Pane::Kinds));
    for kind in kinds::of(&cx.model.study) {
        page.heading(kind.name);
        page.paragraph(cx.theme.base, 2, kind.meaning);
        match kind.expression(&cx.model.study, view) {
            Some(condition) => page.paragraph(cx.theme.key, 2, &condition),
            None => page.paragraph(cx.theme.dim, 2, "the study lacks what it is about"),
        }
    }
    for pane in &Pane::ALL[1..] {
        page.heading(pane.list());
        page.paragraph(cx.theme.base, 2, &meaning(*pane));
    }
}

/// What a pane shows, and where it is from.
pub(super) fn meaning(pane: Pane) -> String {
    let grey = format!("Grey: two-sided p, Holm-adjusted over all words, is {LEVEL} or more.");
    match pane {
        Pane::Kinds => "Error types overlap: a query may be of several, and a failure of none. A share is one of the \
                        queries that could be of the type: of two ground truths compared, those that both judge."
            .into(),
        Pane::Hubs => format!(
            "A hub is top-1 for {LEAST} queries or more, and for more than the mean item by {DEVIATIONS} standard \
             deviations. miss/of: judged queries for which it is top-1 and no positive, of those for which it is \
             top-1. N_k: queries that have an item in their top k; skew: third central moment of N_k over the \
             cube of its standard deviation. Source: Radovanovic et al., JMLR 11 (2010), 2487-2531."
        ),
        Pane::Words => format!(
            "z: the log-odds of a word among failures less those among the other judged queries, over the standard \
             deviation; each word counts once a query, and the Dirichlet prior is worth {PRIOR} words. {grey} \
             Source: Monroe et al., Political Analysis 16 (2008), 372-403."
        ),
        Pane::Swapped => format!(
            "added: failures where the caption of top-1 has the word and the nearest positive caption (most words in \
             common) lacks it; lacked: the other way round. Case, punctuation and articles are ignored. {grey}"
        ),
        Pane::WhatIf => "CSLS: 2 s(q, x) - r(q) - r(x), r being the mean of the 10 best scores of a query or an item; \
                         Conneau et al. 2018, arXiv:1710.04087. Inverted softmax: exp(s(q, x) / t) over its sum over \
                         all queries, t = 0.05, which suits cosines; Smith et al. 2017, arXiv:1702.03859. Both need \
                         all queries at once."
            .into(),
    }
}
