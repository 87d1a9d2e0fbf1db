//! Sessions made by the library and used by the program itself.

use crate::common;

use std::path::Path;
use std::process::Command;

use common::{Folder, demo_file, record, stderr, stdout};
use itm_explore::data::Direction;
use itm_explore::data::id::Id;
use itm_explore::evaluate::plan::{Choice, Request};
use itm_explore::evaluate::{self, Evaluation};
use itm_explore::rank::pass::CancelToken;
use itm_explore::report::evaluation::EvalReport;
use itm_explore::report::formats::Format;
use itm_explore::session::{Lock, Session, StudyFacts, Timestamp};
use itm_explore::study::{Study, demo};
use itm_explore::truth::Truth;
use itm_explore::truth::judgment::{Judgment, Pair, name_with_mine};
use serde_json::{Value, json};

fn save(path: &Path, session: &Session) {
    match Session::open(path).unwrap().lock {
        Lock::Held(saver) => saver.save(session).unwrap(),
        Lock::Other { who } => panic!("held by {who}"),
    }
}

/// One model of the demo, its captions and its ground truths.
const FILES: &str = "demo/broad.npy demo/captions.json demo/original_image_to_caption.json \
                     demo/rich_image_to_caption.json demo/pm_image_to_caption.json";

/// A session of judgments strewn over the top of the demo's rankings, and on positives.
fn strewn(study: &Study) -> Session {
    let gallery = &study.gallery;
    let mut session = Session::default();
    session.study = Some(StudyFacts::new(vec!["broad.npy".into()], gallery));
    for step in 0..400_usize {
        let pair = Pair { image: (step * 7 % 60).into(), caption: (step * 13 % 300).into() };
        let (image, caption) =
            (&gallery.images[pair.image.get()], &gallery.captions[pair.caption.get()]);
        let at = Timestamp::from_seconds(step as i64);
        session.set_response(image, caption, Some(Judgment::ALL[step % 4]), at, "mk");
    }
    let rich = study.truth("rich").unwrap();
    let relevance = rich.relevance[Direction::I2t].as_ref().unwrap();
    for place in 0..relevance.len() {
        let image = relevance.queries()[place] as usize;
        let Some(caption) = relevance.positives(place).iter().next() else {
            continue;
        };
        let caption = &gallery.captions[caption as usize];
        let judgment = Some(Judgment::MostlyNo);
        let at = Timestamp::from_seconds(500);
        session.set_response(&gallery.images[image], caption, judgment, at, "mk");
    }
    session
}

