//! The real binary in a real terminal: what it does to it, and that it gives it back.

use crate::terminal;

use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, native_pty_system};
use terminal::{BIN, TIMEOUT, Tui, size};
use vt100::{Color, Screen};

#[test]
fn keys_arrows_and_the_mouse_move_and_q_leaves() {
    let mut tui = Tui::demo();
    tui.press("jjj", "queries 4/120");
    tui.wait("a selected row with a background", |screen| {
        let cell = screen.cell(7, 10).unwrap();
        cell.bold() && matches!(cell.bgcolor(), Color::Rgb(..))
    });
    tui.press("\x1b[A\x1b[A", "queries 2/120");
    tui.press("\x1b[<0;10;9M", "queries 5/120");
    tui.press("\x1b[B", "queries 6/120");
    tui.press("/kite", "/ kite");
    tui.wait_text("queries 1/12 /kite");
    tui.press("\x1b", "queries 15/120");
    tui.press("3", "R@10 ");
    // A click on the first name of the header.
    let text = tui.text();
    let line = text.lines().next().unwrap();
    let at = line.chars().count() - line.chars().rev().position(|c| c == '1').unwrap();
    tui.press(&format!("\x1b[<0;{at};1M"), "queries 15/120");
    tui.quit();
}

#[test]
fn tiny_sizes_and_back() {
    let mut tui = Tui::demo();
    for (rows, cols) in [(5, 20), (1, 1), (2, 3), (60, 200)] {
        tui.resize(rows, cols);
        std::thread::sleep(Duration::from_millis(30));
    }
    tui.resize(5, 20);
    tui.wait_text("20x5 is too small");
    tui.resize(24, 80);
    tui.press("j", "queries 2/120");
    tui.quit();
}

#[test]
fn signals_and_ctrl_c_end_it_and_give_the_terminal_back() {
    use nix::libc::{SIGABRT, SIGALRM, SIGBUS, SIGPROF, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU};
    use nix::libc::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    for signal in
        [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF]
    {
        let tui = Tui::demo();
        tui.signal(signal);
        tui.assert_ends(128 + signal as u32);
    }
    // An abort dies of its signal.
    for signal in [SIGABRT, SIGBUS] {
        let mut tui = Tui::demo();
        tui.signal(signal);
        assert!(!tui.exit().success(), "{signal}");
        tui.assert_restored();
    }
    let mut tui = Tui::demo();
    tui.send("\x03");
    tui.assert_ends(0);
    let mut tui = Tui::demo();
    tui.signal(nix::libc::SIGXFSZ);
    tui.press("j", "queries 2/120");
    tui.quit();
}

/// As behind a connection that hangs.
#[test]
fn signals_end_it_though_the_terminal_takes_no_output() {
    use nix::libc::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
        let mut tui = Tui::demo();
        // Nobody reads what it draws from here on.
        let shared = tui.shared.clone();
        let view = shared.0.lock().unwrap();
        for (rows, cols) in std::iter::repeat_n([(40, 200), (41, 201)], 20).flatten() {
            tui.resize_unseen(rows, cols);
            tui.send("\x0c");
            std::thread::sleep(Duration::from_millis(10));
        }
        tui.signal(signal);
        let start = Instant::now();
        while !tui.has_ended() {
            assert!(start.elapsed() < TIMEOUT, "it waits for its terminal");
            std::thread::sleep(Duration::from_millis(10));
        }
        drop(view);
        assert_eq!(tui.exit().exit_code(), 128 + signal as u32);
    }
}

#[test]
fn a_cut_mouse_report_costs_no_key() {
    let mut tui = Tui::demo();
    tui.send("\x1b[<");
    tui.press("d", "i2t");
    tui.send("\x1b[<0;3");
    std::thread::sleep(Duration::from_millis(150));
    tui.press("2", "A careful");
    tui.quit();
}

#[test]
fn a_panic_on_the_screen_gives_the_terminal_back_and_speaks() {
    let mut tui = Tui::ready(&[BIN], 24, 80, &[("ITM_EXPLORE_INJECT_PANIC", "screen")]);
    tui.send("j");
    let text = tui.assert_ends(101);
    assert!(text.contains("injected panic: screen"), "{text}");
}

