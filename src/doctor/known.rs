//! What was remarked already when the files were read, and what is missing altogether.

use super::exam::Exam;
use super::{Check, Finding, Needs};
use crate::study::{Note, Topic};

pub(super) const CHECK: Check = Check {
    name: "files",
    title: "file of another kind",
    doc: "what was left out or is missing in the files",
    needs: Needs::Nothing,
    find,
};

fn find(exam: &Exam) -> Vec<Finding> {
    let study = exam.study;
    let warnings = study.notes.iter().filter(|note| note.warning);
    let mut found: Vec<Finding> = warnings.filter_map(finding).collect();
    let lacks = [
        (study.models.is_empty(), "no scores among the files"),
        (study.truths.is_empty(), "no ground truth among the files"),
    ];
    for (_, what) in lacks.into_iter().filter(|(lacks, _)| *lacks) {
        found.push(Finding::note("inputs", what).effect("there is nothing to evaluate"));
    }
    found
}

/// A warning as a finding; missing ids have a check of their own.
fn finding(note: &Note) -> Option<Finding> {
    let (file, found) = note.text.split_once(": ").unwrap_or(("inputs", &note.text));
    let effect = match note.topic {
        Topic::MissingIds => return None,
        Topic::Assumed => {
            "every number is by this pairing: where it is another one, they mean nothing"
        }
        Topic::Orientation => {
            let effect = "were each row an image, i2t and t2i would change places";
            let finding = Finding::note(file, found).effect(effect);
            return Some(finding.mend("--images-first, if each row is an image"));
        }
        Topic::Lengths => {
            let effect = "scores are dot products: longer embeddings have greater ones, in whatever direction they point";
            let finding = Finding::note(file, found).effect(effect);
            return Some(finding.mend("--cosine, if the model compares directions alone"));
        }
        Topic::NoPositive => {
            let effect = "every number of this ground truth in this direction is undefined";
            let finding = Finding::problem(file, found).effect(effect);
            return Some(finding.mend("look at the ids in its file, or leave it out"));
        }
        Topic::File => "what is left out takes no part in any number",
    };
    Some(Finding::note(file, found).effect(effect))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::{assert_note, assert_nothing, assert_problem, good, study};

    #[test]
    fn warnings_are_told_once() {
        let mut study = study(good);
        let note = |text: &str, warning, topic| Note { text: text.into(), warning, topic };
        study.notes = vec![
            note("a.npy: fine", false, Topic::File),
            note("ground truth x i2t: 1 id", true, Topic::MissingIds),
        ];
        assert_nothing(&CHECK, &study);
        study.notes.push(note("a.run: b, no i2t lists", true, Topic::File));
        assert_note(&CHECK, &study, &["\"a.run\"", "\"b, no i2t lists\""]);
        study.notes = vec![note("truth x i2t: no positive at all", true, Topic::NoPositive)];
        assert_problem(&CHECK, &study, &["truth x i2t", "is undefined"]);
        study.notes = vec![note("no ground truth: assumed", true, Topic::Assumed)];
        assert_note(&CHECK, &study, &["every number is by this pairing"]);
    }

    #[test]
    fn what_is_missing_is_told() {
        let mut study = study(good);
        study.models.clear();
        assert_note(&CHECK, &study, &["no scores"]);
    }
}