/// Output of `eval --format json` for a study.
fn evaluated(study: &Study) -> Value {
    let request = Request {
        metrics: Choice::Default,
        depths: vec![1, 5, 10],
        truths: Vec::new(),
        pmrp_cap: None,
        ..Request::default()
    };
    let evaluation: Evaluation =
        evaluate::evaluate(study, &request, &CancelToken::default()).unwrap();
    let evaluated = EvalReport::new(&evaluation, Direction::BOTH.to_vec(), None, false);
    let json = Format::from_key("json").unwrap();
    let bytes = json.bytes(evaluated.report(true)).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The numbers of one truth and how many queries it covers.
fn of_truth(report: &Value, truth: &str) -> (Vec<(String, Value)>, Value) {
    let model = &report["models"][0];
    let metrics = model["metrics"].as_object().unwrap();
    let own = metrics.iter().filter(|(key, _)| key.starts_with(&format!("{truth}_")));
    let own: Vec<_> = own.map(|(key, value)| (key.clone(), value.clone())).collect();
    assert!(!own.is_empty(), "{truth}: {report:#}");
    (own, model["judged"][truth].clone())
}

#[test]
fn the_written_truth_gives_the_numbers_of_the_overlay() {
    let folder = Folder::new();
    let mut study = demo::open().unwrap();
    study.models.retain(|model| model.name == "broad");
    let session = strewn(&study);
    save(&folder.path("s.itm.json"), &session);
    let (judgments, lacking) = session.judgments_in(&study.gallery, "mk");
    assert_eq!(lacking, Vec::<String>::new());
    let truths = std::mem::take(&mut study.truths);
    let changed = |truth: &Truth| {
        let relevance = truth.with_judgments(&judgments).relevance;
        Truth { relevance, ..Truth::new(&name_with_mine(&truth.name)) }
    };
    study.truths = truths.iter().map(changed).collect();
    let wanted = evaluated(&study);
    for truth in ["original", "rich", "pm"] {
        let name = name_with_mine(truth);
        // A folder of lists is a truth like any other; the ids come from the captions.
        for (format, given) in [
            ("json", format!("{truth}-json/{name}_image_to_caption.json")),
            ("qrels", format!("{truth}-qrels/{name}_i2t.qrels")),
            ("bundle", format!("{truth}-bundle")),
        ] {
            let to = format!("--truth {truth} --format {format} -o {truth}-{format}");
            folder.done(&format!("truth mine s.itm.json {FILES} {to}"));
            let report = folder.json(&format!("eval demo/broad.npy demo/captions.json {given}"));
            assert_eq!(of_truth(&report, &name), of_truth(&wanted, &name), "{truth} as {format}");
        }
    }
    // Ids that the gallery lacks stay.
    let rich = std::fs::read_to_string(demo_file("rich_image_to_caption.json")).unwrap();
    let ids = |text: &str| {
        text.split(|c: char| !c.is_ascii_digit()).map(str::to_owned).collect::<Vec<_>>()
    };
    let lacks = |id: &&String| {
        let (id, gallery) = (Id::parse(id), &study.gallery);
        gallery.captions.find(&id).is_none() && gallery.images.find(&id).is_none()
    };
    let rich = ids(&rich);
    let lacking = rich.iter().filter(|id| !id.is_empty()).find(lacks).unwrap();
    assert!(ids(&folder.read("rich-json/rich+mine_image_to_caption.json")).contains(lacking));
}

#[test]
fn the_truth_is_the_one_of_the_view_or_the_richest() {
    let folder = Folder::new();
    let study = demo::open().unwrap();
    let mut session = strewn(&study);
    let mine = |session: &Session| {
        save(&folder.path("s.itm.json"), session);
        let to = "--format bundle --force -o mine.json";
        let said = stderr(&folder.done(&format!("truth mine s.itm.json {FILES} {to}")));
        let bundle = folder.read_json("mine.json");
        let truths = bundle["truths"].as_object().unwrap().keys();
        (said, truths.cloned().collect::<Vec<_>>())
    };
    let (said, _) = mine(&session);
    for part in ["337 judgments of mk\n", "not written: 69 judgments", "wrote mine.json\n"] {
        assert!(said.contains(part), "{said}");
    }
    for (view, truth) in [(json!(null), "rich"), (json!("pm"), "pm"), (json!("nowhere"), "rich")] {
        session.view.insert("truth".into(), view);
        assert_eq!(mine(&session).1, [format!("{truth}+mine")]);
    }
    let before = folder.read("s.itm.json");
    for (line, said) in [
        ("truth mine s.itm.json demo/captions.json --truth eccv -o out", "named eccv"),
        ("convert demo/broad.npy s.itm.json -o out", "a session, which is no input"),
        // Without the captions ids are indices.
        ("eval demo/broad.npy --session s.itm.json", "none of its 337 judgments"),
        ("truth mine s.itm.json --truth rich -o out", "no files"),
        ("truth mine s.itm.json --format bundle -o s.itm.json", "s.itm.json"),
    ] {
        folder.refused(line, &[said]);
    }
    assert_eq!(folder.read("s.itm.json"), before);
}

/// A judgment on an image of the demo.
fn line(caption: u32, judgment: &str, by: &str) -> Value {
    json!({"image": 8434, "caption": caption, "verdict": judgment, "at": "2026-11-21T10:00:00Z", "by": by})
}

/// The text of a session of these judgments.
fn judged(lines: &[Value]) -> String {
    json!({"format": "itm-explore-session/1", "verdicts": lines}).to_string()
}

/// A folder with a session, `s.itm.json`.
fn with_session(lines: &[Value]) -> Folder {
    let folder = Folder::new();
    folder.write("s.itm.json", judged(lines));
    folder
}

/// Who judges in a session, and what.
fn judgments(folder: &Folder, name: &str) -> Vec<String> {
    let (session, _) = Session::read(&folder.path(name)).unwrap();
    let of = session.judgments().iter();
    of.map(|one| format!("{} {} {}", one.caption.raw(), one.response().name(), one.by)).collect()
}

#[test]
fn judgments_alone_are_a_truth_too() {
    let folder =
        with_session(&[line(1, "yes", "anna"), line(2, "no", "anna"), line(3, "yes", "bo")]);
    let mine = "truth mine s.itm.json -o out";
    folder.refused(mine, &["no judgment of mk", "one of anna, bo"]);
    folder.done(&format!("{mine} --annotator anna"));
    assert_eq!(folder.read_json("out/mine_image_to_caption.json"), json!({"8434": [1]}));
    let t2i = folder.read_json("out/mine_caption_to_image.json");
    assert_eq!(t2i, json!({"1": [8434], "2": []}));
    for (text, said) in [
        (&*judged(&[]), "expected: a session with judgments"),
        ("{\"format\": \"itm-expl", "broken JSON at line 1, column"),
    ] {
        folder.write("s.itm.json", text);
        folder.refused(mine, &[said]);
    }
}

/// Every no stands where a form has a place for it, and is found again; where there is none, it is told.
#[test]
fn every_no_is_written_where_the_form_can_hold_it() {
    let no = [line(60_208, "no", "mk"), line(79_019, "yes", "mk"), line(42_362, "mostly-no", "mk")];
    let folder = with_session(&no);
    for (name, study) in [("mine", ""), ("rich+mine", &*format!("{FILES} --truth rich"))] {
        for (format, out, given) in [
            ("qrels", name, format!("{name}/{name}_t2i.qrels")),
            ("bundle", &*format!("{name}.json"), format!("{name}.json")),
        ] {
            let mine = format!("truth mine s.itm.json {study} --format {format} -o {out}");
            assert!(!stderr(&folder.done(&mine)).contains("not written"), "{mine}");
            if format == "qrels" {
                let lists = folder.read(&given);
                assert!(lists.contains("60208 0 8434 0"), "{lists}");
                assert!(name != "mine" || !lists.contains(" - "), "{lists}");
            }
            let which = format!("--which not-relevant --k 40 --truth {name} --direction t2i");
            let files = format!("demo/broad.npy demo/captions.json {given}");
            let found = folder.printed(&format!("find --items {which} {files} --format csv"));
            for query in ["60208", "42362"] {
                let start = format!("t2i,{query},8434,not-relevant");
                assert!(found.contains(&start), "{mine}: {found}");
            }
        }
    }
    let told = stderr(&folder.done("truth mine s.itm.json -o json"));
    assert!(told.contains("3 judgments of mk") && told.contains("--format qrels"), "{told}");
    assert_eq!(folder.run("truth mine s.itm.json").status.code(), Some(2));
}

#[test]
fn a_session_among_the_files_of_a_folder_is_none_of_them() {
    let folder = Folder::new();
    for name in ["captions.json", "rich_image_to_caption.json", "rich_caption_to_image.json"] {
        std::fs::copy(demo_file(name), folder.path(name)).unwrap();
    }
    folder.write("captions.itm.json", judged(&[line(1, "yes", "mk")]));
    folder.write("captions.itm.json.lock", "process 1 on moon");
    let said = stderr(&folder.done("eval demo/broad.npy ."));
    assert!(!said.contains(".itm.json"), "{said}");
}

#[test]
fn judgments_of_several_are_merged_and_their_agreement_measured() {
    let folder = Folder::new();
    // The table 20, 5, 10, 15, whose kappa is 0.4.
    let mut lines = [Vec::new(), Vec::new()];
    let counts = [("yes", "yes", 20), ("yes", "no", 5), ("no", "yes", 10), ("no", "no", 15)];
    for (first, second, count) in counts {
        for _ in 0..count {
            let caption = lines[0].len() as u32 + 1;
            lines[0].push(line(caption, first, "anna"));
            lines[1].push(line(caption, second, "bo\u{1b}[2J"));
        }
    }
    lines[0].push(line(99, "partial", "anna"));
    folder.write("anna.itm.json", judged(&lines[0]));
    folder.write("bo.itm.json", judged(&lines[1]));
    let merge = "annotate merge anna.itm.json bo.itm.json -o out.itm.json";
    let report = folder.json(merge);
    let counts = ["judgments", "pairs", "judged_by_several", "disagreed", "undecided"];
    assert_eq!(counts.map(|key| report[key].as_u64().unwrap()), [101, 51, 50, 15, 15]);
    let on = |scale| record(&report, "agreement", &[("scale", scale)]);
    let found = on("judgments");
    assert_eq!((&found["pairs"], &found["agreement"]), (&json!(50), &json!(0.7)));
    for measure in ["judgments", "yes_no"] {
        // The ends are of statsmodels' `cohens_kappa`: `kappa_low` and `kappa_upp`.
        for (key, expected) in
            [("kappa", 0.4), ("low", 0.151092290476661), ("high", 0.6489077095233389)]
        {
            let found = on(measure)[key].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-12, "{measure} {key}: {report:#}");
        }
    }
    assert_eq!(on("linear")["kappa"], found["kappa"]);
    assert_eq!(report["disagreements"].as_array().unwrap().len(), 15);
    let first = &report["disagreements"][0];
    assert_eq!((&first["caption"], &first["majority"]), (&json!(21), &Value::Null));
    let (merged, _) = Session::read(&folder.path("out.itm.json")).unwrap();
    assert_eq!((merged.judgments().len(), merged.annotators().len()), (101, 2));
    // Again over what was merged, but never over what the merge lacks.
    let table = folder.printed(&format!("{merge} --force --disputed again.jsonl"));
    for part in ["they disagree on 15 of 50", "70.00", "0.400  0.151 to 0.649", "undecided"] {
        assert!(table.contains(part), "{table}");
    }
    assert!(!table.contains('\u{1b}'), "{table}");
    assert_eq!(folder.read("again.jsonl").lines().count(), 1 + 15);
    let lost = "annotate merge anna.itm.json -o bo.itm.json --force";
    folder.refused(lost, &["holds judgments, picks, notes or tags that would be lost"]);
    let input = "annotate merge anna.itm.json bo.itm.json -o anna.itm.json";
    folder.refused(input, &["written over"]);
}

