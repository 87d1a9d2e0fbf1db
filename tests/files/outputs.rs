//! Output: existing files stay, escape sequences are removed, and the exit code is defined if nothing can be written.

use crate::common;

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use common::{Folder, latex_of, run, stderr, stdout};
use itm_explore::cli::library;
use itm_explore::data::text::is_hidden;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use resvg::usvg::roxmltree::Document;
use serde_json::Value;

/// A judgment on a pair of the demo.
const SESSION: &str = r#"{"format": "itm-explore-session/1", "verdicts":
    [{"image": 629, "caption": 20815, "verdict": "yes", "truth": "rich", "at": "2026-01-01T00:00:00Z", "by": "mk"}],
    "picks": [], "notes": [], "view": {}}"#;

/// A symmetric matrix of two images and two captions.
fn square(folder: &Folder, name: &str) {
    folder.matrix(name, [2, 2], |image, caption| 1.0 - (image + caption) as f32);
}

#[test]
fn read_only_files_are_not_replaced() {
    let folder = Folder::new();
    folder.write("mine.itm.json", SESSION);
    folder.write("other.itm.json", SESSION);
    for (line, out) in [
        ("convert demo/ -o", "all.json"),
        ("figure --demo --query 55293 -o", "fig.svg"),
        ("eval --demo --per-query", "all.csv"),
        ("convert demo/ --truth rich -o .", "rich_image_to_caption.json"),
        ("truth mine mine.itm.json --format bundle -o", "mine.json"),
        ("annotate merge mine.itm.json other.itm.json -o", "merged.itm.json"),
        ("find --demo -q --where 'r1 == 0' --pick 1 --session", "merged.itm.json"),
    ] {
        let precious = if out == "merged.itm.json" { SESSION } else { "precious" };
        fs::remove_file(folder.path(out)).ok();
        let path = folder.write(out, precious);
        // Permissions do not stop root, who may run the tests.
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        let line = if line.ends_with('.') { line.to_owned() } else { format!("{line} {out}") };
        let output = folder.run(&line);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        for part in ["it is read-only", "chmod u+w"] {
            assert!(said.contains(part), "{line}: {said}");
        }
        assert_eq!(folder.read(out), precious, "{line}");
    }
    folder.done("figure --demo --query 55293 -o free.svg");
}

/// Captions and ids that are formulas, tags, links and characters which nobody sees.
const STRANGE: &str = r#"{"format": "itm-explore/1",
    "image_ids": ["=x\u009b31m", "@y\u200b"], "caption_ids": ["+p", 7],
    "captions": ["=HYPERLINK(\"u\") \u202e\u009b2J", "<script>x</script> [a](javascript:b)"],
    "truths": {"t": {"i2t": {"=x\u009b31m": ["+p"], "@y\u200b": [7]}, "t2i": {"+p": ["=x\u009b31m"], "7": ["@y\u200b"]}}}}"#;

/// The files of a strange study, in its folder.
const STRANGE_FILES: &str = "=a.npy b.npy s.json";

fn strange() -> Folder {
    let folder = Folder::new();
    square(&folder, "=a.npy");
    square(&folder, "b.npy");
    folder.write("s.json", STRANGE);
    folder
}

#[test]
fn no_cell_of_a_table_is_a_formula() {
    let folder = strange();
    let mut told = String::new();
    for line in [
        "find -q --truth t --where 'rank > 0' --direction t2i",
        "find -q --truth t --where 'rank > 0' --direction i2t",
        "eval -q --per-query all.csv",
        "compare -q",
        "errors -q",
        "truth stats",
    ] {
        told += &folder.printed(&format!("{line} --format csv {STRANGE_FILES}"));
    }
    told += &folder.read("all.csv");
    let mut rows = csv::ReaderBuilder::new();
    let rows = rows.has_headers(false).flexible(true).from_reader(told.as_bytes());
    let cells: Vec<String> = rows
        .into_records()
        .flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    for cell in &cells {
        let begins = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        assert!(!begins || cell.parse::<f64>().is_ok(), "{cell:?}");
    }
    for whole in ["'=a", "'+p", "'=x"] {
        assert!(cells.iter().any(|cell| cell.starts_with(whole)), "{whole}: {told}");
    }
}

