//! Whole screens from key strings: the real state, engine and drawing, without a terminal.

use crate::common;

use std::fmt::Write;

use common::Harness;
use itm_explore::data::Direction;
use itm_explore::data::index::ModelIx;
use itm_explore::metric::Unit;
use itm_explore::study::demo;
use itm_explore::truth::Kind;
use itm_explore::tui::action::Action;
use itm_explore::tui::app::Effect;
use itm_explore::tui::event::Event;
use itm_explore::tui::screens::browse::Browse;
use itm_explore::tui::state::query_list::Pane;
use itm_explore::tui::theme::BUNDLED;
use itm_explore::tui::tour::Tour;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// Runs of one style as `⟦foreground/background+modifiers|text⟧`: a screen with its colours that a
/// person can read.
fn styled(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut x = 0;
        while x < buffer.area.right() {
            let style = |x: u16| (buffer[(x, y)].fg, buffer[(x, y)].bg, buffer[(x, y)].modifier);
            let start = x;
            let mut text = String::new();
            while x < buffer.area.right() && style(x) == style(start) {
                text.push_str(buffer[(x, y)].symbol());
                x += 1;
            }
            let (fg, bg, modifier) = style(start);
            let name = |colour: Color| {
                if colour == Color::Reset { String::new() } else { colour.to_string() }
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
fn whole_screens() {
    for (name, (columns, rows), keys) in [
        ("first_screen_of_a_small_terminal", (80, 24), ""),
        ("first_screen_of_a_large_terminal", (200, 60), ""),
        ("narrow_queries", (60, 20), ""),
        ("narrow_ranking", (60, 20), "<Tab>jj"),
        ("images_ask_captions", (120, 30), "djj<Tab>]"),
        ("truth_and_model_change_the_numbers_and_show_by_how_much", (100, 24), "Rmr"),
        ("typing", (100, 24), "R/red kite"),
        ("found", (100, 24), "R/red kite<Enter>j"),
        ("sorted_by_the_worst", (100, 24), "s"),
        ("help", (100, 60), "?"),
        ("help_found", (80, 24), "?next"),
        ("metrics", (100, 30), "=jjj"),
        ("study", (100, 24), "I"),
        ("detail", (100, 30), "<Tab>j<Enter>"),
        ("actions", (100, 24), ":mod"),
        // A contact sheet without pictures is cards of text.
        ("cards_small", (80, 24), "jjjv"),
        ("cards", (120, 40), "jjjvl"),
        ("cards_of_captions", (120, 40), "dv"),
    ] {
        insta::assert_snapshot!(name, Harness::demo(columns, rows).keys(keys).screen());
    }
}

/// Whatever is open, and however small the terminal becomes.
#[test]
fn overlays_are_drawn_at_any_size() {
    for open in
        ["?", "=jjj", "I", ":mod", "fr1", "S", "o", "T", "T<Down>", "<Tab><Enter>", "ac", "Space5x"]
    {
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
        let harness = harness.keys("<Esc>R<Tab>j");
        insta::assert_snapshot!(format!("theme_{name}"), styled(&harness.buffer()));
    }
}

#[test]
fn what_is_pressed_or_searched_for_is_told() {
    for (keys, told) in [
        ("?setting", "config.toml"),
        ("?config", "config.toml"),
        ("?options", "config.toml"),
        (":setting", "config.toml"),
        ("?click", "a click selects"),
        (":qqqq", "nothing matches"),
        ("?§", "nothing matches"),
        ("/'no such words<Enter>", "nothing matches"),
        ("~", "~ is not bound; ? shows the keys"),
        ("E <Down>", "│★"),
    ] {
        Harness::demo(120, 40).keys(keys).shows(told);
    }
    // A long message is told whole.
    let narrow = Harness::demo(80, 24).keys("JX").screen();
    let last: Vec<&str> = narrow.lines().skip(22).map(str::trim).collect();
    assert!(last.join(" ").ends_with("U asks about every item"), "{narrow}");
}

#[test]
fn the_help_does_what_it_names() {
    let harness = Harness::demo(100, 30).keys(":next-model<Enter>");
    assert_eq!(harness.app.model.view.model, ModelIx::new(1));
    assert!(Harness::demo(100, 30).keys(":<Esc>").app.popup.is_none());
    // The selection goes from entry to entry, over headings.
    let moved = Harness::demo(100, 60).keys("?<Down><Down><Down><Enter>");
    assert!(moved.app.popup.is_none());
}

#[test]
fn going_back_finds_the_same_query_and_the_same_numbers() {
    let there = Harness::demo(100, 30).keys("jjjj");
    let query = there.app.model.selection.query();
    let r1 =
        |harness: &Harness| harness.app.model.header_values().unwrap()[0].value.unwrap().to_bits();
    let before = r1(&there);
    let back = there.keys("djjdmM");
    assert_eq!(back.app.model.selection.query(), query);
    assert_eq!(back.app.model.view.direction, Direction::T2i);
    assert_eq!(r1(&back), before);
}

#[test]
fn keys_that_leave_copy_and_suspend_have_their_effect() {
    assert_eq!(Harness::demo(100, 30).keys("q").effect, Some(Effect::Quit(None)));
    assert_eq!(Harness::demo(100, 30).keys("<Ctrl-z>").effect, Some(Effect::Suspend));
    let copied = Harness::demo(100, 30).keys("c").effect;
    let Some(Effect::Copy(text)) = copied else { panic!("nothing copied: {copied:?}") };
    assert!(text.contains('\t'), "{text}");
    let closed = Harness::demo(100, 30).keys("Iq");
    assert!(closed.effect.is_none() && closed.app.popup.is_none(), "q closes what is open first");
}

/// Down and up go to the card below and above, left and right to the one beside; the mouse selects.
#[test]
fn keys_move_over_the_cards() {
    let item = |harness: &Harness| harness.app.model.selection.item;
    let mut harness = Harness::demo(120, 40).keys("v");
    let places = ["l", "j", "k", "k", "h", "h", "<PageDown>", ">", "<"].map(|key| {
        harness = std::mem::replace(&mut harness, Harness::demo(40, 8)).keys(key);
        item(&harness)
    });
    assert_eq!(places, [1, 4, 1, 1, 0, 0, 15, 59, 0]);
    harness.mouse(Event::Click(80, 12));
    assert_eq!(item(&harness), 4);
    harness.mouse(Event::Wheel(80, 12, 3));
    assert_eq!(item(&harness), 7);
    let details = harness.keys("<Enter>");
    details.shows("rank 8, score");
    for back in ["v", "<Esc>"] {
        let list = Harness::demo(120, 40).keys("v").keys(back);
        assert!(!list.app.context::<Browse>().state.as_cards, "{back}");
        assert!(list.effect.is_none());
    }
    let search = Harness::demo(120, 40).keys("/dog<Enter>v<Esc>");
    assert_eq!(search.app.model.search.text(), "dog", "the contact sheet closes first");
}

#[test]
fn the_mouse_selects_and_scrolls() {
    let mut harness = Harness::demo(120, 40);
    harness.mouse(Event::Click(10, 8));
    assert_eq!(harness.app.model.selection.selected, 4);
    harness.mouse(Event::Wheel(100, 10, 3));
    harness = harness.settled();
    assert_eq!((harness.app.model.selection.selected, harness.app.model.selection.item), (4, 0));
    harness.mouse(Event::Wheel(100, 10, 3));
    assert_eq!(harness.app.model.selection.item, 3);
    harness.mouse(Event::Click(100, 6));
    assert_eq!(harness.app.model.selection.item, 2);
}

/// No size and no key panics or leaves the screen.
#[test]
fn every_size_takes_every_key() {
    for (columns, rows) in
        [(1, 1), (2, 3), (20, 5), (39, 9), (40, 8), (60, 12), (72, 15), (300, 90)]
    {
        let mut harness = Harness::demo(columns, rows);
        for keys in [
            "jjGg<Tab>jj>",
            "?j>k<Esc>",
            "=><Esc>",
            "d<Enter>><Esc>",
            "/xyz<Enter>s<Esc>",
            ":th<Enter>",
            "IItmM",
            "vljkhz<PageDown>zv",
            "2z<Tab>z1",
            "3j<End><Tab>vkvv1",
            "afwords > 90<Enter>3a<Esc>1",
            "aCa1",
        ] {
            harness = harness.keys(keys);
            harness.buffer();
        }
    }
}

#[test]
fn resizes_keep_everything_in_sight() {
    let mut harness = Harness::demo(120, 40).keys("I>");
    for (columns, rows) in [(60, 12), (20, 5), (200, 60), (80, 24)] {
        harness.app.handle(Event::Resize(columns, rows));
        harness.shows(if columns < 40 { "too small" } else { "╭ inputs ─" });
    }
    Harness::demo(120, 40).keys(">").takes(Event::Resize(80, 24)).shows("queries 120/120");
}

/// Escape sequences in captions and names are shown, not interpreted.
#[test]
fn captions_cannot_move_the_cursor() {
    let mut study = demo::open().unwrap();
    for text in &mut study.gallery.texts {
        *text = itm_explore::data::text::Text::new("x\u{1b}[2J\u{202e}y\u{9b}31m\tz");
    }
    for keys in ["", "d", "<Enter>", "/x"] {
        let buffer = Harness::new(study.clone(), 120, 40).keys(keys).buffer();
        let bad = |c: char| c.is_control() || c == '\u{202e}';
        assert!(!buffer.content.iter().any(|cell| cell.symbol().contains(bad)), "after {keys:?}");
    }
}

/// Between the columns of numbers and those of the truths, the text has most of the ranking.
#[test]
fn the_text_has_most_of_the_ranking() {
    for (columns, rows) in [(80, 24), (160, 50)] {
        let screen = Harness::demo(columns, rows).keys("<Tab>").screen();
        let names = screen.lines().nth(3).unwrap().split('│').nth(3).unwrap();
        let text = names.split(|c: char| c != ' ').map(str::len).max().unwrap();
        let share = text as f64 / names.chars().count() as f64;
        assert!(share > 0.55 && names.contains("score"), "{columns}: {names:?}");
    }
}

#[test]
fn the_rank_that_is_typed_is_no_other_column() {
    for (number, heading) in [("-rank", "rank↓"), ("rank", "rank↑"), ("map_at_r", "AP@R↑")] {
        let sorted = Harness::demo(120, 40).keys(&format!("S{number}<Enter>"));
        let screen = sorted.screen();
        let names = screen.lines().nth(3).unwrap();
        let queries = names.split('│').nth(1).unwrap();
        assert_eq!(queries.matches("rank").count(), 1, "{queries}");
        assert!(queries.contains(heading), "{queries}");
    }
}

/// A place deep in a ranking of captions is none in one of images.
#[test]
fn a_jump_to_the_other_direction_begins_at_its_first_item() {
    let begun = Harness::demo(80, 24);
    let query = begun.app.model.selection.query().unwrap();
    let first = begun.app.model.study.gallery.captions[query].clone();
    let deep = begun.keys("d<Tab>G");
    let item = deep.app.model.item().unwrap();
    let last = deep.app.model.study.gallery.captions[item.item].clone();
    let there = deep.keys(&format!("g#{last}<Enter>"));
    assert_eq!(there.app.model.item().unwrap().rank, 300);
    let back = there.keys(&format!("3#{first}<Enter>"));
    assert_eq!(back.app.model.view.direction, Direction::T2i);
    assert_eq!(back.app.model.item().unwrap().rank, 1);
}

#[test]
fn what_queries_are_sorted_by_is_a_column() {
    let sorted = Harness::demo(80, 24).keys("S-words<Enter>");
    let screen = sorted.screen();
    assert!(screen.contains("words↓"), "{screen}");
    let model = &sorted.app.model;
    let words = |place: usize| {
        let caption = model.selection.queries[place] as usize;
        let text = model.study.gallery.caption(caption);
        text.split_whitespace().count()
    };
    // The first lines of the list begin with the number.
    for (place, line) in screen.lines().skip(4).take(6).enumerate() {
        let line = line.trim_start_matches('│').trim_start();
        assert!(line.starts_with(&format!("{} ", words(place))), "{line}");
    }
    // With more room rank and AP@R are there, too; what is sorted by one of them has no other column.
    let wide = sorted.takes(Event::Resize(160, 50)).screen();
    let wide = wide.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(wide.contains("rank AP@R words↓"), "{wide}");
    Harness::demo(80, 24).keys("s").shows("AP@R").lacks("│ rank");
}

/// A number that judgments change follows them, though the list keeps its order.
#[test]
fn the_sorted_column_follows_judgments() {
    let sorted = Harness::demo(160, 50).keys("Sjudgments<Enter>");
    let first = |harness: &Harness| {
        let screen = harness.screen();
        let line = screen.lines().nth(4).unwrap().to_owned();
        line.split('│').nth(1).unwrap().split_whitespace().nth(1).unwrap().to_owned()
    };
    assert_eq!(first(&sorted), "0");
    let judged = sorted.keys("<Tab>JUN");
    assert_eq!(first(&judged), "1");
    assert_eq!(first(&judged.keys("u")), "0");
}

/// A query that is judged, by its place in the list.
fn listed(harness: &Harness, place: usize) -> usize {
    harness.app.model.selection.queries[place] as usize
}

#[test]
fn an_id_is_gone_to_in_either_direction() {
    let open = Harness::demo(120, 40);
    let gallery = open.app.model.study.gallery.clone();
    let query = listed(&open, 40);
    let caption = gallery.captions[query].to_string();
    let jumped = open.keys(&format!("#{caption}<Enter>"));
    assert_eq!(jumped.app.model.selection.query(), Some(query));
    // A filter that hides it is lifted, and comes back.
    let hidden = jumped.keys(&format!("fid != {caption}<Enter>"));
    assert_ne!(hidden.app.model.selection.query(), Some(query));
    let lifted = hidden.keys(&format!("#{caption}<Enter>"));
    assert_eq!(lifted.app.model.selection.query(), Some(query));
    assert!(!lifted.app.model.has_filter());
    let again = lifted.keys("u");
    assert_eq!(again.app.model.filter.text, format!("id != {caption}"));
    // The name of a file is an image's: an item of the ranking at hand, whatever has the keys.
    let at = listed(&Harness::demo(120, 40).keys("d"), 7);
    assert_eq!(again.app.model.selection.pane, Pane::Queries);
    let name = gallery.image(at);
    let ranked = again.keys(&format!("#{name}<Enter>"));
    assert_eq!(ranked.app.model.item().unwrap().item, at);
    assert_eq!(ranked.app.model.selection.pane, Pane::Ranking);
    assert!(ranked.app.popup.is_none());
    // Where no ranking is at hand it is a query: image-to-text retrieval, said below.
    let image = ranked.keys(&format!("3#{name}<Enter>"));
    assert_eq!(image.app.model.view.direction, Direction::I2t);
    assert_eq!(image.app.model.selection.query(), Some(at));
    assert!(!image.app.model.has_filter());
    // Where keys go to the ranking, an item of it is selected.
    let item = image.keys(&format!("<Tab>#{caption}<Enter>"));
    assert_eq!(item.app.model.view.direction, Direction::I2t);
    assert_eq!(item.app.model.item().unwrap().item, query);
    // On a screen without queries it shows Browse.
    let from_metrics = item.keys(&format!("3#{caption}<Enter>"));
    assert_eq!(from_metrics.app.current_tab(), Action::Browse);
    assert_eq!(from_metrics.app.model.selection.query(), Some(query));
}

#[test]
fn an_id_that_cannot_be_gone_to_is_told() {
    let at = listed(&Harness::demo(80, 24).keys("d"), 3);
    let open = Harness::demo(120, 24).keys("d");
    let gallery = open.app.model.study.gallery.clone();
    let id = gallery.images[at].to_string();
    let wrong = open.keys(&format!("#{id}x<Enter>"));
    wrong.shows(&format!("no id or file name \"{id}x\""));
    // The line stays open to be mended.
    let mended = wrong.keys("<Backspace><Enter>");
    assert_eq!(mended.app.model.view.direction, Direction::I2t);
    assert_eq!(mended.app.model.selection.query(), Some(at));
    // Nobody looked for the positives of most images.
    let judged = &mended.app.model.selection.queries;
    let other = (0..gallery.images.len()).find(|at| !judged.contains(&(*at as u32)));
    let id = gallery.images[other.unwrap()].to_string();
    let refused = mended.keys(&format!("#{id}<Enter>"));
    refused.shows(&format!("rich does not cover image {id}"));
    assert_eq!(refused.keys("<Esc>").app.model.selection.query(), Some(at));
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
        // An order is beside the numbers, and the way back is no result.
        ("s", Some("vs filter r1 == 0")),
        ("d", None),
        ("u", None),
        ("<Esc>", None),
        ("a", Some("vs broad")),
        (".", Some("vs alpha 0.50")),
        ("A", Some("vs raw scores")),
        ("j", Some("vs raw scores")),
        (" ", Some("vs raw scores")),
        ("u", Some("vs raw scores")),
        ("u", None),
        ("<Ctrl-r>", Some("vs raw scores")),
        ("a", None),
        ("Jy", Some("by 1 judgment")),
        ("uk", None),
        ("y", Some("by 1 judgment")),
        ("y", Some("by 2 judgments")),
        ("k<Backspace>", Some("by 1 judgment")),
    ] {
        harness = harness.keys(keys);
        let [_, numbers] = harness.header();
        let changes = numbers.matches(['▲', '▼']).count() + numbers.matches(" = ").count();
        let wanted = if against.is_some() { 2 } else { 0 };
        assert_eq!(changes, wanted, "{keys}: {numbers}");
        let is_told = [" vs ", " by "].iter().any(|of| numbers.contains(of));
        assert_eq!(is_told, against.is_some(), "{keys}: {numbers}");
        assert!(numbers.contains(against.unwrap_or_default()), "{keys}: {numbers}");
    }
    // Cut where there is no room, but there.
    let small = Harness::demo(80, 24).keys("fr1 == 0<Enter>");
    assert!(small.header()[1].contains(" vs "), "{}", small.screen());
}

/// Intervals have room beside a change on a terminal of 80 columns: the names of the screens make it, and a click on a
/// key still shows its screen.
#[test]
fn intervals_stand_beside_a_change_on_a_small_terminal() {
    let shown = Harness::demo(80, 24).keys("%fr5 == 1<Enter>");
    let [_, numbers] = shown.header();
    assert_eq!(numbers.matches(" [").count(), 2, "{numbers}");
    assert_eq!(numbers.matches(['▲', '▼']).count(), 2, "{numbers}");
    assert!(numbers.contains(" vs "), "{numbers}");
    let [view, _] = shown.header();
    assert!(view.ends_with(" 1 [Browse] E 2 3 4 5"), "{view}");
    let errors = click(shown, 0, "4 5");
    assert!(errors.screen().contains("[Examples]"));
    let hidden = errors.keys("%");
    let [view, numbers] = hidden.header();
    assert!(view.contains("4 [Errors]") && !numbers.contains(" ["), "{view} {numbers}");
    // Counts of the judging mode come first there.
    let judging = Harness::demo(80, 24).keys("%Jy");
    let [_, numbers] = judging.header();
    assert!(!numbers.contains(" [") && numbers.contains(" vs before"), "{numbers}");
    assert!(numbers.contains(" left"), "{numbers}");
}

#[test]
fn the_demo_says_so_and_a_condition_stands_on_the_screen() {
    for (columns, rows) in [(80, 24), (160, 50)] {
        let filtered = Harness::demo(columns, rows).keys("fwords >= 9 and r1 == 0<Enter>");
        assert!(filtered.header()[1].contains(" demo"), "{columns}");
        filtered.shows("[words >= 9");
        // Where no query is listed, the header has it.
        let [view, _] = filtered.keys("3").header();
        assert_eq!(view.contains("queries: words >= 9 and"), columns > 80, "{view}");
    }
}

/// A search that matches only what is not listed says so.
#[test]
fn a_search_says_what_this_truth_does_not_judge() {
    let harness = Harness::demo(120, 40);
    let model = &harness.app.model;
    let rich = model.truth().relevance[Direction::T2i].as_ref().unwrap();
    let hidden = (0..300).find(|&query| rich.place(query).is_none()).unwrap();
    let id = model.study.gallery.captions[hidden].to_string();
    let screen = harness.keys(&format!("/'{id}<Enter>")).screen();
    let said = "1 match, none in this list";
    assert!(screen.contains(said), "{screen}");
}

/// The place of a word on the screen.
fn place(harness: &Harness, row: u16, word: &str) -> (u16, u16) {
    let screen = harness.screen();
    let line = screen.lines().nth(usize::from(row)).unwrap();
    let before = line.split(word).next().filter(|before| before.len() < line.len());
    let before = before.unwrap_or_else(|| panic!("no {word} in {line}"));
    (before.chars().count() as u16, row)
}

fn click(mut harness: Harness, row: u16, word: &str) -> Harness {
    let (x, y) = place(&harness, row, word);
    harness.mouse(Event::Click(x, y));
    harness.settled()
}

#[test]
fn words_of_the_header_and_hints_do_what_their_keys_do() {
    let start = Harness::demo(120, 40);
    let view = start.app.model.view;
    let harness = click(start, 0, "careful");
    assert_eq!(harness.app.model.view.model, ModelIx::new(1));
    let harness = click(harness, 0, "rich");
    assert_ne!(harness.app.model.view.truth, view.truth);
    let harness = click(harness, 0, "t2i");
    assert_eq!(harness.app.model.view.direction, Direction::I2t);
    // The demo has one pool alone, which is no news.
    assert!(!harness.screen().lines().next().unwrap().contains("pool"));
    let harness = click(harness.keys("<Esc>"), 39, "direction");
    assert_eq!(harness.app.model.view.direction, Direction::T2i);
    let harness = click(harness, 39, "all keys");
    assert!(harness.screen().contains("search: "));
}

#[test]
fn the_help_begins_with_the_screen_and_finds_what_is_typed() {
    for (keys, told) in [
        ("?", "on the screen Browse"),
        ("3?", "on the screen Metrics"),
        ("E?", "on the screen Items"),
        ("?zzzqqq<Ctrl-u>", "on the screen Browse"),
        ("?sort", "sort the queries, or the items, by the next key"),
        // Those spelt alike only where nothing has the words.
        ("?serach", "search captions and ids"),
    ] {
        Harness::demo(100, 40).keys(keys).shows(told);
    }
    Harness::demo(100, 40).keys("?sort").lacks("short");
    for (typed, found) in [
        ("Ctrl-r", "redo what was undone"),
        ("non-GT", "positive, though the original annotation does not list it"),
        ("mostly-no", "counts as not relevant in every ground truth"),
    ] {
        let screen = Harness::demo(100, 40).keys(&format!("?{typed}")).screen();
        let at = screen.lines().position(|line| line.contains(found));
        assert!(at.is_some_and(|at| at < 9), "{typed}:\n{screen}");
    }
    assert!(Harness::demo(100, 40).keys("??").app.popup.is_none());
    // It leads back.
    Harness::demo(80, 24).keys("E?<Esc>").shows("non-GT positives in the top 10");
    Harness::demo(120, 40).keys("Ed").shows("(careful, i2t");
}

#[test]
fn the_help_finds_what_a_researcher_types() {
    let map_at_r = "map_at_r: 3 shows it";
    for (typed, sign, words) in [
        ("csv", "--format", "numbers as csv, json"),
        ("latex", "--format", "numbers as csv, json"),
        ("pdf", "e ", "svg, png, pdf"),
        ("PDF", "e ", "svg, png, pdf"),
        ("save", "saved by itself", "NAME.itm.json"),
        ("quit", "q Ctrl-c", "leave"),
        ("R@1", "R@1", "r1: 3 shows it and its definition"),
        ("map@r", "mAP@R", map_at_r),
        ("mAP@R", "mAP@R", map_at_r),
        ("AP@R", "mAP@R", map_at_r),
        ("eccv_map_at_r", "mAP@R", map_at_r),
        ("ndcg@10", "nDCG@K", "ndcg_at_k: 3 shows it"),
        ("ir_recall_at_20", "IR-Recall@K", "ir_recall_at_k: 3 shows it"),
        ("rsum", "RSUM", "rsum: 3 shows it"),
        ("▲", "▲3", "its rank against the first model"),
        ("▎", "▎", "among the first R items"),
        ("bookmark", "Space", "pick the query"),
        ("ensemble", "a ", "end the mixture"),
        ("significance", "T ", "paired tests"),
        ("confidence", "% ", "95 % CI of both numbers"),
        ("annotate", "J ", "start or end judging"),
        ("i2t", "d ", "image-to-text or text-to-image"),
        ("palette", "?", "list and search all actions"),
        ("contact sheet", "v ", "contact sheet"),
        ("export verdicts", "truth mine", "truth mine NAME.itm.json"),
        ("+mine", "truth mine", "a ground truth with your judgments"),
        ("undo a verdict", "u ", "undo the last change"),
        ("kappa", "annotate merge", "sessions of several annotators"),
    ] {
        let screen = Harness::demo(100, 40).keys(&format!("?{typed}")).screen();
        let of_help = |line: &str| line.split('│').max_by_key(|part| part.len()).map(str::to_owned);
        let lines: Vec<String> = screen.lines().filter_map(of_help).collect();
        // An entry goes on in the lines below.
        let is_it = |entry: &[String]| {
            let whole: Vec<&str> = entry.iter().map(|line| line.trim()).collect();
            entry[0].trim_start().starts_with(sign.trim_end()) && whole.join(" ").contains(words)
        };
        assert!(lines.windows(4).any(is_it), "{typed}:\n{screen}");
    }
}

/// Common words find the right action as the first entry.
#[test]
fn the_help_finds_actions_first() {
    let mut wanted = vec![
        ("screenshot", "export"),
        ("picture of the screen", "export"),
        ("latex", "export"),
        ("export", "export"),
        ("bookmark", "pick"),
        ("pick", "pick"),
        ("ensemble", "mix"),
        ("significance", "tests"),
        ("confidence", "intervals"),
        ("i2t", "direction"),
        ("missing label", "filter"),
        ("colour", "theme"),
        ("serach", "search"),
    ];
    let formats = itm_explore::figure::FORMATS.iter();
    wanted.extend(formats.map(|format| (format.key, "export")));
    for (typed, action) in wanted {
        let screen = Harness::demo(120, 40).keys(&format!("?{typed}")).screen();
        let mut lines = screen.lines();
        let line = lines.find(|line| line.contains(&format!(" search: {typed}")));
        let found = line.and_then(|_| lines.next()).unwrap_or_default();
        let action: Action = action.parse().unwrap();
        let begins: String = action.doc().chars().take(20).collect();
        assert!(found.contains(&begins), "{typed}:\n{screen}");
    }
}

#[test]
fn every_letter_begins_a_word_in_the_help() {
    let word = Harness::demo(100, 40).keys("?queries u");
    word.shows("search: queries u");
    assert_eq!(word.message(), "");
    for keys in ["?qq<Esc><Esc>", "?<Ctrl-c>"] {
        assert!(Harness::demo(100, 40).keys(keys).app.popup.is_none(), "{keys}");
    }
}

#[test]
fn the_tour_goes_to_its_end_by_its_keys() {
    let mut harness = Harness::demo(80, 24).keys("<F2>");
    insta::assert_snapshot!("tour", harness.screen());
    let steps = ["<Enter>", "E", "2", "1Jy", "<Space>5"];
    let count = steps.len();
    for (at, keys) in steps.into_iter().enumerate() {
        let tour = harness.app.tour.as_ref().unwrap();
        assert_eq!(tour.progress(), (at + 1, count));
        assert!(harness.screen().contains(&format!("tour {}/{count}", at + 1)));
        harness = harness.keys(keys);
    }
    assert!(harness.app.tour.is_none());
    // Enter goes on without doing anything, Esc ends it.
    let entered = Harness::demo(80, 24).keys("<F2><Enter><Enter>");
    assert_eq!(entered.app.tour.as_ref().map(Tour::progress), Some((3, count)));
    let ended = entered.keys("<Esc>");
    assert!(ended.app.tour.is_none());
    let mut other = demo::open().unwrap();
    other.caveat = None;
    let refused = Harness::new(other, 80, 24).keys("<F2>");
    assert!(refused.app.tour.is_none() && refused.screen().contains("itm-explore --tour"));
}

/// The order is told in words at once, and by a sign in the heading where the frame has no room for words.
#[test]
fn the_order_of_queries_is_told_at_every_width() {
    for (keys, said, heading) in [
        ("s", "sorted, by map_at_r, lowest first", "AP@R↑"),
        ("ss", "sorted, by map_at_r, highest first", "AP@R↓"),
        ("sss", "sorted, by rank, highest first", "rank↓"),
        ("S-words<Enter>", "sorted, by words, highest first", "words↓"),
        ("Swords<Enter>", "sorted, by words, lowest first", "words↑"),
        ("2ss", "sorted, greatest |Δ| AP@R", "B - A"),
    ] {
        for (columns, rows) in [(80, 24), (120, 40)] {
            let harness = Harness::demo(columns, rows).keys(keys);
            let screen = harness.screen();
            assert_eq!(harness.message(), said, "{keys}");
            let mut lines = screen.lines().skip_while(|line| !line.contains("╭ queries"));
            let (frame, names) = (lines.next().unwrap(), lines.next().unwrap());
            assert!(names.contains(heading), "{keys}: {screen}");
            // By how far models are apart, whichever is better: no sign at a column of signed differences.
            if heading == "B - A" {
                assert!(!names.contains('↓'), "{names}");
                assert!(frame.contains("|Δ| AP@R"));
            }
        }
    }
    Harness::demo(80, 24).keys("S").shows("least first; -rank: greatest first");
}

/// A click in what is open on top acts there: on a line, a choice, a hint; none closes it that is within it.
#[test]
fn a_click_acts_in_what_is_open() {
    let clicked = |keys: &str, (x, y): (u16, u16)| {
        let mut harness = Harness::demo(80, 24).keys(keys);
        harness.mouse(Event::Click(x, y));
        harness.settled()
    };
    let at = |keys: &str, word: &str| {
        let screen = Harness::demo(80, 24).keys(keys).screen();
        let found = screen.lines().enumerate().find_map(|(y, line)| {
            let byte = line.find(word)?;
            Some((line[..byte].chars().count() as u16, y as u16))
        });
        found.unwrap_or_else(|| panic!("no {word} in\n{screen}"))
    };
    let same = |keys: &str, place: (u16, u16), others: &str| {
        let expected = Harness::demo(80, 24).keys(others).screen();
        assert_eq!(clicked(keys, place).screen(), expected, "{keys} at {place:?}");
    };
    // Frame, choices and names of columns stand above the first item.
    same("E", (30, 8), "Ejjj");
    same("E", at("E", "unjudged"), "E<Tab><Tab>");
    same("E", at("E", "J judge"), "EJ");
    same("f", at("f", "near miss"), "f<Down><Down><Down><Down><Down>");
    same("?", at("?", "next pane"), "?<Down>");
    same("2T", at("2T", "A wins"), "2Tjj");
    let typed = clicked("fwords", (0, 12));
    assert!(typed.app.popup.is_some(), "what is typed is not lost");
    assert!(clicked("E", (2, 0)).app.popup.is_none(), "outside");
}

#[test]
fn panes_say_what_the_filter_means_for_them() {
    for (columns, rows) in [(80, 24), (160, 50)] {
        for key in ["3", "4"] {
            let keys = format!("Jy<Esc>fwords >= 9<Enter>{key}");
            let pane = Harness::demo(columns, rows).keys(&keys);
            pane.shows("of all queries, without the filter [words >= 9]");
        }
    }
}

/// R@1 under the original annotation stands beside both numbers, unless it is one of them, then those of the other models,
/// the best of each marked.
#[test]
fn the_number_of_papers_and_other_models_stand_in_the_scoreboard() {
    let harness = Harness::demo(120, 40);
    let model = &harness.app.model;
    let original = model.view.truth_of_kind(&model.study, Kind::Original).unwrap();
    let r1 = model.metrics_under(original).unwrap().r1.value;
    let told = format!("original R@1 {}", Unit::Share.format(r1));
    assert!(harness.header()[1].contains(&told), "{}", harness.screen());
    let others = model.metrics_of_others();
    let names: Vec<&str> = others.iter().map(|(of, _)| &*model.study.models[*of].name).collect();
    assert_eq!(names, ["broad", "naive"]);
    let best = Unit::Share.format(others[0].1[1]);
    assert!(Unit::Share.format(model.header_values().unwrap()[1].value) < best);
    let (x, y) = place(&harness, 1, &best);
    let up = harness.app.ui.theme.up;
    assert_eq!(harness.buffer()[(x, y)].style().fg, Style::from(up).fg);
    let here = harness.keys("rr");
    assert_eq!(here.app.model.truth().kind, Kind::Original);
    assert!(!here.header()[1].contains("original R@1"), "{}", here.screen());
    // Under a filter the others are over other queries.
    let filtered = Harness::demo(120, 40).keys("fr1 == 0<Enter>");
    assert!(filtered.app.model.metrics_of_others().is_empty());
}

#[test]
fn a_positive_far_down_lowers_the_precision_and_the_scoreboard_says_why() {
    let begun = Harness::demo(120, 40).keys("jj<Tab>JUG");
    let others = begun.app.model.metrics_of_others();
    let judged = begun.keys("y");
    // The judgment counts for every model.
    assert_ne!(judged.app.model.metrics_of_others()[0].1[1], others[0].1[1]);
    let change = judged.app.model.shown_change().unwrap();
    assert!(change.values[1].unwrap() < 0.0 && change.growth == 1);
    assert!(judged.header()[1].contains("R grew by 1"), "{}", judged.screen());
    let undone = judged.keys("u");
    assert!(!undone.header()[1].contains("R grew"), "{}", undone.screen());
}

/// The scoreboard and the keys stay in sight, what is behind is dimmed, and `q` closes what is not typed into.
#[test]
fn popups_are_between_the_scoreboard_and_the_keys() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let plain = Harness::demo(columns, rows);
        for keys in ["?", "f", "I", "<Enter>", "2T", ":"] {
            let open = Harness::demo(columns, rows).keys(keys);
            assert!(open.app.popup.is_some(), "{keys}");
            let buffer = open.buffer();
            let symbols =
                |y: u16| -> String { (0..columns).map(|x| buffer[(x, y)].symbol()).collect() };
            for y in [0, 1, rows - 1] {
                assert!(!symbols(y).contains(['│', '╭', '╰']), "{keys}: {}", open.screen());
            }
            let corner = |harness: &Harness| harness.buffer()[(0, 2)].fg;
            assert_ne!(corner(&open), corner(&plain), "{keys}");
            assert!(open.keys("<Esc>").app.popup.is_none(), "{keys}");
            let quit = Harness::demo(columns, rows).keys(keys).keys("q");
            let is_typed = ["?", "f", ":"].contains(&keys);
            assert_eq!((quit.app.popup.is_some(), quit.effect), (is_typed, None), "{keys}");
        }
    }
}
