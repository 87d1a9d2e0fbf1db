//! The README shows what the program shows. `UPDATE_README=1 cargo test --test readme` renews it.

mod common;

use common::Harness;
use itm_explore::tui::action::{Action, Group};
use itm_explore::tui::keymap::Keymap;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// The demo after some keys, as text.
fn screen() -> String {
    format!(
        "```text\n{}\n```",
        Harness::demo(110, 30).keys("Gmgjjj").screen()
    )
}

/// The history after a verdict, another truth, a filter, a mixture, and an undo.
fn history() -> String {
    let tour = "<Tab>y<Tab>gfwords >= 9<Enter>aA,uH";
    let screen = Harness::demo(100, 24).keys(tour).screen();
    let lines = screen.lines().map(|line| line.chars().collect::<Vec<_>>());
    let is_top = |line: &[char]| line.iter().collect::<String>().contains("╭ history ─");
    let popup: Vec<_> = lines.skip_while(|line| !is_top(line)).collect();
    let left = popup[0].iter().position(|&c| c == '╭').unwrap();
    let right = popup[0].iter().rposition(|&c| c == '╮').unwrap();
    let inside: Vec<String> = popup
        .iter()
        .map(|line| line[left..=right].iter().collect())
        .collect();
    let bottom = inside
        .iter()
        .position(|line| line.starts_with('╰'))
        .unwrap();
    format!("```text\n{}\n```", inside[..=bottom].join("\n"))
}

fn keys() -> String {
    let keymap = Keymap::load(None).unwrap();
    let mut lines = vec!["| keys | action | |".to_owned(), "|---|---|---|".to_owned()];
    for group in Group::ALL {
        for &action in Action::ALL.iter().filter(|action| action.group() == group) {
            let keys: Vec<String> = keymap
                .keys(action)
                .iter()
                .map(|key| format!("`{key}`"))
                .collect();
            lines.push(format!(
                "| {} | {} | {} |",
                keys.join(" "),
                action.name(),
                action.doc()
            ));
        }
    }
    lines.join("\n")
}

fn with_block(text: &str, name: &str, block: &str) -> String {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let start = text.find(&open).expect("the block begins") + open.len();
    let end = start + text[start..].find(&close).expect("the block ends");
    format!("{}{block}\n{}", &text[..start], &text[end..])
}

#[test]
fn the_readme_shows_what_the_program_shows() {
    let stored = std::fs::read_to_string(PATH).unwrap();
    let blocks = [
        ("screen", screen()),
        ("history", history()),
        ("keys", keys()),
    ];
    let renewed = |text: String, (name, block): &(&str, String)| with_block(&text, name, block);
    let wanted = blocks.iter().fold(stored, renewed);
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(PATH, &wanted).unwrap();
    }
    let current = std::fs::read_to_string(PATH).unwrap();
    assert!(
        current == wanted,
        "run: UPDATE_README=1 cargo test --test readme"
    );
}
