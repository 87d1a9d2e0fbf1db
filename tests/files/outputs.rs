//! Output: existing files stay, escape sequences are removed, and the exit code is defined if nothing can be written.

use crate::common;

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::CommandFactory;
use common::{PICK, latex_of, npy, run, stderr, stdout};
use itm_explore::cli::Cli;
use itm_explore::data::text::is_hidden;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use resvg::usvg::roxmltree::Document;
use serde_json::Value;

/// A judgment on a pair of the demo.
const SESSION: &str = r#"{"format": "itm-explore-session/1", "verdicts":
    [{"image": 629, "caption": 20815, "verdict": "yes", "truth": "rich", "at": "2026-01-01T00:00:00Z", "by": "mk"}],
    "picks": [], "notes": [], "view": {}}"#;
/// The first caption of the demo.
const QUERY: [&str; 2] = ["--query", "55293"];

/// Writes a file and gives its name.
fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A file that its permissions let nobody write. They do not stop root, who may run the tests.
fn read_only(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = write(folder, name, bytes);
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    path
}

/// A symmetric matrix of two images and two captions.
fn square(folder: &Path, name: &str) -> String {
    let cells: Vec<u8> = [1f32, 0.0, 0.0, -1.0].iter().flat_map(|c| c.to_le_bytes()).collect();
    write(folder, name, npy("'<f4'", false, "(2, 2)", &cells))
}