#[test]
fn what_two_sides_changed_since_the_base_is_a_conflict() {
    let folder = Folder::new();
    for (name, says) in [
        ("base.itm.json", ["yes", "yes", "yes"]),
        ("ours.itm.json", ["no", "yes", "yes"]),
        ("theirs.itm.json", ["partial", "no", ""]),
    ] {
        let said = says.into_iter().zip(1..).filter(|(judgment, _)| !judgment.is_empty());
        let lines: Vec<Value> =
            said.map(|(judgment, caption)| line(caption, judgment, "anna")).collect();
        folder.write(name, judged(&lines));
    }
    let merge = "annotate merge ours.itm.json theirs.itm.json --base base.itm.json";
    let table = folder.printed(&format!("{merge} -o out.itm.json --disputed again.jsonl"));
    for part in ["2 judgments of 1 person", "1 conflict", "no, partial"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert_eq!(judgments(&folder, "out.itm.json"), ["1 partial anna", "2 no anna"]);
    assert_eq!(folder.read("again.jsonl").lines().count(), 1 + 1);
    // A file in which git left both versions.
    let both = folder.read("out.itm.json").replacen("    {", "<<<<<<< HEAD\n    {", 1);
    folder.write("out.itm.json", both);
    for command in ["annotate merge", "annotate import", "eval --demo --session"] {
        let said = ["a merge conflict at line 4", "git show :2:"];
        folder.refused(&format!("{command} out.itm.json"), &said);
    }
}

#[test]
fn tags_are_merged_found_and_counted() {
    let folder = Folder::new();
    let tag = |caption: u32, tag: &str, by: &str| json!({"image": 8434, "caption": caption, "tag": tag, "at": "2026-11-21T10:00:00Z", "by": by});
    for (name, tags) in [
        ("mine.itm.json", [tag(60_208, "counting", "mk"), tag(79_019, "colour", "mk")]),
        ("other.itm.json", [tag(60_208, "counting", "bo"), tag(60_208, "colour", "bo")]),
    ] {
        folder.write(name, json!({"format": "itm-explore-session/1", "tags": tags}).to_string());
    }
    folder.done("annotate merge mine.itm.json other.itm.json -o both.itm.json");
    assert_eq!(Session::read(&folder.path("both.itm.json")).unwrap().0.tags.len(), 4);
    let counting = "find --demo --where 'tag == \"counting\"'";
    let find = format!("{counting} --truth original --direction i2t --session both.itm.json");
    let found = folder.json(&find);
    assert_eq!((&found["matched"], &found["queries"][0]["id"]), (&json!(1), &json!(8434)));
    let items = folder.json(&format!("{find} --items -k 1"));
    assert_eq!(items["items"][0]["tags"], json!("colour, counting"));
    let errors = folder.json("errors --demo --session both.itm.json");
    assert_eq!(errors["tags"][0], json!({"tag": "colour", "pairs": 2}));
    assert!(stderr(&folder.done(counting)).contains("without --session no query has tag"));
}

/// As `docs/annotation.md` has it.
#[test]
fn git_merges_sessions_with_the_merge_driver() {
    let folder = Folder::new();
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        let who = ["-c", "user.name=mk", "-c", "user.email=mk@example.org"];
        git.args(who).args(args).current_dir(folder.path("")).env("HOME", "/none").output()
    };
    // Where there is no git, nobody merges with it.
    let Ok(made) = git(&["init", "-q", "-b", "main"]) else { return };
    assert!(made.status.success(), "{}", stderr(&made));
    let git = |args: &[&str]| {
        let output = git(args).unwrap();
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    };
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/annotation.md");
    let page = std::fs::read_to_string(page).unwrap();
    let driver = page.lines().find_map(|line| line.strip_prefix("git config merge.itm.driver '"));
    let driver = driver.unwrap().trim_end_matches('\'');
    let driver = driver.replace("itm-explore", env!("CARGO_BIN_EXE_itm-explore"));
    git(&["config", "merge.itm.driver", &driver]);
    folder.write(".gitattributes", "*.itm.json merge=itm\n");
    let commit = |lines: &[Value]| {
        folder.write("s.itm.json", judged(lines));
        git(&["add", "."]);
        git(&["commit", "-qm", "judge"]);
    };
    commit(&[line(1, "yes", "anna"), line(2, "yes", "anna")]);
    git(&["checkout", "-qb", "theirs"]);
    commit(&[line(2, "yes", "anna"), line(3, "no", "bo")]);
    git(&["checkout", "-q", "main"]);
    commit(&[line(1, "yes", "anna"), line(2, "yes", "anna"), line(3, "yes", "anna")]);
    git(&["merge", "-q", "--no-edit", "theirs"]);
    assert_eq!(judgments(&folder, "s.itm.json"), ["2 yes anna", "3 yes anna", "3 no bo"]);
}