#[test]
fn a_panic_in_background_work_is_told_and_the_screen_goes_on() {
    for thread in ["SearchQueries", "CountRanks", "RankQuery", "CheckInputs"] {
        let mut tui = Tui::start(&[BIN], 30, 140, &[("ITM_EXPLORE_INJECT_PANIC", thread)]);
        tui.wait_text("queries 1/120");
        if thread == "SearchQueries" {
            tui.send("/d\r");
        }
        tui.wait_text("a job failed");
        tui.press("I", &format!("injected panic: {thread}"));
        tui.press("q", "this query");
        tui.press("j", "queries 2/120");
        assert!(!tui.text().contains("panicked"), "{}", tui.text());
        tui.quit();
    }
}

#[test]
fn ctrl_z_returns_to_the_shell_and_fg_comes_back() {
    let mut tui =
        Tui::start(&["bash", "--norc", "--noprofile", "-i"], 24, 80, &[("PS1", "shell> ")]);
    tui.wait_text("shell> ");
    tui.send(&format!("{BIN}\r"));
    tui.wait_ready();
    tui.press("j", "queries 2/120");
    // The prompt tells that the shell reads again: before it, keys may still be the explorer's.
    let prompts = |screen: &Screen| screen.contents().matches("shell> ").count();
    for times in [2, 3] {
        tui.send("\x1a");
        tui.wait("the shell", |screen| !screen.alternate_screen() && prompts(screen) == times);
        tui.send("fg\r");
        tui.wait("the explorer", |screen| {
            screen.alternate_screen() && screen.contents().contains("queries 2/120")
        });
    }
    tui.press("j", "queries 3/120");
    tui.send("q");
    tui.wait("the shell", |screen| !screen.alternate_screen() && prompts(screen) == 4);
    tui.send("exit 7\r");
    assert_eq!(tui.exit().exit_code(), 7);
}

#[test]
fn no_color_means_none_and_the_selection_is_still_seen() {
    let mut tui = Tui::ready(&[BIN], 24, 80, &[("NO_COLOR", "1"), ("ITM_EXPLORE_THUMBNAILS", "")]);
    tui.send("j");
    tui.wait("a reversed row", |screen| screen.cell(5, 10).unwrap().inverse());
    let view = tui.shared.0.lock().unwrap();
    let screen = view.parser.screen();
    for (row, col) in (0..24).flat_map(|row| (0..80).map(move |col| (row, col))) {
        let cell = screen.cell(row, col).unwrap();
        assert_eq!(
            (cell.fgcolor(), cell.bgcolor()),
            (Color::Default, Color::Default),
            "{row},{col}"
        );
    }
    drop(view);
    tui.quit();
}

#[test]
fn without_24_bit_colours_it_uses_256() {
    let tui = Tui::ready(&[BIN], 24, 80, &[("COLORTERM", "")]);
    let view = tui.shared.0.lock().unwrap();
    let colour = view.parser.screen().cell(0, 1).unwrap().fgcolor();
    assert!(matches!(colour, Color::Idx(_)), "{colour:?}");
    drop(view);
    tui.quit();
}

