//! The fill value of re-ranked matrices, and how far their rankings go.

use super::exam::{Exam, Table};
use super::{Check, Finding, Needs};
use crate::data::Direction;
use crate::data::scores::{Model, Scores, Side, fill};
use crate::data::text::grouped;
use crate::study::Study;

pub(super) const CHECK: Check = Check {
    name: "fill",
    title: "filled cells",
    doc: "the value of cells that a re-ranking model did not score, and how far its rankings go",
    needs: Needs::Matrix,
    find,
};

/// What most re-ranking code writes into cells that it does not score, for each process.
const USUAL: f64 = -100.0;
/// The most processes that are taken for a reason: a fill of -1e9 was written as it is.
const MOST: f64 = 1024.0;
/// The ranks that everybody reports.
const RANKS: [u32; 3] = [1, 5, 10];

fn find(exam: &Exam) -> Vec<Finding> {
    let dense = exam.tables.iter().filter_map(dense);
    let sides = exam.study.models.iter().flat_map(|model| {
        let sides = Direction::both(|direction| of_side(exam.study, model, direction));
        sides.into_iter().flatten()
    });
    dense.chain(sides).collect()
}

/// Cells were taken as scores although they look like fill.
fn dense(table: &Table) -> Option<Finding> {
    let fill = table.fill.is_none().then(|| fill::find(table.matrix))??;
    let found = format!(
        "{fill} is the least value and in more than half of the cells of most rows, yet taken as a score"
    );
    Some(
        Finding::problem(table.subject(), found)
            .effect(
                "if these cells were not scored, ranks below the scored ones are in index order",
            )
            .mend("leave out --dense"),
    )
}

fn of_side(study: &Study, model: &Model, direction: Direction) -> Option<Finding> {
    let Scores::Two(sides) = &model.scores else {
        return None;
    };
    let side = &sides[direction];
    let (fill, depths) = (side.fill?, side.depths.as_ref()?);
    let (least, most) = (*depths.iter().min()?, *depths.iter().max()?);
    let depth = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let items = grouped(side.matrix.side_len(direction.flipped()));
    let found = format!(
        "{direction}: cells of {fill} are not scored{}; {depth} of {items} items are, for each query",
        processes(fill)
    );
    let subject = format!("{} (model {})", side.matrix.npy().source().display(), model.name);
    Some(
        Finding::note(subject, found)
            .effect(effect(study, side, direction, least))
            .mend("score more items of each query; --dense, if these cells are scores"),
    )
}

/// How often [`USUAL`] was added up, where a fill looks like it.
fn processes(fill: f64) -> String {
    let times = fill / USUAL;
    if !(2.0..=MOST).contains(&times) || times.fract() != 0.0 {
        return String::new();
    }
    format!(" ({USUAL} times {times}: the matrices of {times} processes or GPUs were added up)")
}

/// Which metrics look deeper than some ranking goes.
fn effect(study: &Study, side: &Side, direction: Direction, least: u32) -> String {
    let mut deeper = Vec::new();
    for rank in RANKS.into_iter().filter(|&rank| rank > least) {
        deeper.push(format!("R@{rank}"));
    }
    for truth in &study.truths {
        let Some(relevance) = &truth.relevance[direction] else {
            continue;
        };
        let depth = |query: u32| side.depths.as_ref().map_or(u32::MAX, |d| d[query as usize]);
        let queries = relevance.queries().iter().enumerate();
        let short = queries.filter(|&(place, &query)| depth(query) < relevance.listed(place));
        let short = short.count();
        if short > 0 {
            deeper.push(format!(
                "mAP@R and R-Precision of ground truth {} (R is greater in {} of {} queries)",
                truth.name,
                grouped(short),
                grouped(relevance.len())
            ));
        }
    }
    if deeper.is_empty() {
        return "rankings end there; R@1, 5, 10 and mAP@R look no deeper".into();
    }
    format!(
        "rankings end there: refused where a positive is among the unscored: {}",
        deeper.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::PerDirection;
    use crate::doctor::testing::{assert_nothing, assert_problem, found, good, study, with};

    /// The own captions of each image and some others are scored.
    fn filled(fill: f64, others: usize) -> Study {
        let scored = |i: usize, c: usize| c / 3 == i || (c + i) % 20 < others;
        study(move |i, c| if scored(i, c) { good(i, c) } else { fill })
    }

    fn sides(mut study: Study, fill: f64) -> Study {
        let Scores::Matrix(matrix) = study.models[0].scores.clone() else {
            unreachable!("made as one matrix");
        };
        let side = |direction| Side::new((*matrix).clone(), direction, Some(fill));
        with(&mut study, Scores::Two(Arc::new(PerDirection::from_fn(side))));
        study
    }

    #[test]
    fn a_fill_is_told_with_its_depth_and_processes() {
        assert_nothing(&CHECK, &study(good));
        let notes = found(&CHECK, &sides(filled(-800.0, 4), -800.0));
        assert_eq!(notes.len(), 2, "{notes:#?}");
        assert!(notes[0].found.contains("-100 times 8: the matrices of 8"), "{notes:#?}");
        assert!(notes[0].found.contains("i2t") && notes[0].found.contains("of 60 items"));
        assert_eq!(notes[0].severity, crate::doctor::Severity::Note);
        let effect = |at: usize| notes[at].effect.clone().unwrap();
        assert!(effect(0).contains("no deeper"), "{}", effect(0));
        assert!(effect(1).contains("unscored: R@5, R@10"), "{}", effect(1));
        for fill in [-100.0, -150.0, -1e9] {
            let plain = found(&CHECK, &sides(filled(fill, 4), fill));
            assert!(!plain[0].found.contains("times"), "{plain:#?}");
        }
    }

    #[test]
    fn truths_with_more_positives_than_scores_are_named() {
        let mut study = sides(filled(-7.0, 0), -7.0);
        let pairs: Vec<(usize, usize)> = (0..9).map(|c| (4, c + 100)).collect();
        let wide = crate::doctor::testing::truth("wide", &pairs, &study.gallery);
        study.truths.push(wide);
        let effect = found(&CHECK, &study)[0].effect.clone().unwrap();
        assert!(effect.contains("ground truth wide (R is greater in 1 of 1"), "{effect}");
    }

    #[test]
    fn fill_taken_as_scores_is_a_problem() {
        assert_problem(&CHECK, &filled(-100.0, 4), &["-100 is the least", "--dense"]);
    }
}
