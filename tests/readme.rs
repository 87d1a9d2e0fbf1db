//! The README shows what the program shows. `UPDATE_README=1 cargo test --test readme` renews it.

mod common;

use std::sync::{Arc, mpsc};

use itm_explore::engine::{Engine, Notify};
use itm_explore::study::demo;
use itm_explore::tui::action::{Action, Group};
use itm_explore::tui::app::App;
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::{Key, Keymap};
use itm_explore::tui::theme::Theme;
use itm_explore::tui::{Desk, draw};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// The demo after some keys, as text.
fn screen() -> String {
    let study = Arc::new(demo::open().unwrap());
    let (sender, events) = mpsc::channel();
    let notify: Notify = Arc::new(move |event| sender.send(Event::Engine(event)).unwrap());
    let (columns, rows) = (110, 30);
    let theme = Theme::bundled(0);
    let keymap = Keymap::load(None).unwrap();
    let mut app = App::new(
        study.clone(),
        keymap,
        (theme.0.into(), theme.1),
        (columns, rows),
    );
    let mut desk = Desk::new(Engine::new(&study, &notify));
    for key in Key::sequence("Gmgjjj").unwrap() {
        desk.ask(&app);
        desk.wait_idle();
        events.try_iter().for_each(|event| drop(app.handle(event)));
        app.handle(Event::Key(key));
    }
    desk.ask(&app);
    desk.wait_idle();
    events.try_iter().for_each(|event| drop(app.handle(event)));
    let area = Rect::new(0, 0, columns, rows);
    let mut buffer = Buffer::empty(area);
    draw(&app, area, &mut buffer);
    format!("```text\n{}\n```", common::text_of(&buffer))
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
    let wanted = with_block(&with_block(&stored, "screen", &screen()), "keys", &keys());
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(PATH, &wanted).unwrap();
    }
    let current = std::fs::read_to_string(PATH).unwrap();
    assert!(
        current == wanted,
        "run: UPDATE_README=1 cargo test --test readme"
    );
}
