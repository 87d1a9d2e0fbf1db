//! Whole screens from key strings: the real state, engine and drawing, without a terminal.

mod common;

use std::fmt::Write;

use common::Harness;
use itm_explore::data::Direction;
use itm_explore::data::index::ModelIx;
use itm_explore::study::demo;
use itm_explore::tui::effect::Effect;
use itm_explore::tui::event::Event;
use itm_explore::tui::theme::BUNDLED;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

/// Runs of one style as `⟦foreground/background+modifiers|text⟧`: a screen with its colours that a
/// person can read.
fn styled(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut x = 0;
        while x < buffer.area.right() {
            let style = |x: u16| {
                (
                    buffer[(x, y)].fg,
                    buffer[(x, y)].bg,
                    buffer[(x, y)].modifier,
                )
            };
            let start = x;
            let mut text = String::new();
            while x < buffer.area.right() && style(x) == style(start) {
                text.push_str(buffer[(x, y)].symbol());
                x += 1;
            }
            let (fg, bg, modifier) = style(start);
            let name = |colour: Color| {
                if colour == Color::Reset {
                    String::new()
                } else {
                    colour.to_string()
                }
            };
            let modifier = if modifier == Modifier::empty() {
                String::new()
            } else {
                format!("+{modifier:?}")
            };
            write!(out, "⟦{}/{}{modifier}|{text}⟧", name(fg), name(bg)).unwrap();
        }
        out.push('\n');
    }
    out
}

#[test]
fn first_screen() {
    insta::assert_snapshot!(Harness::demo(120, 40).screen());
}

#[test]
fn first_screen_of_a_small_terminal() {
    insta::assert_snapshot!(Harness::demo(80, 24).screen());
}

#[test]
fn first_screen_of_a_large_terminal() {
    insta::assert_snapshot!(Harness::demo(200, 60).screen());
}

#[test]
fn one_list_at_a_time_on_a_narrow_terminal() {
    let narrow = Harness::demo(60, 20);
    insta::assert_snapshot!("narrow_queries", narrow.screen());
    insta::assert_snapshot!("narrow_ranking", narrow.keys("<Tab>jj").screen());
}

#[test]
fn images_ask_captions() {
    insta::assert_snapshot!(Harness::demo(120, 30).keys("djj<Tab>]").screen());
}

#[test]
fn truth_and_model_change_the_numbers_and_show_by_how_much() {
    insta::assert_snapshot!(Harness::demo(100, 24).keys("Gmg").screen());
}

#[test]
fn a_search_lists_matches_best_first() {
    insta::assert_snapshot!("typing", Harness::demo(100, 24).keys("G/red kite").screen());
    insta::assert_snapshot!(
        "found",
        Harness::demo(100, 24).keys("G/red kite<Enter>j").screen()
    );
    let cleared = Harness::demo(100, 24).keys("/red kite<Enter><Esc>");
    assert_eq!(cleared.app.model.selection.queries.len(), 120);
}

#[test]
fn sorted_by_the_worst() {
    insta::assert_snapshot!(Harness::demo(100, 24).keys("s").screen());
}

#[test]
fn overlays() {
    insta::assert_snapshot!("help", Harness::demo(100, 60).keys("?").screen());
    insta::assert_snapshot!("metrics", Harness::demo(100, 30).keys("=jjj").screen());
    insta::assert_snapshot!("study", Harness::demo(100, 24).keys("I").screen());
    insta::assert_snapshot!(
        "detail",
        Harness::demo(100, 30).keys("<Tab>j<Enter>").screen()
    );
    insta::assert_snapshot!("palette", Harness::demo(100, 24).keys(":mod").screen());
}

/// Whatever is open, and however small the terminal becomes.
#[test]
fn overlays_are_drawn_at_any_size() {
    for open in [
        "?",
        "=jjj",
        "I",
        "H",
        ":mod",
        "fr1",
        "S",
        "o",
        "T",
        "T<Down>",
        "<Tab><Enter>",
        "ac",
        "Space5x",
    ] {
        let keys = open.replace("Space", "<Space>");
        let mut harness = Harness::demo(100, 30).keys(&keys);
        for rows in 1..=14 {
            for columns in [1, 19, 40, 80] {
                harness.app.handle(Event::Resize(columns, rows));
                harness.buffer();
            }
        }
    }
}

