//! Images on the screen, in half-blocks: cells like any text.

use std::fs;

use image::ImageFormat;
use itm_explore::data::Direction;
use itm_explore::study::{Study, demo};
use itm_explore::tui::event::Event;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Position;
use ratatui::style::Color;

use super::common::{Harness, text_of};
use super::files::{bomb, bytes, red_blue};

fn demo(columns: u16, rows: u16) -> Harness {
    Harness::demo(columns, rows).with_thumbnails()
}

/// Whether a cell is a pixel above another: a half-block, or a blank of one colour throughout.
fn is_image_cell(cell: &Cell) -> bool {
    let has_colour = matches!((cell.fg, cell.bg), (Color::Rgb(..), Color::Rgb(..)));
    let is_half = ["▀", "▄"].contains(&cell.symbol());
    has_colour && (is_half || cell.symbol() == " " && cell.fg == cell.bg)
}

/// The text of a screen, every image cell as `░`.
pub fn shown(buffer: &Buffer) -> String {
    let mut masked = buffer.clone();
    for cell in masked.content.iter_mut().filter(|cell| is_image_cell(cell)) {
        cell.set_symbol("░");
    }
    text_of(&masked)
}

/// Image cells outside of every image: traces of an earlier frame.
fn strays(harness: &Harness) -> usize {
    let buffer = harness.buffer();
    let places = harness.app.ui.thumbnails.places();
    let is_stray = |place: &Position| {
        is_image_cell(&buffer[*place]) && !places.iter().any(|of| of.area.contains(*place))
    };
    buffer.area.positions().filter(is_stray).count()
}

#[test]
fn thumbnails_beside_the_items_and_the_selected_one_in_the_details() {
    let harness = demo(120, 40).keys("<Tab>j");
    insta::assert_snapshot!("thumbnails", shown(&harness.buffer()));
}

#[test]
fn the_image_of_an_image_query() {
    let harness = demo(120, 40).keys("dj");
    assert_eq!(harness.app.model.view.direction, Direction::I2t);
    insta::assert_snapshot!("images_ask", shown(&harness.buffer()));
}

#[test]
fn a_contact_sheet_of_the_ranking() {
    let sheet = demo(120, 40).keys("jjjvl");
    insta::assert_snapshot!("contact_sheet", shown(&sheet.buffer()));
    insta::assert_snapshot!("contact_sheet_small", shown(&demo(80, 24).keys("jjjv").buffer()));
}

/// Half of the image files are missing: their cards and lines are text throughout.
#[test]
fn text_takes_the_place_of_missing_images() {
    let (_folder, study) = hostile();
    let list = Harness::new(study.clone(), 120, 40).with_thumbnails().keys("<Tab>");
    insta::assert_snapshot!("missing_in_the_list", shown(&list.buffer()));
    let sheet = Harness::new(study, 120, 40).with_thumbnails().keys("v");
    insta::assert_snapshot!("missing_in_the_contact_sheet", shown(&sheet.buffer()));
}

#[test]
fn a_large_view_with_everything_about_the_pair() {
    insta::assert_snapshot!("large", shown(&demo(120, 40).keys("<Enter>").buffer()));
    insta::assert_snapshot!("large_small", shown(&demo(70, 24).keys("<Enter>").buffer()));
}

#[test]
fn nothing_is_left_behind() {
    let before = demo(120, 40).keys("<Tab>");
    let first = before.buffer();
    let mut harness = before;
    for (away, back) in [
        ("jjjjj", "kkkkk"),
        (">", "<"),
        ("?", "<Esc>"),
        ("<Enter>", "<Esc>"),
        (":mod", "<Esc>"),
        ("2", "1<Tab>"),
        ("3", "1<Tab>"),
        ("d", "d"),
        ("i", "i"),
        ("v", "v"),
        ("v", "<Esc>"),
        ("z", "z"),
    ] {
        harness = harness.keys(away);
        assert_eq!(strays(&harness), 0, "after {away}");
        assert_ne!(harness.buffer(), first, "after {away}");
        harness = harness.keys(back);
        harness.app.model.message = None;
        let now = harness.buffer();
        // Header and footer have a history of their own.
        let below = |buffer: &Buffer| buffer.content[240..39 * 120].to_vec();
        assert!(below(&now) == below(&first), "after {away} and {back}");
    }
    for size in [(80, 24), (60, 20), (40, 8), (200, 60), (120, 40)] {
        harness.app.handle(Event::Resize(size.0, size.1));
        assert_eq!(strays(&harness), 0, "{size:?}, still being made");
        harness = harness.settled();
        assert_eq!(strays(&harness), 0, "{size:?}");
    }
    assert!(harness.buffer().content[240..39 * 120] == first.content[240..39 * 120]);
}

/// Until it is drawn, an image is shown in another size, if one fits.
#[test]
fn the_old_image_stays_until_the_new_one_is_there() {
    let mut harness = demo(120, 40);
    harness.app.handle(Event::Resize(160, 50));
    let places = harness.app.ui.thumbnails.places();
    assert!(!harness.app.ui.thumbnails.places().is_empty());
    for place in places.iter().take(3) {
        assert!(harness.app.ui.thumbnails.get(*place).is_some());
    }
}

#[test]
fn without_image_files_the_key_says_why() {
    let mut study = demo::open().unwrap();
    study.image_files = None;
    Harness::new(study, 120, 40).with_thumbnails().keys("i").shows("--images names their folder");
    assert!(Harness::demo(120, 40).keys("i").screen().contains("--thumbnails auto"));
}

/// A folder with everything that goes wrong.
fn hostile() -> (tempfile::TempDir, Study) {
    let mut study = demo::open().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let jpeg = bytes(&red_blue(640, 480), ImageFormat::Jpeg);
    let good = bytes(&red_blue(320, 240), ImageFormat::WebP);
    for image in 0..study.gallery.images.len() {
        let content = match image % 6 {
            0 => &jpeg[..jpeg.len() / 2],
            1 => &bomb(60_000, 60_000),
            2 => b"This is a text.\n",
            3 => b"",
            4 => &good,
            _ => continue,
        };
        let name = study.gallery.file_names[image].raw().replace(".png", ".jpg");
        study.gallery.file_names[image] = itm_explore::data::text::Text::new(&name);
        fs::write(folder.path().join(name), content).unwrap();
    }
    std::os::unix::fs::symlink(".", folder.path().join("again")).unwrap();
    study.add_image_files(Some(folder.path())).unwrap();
    (folder, study)
}

#[test]
fn a_folder_of_broken_image_files_breaks_nothing() {
    let (_folder, study) = hostile();
    let mut harness = Harness::new(study, 120, 40).with_thumbnails().keys("<Tab>");
    let mut said = String::new();
    for _ in 0..30 {
        said += &harness.screen();
        harness = harness.keys("jjj");
    }
    assert!(said.contains("A brown dog runs"), "captions take the place");
    for reason in ["cut off", "too large", "not an image", "no such image file"] {
        assert!(said.contains(reason), "{reason} is not said");
    }
    let mut harness = harness.keys("d<Tab>");
    let mut large = String::new();
    for _ in 0..20 {
        harness = harness.keys("<Enter>");
        large += &harness.screen();
        harness = harness.keys("<Esc>j");
    }
    for reason in ["cut off: the file ends", "60,000 x 60,000", "neither jpeg"] {
        assert!(large.contains(reason), "{reason} is not said");
    }
}