#[test]
fn markdown_holds_neither_tags_nor_links_of_data() {
    let folder = strange();
    for line in ["find -q --where 'rank > 0'", "show -q --query 7"] {
        let told = folder.printed(&format!("{line} --format markdown {STRANGE_FILES}"));
        let told = told.replace("\\<", "").replace("\\]", "");
        assert!(told.contains("script"), "{told}");
        for obeyed in ["<script", "</", "]("] {
            assert!(!told.contains(obeyed), "{told}");
        }
    }
}

#[test]
fn json_hides_nothing_and_keeps_every_value() {
    let folder = strange();
    for line in [
        "eval -q",
        "compare -q",
        "find -q --where 'rank > 0'",
        "show -q --query +p",
        "errors -q",
        "mix -q",
        "truth stats",
    ] {
        let told = folder.printed(&format!("{line} --format json {STRANGE_FILES}"));
        assert_nothing_hidden(line, &told);
        serde_json::from_str::<Value>(&told).unwrap();
    }
    // What is packed is read again, and packed the same.
    folder.done("convert -o first.json s.json");
    folder.done("convert -o second.json first.json");
    let first = folder.read("first.json");
    assert_eq!(first, folder.read("second.json"));
    assert!(first.contains("\\u009b31m") && !first.contains('\u{9b}'), "{first}");
    let [before, after] =
        [STRANGE, &first].map(|text| serde_json::from_str::<Value>(text).unwrap());
    assert_eq!(before["image_ids"], after["image_ids"]);
    assert_eq!(before["captions"], after["captions"]);
}

/// Runs a line of a shell; `$0` is the program. Gives the exit code and what is said on stderr.
fn shell(line: &str) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command.args(["-c", line, env!("CARGO_BIN_EXE_itm-explore")]);
    let output = command.output().unwrap();
    (output.status.code(), stderr(&output))
}

#[test]
fn results_that_nobody_takes_are_one_error() {
    for args in [
        "eval --demo",
        "eval --demo --format csv",
        "compare --demo",
        "find --demo --where 'r1 == 0'",
        "errors --demo",
        "mix --demo --models careful,broad",
        "doctor --demo",
        "show --demo --query 55293",
        "show --demo --query 55293 --format json",
        "figure --demo --query 55293",
        "truth stats --demo",
        "--help",
        "eval --help",
        "--version",
    ] {
        let (code, said) = shell(&format!("\"$0\" {args} >/dev/full"));
        assert_eq!(code, Some(1), "{args}: {said}");
        assert_eq!(said.matches("error: ").count(), 1, "{args}: {said}");
        assert!(said.contains("standard output: cannot be written"), "{args}: {said}");
        let (code, _) = shell(&format!("\"$0\" {args} >/dev/full 2>/dev/full"));
        assert_eq!(code, Some(1), "{args}");
    }
}

#[test]
fn without_standard_error_the_work_is_done_all_the_same() {
    let folder = Folder::new();
    let out = folder.path("out.json");
    let demo = common::demo_file("");
    for away in ["2>&-", "2>/dev/full"] {
        for (args, expected) in [
            ("eval --demo", 0),
            ("find --demo --where 'r1 == 0'", 0),
            (&*format!("convert '{demo}' -o '{}'", out.display()), 0),
            ("eval /no/such/file", 1),
            ("eval --no-such-flag", 2),
            ("", 1),
        ] {
            let (code, _) = shell(&format!("\"$0\" {args} </dev/null >/dev/null {away}"));
            assert_eq!(code, Some(expected), "{args} {away}");
        }
        assert!(fs::remove_file(&out).is_ok(), "{away}");
    }
}

