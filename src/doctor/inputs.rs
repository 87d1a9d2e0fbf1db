//! Problems with ids, captions and files, whatever the scores are.

use rustc_hash::FxHashMap;

use super::exam::Exam;
use super::{Finding, Severity};
use crate::data::Direction;
use crate::data::text::{Text, grouped};
use crate::image_file::NoImage;
use crate::study::{Note, Study, Topic};
use crate::truth::Truth;
use crate::truth::relevance::list_examples;

/// Share of missing positives above which they are a problem. ECCV Caption itself lacks 2 of 22,550.
const MAX_MISSING: f64 = 0.01;

/// Finds ids of ground truths that the gallery lacks.
pub(super) fn find_unknown_ids(exam: &Exam) -> Vec<Finding> {
    let in_truth = |truth| Direction::BOTH.into_iter().flat_map(move |d| find_unknown_in(truth, d));
    exam.study.truths.iter().flat_map(in_truth).collect()
}

/// Finds ids of one direction of a truth that the gallery lacks.
fn find_unknown_in(truth: &Truth, direction: Direction) -> Vec<Finding> {
    let Some(relevance) = &truth.relevance[direction] else {
        return Vec::new();
    };
    let unknown = &truth.unresolved[direction];
    let note = |missing: usize, known: usize, what: &str, examples: &[String]| {
        let [count, all] = [missing, known + missing].map(grouped);
        let examples = list_examples(missing, examples);
        let found = format!("{count} of {all} {what} not in the gallery ({examples})");
        Finding::note(format!("ground truth {} {direction}", truth.name), found)
    };
    let fix =
        "take a ground truth of this gallery, or name its ids with --image-ids and --caption-ids";
    let mut found = Vec::new();
    if unknown.items > 0 {
        let known = relevance.pair_count();
        let note = note(unknown.items, known, "positives", &unknown.item_examples);
        let effect = "they count in R and are never found: mAP@R and R-Precision stay below 1";
        found.push(if unknown.items as f64 > MAX_MISSING * (known + unknown.items) as f64 {
            Finding { severity: Severity::Problem, ..note }.effect(effect).fix(fix)
        } else {
            note.effect(format!("{effect}, as in eccv_caption"))
                .fix("none needed; --ceiling of eval prints the best value")
        });
    }
    if unknown.queries > 0 {
        let note = note(unknown.queries, relevance.len(), "queries", &unknown.query_examples);
        let effect = "excluded: means are over the other queries, whose count is shown beside them";
        found.push(note.effect(effect).fix(fix));
    }
    found
}

/// For each caption, the gallery index of the first one with an equal text, ignoring case and outer whitespace;
/// captions without text are all different. `None` if no caption has a text.
pub(super) fn number_texts(texts: &[Text]) -> Option<Vec<u32>> {
    let mut first: FxHashMap<String, u32> = FxHashMap::default();
    let first_equal = |(at, text): (u32, &Text)| match text.raw().trim() {
        "" => at,
        text => *first.entry(text.to_lowercase()).or_insert(at),
    };
    let numbers = (0..).zip(texts).map(first_equal).collect();
    (!first.is_empty()).then_some(numbers)
}

/// Reports warnings from reading the files, and missing inputs.
pub(super) fn check_files(exam: &Exam) -> Vec<Finding> {
    let study = exam.study;
    let warnings = study.notes.iter().filter(|note| note.warning);
    let mut found: Vec<Finding> = warnings.filter_map(warning_finding).collect();
    let lacks = [
        (study.models.is_empty(), "no scores among the files"),
        (study.truths.is_empty(), "no ground truth among the files"),
    ];
    for (_, what) in lacks.into_iter().filter(|(lacks, _)| *lacks) {
        found.push(Finding::note("inputs", what).effect("there is nothing to evaluate"));
    }
    found.extend(check_image_files(study));
    found
}