#[test]
fn a_terminal_that_goes_away_ends_it() {
    let pair = native_pty_system().openpty(size(24, 80)).unwrap();
    let state = tempfile::tempdir().unwrap();
    let mut builder = CommandBuilder::new(BIN);
    builder.env("XDG_STATE_HOME", state.path());
    let mut child = pair.slave.spawn_command(builder).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&seen).contains("queries") {
        let read = reader.read(&mut buffer).unwrap();
        assert!(read > 0, "it ended early");
        seen.extend_from_slice(&buffer[..read]);
    }
    drop((reader, pair.master));
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < TIMEOUT, "it lives on without a terminal");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nan_ends_the_explorer_with_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes =
        std::fs::read(format!("{}/fixtures/demo/broad.npy", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let at = bytes.len() - 4 * 7;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let file = folder.path().join("nan.npy");
    std::fs::write(&file, bytes).unwrap();
    let truths = format!("{}/fixtures/demo", env!("CARGO_MANIFEST_DIR"));
    let tui = Tui::start(&[BIN, file.to_str().unwrap(), &truths], 24, 200, &[]);
    let text = tui.assert_ends(1);
    assert!(text.contains("NaN at image 59, caption 293"), "{text}");
}

/// The judgments that the screen says are saved.
pub fn shown_as_saved(text: &str) -> usize {
    let line = text.lines().nth(1).unwrap_or_default();
    let words = line.split_whitespace().filter(|word| !word.starts_with("judgment"));
    let words: Vec<&str> = words.collect();
    let saved = words.windows(2).find(|words| words[1] == "saved");
    saved.map_or(0, |words| words[0].replace(',', "").parse().unwrap())
}

#[test]
fn no_judgment_that_was_shown_as_saved_is_lost_by_a_kill() {
    let state = tempfile::tempdir().unwrap();
    let env = [("XDG_STATE_HOME", state.path().to_str().unwrap())];
    let session = state.path().join("itm-explore/demo.itm.json");
    let mut least = 0;
    for round in 0..4u64 {
        let mut tui = Tui::ready(&[BIN], 24, 120, &env);
        // A list of its own in each round, so that all judgments are new ones.
        if round == 0 {
            // Its session keeps the direction.
            tui.send("d");
        }
        // From the first query on, wherever the session was left.
        tui.send("\x1b[H");
        tui.press(&"j".repeat(round as usize), &format!("queries {}/", round + 1));
        tui.press("J", "Judging");
        // As many items of one query as there will be answers.
        let depth = 100 * (round + 1);
        tui.press(&format!("}}{depth}\r"), &format!("in the top {depth}"));
        tui.wait_text("item at rank");
        for _ in 0..100 {
            tui.send("y");
        }
        let more = least + 3 + 20 * round as usize;
        tui.wait("judgments that are saved", |screen| shown_as_saved(&screen.contents()) >= more);
        least = shown_as_saved(&tui.text());
        tui.signal(nix::libc::SIGKILL);
        tui.exit();
        let text = std::fs::read_to_string(&session).unwrap();
        let kept = text.matches("\"verdict\"").count();
        assert!(kept >= least, "{kept} of {least}");
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
        least = kept;
    }
    let tui = Tui::ready(&[BIN], 24, 120, &env);
    assert_eq!(shown_as_saved(&tui.text()), least);
    tui.quit();
}

#[test]
fn a_second_one_on_a_session_is_told_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("mine.itm.json");
    let command = [BIN, "--session", session.to_str().unwrap()];
    let mut first = Tui::ready(&command, 24, 120, &[]);
    first.send("Jy");
    first.wait("a saved judgment", |screen| shown_as_saved(&screen.contents()) == 1);
    let mut second = Tui::start(&command, 24, 120, &[]);
    second.wait_text("read-only");
    second.wait_ready();
    second.press("J", "this session was open elsewhere");
    second.quit();
    first.send("jN");
    first.wait("saved judgments", |screen| shown_as_saved(&screen.contents()) == 2);
    first.quit();
    let text = std::fs::read_to_string(&session).unwrap();
    assert_eq!(text.matches("\"verdict\"").count(), 2);
}

/// Fifty pairs in one go, and where they are after it.
#[test]
fn fifty_pairs_are_judged_and_the_next_time_goes_on_after_them() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("mine.itm.json");
    let name = session.to_str().unwrap();
    let command = [BIN, "--session", name, "--annotator", "ann"];
    let mut tui = Tui::ready(&command, 40, 120, &[]);
    tui.press("/kite\r", "queries 1/12 /kite");
    tui.press("\x1bn\x1bn\x1bN", "match 2 of");
    tui.press("\x1b", "/120");
    tui.press("g", "queries 1/120");
    // Of every item, positives of the ground truth among them.
    tui.press("\tJ}25\rU", "3,000 ");
    tui.press(&"yPnN-".repeat(5), "queries 2/120");
    tui.wait_text("item at rank 1");
    tui.press(&"yPnN-".repeat(5), "2,950 ");
    tui.wait("saved judgments", |screen| shown_as_saved(&screen.contents()) == 50);
    tui.quit();
    let saved: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&session).unwrap()).unwrap();
    let judgments = saved["verdicts"].as_array().unwrap();
    let of = |word: &str| judgments.iter().filter(|one| one["verdict"] == word).count();
    assert_eq!(["yes", "partial", "mostly-no", "no"].map(of), [10; 4]);
    assert_eq!(saved["cant_tell"].as_array().unwrap().len(), 10);
    // The ranks of the first two queries' items are answered; the third is next.
    let mut again = Tui::ready(&command, 40, 120, &[]);
    assert!(!again.text().contains("Judging"));
    again.press("J", "2,950 ");
    again.wait_text("queries 3/120");
    again.press("y", "2,949 left");
    again.quit();
}