#[test]
fn a_figure_s_condition_knows_judgments_and_a_matrix_is_no_session() {
    let folder = with_session(&[line(60_208, "no", "mk"), line(79_019, "yes", "mk")]);
    let condition = "--where 'judgments == 2' --direction i2t --pick 1";
    let session = "--demo --session s.itm.json";
    let named = "--truth original --query 8434 --direction i2t";
    let found = format!("--truth original {condition}");
    folder.done(&format!("find {session} {found}"));
    for queries in [named, &found, ""] {
        let figure = folder.printed(&format!("figure {session} {queries}"));
        assert!(figure.contains("original+mine"), "{figure}");
    }
    folder.refused("truth mine demo/broad.npy --demo -o mine", &["broad.npy: no session"]);
}

/// With `--session` a ground truth as judgments change it stands beside the one that was loaded, with the numbers of
/// the files that `truth mine` writes, which the demo takes as well.
#[test]
fn a_session_gives_eval_and_compare_what_truth_mine_writes() {
    let folder = with_session(&[line(60_208, "no", "mk"), line(79_019, "yes", "mk")]);
    folder.done("truth mine s.itm.json --demo -q --truth rich -o mine");
    for command in ["eval", "compare"] {
        let shared = format!("{command} --metrics r1,map_at_r --truth rich,rich+mine --demo -q");
        let of_session = folder.printed(&format!("{shared} --format csv --session s.itm.json"));
        assert!(of_session.contains("rich+mine_r1"), "{of_session}");
        assert_eq!(of_session, folder.printed(&format!("{shared} --format csv mine")));
    }
    // A ground truth that is named brings what the judgments made of it along.
    let named = folder.printed("eval --demo -q --truth rich --session s.itm.json");
    assert!(named.contains("rich+mine") && !named.contains("original"), "{named}");
    // Of two annotators none is taken in silence.
    folder.write("s.itm.json", judged(&[line(79_019, "no", "bo"), line(79_019, "no", "anna")]));
    for command in [
        "find --where 'judgments > 0' --session",
        "eval --session",
        "compare --session",
        "mix --models careful,broad --session",
        "errors --session",
        "figure --query 60208 --session",
    ] {
        let command = format!("{command} s.itm.json --demo -q");
        folder.refused(&command, &["one of bo, anna", "--annotator"]);
        folder.done(&format!("{command} --annotator bo"));
    }
    folder.write("s.itm.json", judged(&[]));
    let told = stderr(&folder.done("mix --demo --models careful,broad --session s.itm.json"));
    assert!(told.contains("no judgments") && !told.contains("+mine"), "{told}");
}

