//! Helpers of several test crates.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, mpsc};

use itm_explore::session::Opened;
use itm_explore::study::{Study, demo};
use itm_explore::tui::app::{App, Effect};
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::{Key, Keymap};
use itm_explore::tui::theme::Theme;
use itm_explore::tui::thumbnails::ImageBackend;
use itm_explore::tui::{Backend, draw};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The explorer on a screen of its own.
pub struct Harness {
    pub app: App,
    pub effect: Option<Effect>,
    backend: Backend,
    events: mpsc::Receiver<Event>,
}

impl Harness {
    pub fn new(study: Study, columns: u16, rows: u16) -> Self {
        Harness::unsettled(study, columns, rows).settled()
    }

    /// An explorer before any background work.
    pub fn unsettled(study: Study, columns: u16, rows: u16) -> Self {
        let study = Arc::new(study);
        let (sender, events) = mpsc::channel();
        let (name, theme) = Theme::bundled(0);
        let keymap = Keymap::load(Some(("keys.toml", include_str!("keys.toml")))).unwrap();
        let mut app = App::new(study.clone(), keymap, (name.into(), theme), (columns, rows));
        // Most tests judge down one ranking.
        app.model.judging.depth = 25;
        // What still runs when a harness is dropped has nobody to tell.
        let tell = move |event| drop(sender.send(event));
        Harness { app, backend: Backend::new(Arc::new(tell)), events, effect: None }
    }

    pub fn demo(columns: u16, rows: u16) -> Self {
        Harness::new(demo::open().unwrap(), columns, rows)
    }

    /// Opens a session, whose judgments and notes `by` signs from now on.
    pub fn on_session(mut self, opened: Opened, by: &str) -> Self {
        if let Some(saver) = self.app.open_session(opened, by, Vec::new()) {
            self.backend.keep(saver);
        }
        self.settled()
    }

    /// Has the first items of each ranking judged.
    pub fn depth(mut self, items: usize) -> Self {
        self.app.model.judging.depth = items;
        self
    }

    /// Shows images in half-blocks.
    pub fn with_thumbnails(mut self) -> Self {
        self.app.start_thumbnails(ImageBackend::halfblocks());
        self.settled()
    }

    /// Presses keys, waiting for all work after each.
    pub fn keys(mut self, keys: &str) -> Self {
        for key in Key::sequence(keys).unwrap() {
            self.effect = self.app.handle(Event::Key(key));
            self = self.settled();
        }
        self
    }

    /// Takes a click, a drag or a turn of the wheel on what is drawn now.
    pub fn mouse(&mut self, event: Event) {
        self.buffer();
        self.effect = self.app.handle(event);
        self.buffer();
    }

    /// Takes an event and what is there of background work, without waiting for more.
    pub fn takes(mut self, event: Event) -> Self {
        self.buffer();
        self.effect = self.app.handle(event);
        self.buffer();
        self.backend.ask(&self.app);
        for event in self.events.try_iter().collect::<Vec<Event>>() {
            self.app.handle(event);
        }
        self
    }

    /// Lets all background work end and arrive.
    pub fn settled(mut self) -> Self {
        loop {
            // Drawing tells which images are wanted and what a click meets.
            self.buffer();
            self.backend.ask(&self.app);
            self.backend.wait_idle();
            let arrived: Vec<Event> = self.events.try_iter().collect();
            if arrived.is_empty() {
                return self;
            }
            for event in arrived {
                let effect = self.app.handle(event);
                self.effect = effect.or(self.effect);
            }
        }
    }

    pub fn buffer(&self) -> Buffer {
        let (columns, rows) = self.app.ui.size;
        let area = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(area);
        draw(&self.app, area, &mut buffer);
        buffer
    }

    pub fn screen(&self) -> String {
        text_of(&self.buffer())
    }
}

/// A screen as lines of text, blanks at the end cut.
pub fn text_of(buffer: &Buffer) -> String {
    let line = |y: u16| {
        let mut line = String::new();
        let mut x = 0;
        while x < buffer.area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += unicode_width::UnicodeWidthStr::width(symbol).max(1) as u16;
        }
        line.trim_end().to_owned()
    };
    (buffer.area.top()..buffer.area.bottom()).map(line).collect::<Vec<_>>().join("\n")
}