#[test]
fn every_theme_with_its_styles() {
    for (name, _) in BUNDLED {
        let mut harness = Harness::demo(80, 24);
        while harness.app.ui.theme_name != *name {
            harness = harness.keys("t");
        }
        let harness = harness.keys("<Esc>G<Tab>j");
        insta::assert_snapshot!(format!("theme_{name}"), styled(&harness.buffer()));
    }
}

#[test]
fn the_palette_does_what_it_names() {
    let harness = Harness::demo(100, 30).keys(":next-model<Enter>");
    assert_eq!(harness.app.model.view.model, ModelIx::new(1));
    assert!(Harness::demo(100, 30).keys(":<Esc>").app.popup.is_none());
}

#[test]
fn going_back_finds_the_same_query_and_the_same_numbers() {
    let there = Harness::demo(100, 30).keys("jjjj");
    let query = there.app.model.selection.query();
    let r1 = |harness: &Harness| {
        harness
            .app
            .model
            .trend
            .r1()
            .unwrap()
            .value
            .unwrap()
            .to_bits()
    };
    let before = r1(&there);
    let back = there.keys("djjdmM");
    assert_eq!(back.app.model.selection.query(), query);
    assert_eq!(back.app.model.view.direction, Direction::T2i);
    assert_eq!(r1(&back), before);
}

#[test]
fn keys_that_leave_copy_and_suspend_have_their_effect() {
    assert_eq!(
        Harness::demo(100, 30).keys("q").effect,
        Some(Effect::Quit(None))
    );
    assert_eq!(
        Harness::demo(100, 30).keys("<Ctrl-z>").effect,
        Some(Effect::Suspend)
    );
    let copied = Harness::demo(100, 30).keys("c").effect;
    let Some(Effect::Copy(text)) = copied else {
        panic!("nothing copied: {copied:?}")
    };
    assert!(text.contains('\t'), "{text}");
    let closed = Harness::demo(100, 30).keys("?q");
    assert!(
        closed.effect.is_none() && closed.app.popup.is_none(),
        "q closes what is open first"
    );
}

#[test]
fn an_unbound_key_says_where_the_keys_are() {
    assert!(
        Harness::demo(100, 30)
            .keys("z")
            .screen()
            .contains("z is not bound; ? shows the keys")
    );
}

#[test]
fn the_mouse_selects_and_scrolls() {
    let mut harness = Harness::demo(120, 40);
    harness.app.handle(Event::Click(10, 8));
    assert_eq!(harness.app.model.selection.selected, 4);
    harness.app.handle(Event::Wheel(100, 10, 3));
    harness = harness.settled();
    assert_eq!(
        (
            harness.app.model.selection.selected,
            harness.app.model.selection.item
        ),
        (4, 0)
    );
    harness.app.handle(Event::Wheel(100, 10, 3));
    assert_eq!(harness.app.model.selection.item, 3);
    harness.app.handle(Event::Click(100, 6));
    assert_eq!(harness.app.model.selection.item, 2);
}

/// No size and no key panics or leaves the screen.
#[test]
fn every_size_takes_every_key() {
    for (columns, rows) in [
        (1, 1),
        (2, 3),
        (20, 5),
        (39, 9),
        (40, 8),
        (60, 12),
        (72, 15),
        (300, 90),
    ] {
        let mut harness = Harness::demo(columns, rows);
        for keys in [
            "jjGg<Tab>jj>",
            "?j>k<Esc>",
            "=><Esc>",
            "d<Enter>><Esc>",
            "/xyz<Enter>s<Esc>",
            ":th<Enter>",
            "IItmM",
        ] {
            harness = harness.keys(keys);
            harness.buffer();
        }
    }
}

/// While the terminal is resized under an open sheet, the sheet stays inside.
#[test]
fn resizes_keep_everything_in_sight() {
    let mut harness = Harness::demo(120, 40).keys("=>");
    for (columns, rows) in [(60, 12), (20, 5), (200, 60), (80, 24)] {
        harness.app.handle(Event::Resize(columns, rows));
        let title = if columns < 40 {
            "metrics of"
        } else {
            "metrics of careful, t2i, truth rich"
        };
        assert!(harness.screen().contains(title), "{}", harness.screen());
    }
    let mut list = Harness::demo(120, 40).keys(">");
    list.app.handle(Event::Resize(80, 24));
    assert!(list.screen().contains("queries 120/120"));
}

