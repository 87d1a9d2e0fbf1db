//! Phrases of captions in the colours of their chains, and their boxes on images.

use itm_explore::study::{self, Inputs, Study};
use itm_explore::tui::theme::{BUNDLED, Theme};
use ratatui::style::{Color, Style};

use super::common::Harness;
use super::screen::shown;

/// The demo with phrases and boxes of a dozen of its images.
fn phrased() -> Study {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/entities");
    let inputs =
        Inputs { demo: true, texts: true, entities: Some(folder.into()), ..Inputs::default() };
    study::open(&inputs).unwrap()
}

/// Two people who fly two kites: an image that asks, its first caption selected.
fn kites(columns: u16, rows: u16) -> Harness {
    Harness::new(phrased(), columns, rows).with_thumbnails().keys("dR#1218<Enter>")
}

/// Number of image cells in this colour.
fn cells_of(harness: &Harness, [r, g, b]: [u8; 3]) -> usize {
    let colour = Color::Rgb(r, g, b);
    let places = harness.app.ui.thumbnails.places();
    let buffer = harness.buffer();
    let in_images = places.iter().flat_map(|place| place.area.positions());
    in_images.filter(|at| [buffer[*at].fg, buffer[*at].bg].contains(&colour)).count()
}

/// The text that has the style of a chain, in reading order.
fn text_of(harness: &Harness, style: Style) -> String {
    let buffer = harness.buffer();
    let is_it = |cell: &&ratatui::buffer::Cell| Some(cell.fg) == style.fg && cell.symbol() != "▀";
    buffer.content.iter().filter(is_it).map(ratatui::buffer::Cell::symbol).collect()
}

#[test]
fn boxes_have_the_colours_of_their_chains_and_can_be_turned_off() {
    let harness = kites(120, 40);
    let theme = &harness.app.ui.theme;
    let colours = theme.box_colours();
    let people = theme.phrase(0);
    assert!(cells_of(&harness, colours[0]) > 4);
    assert!(text_of(&harness, people).contains("Two people"));
    let off = harness.keys("D");
    assert!(!off.app.ui.thumbnails.has_boxes);
    assert_eq!(cells_of(&off, colours[0]), 0);
    // Captions keep their colours.
    assert!(text_of(&off, people).contains("Two people"));
    assert!(cells_of(&off.keys("D"), colours[0]) > 4);
}

/// The colours of some words wherever they stand, that of their last letter.
fn colours_of(harness: &Harness, words: &str) -> Vec<Color> {
    let buffer = harness.buffer();
    let (wanted, width) = (words.chars().count(), usize::from(buffer.area.width));
    let rows = buffer.content.chunks(width);
    let pieces = rows.flat_map(|row| row.windows(wanted));
    let is_it = |cells: &&[ratatui::buffer::Cell]| {
        cells.iter().map(ratatui::buffer::Cell::symbol).eq(words.chars().map(String::from))
    };
    pieces.filter(is_it).map(|cells| cells[wanted - 1].fg).collect()
}

/// The title of a ranking, that of a contact sheet, and the queries among the picks have the colours of phrases, too.
#[test]
fn titles_and_picks_have_the_colours_of_chains() {
    let ranking = Harness::new(phrased(), 120, 40).keys("R/Two people are flying<Enter>");
    let people = ranking.app.ui.theme.phrase(0).fg.unwrap();
    let title = |harness: &Harness| colours_of(harness, "“Two people");
    assert_eq!(title(&ranking), [people], "{}", ranking.screen());
    let verb = colours_of(&ranking, "“Two people are");
    assert!(verb.iter().all(|colour| *colour != people), "{verb:?}");
    let picks = ranking.keys(" 5");
    let named = colours_of(&picks, "t2i Two people");
    assert_eq!(named, [people], "{}", picks.screen());
    let sheet = picks.keys("1<Tab>v");
    sheet.shows("┏ 1");
    assert_eq!(title(&sheet), [people]);
}

#[test]
fn without_annotation_the_keys_say_what_is_missing() {
    let told = Harness::demo(100, 30).keys("D").app.model.message.clone().unwrap();
    assert!(told.contains("--entities"), "{told}");
}

/// Boxes keep the colours of the theme, whichever it is.
#[test]
fn boxes_follow_the_theme() {
    let mut harness = kites(100, 30);
    for (name, text) in BUNDLED.iter().skip(1) {
        harness = harness.keys("t");
        assert_eq!(harness.app.ui.theme_name, *name);
        let colours = Theme::parse(name, text).unwrap().box_colours();
        assert!(cells_of(&harness, colours[0]) > 4, "{name}");
    }
}

/// While one judges blind neither colours nor boxes are there.
#[test]
fn blind_judging_hides_phrases() {
    let harness = kites(120, 40);
    let colours = harness.app.ui.theme.box_colours();
    let people = harness.app.ui.theme.phrase(0);
    let blind = harness.keys("JX");
    assert!(blind.app.model.is_blind());
    assert_eq!(cells_of(&blind, colours[0]), 0);
    assert!(!text_of(&blind, people).contains("Two people"));
}

#[test]
fn phrases_stand_in_the_details() {
    let harness = kites(120, 40).keys("<Tab>jj");
    insta::assert_snapshot!("phrases", shown(&harness.buffer()));
    insta::assert_snapshot!("phrases_detail", shown(&harness.keys("<Enter>").buffer()));
}