/// Whoever reads standard error goes away at once.
#[test]
fn a_closed_standard_error_is_no_panic() {
    for (args, expected) in [("convert /no/such -o /no/such/out.json", 1), ("eval --demo --k 0", 2)]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_itm-explore"));
        command.args(args.split(' ')).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(expected));
    }
}

/// Standard error is closed too: writing to it must not panic.
#[test]
fn a_terminal_that_goes_away_is_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_itm-explore"));
    command.env("XDG_STATE_HOME", folder.path());
    command.env("TERM", "xterm");
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut screen = pair.master.try_clone_reader().unwrap();
    let mut seen = Vec::new();
    let mut read = [0; 4096];
    while !String::from_utf8_lossy(&seen).contains("Browse") {
        let length = screen.read(&mut read).unwrap();
        assert!(length > 0, "{}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&read[..length]);
    }
    drop((screen, pair.master));
    let code = child.wait().unwrap().exit_code();
    assert!([1, 128 + libc::SIGHUP as u32].contains(&code), "{code}");
}

/// The charts of a page, each with the command that writes it alone.
fn charts(page: &str) -> Vec<(&str, &str)> {
    let charts = page.split("<figure class=\"chart\">\n").skip(1);
    let chart = |chart| {
        let (svg, rest): (&str, &str) = str::split_once(chart, "<figcaption").unwrap();
        let (_, rest) = rest.split_once("<code>").unwrap();
        (svg, rest.split_once("</code>").unwrap().0)
    };
    charts.map(chart).collect()
}

/// Every model has a bar, whose parts are all of the covered queries.
fn require_error_bars(page: &str, models: usize) {
    let bars: Vec<&str> = page.split("<svg class=\"bar\"").skip(1).collect();
    assert_eq!(bars.len(), models);
    for bar in bars {
        let bar = format!("<svg{}</svg>", bar.split("</svg>").next().unwrap());
        let bar = Document::parse(&bar).unwrap();
        let number = |node: resvg::usvg::roxmltree::Node<'_, '_>, name| -> usize {
            node.attribute(name).unwrap().parse().unwrap()
        };
        let view = bar.root_element().attribute("viewBox").unwrap();
        let covered: usize = view.split(' ').nth(2).unwrap().parse().unwrap();
        let mut end = 0;
        for piece in bar.root_element().children() {
            assert_eq!(number(piece, "x"), end);
            end += number(piece, "width");
        }
        assert_eq!(end, covered);
        let label = bar.root_element().attribute("aria-label").unwrap();
        for part in ["correct", "missing label", "near miss", "far miss", "other"] {
            assert!(label.contains(&format!("{part} ")), "{label}");
        }
    }
}