/// Finds an unreadable archive, or a folder without any image file of the gallery; `None` if there is neither.
fn check_image_files(study: &Study) -> Option<Finding> {
    study.image_files.as_ref()?;
    let count = study.gallery.images.len();
    // `Some(None)` for a readable file, which ends the search.
    let unreadable = |image| match study.image_file(image) {
        Ok(_) => Some(None),
        Err(NoImage::Unreadable(why)) => Some(Some(why)),
        Err(_) => None,
    };
    let found = match (0..count).find_map(unreadable) {
        Some(None) => return None,
        Some(Some(why)) => why,
        None => format!("none of {} images has a file there", grouped(count)),
    };
    let finding = Finding::problem("--images", found).effect("no image is shown");
    Some(finding.fix("name files as the images: by file name or id"))
}

/// The finding for a warning; `None` for missing ids, which have their own check.
fn warning_finding(note: &Note) -> Option<Finding> {
    let (file, found) = note.text.split_once(": ").unwrap_or(("inputs", &note.text));
    let finding = Finding::note(file, found);
    Some(match note.topic {
        Topic::MissingIds => return None,
        Topic::Assumed => finding.effect("every number is by this pairing: where it is another one, they mean nothing"),
        Topic::Orientation => finding
            .effect("were each row an image, i2t and t2i would change places")
            .fix("--images-first, if each row is an image"),
        Topic::Lengths => finding
            .effect("scores are dot products: longer embeddings have greater ones, in whatever direction they point")
            .fix("--cosine, if the model compares directions alone"),
        Topic::NoPositive => Finding::problem(file, found)
            .effect("every number of this ground truth in this direction is undefined")
            .fix("look at the ids in its file, or leave it out"),
        Topic::File => finding,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::test_studies::{
        assert_note, assert_nothing, assert_problem, good, run_check, study, truth,
    };

    fn findings(study: &crate::study::Study) -> Vec<String> {
        let found = run_check(find_unknown_ids, study).into_iter();
        found.map(|f| format!("{} {} {}", f.severity, f.subject, f.found)).collect()
    }

    #[test]
    fn image_files_that_are_not_there_are_a_problem() {
        let mut study = study(good);
        assert_nothing(check_files, &study);
        let folder = tempfile::tempdir().unwrap();
        study.add_image_files(Some(folder.path())).unwrap();
        assert_problem(check_files, &study, &["--images"]);
        let archive = folder.path().join("images.zip");
        std::fs::write(&archive, b"PK\x03\x04, and no more").unwrap();
        study.add_image_files(Some(&archive)).unwrap();
        assert_problem(check_files, &study, &["--images"]);
        let image = study.gallery.images[0].to_string();
        std::fs::write(folder.path().join(format!("{image}.png")), b"").unwrap();
        study.add_image_files(Some(folder.path())).unwrap();
        assert_nothing(check_files, &study);
    }

    #[test]
    fn few_missing_positives_are_a_note_and_many_a_problem() {
        let mut study = study(good);
        assert_nothing(find_unknown_ids, &study);
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

    #[test]
    fn warnings_are_told_once() {
        let mut study = study(good);
        let note = |text: &str, warning, topic| Note { text: text.into(), warning, topic };
        study.notes = vec![
            note("a.npy: fine", false, Topic::File),
            note("ground truth x i2t: 1 id", true, Topic::MissingIds),
        ];
        assert_nothing(check_files, &study);
        study.notes.push(note("a.run: b, no i2t lists", true, Topic::File));
        assert_note(check_files, &study, &["\"a.run\"", "\"b, no i2t lists\""]);
        study.notes = vec![note("truth x i2t: no positive at all", true, Topic::NoPositive)];
        assert_problem(check_files, &study, &["truth x i2t", "is undefined"]);
        study.notes = vec![note("no ground truth: assumed", true, Topic::Assumed)];
        assert_note(check_files, &study, &["every number is by this pairing"]);
    }

    #[test]
    fn what_is_missing_is_told() {
        let mut study = study(good);
        study.models.clear();
        assert_note(check_files, &study, &["no scores"]);
    }
}