/// What strangers wrote is shown, not obeyed, wherever it appears.
#[test]
fn captions_cannot_move_the_cursor() {
    let mut study = demo::open().unwrap();
    for text in &mut study.gallery.texts {
        *text = itm_explore::data::text::Text::new("x\u{1b}[2J\u{202e}y\u{9b}31m\tz");
    }
    for keys in ["", "d", "<Enter>", "/x"] {
        let buffer = Harness::new(study.clone(), 120, 40).keys(keys).buffer();
        let bad = |c: char| c.is_control() || c == '\u{202e}';
        assert!(
            !buffer
                .content
                .iter()
                .any(|cell| cell.symbol().contains(bad)),
            "after {keys:?}"
        );
    }
}

/// The two lines of the header.
fn header(harness: &Harness) -> [String; 2] {
    let screen = harness.screen();
    let mut lines = screen.lines().map(str::to_owned);
    [lines.next().unwrap(), lines.next().unwrap()]
}

/// Only a what-if has a change, and it says against what; another model or direction is another question.
#[test]
fn a_change_in_the_header_names_its_other_side() {
    let mut harness = Harness::demo(160, 40);
    for (keys, against) in [
        ("m", None),
        ("d", None),
        ("d", None),
        ("fr1 == 0<Enter>", Some("vs all queries")),
        ("f<Ctrl-u>words > 3<Enter>", Some("vs filter r1 == 0")),
        ("s", None),
        ("<Esc>", Some("vs filter words > 3")),
        ("a", Some("vs broad")),
        (".", Some("vs alpha 0.50")),
        ("A", Some("vs raw scores")),
    ] {
        harness = harness.keys(keys);
        let [_, numbers] = header(&harness);
        let (before, after) = numbers.split_once(" vs ").unwrap_or((&numbers, ""));
        let changes = before.matches(['▲', '▼', '=']).count();
        let wanted = if against.is_some() { 2 } else { 0 };
        assert_eq!(changes, wanted, "{keys}: {numbers}");
        let words = against.map_or("", |against| &against["vs ".len()..]);
        assert!(after.starts_with(words), "{keys}: {numbers}");
        assert_eq!(after.is_empty(), words.is_empty(), "{keys}: {numbers}");
    }
    // Cut where there is no room, but there.
    let small = Harness::demo(80, 24).keys("fr1 == 0<Enter>");
    assert!(header(&small)[1].contains(" vs all"), "{}", small.screen());
}

#[test]
fn the_demo_says_so_and_a_condition_stands_on_the_screen() {
    for (columns, rows) in [(80, 24), (120, 40), (160, 50)] {
        let harness = Harness::demo(columns, rows);
        assert!(
            header(&harness)[0].contains(" demo"),
            "{}",
            harness.screen()
        );
        let filtered = harness.keys("fwords >= 9 and r1 == 0<Enter>");
        assert!(header(&filtered)[0].contains(" demo"), "{columns}");
        let screen = filtered.screen();
        assert!(screen.contains("[words >= 9"), "{screen}");
        // Where no query is listed, the header has it.
        let metrics = filtered.keys("3");
        let is_told = header(&metrics)[0].contains("queries: words >= 9 and");
        assert_eq!(is_told, columns > 80, "{}", metrics.screen());
    }
}

/// A search that matches only what this truth does not judge offers the truth that does.
#[test]
fn a_search_says_what_this_truth_does_not_judge() {
    let harness = Harness::demo(120, 40);
    let model = &harness.app.model;
    let rich = model.truth().relevance[Direction::T2i].as_ref().unwrap();
    let hidden = (0..300).find(|&query| rich.place(query).is_none()).unwrap();
    let id = model.study.gallery.captions[hidden].to_string();
    let screen = harness.keys(&format!("/'{id}<Enter>")).screen();
    let said = "1 match, none judged by rich; ";
    assert!(screen.contains(said), "{screen}");
    assert!(screen.contains("shows them"), "{screen}");
    let nothing = Harness::demo(120, 40)
        .keys("/'no such words<Enter>")
        .screen();
    assert!(nothing.contains("nothing matches"), "{nothing}");
}
