//! README, CONTRIBUTING and `docs/` say what is so: blocks from `<!-- NAME -->` to `<!-- end -->` are written by
//! the program, every command runs, every flag, link and path that they name exists.
//!
//! `UPDATE_README=1 cargo test --test house readme` writes the blocks anew.

mod blocks;
use crate::common;
mod page;
mod predictions;
mod workbench;

use std::collections::BTreeSet;
use std::fs;

use common::{run, stdout};
use page::{exists, pages};
use workbench::Workbench;

#[test]
fn blocks_are_what_the_program_shows() {
    let mut seen = BTreeSet::new();
    for page in pages() {
        let wanted = blocks::renewed(&page.text, &mut seen);
        if std::env::var_os("UPDATE_README").is_some() && wanted != page.text {
            fs::write(&page.path, &wanted).unwrap();
        }
        let current = fs::read_to_string(&page.path).unwrap();
        let renew = "run UPDATE_README=1 cargo test --test house readme";
        assert!(current == wanted, "{}: {renew}", page.name);
    }
    for name in blocks::NAMES {
        assert!(seen.contains(*name), "the block {name} stands nowhere");
    }
}

/// Commands that need the COCO test gallery.
fn needs_coco(command: &str) -> bool {
    command.contains("folds")
}

fn is_ours(command: &str) -> bool {
    command.starts_with("itm-explore")
}

#[test]
fn every_command_runs_on_the_demo() {
    for page in pages() {
        let bench = Workbench::demo();
        if let Some(study) = page.code("toml").first() {
            bench.write("study.toml", study.join("\n"));
        }
        for command in page.commands() {
            if !is_ours(&command) {
                assert_known(&page.name, &command);
            } else if !needs_coco(&command) {
                bench.run(&page.name, &command);
            }
        }
    }
}

#[test]
#[ignore = "needs ../shared and its 5K matrices"]
fn other_commands_run_on_the_coco_test_gallery() {
    let bench = Workbench::coco();
    for page in pages() {
        for command in page.commands().iter().filter(|command| needs_coco(command)) {
            bench.run(&page.name, command);
        }
    }
}

/// A command of the tool chain: what it names is there.
fn assert_known(page: &str, command: &str) {
    let words = command.split_whitespace().skip_while(|word| word.contains('='));
    let words: Vec<&str> = words.collect();
    assert!(["cargo", "bash", "pip"].contains(&words[0]), "{page}: {command}");
    for pair in words.windows(2) {
        let (option, name) = (pair[0], pair[1]);
        let found = match option {
            "--test" => exists(&format!("tests/{name}")),
            "--bench" => exists(&format!("benches/{name}")),
            "bash" | "--path" => exists(name),
            _ => true,
        };
        assert!(found, "{page}: {command}");
    }
}

/// The help of the program, of its inputs, and of all its subcommands.
fn helps() -> String {
    let help = |command: &[&str]| stdout(&run(&[command, &["--help"]].concat()));
    let all = help(&[]);
    let mut helps = vec![all.clone(), stdout(&run(&["help", "inputs"]))];
    for (name, _) in blocks::subcommands(&all).into_iter().filter(|(_, doc)| !doc.is_empty()) {
        let of_name = help(&[name]);
        if of_name.contains("Commands:\n") {
            let names = blocks::subcommands(&of_name).into_iter();
            helps.extend(names.map(|(nested, _)| help(&[name, nested])));
        }
        helps.push(of_name);
    }
    helps.join("\n")
}

fn flags(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let words = text.split(|c| !is_part(c));
    let long = words.filter(|word| word.starts_with("--") && word.len() > 3);
    long.map(str::to_owned).collect()
}

/// No option is promised that no subcommand takes.
#[test]
fn every_option_exists() {
    let known = flags(&helps());
    for page in pages() {
        let ours = page.quoted().into_iter().filter(|code| !code.contains("cargo "));
        let promised = flags(&ours.collect::<Vec<_>>().join("\n"));
        let unknown: Vec<_> = promised.difference(&known).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", page.name);
    }
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        for link in page.links() {
            assert!(page.leads_to(&link), "{}: {link}", page.name);
        }
    }
}

/// Paths of the source tree, as they are named in backticks.
#[test]
fn every_path_exists() {
    let folders = ["src/", "tests/", "docs/", "fixtures/", "themes/", "benches/", ".ci/"];
    for page in pages() {
        let is_path = |code: &String| {
            let starts = folders.iter().any(|folder| code.starts_with(folder));
            // A name in capitals is the reader's to choose.
            starts && !code.contains(' ') && !code.contains("NAME")
        };
        for path in page.quoted().into_iter().filter(is_path) {
            assert!(exists(&path), "{}: {path}", page.name);
        }
    }
}

/// Pages are short, and every other page can be reached from the README.
#[test]
fn pages_are_short_and_linked() {
    let pages = pages();
    let readme = pages.iter().find(|page| page.name == "README.md").unwrap();
    let links = readme.links();
    for page in &pages {
        let max = if page.name.starts_with("docs/") { 120 } else { 150 };
        assert!(page.text.lines().count() <= max, "{} is too long", page.name);
        assert!(page.name == readme.name || links.contains(&page.name), "no link to {}", page.name);
    }
}
