//! Helpers of several test crates.
#![allow(dead_code, reason = "each test file uses its part")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, mpsc};

use itm_explore::session::{Lock, OpenSession, Session};
use itm_explore::study::{Study, demo};
use itm_explore::tui::app::{App, Effect};
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::{Key, Keymap};
use itm_explore::tui::theme::Theme;
use itm_explore::tui::thumbnails::ImageBackend;
use itm_explore::tui::{Backend, draw};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::Value;

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
    pub fn on_session(mut self, opened: OpenSession, by: &str) -> Self {
        if let Some(saver) = self.app.open_session(opened, by, Vec::new()) {
            self.backend.save_with(saver);
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
        self.backend.request(&self.app);
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
            self.backend.request(&self.app);
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

    /// The status message, or nothing.
    pub fn message(&self) -> &str {
        self.app.model.message.as_deref().unwrap_or_default()
    }

    /// The two lines of the header.
    pub fn header(&self) -> [String; 2] {
        let screen = self.screen();
        let mut lines = screen.lines().map(str::to_owned);
        [lines.next().unwrap(), lines.next().unwrap()]
    }

    /// Fails with the screen unless these words stand on it.
    pub fn shows(&self, words: &str) -> &Self {
        let screen = self.screen();
        assert!(screen.contains(words), "no {words:?} on\n{screen}");
        self
    }

    /// Fails with the screen if these words stand on it.
    pub fn lacks(&self, words: &str) -> &Self {
        let screen = self.screen();
        assert!(!screen.contains(words), "{words:?} on\n{screen}");
        self
    }
}

/// A session whose last explorer may still be giving it back.
pub fn reopened(path: &Path) -> OpenSession {
    for _ in 0..500 {
        let opened = Session::open(path).unwrap();
        if matches!(opened.lock, Lock::Held(_)) {
            return opened;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{} is still open elsewhere", path.display());
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

/// Runs the program without the settings and the name of whoever runs the tests.
pub fn run(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

fn command(args: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_itm-explore"));
    command.args(args).env("USER", "mk");
    command.env("XDG_STATE_HOME", "/none").env("XDG_CONFIG_HOME", "/none");
    command
}

/// A temporary folder in which the program runs. Its methods split a command line as a shell does; `demo/NAME` is a file
/// of the demo.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    /// Writes a `.npy` file of single precision.
    pub fn matrix(
        &self,
        name: &str,
        [rows, columns]: [usize; 2],
        at: impl Fn(usize, usize) -> f32,
    ) -> PathBuf {
        let cells = (0..rows * columns).map(|cell| at(cell / columns, cell % columns));
        let cells: Vec<u8> = cells.flat_map(f32::to_le_bytes).collect();
        self.write(name, npy("'<f4'", false, &format!("({rows}, {columns})"), &cells))
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn read_json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn run(&self, line: &str) -> Output {
        let words = shlex::split(line).unwrap().into_iter();
        let words = words.map(|word| word.strip_prefix("demo/").map_or(word.clone(), demo_file));
        command(&words.collect::<Vec<_>>()).current_dir(self.0.path()).output().unwrap()
    }

    /// Runs a command that succeeds.
    pub fn done(&self, line: &str) -> Output {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        output
    }

    /// Standard output of a command that succeeds.
    pub fn printed(&self, line: &str) -> String {
        stdout(&self.done(line))
    }

    /// Runs a command with `--format json`.
    pub fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.printed(&format!("{line} --format json"))).unwrap()
    }

    /// Asserts that a command fails with code 1, prints nothing and says all of `parts`.
    pub fn refused(&self, line: &str, parts: &[&str]) {
        assert_refused(1, line, &self.run(line), parts);
    }
}

/// The words of a command line; single quotes keep blanks.
pub fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 0 { words.extend(part.split_whitespace()) } else { words.push(part) }
    }
    words
}

/// What the real binary prints when it succeeds.
pub fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// The JSON that the real binary prints.
pub fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&printed(args)).unwrap()
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
    assert_refused(code, &args.join(" "), &run(args), parts);
}

fn assert_refused(code: i32, line: &str, output: &Output, parts: &[&str]) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{line}: {said}");
    assert_eq!(stdout(output), "", "{line}");
    for part in parts {
        assert!(said.contains(part), "{line} lacks {part:?}:\n{said}");
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
pub fn record<'a>(report: &'a Value, list: &str, fields: &[(&str, &str)]) -> &'a Value {
    let records = report[list].as_array().unwrap();
    let is_it = |record: &&Value| fields.iter().all(|(key, of)| record[key] == *of);
    records.iter().find(is_it).unwrap_or_else(|| panic!("{fields:?} in {records:?}"))
}
