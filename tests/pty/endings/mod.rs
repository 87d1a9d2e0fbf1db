//! How the explorer ends, and what is never lost: the real binary in a real terminal.

use crate::common;
mod kept;
mod large;
mod left;
mod reloading;
mod settings;
use crate::terminal;
#[cfg(target_os = "linux")]
mod threads;

use std::fs;
use std::process::Command;

use large::Large;
use nix::libc;
use terminal::{BIN, Tui};

/// Cut at any moment, a command ends with its numbers or with the error, never with a signal.
#[test]
fn a_command_whose_matrix_shrinks_says_so() {
    let large = Large::new();
    for wait in [0, 5, 20, 60] {
        Large::save(&large.matrix(), 0.0);
        let child = Command::new(BIN)
            .args(["eval", "-q", "--format", "csv"])
            .args(large.args())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        large.cut();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => assert!(output.stdout.ends_with(b"\n")),
            Some(1) => {
                assert!(said.contains("sims.npy"), "{said}");
                assert!(output.stdout.is_empty());
            }
            _ => panic!("{:?} {said}", output.status),
        }
    }
}

/// A demo whose session can be saved nowhere: its lock is a folder.
fn unsavable() -> (tempfile::TempDir, Tui) {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("mine.itm.json");
    fs::create_dir(folder.path().join("mine.itm.json.lock")).unwrap();
    let session = session.to_string_lossy().into_owned();
    let mut tui = Tui::ready(&[BIN, "--session", &session, "--annotator", "ann"], 30, 110, &[]);
    tui.press("Jy", "not saved");
    (folder, tui)
}

/// A signal asks nobody.
#[test]
fn what_cannot_be_saved_is_in_another_file_after_leaving() {
    for (ends, told) in [(false, "name it with --session"), (true, "mine.itm.json")] {
        let (_folder, mut tui) = unsavable();
        if ends {
            tui.signal(libc::SIGTERM);
        } else {
            tui.send("q");
        }
        assert_eq!(tui.exit().exit_code(), 1);
        tui.assert_restored();
        assert!(tui.text().contains(told), "{}", tui.text());
        let text = fs::read_to_string(tui.state.path().join("mine.itm.json")).unwrap();
        assert!(text.contains("\"verdict\": \"yes\""), "{text}");
    }
}

/// A write beyond the largest size of a file is an error like any other.
#[test]
fn a_session_that_grows_too_large_is_not_saved_and_that_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    let command = format!("ulimit -f 0; exec {BIN} --session {}", session.display());
    let mut tui = Tui::ready(&["sh", "-c", &command], 30, 110, &[]);
    tui.press("Jy", "not saved");
    // Nor elsewhere: then it stays.
    tui.press("q", "no folder could be written");
    tui.signal(libc::SIGTERM);
    assert_eq!(tui.exit().exit_code(), 1);
}

#[test]
fn the_lock_is_gone_after_a_clean_end() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    let session = session.to_string_lossy().into_owned();
    for _ in 0..10 {
        let tui = Tui::ready(&[BIN, "--session", &session], 24, 80, &[]);
        tui.quit();
        // What was looked at is kept in the file that was named; no lock stays beside it.
        let files = fs::read_dir(folder.path()).unwrap();
        let names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["s.itm.json"]);
    }
}

/// A megabyte goes into the line that is open as far as it fits, and keys work after it.
#[test]
fn a_paste_of_a_megabyte_is_one_insertion() {
    let text = format!("\x1b[200~{}\x1b[201~", "kite ".repeat(200_000));
    for (open, shown) in [("/", " /…"), ("f", "filter"), (":", "kite"), ("o", "note")] {
        let mut tui = Tui::ready(&[BIN], 24, 110, &[]);
        tui.send(open);
        tui.press(&text, "kite kite");
        tui.wait_text(shown);
        tui.send("\x1b");
        tui.wait("the list", |screen| !screen.contents().contains("kite kite"));
        tui.quit();
    }
    // Where nothing takes text, it is nothing.
    let mut tui = Tui::demo();
    tui.send(&text);
    tui.press("j", "queries 2/120");
    tui.quit();
}

/// Without brackets, a paste is so many keys; a signal does not wait behind them.
#[test]
fn a_signal_is_heard_while_keys_are_queued() {
    let mut tui = Tui::demo();
    let mut writer = tui.writer();
    std::thread::spawn(move || {
        // The terminal takes no more once the program rests: this may wait for ever.
        let _ = std::io::Write::write_all(&mut writer, "jk".repeat(500_000).as_bytes());
    });
    tui.wait("a move", |screen| !screen.contents().contains("queries 1/120"));
    tui.signal(libc::SIGTERM);
    assert_eq!(tui.exit().exit_code(), 143);
}

/// Whatever bytes a terminal sends, the program goes on, or leaves because that was typed.
#[test]
fn any_bytes_are_keys_or_nothing() {
    for seed in 1..=4_u64 {
        let folder = tempfile::tempdir().unwrap();
        let command = format!("cd {} && exec {BIN}", folder.path().display());
        let mut tui = Tui::ready(&["sh", "-c", &command], 24, 100, &[]);
        let mut state = seed;
        let mut byte = || {
            // A linear congruential generator, as in Knuth's MMIX.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            match (state >> 33) as u8 {
                // Sequences that terminals send are likelier than chance has them.
                0..=30 => 0x1b,
                31..=60 => b'[',
                byte => byte,
            }
        };
        let bytes: Vec<u8> =
            (0..4_000).map(|_| byte()).filter(|byte| ![3, 26, b'q'].contains(byte)).collect();
        let mut writer = tui.writer();
        std::thread::spawn(move || {
            let _ = std::io::Write::write_all(&mut writer, &bytes);
        });
        std::thread::sleep(std::time::Duration::from_millis(500));
        tui.signal(libc::SIGTERM);
        let code = tui.exit().exit_code();
        assert!(code == 143 || code == 0, "{code}: {}", tui.text());
        tui.assert_restored();
    }
}
