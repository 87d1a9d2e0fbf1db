//! Ids of a truth that the gallery lacks.

use super::exam::Exam;
use super::{Check, Finding, Needs};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::truth::Truth;
use crate::truth::relevance::in_words;

pub(super) const CHECK: Check = Check {
    name: "ids",
    title: "ids not found",
    doc: "ids of a ground truth that the gallery lacks",
    needs: Needs::Truths,
    find,
};

/// Share of missing positives that moves numbers. ECCV Caption itself lacks 2 of 22,550.
const MANY: f64 = 0.01;

fn find(exam: &Exam) -> Vec<Finding> {
    let each = exam.study.truths.iter().flat_map(|truth| {
        let found = Direction::both(|d| [positives(truth, d), queries(truth, d)]);
        found.into_iter().flatten().flatten()
    });
    each.collect()
}

fn positives(truth: &Truth, direction: Direction) -> Option<Finding> {
    let relevance = truth.relevance[direction].as_ref()?;
    let missing = truth.unresolved[direction].items;
    if missing == 0 {
        return None;
    }
    let all = relevance.pair_count() + missing;
    let found = format!(
        "{} of {} positives not in the gallery ({})",
        grouped(missing),
        grouped(all),
        in_words(missing, &truth.unresolved[direction].item_examples)
    );
    let subject = format!("ground truth {} {direction}", truth.name);
    let effect = "they count in R and are never found: mAP@R and R-Precision stay below 1";
    Some(if missing as f64 > MANY * all as f64 {
        Finding::problem(subject, found).effect(effect).mend(
            "take a ground truth of this gallery, or name its ids with --image-ids and --caption-ids",
        )
    } else {
        Finding::note(subject, found)
            .effect(format!("{effect}, as in eccv_caption"))
            .mend("none needed; --ceiling of eval tells the best value")
    })
}

fn queries(truth: &Truth, direction: Direction) -> Option<Finding> {
    let relevance = truth.relevance[direction].as_ref()?;
    let missing = truth.unresolved[direction].queries;
    (missing > 0).then(|| {
        let found = format!(
            "{} of {} queries not in the gallery ({})",
            grouped(missing),
            grouped(relevance.len() + missing),
            in_words(missing, &truth.unresolved[direction].query_examples)
        );
        Finding::note(format!("ground truth {} {direction}", truth.name), found)
            .effect("they are left out: means are over the others, whose number stands beside")
            .mend(
                "take a ground truth of this gallery, or name its ids with --image-ids and --caption-ids",
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::{assert_nothing, found, good, study, truth};

    fn findings(study: &crate::study::Study) -> Vec<String> {
        let found = found(&CHECK, study).into_iter();
        found.map(|f| format!("{} {} {}", f.severity, f.subject, f.found)).collect()
    }

    #[test]
    fn few_missing_positives_are_a_note_and_many_a_problem() {
        let mut study = study(good);
        assert_nothing(&CHECK, &study);
        let mut pairs: Vec<(usize, usize)> = (0..400).map(|n| (n % 20, 100 + n / 20)).collect();
        pairs.push((3, 999));
        study.truths = vec![truth("rich", &pairs, &study.gallery)];
        assert_eq!(
            findings(&study),
            [
                "note ground truth rich i2t 1 of 401 positives not in the gallery (999)",
                "note ground truth rich t2i 1 of 21 queries not in the gallery (999)"
            ]
        );
        pairs.extend((0..9).map(|n| (5, 990 + n)));
        study.truths = vec![truth("rich", &pairs, &study.gallery)];
        assert!(findings(&study)[0].starts_with("problem ground truth rich i2t 10 of 410"));
        assert!(findings(&study)[0].contains("(such as "));
    }
}
