//! The real binary in a real terminal.
#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use vt100::Screen;

pub const BIN: &str = env!("CARGO_BIN_EXE_itm-explore");
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// Screen of the terminal, and whether the other end is closed.
pub struct View {
    pub parser: vt100::Parser,
    closed: bool,
}

pub type Shared = Arc<(Mutex<View>, Condvar)>;

pub struct Tui {
    pub shared: Shared,
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    /// Sessions of the demo, and where a program is at home.
    pub state: tempfile::TempDir,
}

pub fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

/// Tests press keys of their own keymap.
pub fn own_keys(config: &std::path::Path) {
    let folder = config.join("itm-explore");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("keys.toml"), include_str!("keys.toml")).unwrap();
}

fn nonzero(n: u16) -> std::num::NonZeroU16 {
    n.try_into().unwrap()
}

impl Tui {
    /// The demo, ready for keys.
    pub fn demo() -> Self {
        Tui::ready(&[BIN], 24, 80, &[])
    }

    /// Starts the explorer and waits for its numbers.
    pub fn ready(command: &[&str], rows: u16, cols: u16, env: &[(&str, &str)]) -> Self {
        let tui = Tui::start(command, rows, cols, env);
        tui.wait_ready();
        tui
    }

    pub fn start(command: &[&str], rows: u16, cols: u16, env: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size(rows, cols)).unwrap();
        let mut builder = CommandBuilder::new(command[0]);
        builder.args(&command[1..]);
        builder.env("TERM", "xterm-256color");
        builder.env("COLORTERM", "truecolor");
        // This terminal answers no questions.
        builder.env("ITM_EXPLORE_THUMBNAILS", "halfblocks");
        let state = tempfile::tempdir().unwrap();
        builder.env("XDG_STATE_HOME", state.path());
        let config = state.path().join("config");
        own_keys(&config);
        builder.env("XDG_CONFIG_HOME", config);
        builder.env("HOME", state.path());
        for name in ["NO_COLOR", "TMUX", "RUST_BACKTRACE"] {
            builder.env_remove(name);
        }
        for (name, value) in env {
            builder.env(name, value);
        }
        let child = pair.slave.spawn_command(builder).unwrap();
        // Ours must be the only other end, or the end of the output is never seen.
        drop(pair.slave);
        let reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let view =
            View { parser: vt100::Parser::new(nonzero(rows), nonzero(cols), 0), closed: false };
        let shared: Shared = Arc::new((Mutex::new(view), Condvar::new()));
        let of_thread = shared.clone();
        std::thread::spawn(move || follow(reader, &of_thread));
        Tui { shared, master: Some(pair.master), writer: Some(writer), child, state }
    }

    pub fn send(&mut self, keys: &str) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// Sends keys and waits for a text.
    pub fn press(&mut self, keys: &str, text: &str) {
        self.send(keys);
        self.wait_text(text);
    }

    /// Writer of keys, for another thread.
    pub fn writer(&mut self) -> Box<dyn Write + Send> {
        self.writer.take().unwrap()
    }

    /// Waits until the screen is as wanted; says what it shows if that never comes.
    pub fn wait(&self, what: &str, wanted: impl Fn(&Screen) -> bool) {
        let start = Instant::now();
        let mut view = self.shared.0.lock().unwrap();
        while !wanted(view.parser.screen()) {
            let late = start.elapsed() > TIMEOUT || view.closed;
            assert!(!late, "no {what}; the screen:\n{}", view.parser.screen().contents());
            view = self.shared.1.wait_timeout(view, Duration::from_millis(50)).unwrap().0;
        }
    }

    pub fn wait_text(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// The numbers of all models are there and nothing is pending.
    pub fn wait_ready(&self) {
        self.wait("numbers", |screen| {
            let text = screen.contents();
            text.contains("R@1 7") && !text.contains("counting") && !text.contains("ranking …")
        });
    }

    pub fn resize(&self, rows: u16, cols: u16) {
        let mut view = self.shared.0.lock().unwrap();
        view.parser.screen_mut().set_size(nonzero(rows), nonzero(cols));
        drop(view);
        self.resize_unseen(rows, cols);
    }

    /// Gives the terminal another size, whatever shows it.
    pub fn resize_unseen(&self, rows: u16, cols: u16) {
        self.master.as_ref().unwrap().resize(size(rows, cols)).unwrap();
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub fn signal(&self, signal: i32) {
        let id = nix::libc::pid_t::try_from(self.child.process_id().unwrap()).unwrap();
        // SAFETY: a signal to a child that is ours and not yet waited for.
        #[expect(unsafe_code, reason = "the standard library sends no signals")]
        let sent = unsafe { nix::libc::kill(id, signal) };
        assert_eq!(sent, 0);
    }

    pub fn exit(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                let mut view = self.shared.0.lock().unwrap();
                while !view.closed && start.elapsed() < TIMEOUT {
                    view = self.shared.1.wait_timeout(view, Duration::from_millis(20)).unwrap().0;
                }
                return status;
            }
            assert!(start.elapsed() < TIMEOUT, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn text(&self) -> String {
        self.shared.0.lock().unwrap().parser.screen().contents()
    }

    pub fn assert_restored(&self) {
        use nix::sys::termios::LocalFlags;
        let view = self.shared.0.lock().unwrap();
        let screen = view.parser.screen();
        assert!(!screen.alternate_screen(), "still on the second screen");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "bracketed paste is on");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        let modes = self.master.as_ref().unwrap().get_termios().unwrap().local_flags;
        let cooked = LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG;
        assert!(modes.contains(cooked), "not in cooked mode: {modes:?}");
    }

    /// It ends with this code and gives the terminal back.
    pub fn assert_ends(mut self, code: u32) -> String {
        assert_eq!(self.exit().exit_code(), code, "{}", self.text());
        self.assert_restored();
        self.text()
    }

    /// Leaves with `q`.
    pub fn quit(mut self) {
        self.send("q");
        self.assert_ends(0);
    }
}

impl Drop for Tui {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Shows what is written a whole frame at a time, as a terminal with synchronized updates does.
fn follow(mut reader: Box<dyn Read + Send>, shared: &Shared) {
    let mut buffer = [0; 16_384];
    let mut written = Vec::new();
    loop {
        let read = reader.read(&mut buffer).unwrap_or(0);
        written.extend_from_slice(&buffer[..read]);
        let last = |mark: &[u8]| written.windows(mark.len()).rposition(|found| found == mark);
        let begun = last(b"\x1b[?2026h").filter(|begun| last(b"\x1b[?2026l") < Some(*begun));
        let shown = begun.filter(|_| read > 0).unwrap_or(written.len());
        let mut view = shared.0.lock().unwrap();
        view.parser.process(&written[..shown]);
        written.drain(..shown);
        view.closed = read == 0;
        shared.1.notify_all();
        if read == 0 {
            return;
        }
    }
}