/// As in `eval` a ground truth that is named brings what the judgments made of it along; tests of all of them count.
#[test]
fn compare_tests_a_changed_ground_truth_beside_the_one_named() {
    let folder = with_session(&[line(60_208, "no", "mk")]);
    let compared = |more: &str| {
        let shared = "compare --demo --full --metrics r1 --session s.itm.json --format json";
        let output = folder.done(&format!("{shared} {more}"));
        assert_eq!(stderr(&output), "");
        let whole: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let rows = whole["comparisons"].as_array().unwrap().iter();
        let tested = rows.filter(|row| row["p_holm"].is_number());
        let mut metrics: Vec<String> =
            tested.map(|row| row["metric"].as_str().unwrap().to_owned()).collect();
        metrics.sort();
        metrics.dedup();
        metrics
    };
    for truths in ["rich", "rich,rich+mine"] {
        assert_eq!(compared(&format!("--truth {truths}")), ["rich+mine_r1", "rich_r1"]);
    }
    let all = compared("");
    assert!(all.len() > 4 && all.contains(&"original+mine_r1".to_owned()), "{all:?}");
}

/// Ground truths stay as they were loaded: what judgments make of one is counted beside it.
#[test]
fn error_types_are_counted_with_judgments_and_without() {
    // The first item of a caption, a positive of `rich` among others.
    let folder = with_session(&[line(60_208, "no", "mk")]);
    let counted = |more: &str| {
        folder.json(&format!("errors --demo -q --model broad {more}"))["models"][0]["kinds"].clone()
    };
    let (loaded, judged) = (counted(""), counted("--session s.itm.json"));
    for truth in ["original", "rich", "pm"] {
        assert_eq!(judged[truth], loaded[truth], "{truth}");
    }
    let failures = |truth: &str| judged[truth]["failure"].as_u64().unwrap();
    assert_eq!(failures("rich+mine"), failures("rich") + 1);
}