/// Everything is in one file, and its numbers are those of the subcommands.
#[test]
fn a_page_for_a_browser_is_whole() {
    let folder = Folder::new();
    folder.done("report --demo -o report.html");
    let page = folder.read("report.html");
    let eval = folder.printed("eval --demo -q --format html");
    assert!(page.contains(eval.split("</table>").next().unwrap()), "the table of eval");
    for link in page.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap();
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    require_error_bars(&page, 3);
    for outside in ["src=\"http", "<script", "<link", "url(http"] {
        assert!(!page.contains(outside), "{outside}");
    }
    for tag in ["table", "section", "figure", "dl", "details", "main"] {
        let [begun, ended] =
            [format!("<{tag}"), format!("</{tag}>")].map(|tag| page.matches(&tag).count());
        assert_eq!(begun, ended, "{tag}");
    }
    for (svg, command) in charts(&page) {
        let svg = Document::parse(svg).unwrap_or_else(|error| panic!("{command}: {error}"));
        let title = svg.root_element().first_element_child().unwrap();
        assert!(title.has_tag_name("title") && title.text().unwrap().len() > 10);
        // What a page colours itself, its style sheet tells.
        let colours = svg.descendants().filter_map(|node| node.attribute("fill"));
        let mut variables = colours.filter(|colour| *colour != "none");
        assert!(variables.all(|colour| colour.starts_with("var(--")), "{command}");
        let (line, _) = command.rsplit_once(" -o ").unwrap();
        let line = line.strip_prefix("itm-explore ").unwrap();
        folder.done(&format!("{line} -o alone.svg --force"));
        let alone = folder.read("alone.svg");
        let alone = Document::parse(&alone).unwrap();
        let alone = alone.root_element().first_element_child().unwrap();
        assert_eq!(alone.text(), title.text(), "{command}");
    }
    let kinds: Vec<&str> =
        charts(&page).iter().map(|(_, command)| command.split(' ').nth(2).unwrap()).collect();
    assert_eq!(kinds, ["models", "bump"]);
    // The answer of compare comes before any table.
    let answer = page.find("broad is best by ").unwrap();
    assert!(answer < page.find("<table").unwrap());
    assert!(page.contains("itm-explore report --demo --examples 2 --seed 0 -o report.html"));
    assert_eq!(folder.run("report --demo -o report.html").status.code(), Some(1), "written over");
}

#[test]
fn what_is_read_is_never_written_over_whatever_names_it() {
    let folder = Folder::new();
    folder.write("mine.itm.json", SESSION);
    let listed = folder.write("held.txt", "629\n20815\n");
    std::os::unix::fs::symlink(&listed, folder.path("link.svg")).unwrap();
    folder.done("annotate pool --demo -q --sample 2 -o pool.jsonl");
    let figure = "figure --demo --query 55293 --pool-file held=held.txt --force -o";
    let eval = "eval --demo --session mine.itm.json --annotator mk --per-query mine.itm.json";
    let hits = "annotate hits pool.jsonl --demo -q --force -o";
    for (line, kept, told) in [
        (format!("{figure} link.svg"), "held.txt", "symbolic link"),
        (format!("{eval} --force"), "mine.itm.json", "is read"),
        (format!("{hits} pool.jsonl"), "pool.jsonl", "is read"),
        (format!("{hits} other.json --html pool.jsonl"), "pool.jsonl", "is read"),
        (format!("{hits} page.html --html page.html"), "pool.jsonl", "two outputs"),
    ] {
        let before = folder.read(kept);
        folder.refused(&line, &[told]);
        assert_eq!(folder.read(kept), before, "{line}");
    }
    assert!(!folder.path("page.html").exists() && !folder.path("other.json").exists());
    // What was written before may be written again.
    (0..2).for_each(|_| drop(folder.done(&format!("{figure} again.svg"))));
}

/// Every table for a paper, as LaTeX reads it; signs of LaTeX in names and headings are text.
#[test]
fn latex_takes_every_table() {
    let folder = Folder::new();
    for line in [
        "show --query 60208",
        "eval --name 'broad=50% & {broad}_1'",
        "eval --ci --metrics all",
        "compare --full --name 'broad=50% & {broad}_1'",
        "compare --metrics r1,r5,r10,map_at_r --models careful,broad",
        "errors",
        "find --where 'ap < 0.5'",
        "find --items --which non-gt",
        "truth stats",
    ] {
        let table = folder.printed(&format!("{line} --demo -q --format latex"));
        let log = latex_of(&table, "booktabs,graphicx", &folder.path(""));
        assert!(!log.unwrap_or_default().contains("Overfull \\hbox"), "{line}");
    }
}

/// Escapes, C1, bidirectional and invisible characters, and a line end.
const HOSTILE: &str = "x\u{1b}]0;t\u{7}\u{9b}2J\u{202e}\u{200b}\u{3164}y\nz";

