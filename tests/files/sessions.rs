//! Sessions made by the library and used by the program itself.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{demo_file, record};
use itm_explore::data::Direction;
use itm_explore::evaluate::plan::{Choice, Request};
use itm_explore::evaluate::{self, Evaluation};
use itm_explore::rank::pass::CancelToken;
use itm_explore::report::Screen;
use itm_explore::report::evaluation::Evaluated;
use itm_explore::report::formats::Format;
use itm_explore::session::{Facts, Lock, Session, Timestamp};
use itm_explore::study::{Study, demo};
use itm_explore::truth::Truth;
use itm_explore::truth::judgment::{Judgment, Pair, with_mine};
use serde_json::{Value, json};
use tempfile::TempDir;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_itm-explore"));
    // Neither the settings nor the name of whoever runs the tests.
    command
        .args(args)
        .env("XDG_CONFIG_HOME", "/none")
        .env("XDG_STATE_HOME", "/none")
        .env("USER", "mk");
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn done(args: &[&str]) -> Output {
    let output = command(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    output
}

fn refused(args: &[&str]) -> String {
    let output = command(args).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    stderr(&output)
}

fn value(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn save(path: &Path, session: &Session) {
    match Session::open(path).unwrap().lock {
        Lock::Held(saver) => saver.save(session).unwrap(),
        Lock::Other { who } => panic!("held by {who}"),
    }
}

/// The first of some models of the demo, whose files the program gets.
fn demo_files() -> Vec<String> {
    let names = [
        "broad.npy",
        "captions.json",
        "original_image_to_caption.json",
        "rich_image_to_caption.json",
        "pm_image_to_caption.json",
    ];
    names.map(demo_file).to_vec()
}

/// A session of judgments strewn over the top of the demo's rankings, and on positives.
fn strewn(study: &Study) -> Session {
    let gallery = &study.gallery;
    let mut session = Session::default();
    session.study = Some(Facts::new(vec!["broad.npy".into()], gallery));
    for step in 0..400_usize {
        let pair = Pair { image: (step * 7 % 60).into(), caption: (step * 13 % 300).into() };
        let (image, caption) =
            (&gallery.images[pair.image.get()], &gallery.captions[pair.caption.get()]);
        let at = Timestamp::of_seconds(step as i64);
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
        let at = Timestamp::of_seconds(500);
        session.set_response(&gallery.images[image], caption, judgment, at, "mk");
    }
    session
}

/// Output of `eval --format json` for a study.
fn evaluated(study: &Study) -> Value {
    let request = Request {
        metrics: Choice::Usual,
        depths: vec![1, 5, 10],
        truths: Vec::new(),
        pmrp_cap: None,
        ..Request::default()
    };
    let evaluation: Evaluation =
        evaluate::evaluate(study, &request, &CancelToken::default()).unwrap();
    let evaluated = Evaluated::new(&evaluation, Direction::BOTH.to_vec(), None, false);
    let json = Format::named("json").unwrap();
    let bytes = json.bytes(evaluated.report(Screen { width: 100, is_bold: false }, true)).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The numbers of one truth and how many queries it judges.
fn of_truth(report: &Value, truth: &str) -> (Vec<(String, Value)>, Value) {
    let model = &report["models"][0];
    let metrics = model["metrics"].as_object().unwrap();
    let own = metrics.iter().filter(|(key, _)| key.starts_with(&format!("{truth}_")));
    let own: Vec<_> = own.map(|(key, value)| (key.clone(), value.clone())).collect();
    assert!(!own.is_empty(), "{truth}: {report:#}");
    (own, model["judged"][truth].clone())
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

#[test]
fn the_written_truth_gives_the_numbers_of_the_overlay() {
    let folder = Folder::new();
    let mut study = demo::open().unwrap();
    study.models.retain(|model| model.name == "broad");
    let session = strewn(&study);
    let path = folder.path("broad.itm.json");
    save(&path, &session);
    let (judgments, lacking) = session.judgments_in(&study.gallery, "mk");
    assert_eq!(lacking, Vec::<String>::new());
    let truths = std::mem::take(&mut study.truths);
    let changed = |truth: &Truth| {
        let name = with_mine(&truth.name);
        let relevance = truth.with(&judgments).relevance;
        Truth { relevance, ..Truth::new(&name) }
    };
    study.truths = truths.iter().map(changed).collect();
    let wanted = evaluated(&study);
    let files = demo_files();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for truth in ["original", "rich", "pm"] {
        for format in ["json", "qrels", "bundle"] {
            let out = folder.path(&format!("{truth}-{format}"));
            let start = ["truth", "mine", text(&path)];
            let end = ["--truth", truth, "--format", format, "-o", text(&out)];
            done(&[&start[..], &files, &end].concat());
            // A folder of lists is a truth like any other; the ids come from the captions.
            let given = match format {
                "json" => format!("{}/{truth}+mine_image_to_caption.json", text(&out)),
                "qrels" => format!("{}/{truth}+mine_i2t.qrels", text(&out)),
                _ => text(&out).to_owned(),
            };
            let report = done(&["eval", files[0], files[1], &given, "--format", "json"]);
            let name = with_mine(truth);
            assert_eq!(
                of_truth(&value(&report), &name),
                of_truth(&wanted, &name),
                "{truth} as {format}"
            );
        }
    }
    // Ids that the gallery lacks stay.
    let written =
        fs::read_to_string(folder.path("rich-json/rich+mine_image_to_caption.json")).unwrap();
    let rich = fs::read_to_string(demo_file("rich_image_to_caption.json")).unwrap();
    let ids = |text: &str| {
        text.split(|c: char| !c.is_ascii_digit()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (written, rich) = (ids(&written), ids(&rich));
    let known =
        |id: &String| study.gallery.captions.find(&itm_explore::data::id::Id::parse(id)).is_some();
    let images =
        |id: &String| study.gallery.images.find(&itm_explore::data::id::Id::parse(id)).is_some();
    let lacking = rich.iter().find(|id| !id.is_empty() && !known(id) && !images(id)).unwrap();
    assert!(written.contains(lacking));
}

#[test]
fn the_truth_is_the_one_of_the_view_or_the_richest() {
    let folder = Folder::new();
    let study = demo::open().unwrap();
    let mut session = strewn(&study);
    let path = folder.path("broad.itm.json");
    let files = demo_files();
    let mine = |session: &Session| {
        save(&path, session);
        let start =
            ["truth", "mine", text(&path), "--format", "bundle", "--force", "-o", "mine.json"];
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let args = [&start[..], &files].concat();
        let output = command(&args).current_dir(folder.path("")).output().unwrap();
        stderr(&output)
    };
    let said = mine(&session);
    let written = || -> Vec<String> {
        let bundle = fs::read(folder.path("mine.json")).unwrap();
        let bundle: Value = serde_json::from_slice(&bundle).unwrap();
        bundle["truths"].as_object().unwrap().keys().cloned().collect()
    };
    assert!(
        said.contains("337 judgments of mk\n") && said.ends_with("wrote mine.json\n"),
        "{said}"
    );
    assert!(said.contains("does not judge, and not written: 69 judgments"), "{said}");
    assert_eq!(written(), ["rich+mine"]);
    session.view.insert("truth".into(), json!("pm"));
    mine(&session);
    assert_eq!(written(), ["pm+mine"]);
    session.view.insert("truth".into(), json!("nowhere"));
    mine(&session);
    assert_eq!(written(), ["rich+mine"]);
    let out = folder.path("out");
    let refused_to = |args: &[&str]| refused(&[args, &["-o", text(&out)]].concat());
    let said = refused_to(&["truth", "mine", text(&path), &files[1], "--truth", "eccv"]);
    assert!(said.contains("no ground truth is named eccv"), "{said}");
    let said = refused(&["convert", &files[0], text(&path), "-o", text(&out)]);
    assert!(said.contains("a session, which is no input"), "{said}");
    // Without the captions ids are indices.
    let said = refused(&["eval", &files[0], "--session", text(&path)]);
    assert!(said.contains("none of its 337 judgments is of this gallery"), "{said}");
    assert!(refused_to(&["truth", "mine", text(&path), "--truth", "rich"]).contains("no files"));
    let before = fs::read(&path).unwrap();
    refused(&["truth", "mine", text(&path), "--format", "bundle", "-o", text(&path)]);
    assert_eq!(fs::read(&path).unwrap(), before);
}

fn line(caption: u32, judgment: &str, by: &str) -> Value {
    json!({"image": 391895, "caption": caption, "verdict": judgment, "at": "2026-11-21T10:00:00Z", "by": by})
}

fn write(path: &Path, lines: &[Value]) {
    let session = json!({"format": "itm-explore-session/1", "verdicts": lines});
    fs::write(path, session.to_string()).unwrap();
}

#[test]
fn judgments_alone_are_a_truth_too() {
    let folder = Folder::new();
    let path = folder.path("s.itm.json");
    write(&path, &[line(1, "yes", "anna"), line(2, "no", "anna"), line(3, "yes", "bo")]);
    let said = refused(&["truth", "mine", text(&path), "-o", text(&folder.path("out"))]);
    assert!(said.contains("no judgment of mk") && said.contains("one of anna, bo"), "{said}");
    let out = folder.path("out");
    done(&["truth", "mine", text(&path), "--annotator", "anna", "-o", text(&out)]);
    let read = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(out.join(name)).unwrap()).unwrap()
    };
    assert_eq!(read("mine_image_to_caption.json"), json!({"391895": [1]}));
    assert_eq!(read("mine_caption_to_image.json"), json!({"1": [391895], "2": []}));
    write(&path, &[]);
    let mine = ["truth", "mine", text(&path), "-o", text(&out)];
    assert!(refused(&mine).contains("expected: a session with judgments"));
    fs::write(&path, "{\"format\": \"itm-expl").unwrap();
    let said = refused(&mine);
    assert!(said.contains("broken JSON at line 1, column"), "{said}");
}

/// Every no stands where a form has a place for it, and is found again; where there is none, it is told.
#[test]
fn every_no_is_written_where_the_form_can_hold_it() {
    let folder = Folder::new();
    let path = folder.path("s.itm.json");
    let said = |caption: u32, judgment: &str| {
        let mut of_demo = line(caption, judgment, "mk");
        of_demo["image"] = json!(8434);
        of_demo
    };
    write(&path, &[said(60_208, "no"), said(79_019, "yes"), said(42_362, "mostly-no")]);
    let files = demo_files();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for (format, of) in [
        ("qrels", &[][..]),
        ("bundle", &[]),
        ("qrels", &["--truth", "rich"]),
        ("bundle", &["--truth", "rich"]),
    ] {
        let ending = if format == "bundle" { ".json" } else { "" };
        let out = folder.path(&format!("{format}-{}{ending}", of.len()));
        let study = if of.is_empty() { &[][..] } else { &files[..] };
        let start = ["truth", "mine", text(&path), "--format", format, "-o", text(&out)];
        let told = stderr(&done(&[&start[..], study, of].concat()));
        assert!(!told.contains("not written"), "{told}");
        let given = if format == "bundle" {
            text(&out).to_owned()
        } else {
            let name = if of.is_empty() { "mine" } else { "rich+mine" };
            let lists = fs::read_to_string(out.join(format!("{name}_t2i.qrels"))).unwrap();
            assert!(lists.contains("60208 0 8434 0"), "{lists}");
            assert!(of.len() == 2 || !lists.contains(" - "), "{lists}");
            format!("{}/{name}_t2i.qrels", text(&out))
        };
        let name = if of.is_empty() { "mine" } else { "rich+mine" };
        let find = ["find", "--items", "--which", "judged-no", "--k", "40", "--format", "csv"];
        let asked = ["--truth", name, "--direction", "t2i", files[0], files[1], &given];
        let found = String::from_utf8(done(&[&find[..], &asked].concat()).stdout).unwrap();
        for query in ["60208", "42362"] {
            let start = format!("t2i,{query},8434,judged-no");
            assert!(found.contains(&start), "{format} {of:?}: {found}");
        }
    }
    let out = folder.path("json");
    let told = stderr(&done(&["truth", "mine", text(&path), "-o", text(&out)]));
    assert!(told.contains("3 judgments of mk") && told.contains("--format qrels"), "{told}");
    let nowhere = command(&["truth", "mine", text(&path)]).output().unwrap();
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(stderr(&nowhere).contains("--output <OUT>"));
}

#[test]
fn a_session_among_the_files_of_a_folder_is_none_of_them() {
    let folder = Folder::new();
    for name in ["captions.json", "rich_image_to_caption.json", "rich_caption_to_image.json"] {
        fs::copy(demo_file(name), folder.path(name)).unwrap();
    }
    write(&folder.path("captions.itm.json"), &[line(1, "yes", "mk")]);
    fs::write(folder.path("captions.itm.json.lock"), "process 1 on moon").unwrap();
    let given = folder.path("");
    let output = done(&["eval", &demo_file("broad.npy"), text(&given)]);
    assert!(!stderr(&output).contains(".itm.json"), "{}", stderr(&output));
}

#[test]
fn judgments_of_several_are_merged_and_their_agreement_measured() {
    let folder = Folder::new();
    let [anna, bo, out] =
        ["anna", "bo", "merged"].map(|name| folder.path(&format!("{name}.itm.json")));
    // The table 20, 5, 10, 15, whose kappa is 0.4.
    let mut lines = [Vec::new(), Vec::new()];
    let counts = [("yes", "yes", 20), ("yes", "no", 5), ("no", "yes", 10), ("no", "no", 15)];
    let mut caption = 0;
    for (first, second, count) in counts {
        for _ in 0..count {
            caption += 1;
            lines[0].push(line(caption, first, "anna"));
            lines[1].push(line(caption, second, "bo\u{1b}[2J"));
        }
    }
    lines[0].push(line(99, "partial", "anna"));
    write(&anna, &lines[0]);
    write(&bo, &lines[1]);
    let args = ["annotate", "merge", text(&anna), text(&bo), "-o", text(&out)];
    let report = value(&done(&[&args[..], &["--format", "json"]].concat()));
    let counts = ["judgments", "pairs", "judged_by_several", "disagreed", "undecided"];
    assert_eq!(counts.map(|key| report[key].as_u64().unwrap()), [101, 51, 50, 15, 15]);
    let on = |scale| record(&report, "agreement", &[("scale", scale)]);
    let found = on("judgments");
    assert_eq!((&found["pairs"], &found["agreement"]), (&json!(50), &json!(0.7)));
    for measure in ["judgments", "yes_no"] {
        let kappa = on(measure)["kappa"].as_f64().unwrap();
        assert!((kappa - 0.4).abs() < 1e-12, "{report:#}");
        // Of statsmodels' `cohens_kappa`: `kappa_low` and `kappa_upp`.
        for (end, bound) in [("low", 0.151092290476661), ("high", 0.6489077095233389)] {
            let found = on(measure)[end].as_f64().unwrap();
            assert!((found - bound).abs() < 1e-12, "{report:#}");
        }
    }
    assert_eq!(on("linear")["kappa"], found["kappa"]);
    assert_eq!(report["disagreements"].as_array().unwrap().len(), 15);
    assert_eq!(report["disagreements"][0]["caption"], json!(21));
    assert_eq!(report["disagreements"][0]["majority"], Value::Null);
    let (merged, _) = Session::read(&out).unwrap();
    assert_eq!((merged.judgments().len(), merged.annotators().len()), (101, 2));
    // Again over what was merged, but never over what the merge lacks.
    let again = folder.path("again.jsonl");
    let output = done(&[&args[..], &["--force", "--disputed", text(&again)]].concat());
    let table = String::from_utf8(output.stdout).unwrap();
    let first = "101 judgments of 2 people; they disagree on 15 of 50 shared pairs\n";
    assert!(table.starts_with(first), "{table}");
    assert!(table.contains("15 pairs judged differently, the first 10"), "{table}");
    assert!(table.contains("70.00") && table.contains("0.400  0.151 to 0.649"), "{table}");
    assert!(!table.contains('\u{1b}') && table.contains("undecided"), "{table}");
    assert_eq!(fs::read_to_string(&again).unwrap().lines().count(), 1 + 15);
    let said = refused(&["annotate", "merge", text(&anna), "-o", text(&bo), "--force"]);
    assert!(said.contains("holds judgments, picks, notes or tags that would be lost"), "{said}");
    let said = refused(&["annotate", "merge", text(&anna), text(&bo), "-o", text(&anna)]);
    assert!(said.contains("written over"), "{said}");
}

#[test]
fn what_two_sides_changed_since_the_base_is_a_conflict() {
    let folder = Folder::new();
    let [base, ours, theirs, out, pool] =
        ["base.itm.json", "ours.itm.json", "theirs.itm.json", "out.itm.json", "again.jsonl"]
            .map(|name| folder.path(name));
    let lines = |says: [&str; 3]| {
        let said = says.into_iter().zip(1..).filter(|(judgment, _)| !judgment.is_empty());
        said.map(|(judgment, caption)| line(caption, judgment, "anna")).collect::<Vec<_>>()
    };
    write(&base, &lines(["yes", "yes", "yes"]));
    write(&ours, &lines(["no", "yes", "yes"]));
    write(&theirs, &lines(["partial", "no", ""]));
    let args = ["annotate", "merge", text(&ours), text(&theirs), "--base", text(&base)];
    let outputs = ["-o", text(&out), "--disputed", text(&pool)];
    let table = String::from_utf8(done(&[&args[..], &outputs].concat()).stdout).unwrap();
    for part in ["2 judgments of 1 person", "1 conflict: changed differently", "no, partial"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let (merged, _) = Session::read(&out).unwrap();
    let said: Vec<_> = merged.judgments().iter().map(|one| one.response().key()).collect();
    assert_eq!(said, ["partial", "no"]);
    assert_eq!(fs::read_to_string(&pool).unwrap().lines().count(), 1 + 1);
    // A file in which git left both versions.
    let both = fs::read_to_string(&out).unwrap().replacen("    {", "<<<<<<< HEAD\n    {", 1);
    fs::write(&out, both).unwrap();
    for command in
        [&["annotate", "merge"][..], &["annotate", "import"], &["eval", "--demo", "--session"]]
    {
        let said = refused(&[command, &[text(&out)]].concat());
        assert!(
            said.contains("a merge conflict at line 4") && said.contains("git show :2:"),
            "{said}"
        );
    }
}

#[test]
fn tags_are_merged_found_and_counted() {
    let folder = Folder::new();
    let [mine, other, both] =
        ["mine", "other", "both"].map(|name| folder.path(&format!("{name}.itm.json")));
    let tag = |caption: u32, tag: &str, by: &str| json!({"image": 8434, "caption": caption, "tag": tag, "at": "2026-11-21T10:00:00Z", "by": by});
    let write = |path: &Path, tags: &[Value]| {
        let session = json!({"format": "itm-explore-session/1", "tags": tags});
        fs::write(path, session.to_string()).unwrap();
    };
    write(&mine, &[tag(60_208, "counting", "mk"), tag(79_019, "colour", "mk")]);
    write(&other, &[tag(60_208, "counting", "bo"), tag(60_208, "colour", "bo")]);
    done(&["annotate", "merge", text(&mine), text(&other), "-o", text(&both)]);
    assert_eq!(Session::read(&both).unwrap().0.tags.len(), 4);
    let condition = ["--where", "tag == \"counting\"", "--format", "json"];
    let find =
        ["find", "--demo", "--truth", "original", "--direction", "i2t", "--session", text(&both)];
    let found = value(&done(&[&find[..], &condition].concat()));
    assert_eq!((&found["matched"], &found["queries"][0]["id"]), (&json!(1), &json!(8434)));
    let items = value(&done(&[&find[..], &condition, &["--items", "-k", "1"]].concat()));
    assert_eq!(items["items"][0]["tags"], json!("colour, counting"));
    let errors = ["errors", "--demo", "--session", text(&both), "--format", "json"];
    let tags = &value(&done(&errors))["tags"];
    assert_eq!(tags[0], json!({"tag": "colour", "pairs": 2}));
    let without = ["find", "--demo", "--where", "tag == \"counting\""];
    assert!(stderr(&done(&without)).contains("without --session no query has tag"));
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
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/annotation.md")).unwrap();
    let driver = page.lines().find_map(|line| line.strip_prefix("git config merge.itm.driver '"));
    let driver = driver.unwrap().trim_end_matches('\'');
    git(&[
        "config",
        "merge.itm.driver",
        &driver.replace("itm-explore", env!("CARGO_BIN_EXE_itm-explore")),
    ]);
    fs::write(folder.path(".gitattributes"), "*.itm.json merge=itm\n").unwrap();
    let session = folder.path("s.itm.json");
    let commit = |lines: &[Value]| {
        write(&session, lines);
        git(&["add", "."]);
        git(&["commit", "-qm", "judge"]);
    };
    commit(&[line(1, "yes", "anna"), line(2, "yes", "anna")]);
    git(&["checkout", "-qb", "theirs"]);
    commit(&[line(2, "yes", "anna"), line(3, "no", "bo")]);
    git(&["checkout", "-q", "main"]);
    commit(&[line(1, "yes", "anna"), line(2, "yes", "anna"), line(3, "yes", "anna")]);
    git(&["merge", "-q", "--no-edit", "theirs"]);
    let (merged, _) = Session::read(&session).unwrap();
    let said: Vec<_> =
        merged.judgments().iter().map(|one| (one.caption.raw(), one.by.clone())).collect();
    let wanted = [("2", "anna"), ("3", "anna"), ("3", "bo")];
    assert_eq!(said, wanted.map(|(id, by)| (id.to_owned(), by.to_owned())));
}

#[test]
fn a_figure_s_condition_knows_judgments_and_a_matrix_is_no_session() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    let said = |caption: u32, judgment: &str| {
        let mut of_demo = line(caption, judgment, "mk");
        of_demo["image"] = json!(8434);
        of_demo
    };
    write(&session, &[said(60_208, "no"), said(79_019, "yes")]);
    let mine = folder.path().join("mine");
    let condition = ["--where", "judgments == 2", "--direction", "i2t", "--pick", "1"];
    let figure = ["figure", "--demo", "--truth", "original", "--judgments", text(&session)];
    done(&[&figure[..], &condition].concat());
    // A matrix in the place of a session is told as such.
    let matrix = demo_file("broad.npy");
    let swapped = refused(&["truth", "mine", &matrix, "--demo", "-o", text(&mine)]);
    assert!(swapped.contains("broad.npy: no session"), "{swapped}");
}

/// With `--session` a ground truth as judgments change it stands beside the one that was loaded, with the numbers of
/// the files that `truth mine` writes, which the demo takes as well.
#[test]
fn a_session_gives_eval_and_compare_what_truth_mine_writes() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    let said = |caption: u32, judgment: &str| {
        let mut of_demo = line(caption, judgment, "mk");
        of_demo["image"] = json!(8434);
        of_demo
    };
    write(&session, &[said(60_208, "no"), said(79_019, "yes")]);
    let mine = folder.path().join("mine");
    let truths = "rich,rich+mine";
    done(&["truth", "mine", text(&session), "--demo", "-q", "--truth", "rich", "-o", text(&mine)]);
    for shared in [
        ["eval", "--metrics", "r1,map_at_r", "--truth", truths],
        ["compare", "--metrics", "r1,map_at_r", "--truth", truths],
    ] {
        let tail = ["--demo", "-q", "--format", "csv"];
        let of_session = done(&[&shared[..], &tail, &["--session", text(&session)]].concat());
        let of_files = done(&[&shared[..], &tail, &[text(&mine)]].concat());
        let printed = String::from_utf8(of_session.stdout).unwrap();
        assert!(printed.contains("rich+mine_r1"), "{printed}");
        assert_eq!(printed, String::from_utf8(of_files.stdout).unwrap());
    }
    // A ground truth that is named brings what the judgments made of it along.
    let named = ["eval", "--demo", "-q", "--truth", "rich", "--session", text(&session)];
    let printed = String::from_utf8(done(&named).stdout).unwrap();
    assert!(printed.contains("rich+mine") && !printed.contains("original"), "{printed}");
    // Of two annotators none is taken in silence.
    let mut other = said(79_019, "no");
    other["by"] = json!("bo");
    let mut third = said(79_019, "no");
    third["by"] = json!("anna");
    write(&session, &[other, third]);
    for args in [
        &["find", "--where", "judgments > 0", "--session"][..],
        &["eval", "--session"],
        &["compare", "--session"],
        &["mix", "--models", "careful,broad", "--session"],
        &["errors", "--session"],
        &["figure", "--query", "60208", "--judgments"],
    ] {
        let (command, rest) = args.split_first().unwrap();
        let args = [&[*command, "--demo", "-q"], rest, &[text(&session)]].concat();
        let said = refused(&args);
        assert!(said.contains("one of bo, anna") && said.contains("--annotator"), "{said}");
        done(&[&args[..], &["--annotator", "bo"]].concat());
    }
    write(&session, &[]);
    let told =
        stderr(&done(&["mix", "--demo", "--models", "careful,broad", "--session", text(&session)]));
    assert!(told.contains("no judgments") && !told.contains("+mine"), "{told}");
}

/// As in `eval` a ground truth that is named brings what the judgments made of it along; tests of all of them count.
#[test]
fn compare_tests_a_changed_ground_truth_beside_the_one_named() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    let mut said = line(60_208, "no", "mk");
    said["image"] = json!(8434);
    write(&session, &[said]);
    let compared = |args: &[&str]| {
        let shared = ["compare", "--demo", "--full", "--metrics", "r1", "--format", "json"];
        let output = done(&[&shared[..], &["--session", text(&session)], args].concat());
        assert_eq!(stderr(&output), "");
        let whole = value(&output);
        let rows = whole["comparisons"].as_array().unwrap().iter();
        let tested = rows.filter(|row| row["p_holm"].is_number());
        let mut metrics: Vec<String> =
            tested.map(|row| row["metric"].as_str().unwrap().to_owned()).collect();
        metrics.sort();
        metrics.dedup();
        metrics
    };
    for truths in ["rich", "rich,rich+mine"] {
        assert_eq!(compared(&["--truth", truths]), ["rich+mine_r1", "rich_r1"]);
    }
    let all = compared(&[]);
    assert!(all.len() > 4 && all.contains(&"original+mine_r1".to_owned()), "{all:?}");
}

/// Ground truths stay as they were loaded: what judgments make of one is counted beside it.
#[test]
fn error_types_are_counted_with_judgments_and_without() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    // The first item of a caption, a positive of `rich` among others.
    let mut said = line(60_208, "no", "mk");
    said["image"] = json!(8434);
    write(&session, &[said]);
    let counted = |more: &[&str]| {
        let errors = ["errors", "--demo", "-q", "--model", "broad", "--format", "json"];
        value(&done(&[&errors[..], more].concat()))["models"][0]["kinds"].clone()
    };
    let loaded = counted(&[]);
    let judged = counted(&["--session", text(&session)]);
    for truth in ["original", "rich", "pm"] {
        assert_eq!(judged[truth], loaded[truth], "{truth}");
    }
    let failures = |truth: &str| judged[truth]["failure"].as_u64().unwrap();
    assert_eq!(failures("rich+mine"), failures("rich") + 1);
}

/// `mix` has one ground truth: with a session that is the one as the judgments change it, whether it is named or not.
#[test]
fn mixtures_are_judged_with_the_judgments_of_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    // `rich` and `pm` list the pair, `original` does not.
    let mut said = line(20_815, "yes", "mk");
    said["image"] = json!(629);
    write(&session, &[said]);
    let mixed = |more: &[&str]| {
        let models = ["mix", "--demo", "--models", "careful,broad"];
        String::from_utf8(done(&[&models[..], more].concat()).stdout).unwrap()
    };
    let with = ["--session", text(&session)];
    for named in ["original", "original+mine"] {
        let printed = mixed(&[&["--truth", named], &with[..]].concat());
        assert!(printed.contains(", by original+mine, "), "{printed}");
        let without = mixed(&["--truth", "original"]);
        assert_ne!(printed.replace("+mine", ""), without);
    }
    // Without a name the richest is meant.
    let printed = mixed(&with);
    assert!(printed.contains(", by rich, "), "{printed}");
}

/// A session of another study counts for nothing, which is no way to count judgments.
#[test]
fn a_session_of_another_study_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    write(&session, &[line(888_888, "yes", "mk"), line(888_889, "no", "mk")]);
    for command in ["eval", "compare", "errors"] {
        let said = refused(&[command, "--demo", "-q", "--session", text(&session)]);
        assert!(said.contains("none of its 2 judgments is of this gallery"), "{said}");
        assert!(said.contains("with caption 888888"), "{said}");
    }
}