#[test]
fn read_only_files_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = |name: &str| read_only(folder, name, "precious");
    let session = write(folder, "mine.itm.json", SESSION);
    let other = write(folder, "other.itm.json", SESSION);
    let merged = read_only(folder, "merged.itm.json", SESSION);
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo");
    file("rich_image_to_caption.json");
    let commands: [(&[&str], String); 7] = [
        (&["convert", demo, "-o"], file("all.json")),
        (&["figure", "--demo", QUERY[0], QUERY[1], "-o"], file("fig.svg")),
        (&["eval", "--demo", "--per-query"], file("all.csv")),
        (&["convert", demo, "--truth", "rich", "-o"], folder.to_str().unwrap().to_owned()),
        (&["truth", "mine", &session, "--format", "bundle", "-o"], file("mine.json")),
        (&["annotate", "merge", &session, &other, "-o"], merged.clone()),
        (PICK, merged.clone()),
    ];
    for (args, out) in commands {
        let args = [args, &[&out]].concat();
        let output = run(&args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        for part in ["it is read-only", "chmod u+w"] {
            assert!(said.contains(part), "{args:?}: {said}");
        }
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.metadata().unwrap().permissions().readonly() && !path.ends_with("merged.itm.json") {
            assert_eq!(fs::read(&path).unwrap(), b"precious", "{}", path.display());
        }
    }
    assert_eq!(fs::read_to_string(&merged).unwrap(), SESSION);
    let free = folder.join("free.svg");
    let output = run(&["figure", "--demo", QUERY[0], QUERY[1], "-o", free.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Captions and ids that are formulas, tags, links and characters which nobody sees.
const STRANGE: &str = r#"{"format": "itm-explore/1",
    "image_ids": ["=x\u009b31m", "@y\u200b"], "caption_ids": ["+p", 7],
    "captions": ["=HYPERLINK(\"u\") \u202e\u009b2J", "<script>x</script> [a](javascript:b)"],
    "truths": {"t": {"i2t": {"=x\u009b31m": ["+p"], "@y\u200b": [7]}, "t2i": {"+p": ["=x\u009b31m"], "7": ["@y\u200b"]}}}}"#;

fn strange(folder: &Path) -> [String; 3] {
    [square(folder, "=a.npy"), square(folder, "b.npy"), write(folder, "s.json", STRANGE)]
}

fn answer(args: &[&str], files: &[String]) -> String {
    let args: Vec<&str> = args.iter().copied().chain(files.iter().map(String::as_str)).collect();
    let output = run(&args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn no_cell_of_a_table_is_a_formula() {
    let folder = tempfile::tempdir().unwrap();
    let files = strange(folder.path());
    let out = folder.path().join("all.csv");
    let out = out.to_str().unwrap();
    let mut told = String::new();
    let find = ["find", "-q", "--format", "csv", "--truth", "t", "--where", "rank > 0"];
    for args in [
        &[&find[..], &["--direction", "t2i"]].concat()[..],
        &[&find[..], &["--direction", "i2t"]].concat(),
        &["eval", "-q", "--format", "csv", "--per-query", out],
        &["compare", "-q", "--format", "csv"],
        &["errors", "-q", "--format", "csv"],
        &["truth", "stats", "--format", "csv"],
    ] {
        told += &answer(args, &files);
    }
    told += &fs::read_to_string(out).unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    let files = strange(folder.path());
    for args in [
        &["find", "-q", "--format", "markdown", "--where", "rank > 0"][..],
        &["show", "-q", "--format", "markdown", "--query", "7"],
    ] {
        let told = answer(args, &files).replace("\\<", "").replace("\\]", "");
        assert!(told.contains("script"), "{told}");
        assert!(
            !told.contains("<script") && !told.contains("</") && !told.contains("]("),
            "{told}"
        );
    }
}

#[test]
fn json_hides_nothing_and_keeps_every_value() {
    let folder = tempfile::tempdir().unwrap();
    let files = strange(folder.path());
    let each = |args: &[&str]| {
        let told = answer(args, &files);
        let hidden = told.chars().find(|c| *c != '\n' && is_hidden(*c));
        assert_eq!(hidden, None, "{args:?}");
        serde_json::from_str::<Value>(&told).unwrap()
    };
    for args in [
        &["eval", "-q", "--format", "json"][..],
        &["compare", "-q", "--format", "json"],
        &["find", "-q", "--format", "json", "--where", "rank > 0"],
        &["show", "-q", "--format", "json", "--query", "+p"],
        &["errors", "-q", "--format", "json"],
        &["mix", "-q", "--format", "json"],
        &["truth", "stats", "--format", "json"],
    ] {
        each(args);
    }
    // What is packed is read again, and packed the same.
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [first, second] = [out("first.json"), out("second.json")];
    answer(&["convert", "-o", &first], &files[2..]);
    answer(&["convert", "-o", &second, &first], &[]);
    let [first, second] = [first, second].map(|file| fs::read_to_string(file).unwrap());
    assert_eq!(first, second);
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
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.json");
    let demo = common::demo_file("");
    for away in ["2>&-", "2>/dev/full"] {
        for (args, expected) in [
            ("eval --demo".to_owned(), 0),
            ("find --demo --where 'r1 == 0'".to_owned(), 0),
            (format!("convert '{demo}' -o '{}'", out.display()), 0),
            ("eval /no/such/file".to_owned(), 1),
            ("eval --no-such-flag".to_owned(), 2),
            (String::new(), 1),
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
    for (args, expected) in
        [(&["convert", "/no/such"][..], 1), (&["eval", "--demo", "--k", "0"], 2)]
    {
        let args = [args, &["-o", "/no/such/out.json"][..usize::from(expected == 1) * 2]].concat();
        let mut command = Command::new(env!("CARGO_BIN_EXE_itm-explore"));
        command.args(args).stdout(Stdio::null()).stderr(Stdio::piped());
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
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    let file = file.to_str().unwrap();
    let output = run(&["report", "--demo", "-o", file]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = std::fs::read_to_string(file).unwrap();
    let eval = run(&["eval", "--demo", "-q", "--format", "html"]);
    let eval = stdout(&eval);
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
        let written = Path::new(file).with_file_name("alone.svg");
        let (words, _) = command.rsplit_once(" -o ").unwrap();
        let words: Vec<&str> = words.split(' ').skip(1).collect();
        let output = run(&[&words[..], &["-o", written.to_str().unwrap(), "--force"]].concat());
        assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
        let alone = fs::read_to_string(written).unwrap();
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
    assert!(page.contains(&format!("itm-explore report --demo --examples 2 --seed 0 -o {file}")));
    let again = run(&["report", "--demo", "-o", file]);
    assert_eq!(again.status.code(), Some(1), "it is not written over");
}

#[test]
fn what_is_read_is_never_written_over_whatever_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let session = write(folder, "mine.itm.json", SESSION);
    let listed = write(folder, "held.txt", "629\n20815\n");
    std::os::unix::fs::symlink(&listed, folder.join("link.svg")).unwrap();
    let pool = text("pool.jsonl");
    let made = ["annotate", "pool", "--demo", "-q", "--sample", "2", "-o", &pool];
    assert!(run(&made).status.success());
    let held = format!("held={}", text("held.txt"));
    let linked = text("link.svg");
    let hits = ["annotate", "hits", &pool, "--demo", "-q"];
    let [page, other] = [text("page.html"), text("other.json")];
    let figure = ["figure", "--demo", QUERY[0], QUERY[1], "--pool-file", &held];
    let of_session = ["--session", session.as_str(), "--annotator", "mk"];
    let cases: [(Vec<&str>, &str, &str); 5] = [
        ([&figure[..], &["-o", &linked]].concat(), &listed, "symbolic link"),
        (
            [&["eval", "--demo"][..], &of_session, &["--per-query", &session]].concat(),
            &session,
            "is read",
        ),
        ([&hits[..], &["-o", &pool]].concat(), &pool, "is read"),
        ([&hits[..], &["-o", &other, "--html", &pool]].concat(), &pool, "is read"),
        ([&hits[..], &["-o", &page, "--html", &page]].concat(), &pool, "two outputs"),
    ];
    for (args, kept, told) in cases {
        let before = fs::read(kept).unwrap();
        let output = run(&[&args[..], &["--force"]].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.contains(told), "{args:?}: {said}");
        assert_eq!(fs::read(kept).unwrap(), before, "{args:?}");
    }
    assert!(!Path::new(&page).exists() && !Path::new(&other).exists());
    // What was written before may be written again.
    let again = text("again.svg");
    let again = [&figure[..], &["-o", &again, "--force"]].concat();
    assert!((0..2).all(|_| run(&again).status.success()));
}

/// Every table for a paper, as LaTeX reads it; signs of LaTeX in names and headings are text.
#[test]
fn latex_takes_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let subcommands: [&[&str]; 9] = [
        &["show", "--query", "60208"],
        &["eval", "--name", "broad=50% & {broad}_1"],
        &["eval", "--ci", "--metrics", "all"],
        &["compare", "--full", "--name", "broad=50% & {broad}_1"],
        &["compare", "--metrics", "r1,r5,r10,map_at_r", "--models", "careful,broad"],
        &["errors"],
        &["find", "--where", "ap < 0.5"],
        &["find", "--items", "--which", "extra"],
        &["truth", "stats"],
    ];
    for subcommand in subcommands {
        let args = [subcommand, &["--demo", "-q", "--format", "latex"]].concat();
        let output = run(&args);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        let log = latex_of(&stdout(&output), "booktabs,graphicx", folder.path());
        assert!(!log.unwrap_or_default().contains("Overfull \\hbox"), "{args:?}");
    }
}

/// Escapes, C1, bidirectional and invisible characters, and a line end.
const HOSTILE: &str = "x\u{1b}]0;t\u{7}\u{9b}2J\u{202e}\u{200b}\u{3164}y\nz";

/// Asserts that nothing of it reaches whoever reads the output.
fn assert_seen(args: &[&str]) {
    let output = run(args);
    for told in [stdout(&output), stderr(&output)] {
        let hidden = told.chars().find(|c| *c != '\n' && is_hidden(*c));
        assert_eq!(hidden, None, "{args:?}: {told:?}");
    }
}

#[test]
fn texts_of_files_are_seen_and_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let matrix =
        |name: &str| square(folder.path(), &format!("{name}{}.npy", HOSTILE.replace('/', "")));
    let [a, b] = ["a", "b"].map(matrix);
    let mut bundle: Value = serde_json::from_str(STRANGE).unwrap();
    bundle["captions"][0] = HOSTILE.into();
    bundle["truths"] =
        serde_json::json!({"t": bundle["truths"]["t"], HOSTILE: bundle["truths"]["t"]});
    let bundle = write(folder.path(), &format!("{HOSTILE}.json"), bundle.to_string());
    let formats = ["table", "csv", "markdown", "latex", "json", "jsonl", "html"];
    for subcommand in
        ["eval", "compare", "find", "errors", "mix", "show", "doctor", "semantic recall"]
    {
        for format in formats {
            let query = ["--where", "rank > 0", "--query", "7"];
            let query = match subcommand {
                "find" => &query[..2],
                "show" => &query[2..],
                _ => &[],
            };
            let words: Vec<&str> = subcommand.split(' ').collect();
            let files = [a.as_str(), &b, &bundle];
            let args = [&words[..], &["--format", format], query, &files].concat();
            assert_seen(&args);
        }
    }
    let [pool, hits] = ["pool.jsonl", "hits.json"].map(|name| folder.path().join(name));
    let [pool, hits] = [&pool, &hits].map(|path| path.to_str().unwrap());
    answer(
        &["annotate", "pool", "-q", &a, &bundle, "--top", "9999", "--order", "depth", "-o", pool],
        &[],
    );
    answer(&["annotate", "hits", pool, &a, &bundle, "-q", "-o", hits], &[]);
    for written in [pool, hits].map(|path| fs::read_to_string(path).unwrap()) {
        assert_eq!(written.chars().find(|c| *c != '\n' && is_hidden(*c)), None, "{written}");
    }
    // No ranking is longer than the gallery.
    assert!(fs::read_to_string(pool).unwrap().contains("\"top\":2,"));
    for args in [
        &["truth", "stats", &a, &bundle][..],
        &["truth", "mine", &bundle],
        &["annotate", "pool", &a, &bundle, "--order", "depth", "-o", "/dev/stdout"],
        &["convert", &a, &bundle, "-o", "/dev/stdout"],
        &["doctor", &bundle, &bundle],
        &["eval", &a, &bundle, "--model", "none"],
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
    walk(&Cli::command(), &[], &mut known);
    assert!(known.len() > 50, "{known:?}");
    assert_seen(&["eval", HOSTILE]);
    assert_seen(&[HOSTILE]);
    assert_seen(&["eval", "--demo", &format!("--{HOSTILE}")]);
}
