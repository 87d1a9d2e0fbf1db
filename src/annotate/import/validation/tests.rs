//! Imports of two small HITs.

use super::*;
use crate::annotate::hits;
use crate::data::source::Source;

const HITS: &str = r#"{"format":"itm-explore hits 1","seed":7,"hits":[
    {"hit":"h1","direction":"t2i","query":3,"items":[{"image":9,"caption":3,"golden":null},{"image":1,"caption":3,"golden":"yes"},{"image":2,"caption":3,"golden":"no"}]},
    {"hit":"h2","direction":"i2t","query":9,"items":[{"image":9,"caption":3,"golden":null},{"image":9,"caption":4,"golden":null},{"image":9,"caption":8,"golden":"no"}]}]}"#;

/// Lines of `hit image caption answer`.
fn file(name: &str, lines: &[&str]) -> Source {
    let answer = |(nth, line): (usize, &&str)| {
        let words: Vec<&str> = line.split(' ').collect();
        let [hit, image, caption, answer] = words[..] else { panic!("{line}") };
        format!(
            r#"{{"hit":"{hit}","image":{image},"caption":{caption},"answer":"{answer}","shortcoming":null,"at":"2026-11-22T10:00:{nth:02}Z"}}"#
        )
    };
    let answers: Vec<String> = lines.iter().enumerate().map(answer).collect();
    let text = format!(
        r#"{{"format":"itm-explore answers 1","annotator":"{name}","answers":[{}]}}"#,
        answers.join(",")
    );
    Source::in_memory(format!("{name}.json"), text.into())
}

fn checked(files: &[Source], asked: &CheckOptions) -> CheckedImport {
    let hits = hits::read(&Source::in_memory("hits.json", HITS.into())).unwrap();
    CheckedImport::from_import(Import::read(files).unwrap(), Some(&hits), asked)
}

#[test]
fn every_problem_is_reported_with_its_place() {
    let lines = [
        "h1 9 3 yes",
        "h1 1 3 yes",
        "h1 2 3 no",
        "h1 9 3 yes",
        "h2 9 4 no",
        "h2 9 4 partial",
        "h1 9 4 no",
        "h7 9 3 no",
        "h2 9 3 yes",
        "h2 9 8 perhaps",
    ];
    let found = checked(&[file("anna", &lines)], &CheckOptions::default());
    let told: Vec<(ProblemKind, usize)> =
        found.problems.iter().map(|one| (one.kind, one.place.nth)).collect();
    assert_eq!(
        told,
        [
            (ProblemKind::Contradictory, 6),
            (ProblemKind::Foreign, 7),
            (ProblemKind::Foreign, 8),
            (ProblemKind::Broken, 10)
        ]
    );
    assert_eq!(
        found.problems[0].found,
        "anna says partial here and no at anna.json: answer 5: the latest counts"
    );
    assert_eq!(found.problems[1].found, "HIT h1 does not ask for image 9 and caption 4");
    // Ten responses: four problems, one duplicate, one repeated in another HIT, two golden, two valid.
    let judgments: Vec<Judgment> =
        found.panel.pairs.iter().map(|pair| pair.judgments[&0].0).collect();
    assert_eq!(judgments, [Judgment::Yes, Judgment::Partial]);
    assert_eq!((found.people[0].golden, found.people[0].golden_right), (2, 2));
}

#[test]
fn a_hit_with_a_wrong_golden_item_is_dropped_unless_kept() {
    let files = [
        file(
            "bo",
            &["h1 9 3 yes", "h1 1 3 mostly-no", "h1 2 3 cant-tell", "h2 9 4 yes", "h2 9 8 no"],
        ),
        file("cy", &["h1 9 3 no", "h1 1 3 partial", "h2 9 4 no"]),
    ];
    let found = checked(&files, &CheckOptions::default());
    assert_eq!((found.failed.len(), found.left_out), (2, 3));
    assert_eq!(
        (&found.failed[0].given.entry.by[..], &found.failed[0].hit[..], found.failed[0].golden),
        ("bo", "h1", Judgment::Yes)
    );
    assert_eq!((found.people[0].failed_hits, found.people[1].failed_hits), (1, 0));
    let answered = |found: &CheckedImport| -> Vec<usize> {
        let pairs = found.panel.pairs.iter();
        pairs.map(|pair| pair.judgments.len()).collect()
    };
    assert_eq!(answered(&found), [2, 1], "bo's answer to the first is excluded");
    assert_eq!((found.people[0].compared, found.people[0].as_others), (1, 0));
    let kept = checked(&files, &CheckOptions { keep_failed: true, ..CheckOptions::default() });
    assert_eq!((kept.left_out, kept.failed.len()), (0, 2));
    assert!(kept.panel.pairs.iter().all(|pair| pair.judgments.len() == 2));
    let decided = CheckOptions { adjudicator: Some("cy".into()), ..CheckOptions::default() };
    let decided = checked(&files, &decided);
    assert_eq!(decided.adjudicated.len(), 2);
    assert_eq!(answered(&decided), [1, 0]);
}
