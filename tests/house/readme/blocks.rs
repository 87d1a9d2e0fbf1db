//! Blocks of the documentation that the program writes.

use std::collections::{BTreeMap, BTreeSet};

use itm_explore::analysis::kinds::KINDS;
use itm_explore::figure;
use itm_explore::metric::METRICS;
use itm_explore::tui::action::{Action, Group};
use itm_explore::tui::keymap::Keymap;

use super::workbench::Workbench;
use crate::common::{Harness, run, stdout};

/// Blocks that must stand somewhere; besides, `$ COMMAND` shows what a command prints on the demo.
pub const NAMES: &[&str] =
    &["screen", "keys", "subcommands", "metrics", "error types", "figure formats", "charts"];

/// Commands and the page that tells more of each.
const PAGES: &[(&str, &str)] = &[
    ("show", "figures"),
    ("find", "find"),
    ("eval", "metrics"),
    ("compare", "compare"),
    ("errors", "errors"),
    ("slices", "slices"),
    ("mix", "what-if"),
    ("series", "series"),
    ("correlate", "compare"),
    ("figure", "figures"),
    ("plot", "charts"),
    ("report", "report"),
    ("doctor", "inputs"),
    ("convert", "ground-truths"),
    ("truth", "ground-truths"),
    ("annotate", "annotation"),
    ("phrases", "phrases"),
    ("fg", "fine-grained"),
    ("semantic", "semantic"),
    ("completions", "keys"),
];

const END: &str = "<!-- end -->";

fn block(name: &str) -> String {
    match name {
        "screen" => screen(),
        "keys" => keys(),
        "subcommands" => subcommand_table(),
        "metrics" => metrics(),
        "error types" => error_types(),
        "figure formats" => figure_formats(),
        "charts" => charts(),
        _ => printed(name.strip_prefix("$ ").unwrap_or_else(|| panic!("no such block: {name}"))),
    }
}

/// The text with every block made anew; their names join `seen`.
pub fn renewed(text: &str, seen: &mut BTreeSet<String>) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        let name = line.strip_prefix("<!-- ");
        let Some(name) = name.and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        assert!(lines.any(|line| line == END), "{name} does not end");
        out.extend([block(name), END.to_owned()]);
        seen.insert(name.to_owned());
    }
    out.join("\n") + "\n"
}

fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_end())
}

/// The demo after some keys, as text.
fn screen() -> String {
    let mut harness = Harness::demo(110, 30).keys("Rmrjjj");
    harness.app.ui.keymap = Keymap::load(None).unwrap();
    fenced(&harness.screen())
}

/// A row for each action with its own key, one for all movements, and one for each group after `Space`.
fn keys() -> String {
    let keymap = Keymap::load(None).unwrap();
    let mut lines = vec!["| keys | action | |".to_owned(), "|---|---|---|".to_owned()];
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for &action in Action::ALL {
        let (name, group) = (action.name(), action.group());
        let keys: Vec<String> = keymap.keys(action).iter().map(ToString::to_string).collect();
        let quoted = format!("`{}`", keys.join("` `"));
        if let Some((prefix, key)) = keys[0].rsplit_once(' ') {
            groups.entry(format!("`{prefix}`")).or_default().push(format!("`{key}` {name}"));
        } else if group == Group::Move {
            groups.entry("Move".to_owned()).or_default().push(format!("{quoted} {name}"));
        } else {
            let mode = if group == Group::Judging { "; in the judging mode" } else { "" };
            lines.push(format!("| {quoted} | {name} | {}{mode} |", action.doc()));
        }
    }
    let row =
        |(keys, actions): (&String, &Vec<String>)| format!("| {keys} | {} | |", actions.join(", "));
    lines.extend(groups.iter().map(row));
    lines.join("\n")
}

/// Names and descriptions below `Commands:` in a help; of a group of commands the name alone.
pub fn subcommands(help: &str) -> Vec<(&str, &str)> {
    let below = help.split("Commands:\n").nth(1).unwrap();
    let lines = below.lines().take_while(|line| !line.is_empty());
    let both = lines.map(|line| line.trim().split_once(' ').unwrap_or((line, "")));
    both.map(|(name, doc)| (name, doc.trim())).filter(|(name, _)| *name != "help").collect()
}

fn subcommand_table() -> String {
    let help = stdout(&run(&["-h"]));
    let mut lines =
        vec!["| command | what it does | more |".to_owned(), "|---|---|---|".to_owned()];
    for (name, doc) in subcommands(&help) {
        if let Some(group) = name.strip_suffix(':') {
            lines.push(format!("| **{group}** | | |"));
            continue;
        }
        let page = PAGES.iter().find(|(of, _)| *of == name);
        let (_, page) = page.unwrap_or_else(|| panic!("no page tells of {name}"));
        lines.push(format!("| `{name}` | {doc} | [{page}](docs/{page}.md) |"));
    }
    lines.join("\n")
}

fn metrics() -> String {
    let mut lines = vec!["| key | name | definition |".to_owned(), "|---|---|---|".to_owned()];
    for alike in METRICS.chunk_by(|one, next| one.doc() == next.doc()) {
        let keys: Vec<String> = alike.iter().map(|metric| format!("`{}`", metric.key())).collect();
        let titles: Vec<&str> = alike.iter().map(|metric| metric.title()).collect();
        let (keys, titles) = (keys.join(", "), titles.join(", "));
        lines.push(format!("| {keys} | {titles} | {} |", alike[0].doc()));
    }
    lines.join("\n")
}

fn charts() -> String {
    let rows =
        figure::charts::CHARTS.iter().map(|chart| format!("| `{}` | {} |", chart.key, chart.title));
    let rows: Vec<String> = rows.collect();
    format!("| KIND | what it shows |\n|---|---|\n{}", rows.join("\n"))
}

fn figure_formats() -> String {
    let mut lines = vec!["| file | what it is |".to_owned(), "|---|---|".to_owned()];
    let line = |format: &figure::Format| format!("| `.{}` | {} |", format.key, format.doc);
    lines.extend(figure::FORMATS.iter().map(line));
    lines.join("\n")
}

/// The definitions below the tables of `errors`.
fn error_types() -> String {
    let mut lines =
        vec!["| key in JSON | error type | what it is |".to_owned(), "|---|---|---|".to_owned()];
    lines.extend(
        KINDS.iter().map(|kind| format!("| `{}` | {} | {} |", kind.key, kind.name, kind.meaning)),
    );
    lines.join("\n")
}

/// A command, and what it prints on the demo.
fn printed(command: &str) -> String {
    let output = Workbench::demo().output(command);
    assert!(output.status.success(), "{command}");
    fenced(&format!("$ {command}\n{}", stdout(&output)))
}