/// Picks a query of the demo; the file of the session comes behind.
pub const PICK: &[&str] =
    &["find", "--demo", "-q", "--where", "r1 == 0", "--pick", "1", "--session"];

/// The arguments, of the demo where they name no file of a study.
pub fn on_demo<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let is_file = |arg: &&str| {
        let exists = !arg.ends_with(".itm.json") && Path::new(arg).exists();
        exists || Path::new(arg).extension().is_some_and(|ending| ending == "npy")
    };
    let names_files = args.iter().any(is_file);
    [args, if names_files { &[] } else { &["--demo"] }].concat()
}

/// Runs the real binary.
pub fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_itm-explore"));
    command.env("XDG_STATE_HOME", "/none");
    command.args(args).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Lines of text of an SVG, joined by blanks.
pub fn svg_words(svg: &str) -> String {
    use resvg::usvg::roxmltree::{Document, Node};
    let document = Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let line = |node: Node<'_, '_>| -> String {
        node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
    };
    texts.map(line).collect::<Vec<_>>().join(" ")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// It fails with this code, says nothing on stdout and all of `parts` on stderr.
pub fn assert_error(code: i32, args: &[&str], parts: &[&str]) {
    let output = run(args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    assert_eq!(stdout(&output), "", "{args:?}");
    for part in parts {
        assert!(said.contains(part), "{args:?} lacks {part:?}:\n{said}");
    }
}

/// Published data beside the checkout, for tests that are ignored where it does not lie: when they are
/// asked for, what is missing fails.
pub fn shared(path: &str) -> PathBuf {
    let place = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    assert!(place.exists(), "../shared/{path} is missing");
    place
}

/// A 5K matrix that `.ci/run` makes of ../shared, in the folder that `ITM_EXPLORE_SCORES` names.
pub fn scores(model: &str) -> PathBuf {
    let folder = std::env::var_os("ITM_EXPLORE_SCORES");
    let folder = folder.expect("ITM_EXPLORE_SCORES names the folder of lsa.npy and minilm.npy");
    let place = PathBuf::from(folder).join(format!("{model}.npy"));
    assert!(place.exists(), "{} is missing", place.display());
    place
}

/// Both 5K matrices and the truths of the COCO test gallery.
pub fn coco_5k() -> [PathBuf; 3] {
    [scores("lsa"), scores("minilm"), shared("data/coco5k")]
}

/// A file of the demo study.
pub fn demo_file(name: &str) -> String {
    format!("{}/fixtures/demo/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A `.npy` file of version 1 as bytes.
pub fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

/// Where there is a LaTeX, it takes what belongs into a document; `packages` are those that it needs. Gives what
/// LaTeX says; `None`, and says so, where there is none.
pub fn latex_of(text: &str, packages: &str, folder: &Path) -> Option<String> {
    let whole = format!(
        "\\documentclass{{article}}\\usepackage{{{packages}}}\\begin{{document}}\n{text}\\end{{document}}\n"
    );
    fs::write(folder.join("whole.tex"), whole).unwrap();
    let args = ["-interaction=nonstopmode", "-halt-on-error", "whole.tex"];
    let Ok(output) = Command::new("pdflatex").args(args).current_dir(folder).output() else {
        eprintln!("not run, since pdflatex is not here: {text:.40}");
        return None;
    };
    let log = stdout(&output);
    assert!(output.status.success(), "{log}\n{text}");
    Some(log)
}

/// The record of a list in a report's JSON whose fields are these.
pub fn record<'a>(
    report: &'a serde_json::Value,
    list: &str,
    fields: &[(&str, &str)],
) -> &'a serde_json::Value {
    let records = report[list].as_array().unwrap();
    let is_it = |record: &&serde_json::Value| fields.iter().all(|(key, of)| record[key] == *of);
    records.iter().find(is_it).unwrap_or_else(|| panic!("{fields:?} in {records:?}"))
}