fn assert_nothing_hidden(line: &str, text: &str) {
    let hidden = text.chars().find(|c| *c != '\n' && is_hidden(*c));
    assert_eq!(hidden, None, "{line}: {text:?}");
}

/// Asserts that nothing of it reaches whoever reads the output.
fn assert_seen(args: &[&str]) {
    let output = run(args);
    for told in [stdout(&output), stderr(&output)] {
        assert_nothing_hidden(&args.join(" "), &told);
    }
}

#[test]
fn texts_of_files_are_seen_and_not_obeyed() {
    let folder = Folder::new();
    let [a, b] = ["a", "b"].map(|name| {
        let name = format!("{name}{}.npy", HOSTILE.replace('/', ""));
        square(&folder, &name);
        folder.path(&name).to_str().unwrap().to_owned()
    });
    let mut bundle: Value = serde_json::from_str(STRANGE).unwrap();
    bundle["captions"][0] = HOSTILE.into();
    bundle["truths"] =
        serde_json::json!({"t": bundle["truths"]["t"], HOSTILE: bundle["truths"]["t"]});
    let bundle = folder.write(&format!("{HOSTILE}.json"), bundle.to_string());
    let bundle = bundle.to_str().unwrap();
    for command in [
        &["eval"][..],
        &["compare"],
        &["find", "--where", "rank > 0"],
        &["errors"],
        &["mix"],
        &["show", "--query", "7"],
        &["doctor"],
        &["semantic", "recall"],
    ] {
        for format in ["table", "csv", "markdown", "latex", "json", "jsonl", "html"] {
            assert_seen(&[command, &["--format", format, &a, &b, bundle]].concat());
        }
    }
    let study = ["-q", &a, bundle];
    let [pool, hits] =
        ["pool.jsonl", "hits.json"].map(|name| folder.path(name).to_str().unwrap().to_owned());
    let pooled = ["annotate", "pool", "--top", "9999", "--order", "depth", "-o", &pool];
    assert!(run(&[&pooled, &study[..]].concat()).status.success());
    assert!(
        run(&[&["annotate", "hits", &pool, "-o", &hits], &study[..]].concat()).status.success()
    );
    for name in ["pool.jsonl", "hits.json"] {
        assert_nothing_hidden(name, &folder.read(name));
    }
    // No ranking is longer than the gallery.
    assert!(folder.read("pool.jsonl").contains("\"top\":2,"));
    for args in [
        &["truth", "stats", &a, bundle][..],
        &["truth", "mine", bundle],
        &["annotate", "pool", &a, bundle, "--order", "depth", "-o", "/dev/stdout"],
        &["convert", &a, bundle, "-o", "/dev/stdout"],
        &["doctor", bundle, bundle],
        &["eval", &a, bundle, "--model", "none"],
        &["eval", &format!("{a}.none")],
    ] {
        assert_seen(args);
    }
}

/// Every option that takes a value, with a value that no option wants.
#[test]
fn values_of_options_are_seen_and_not_obeyed() {
    fn walk(command: &clap::Command, path: &[String], known: &mut BTreeSet<String>) {
        for option in command.get_arguments().filter(|option| option.get_action().takes_values()) {
            let Some(flag) = option.get_long() else { continue };
            if known.insert(flag.to_owned()) {
                let flag = format!("--{flag}");
                let path = path.iter().map(String::as_str);
                assert_seen(&path.chain(["--demo", &flag, HOSTILE]).collect::<Vec<_>>());
            }
        }
        for below in command.get_subcommands() {
            walk(below, &[path, &[below.get_name().to_owned()]].concat(), known);
        }
    }
    let mut known = BTreeSet::new();
    walk(&library::command(), &[], &mut known);
    assert!(known.len() > 50, "{known:?}");
    assert_seen(&["eval", HOSTILE]);
    assert_seen(&[HOSTILE]);
    assert_seen(&["eval", "--demo", &format!("--{HOSTILE}")]);
}