/// Images after the table, of cells with colours of their own, and the terminal as it was.
#[test]
fn show_prints_images_into_the_scrollback() {
    let show = [BIN, "show", "--demo", "--quiet", "--query", "55293", "--k", "1"];
    let tui = Tui::start(&show, 50, 80, &[]);
    tui.wait("an image", |screen| {
        let half = |at: u16| screen.cell(at, 10).is_some_and(|cell| cell.contents() == "▄");
        (0..50).filter(|&at| half(at)).count() > 5
    });
    tui.wait_text("1. demo_003478.png (careful)");
    tui.assert_ends(0);
    let plain = Tui::start(&[&show[..], &["--thumbnails", "off"]].concat(), 50, 80, &[]);
    plain.wait_text("top results");
    assert!(!plain.assert_ends(0).contains('▄'));
}

/// Before the first frame nothing is answered yet; later a terminal says what it is and answers nothing else.
#[test]
fn keys_are_kept_while_a_terminal_is_asked_what_it_shows() {
    for answer in ["", "\x1b[?62c"] {
        let mut tui = Tui::start(&[BIN], 40, 120, &[("ITM_EXPLORE_THUMBNAILS", "auto")]);
        if !answer.is_empty() {
            tui.wait_text("queries");
        }
        tui.send(answer);
        tui.press("jj\x1b[B", "queries 4/");
        tui.wait("half-blocks", |screen| screen.contents().contains('▄'));
        tui.quit();
    }
}

#[test]
fn the_tour_begins_with_the_demo() {
    let mut tui = Tui::start(&[BIN, "--tour"], 24, 80, &[]);
    tui.wait_text("tour 1/");
    tui.press("\r", "tour 2/");
    tui.send("\x1b");
    tui.wait("no tour", |screen| !screen.contents().contains("tour 2/"));
}

/// Two people who share a pool answer their parts as fast as they can.
#[test]
fn who_judge_a_pool_at_once_answer_other_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let pool = folder.path().join("pool.jsonl");
    let pool = pool.to_str().unwrap();
    let make = ["annotate", "pool", "--demo", "-q", "--top", "3", "--sample", "8", "-o", pool];
    let made = std::process::Command::new(BIN).args(make).output();
    assert!(made.unwrap().status.success());
    let pairs = std::fs::read_to_string(pool).unwrap().lines().count() - 1;
    let start = |name: &str| {
        let person =
            Tui::start(&[BIN, "--demo", "--annotate", pool, "--annotator", name], 30, 120, &[]);
        person.wait_text(&format!("{pairs} pairs of the pool left"));
        person.wait_text(" answered");
        person
    };
    // Their sessions are there from the first start on.
    for name in ["anna", "bo"] {
        let person = start(name);
        person.quit();
    }
    let mut people = ["anna", "bo"].map(start);
    // The first query is the other's.
    people[1].wait_text("queries 2/8");
    people[1]
        .wait_text("Two people with umbrellas are about to pass in the rain.  0 of 8 answered");
    for judged in 1..=pairs / 4 {
        for person in &mut people {
            person.wait("an item", |screen| !screen.contents().contains("ranking …"));
            person.send("n");
        }
        for person in &people {
            person.wait("saved judgments", |screen| shown_as_saved(&screen.contents()) == judged);
        }
    }
    for person in people {
        person.quit();
    }
    let judged = ["anna", "bo"].map(|name| {
        let session = folder.path().join(format!("pool.{name}.itm.json"));
        let session: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(session).unwrap()).unwrap();
        let judgments = session["verdicts"].as_array().unwrap().clone();
        let pair = |one: serde_json::Value| [one["image"].to_string(), one["caption"].to_string()];
        judgments.into_iter().map(pair).collect::<std::collections::BTreeSet<_>>()
    });
    assert!(judged.iter().all(|judged| judged.len() == pairs / 4), "{judged:?}");
    assert!(judged[0].is_disjoint(&judged[1]), "{judged:?}");
}