/// `mix` has one ground truth: with a session that is the one as the judgments change it, whether it is named or not.
#[test]
fn mixtures_are_judged_with_the_judgments_of_a_session() {
    // `rich` and `pm` list the pair, `original` does not.
    let mut said = line(20_815, "yes", "mk");
    said["image"] = json!(629);
    let folder = with_session(&[said]);
    let mixed = |more: &str| folder.printed(&format!("mix --demo --models careful,broad {more}"));
    let without = mixed("--truth original");
    for named in ["original", "original+mine"] {
        let printed = mixed(&format!("--truth {named} --session s.itm.json"));
        assert!(printed.contains(", by original+mine, "), "{printed}");
        assert_ne!(printed.replace("+mine", ""), without);
    }
    // Without a name the richest is meant.
    let printed = mixed("--session s.itm.json");
    assert!(printed.contains(", by rich, "), "{printed}");
}

/// A session of another study counts for nothing, which is no way to count judgments.
#[test]
fn a_session_of_another_study_is_refused() {
    let folder = with_session(&[line(888_888, "yes", "mk"), line(888_889, "no", "mk")]);
    for command in ["eval", "compare", "errors"] {
        let said = ["none of its 2 judgments is of this gallery", "with caption 888888"];
        folder.refused(&format!("{command} --demo -q --session s.itm.json"), &said);
    }
}
