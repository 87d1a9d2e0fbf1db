//! `phrases localize --browse`: failures on their pictures.

use std::path::Path;
use std::sync::Arc;

use itm_explore::data::source::Source;
use itm_explore::figure::localisation::Localisation;
use itm_explore::phrase::Entities;
use itm_explore::phrase::localisation::{
    Measured, Predictions, Protocol, SortBy, Targets, measure,
};
use itm_explore::picture::ImageFiles;
use itm_explore::tui::effect::Effect;
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::{Key, Keymap};
use itm_explore::tui::phrases::{Viewer, draw};
use itm_explore::tui::pictures::ImageBackend;
use itm_explore::tui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::common::text_of;
use super::predictions;

const ENTITIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/entities");
const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo/images");

struct Bench {
    entities: Entities,
    targets: Targets,
    models: Vec<Measured>,
    pictures: Arc<ImageFiles>,
}

impl Bench {
    /// Two models on the pictures of the demo, all boxes measured as the data set's paper does.
    fn new() -> Self {
        let targets = predictions::targets(ENTITIES);
        let files = [
            ("ours.jsonl", predictions::lines(&targets)),
            ("mdetr.json", predictions::list(&targets)),
        ];
        let protocol = Protocol::named("plummer").unwrap();
        let measured = |(name, text): (&str, String)| {
            let source = Source::in_memory(name, text.into_bytes());
            let read = Predictions::read(&source, &targets, false, protocol);
            measure(&targets, &read.unwrap(), protocol)
        };
        Bench {
            models: files.into_iter().map(measured).collect(),
            entities: Entities::read(Path::new(ENTITIES), None).unwrap(),
            pictures: Arc::new(ImageFiles::open(Path::new(IMAGES)).unwrap()),
            targets,
        }
    }

    fn viewer(&self, size: (u16, u16)) -> Viewer<'_> {
        let of = Localisation {
            entities: &self.entities,
            targets: &self.targets,
            protocol: Protocol::named("plummer").unwrap(),
            models: &self.models,
            pictures: Some(&self.pictures),
        };
        let (name, theme) = Theme::bundled(0);
        let keymap =
            Keymap::load(Some(("keys.toml", include_str!("../../common/keys.toml")))).unwrap();
        Viewer::new(of, SortBy::Iou, (keymap, (name.into(), theme)), size)
    }
}

fn press(viewer: &mut Viewer<'_>, keys: &str) -> Option<Effect> {
    let keys = Key::sequence(keys).unwrap();
    let effects = keys.into_iter().map(|key| viewer.handle(&Event::Key(key)));
    effects.last().flatten()
}

fn buffer(viewer: &Viewer<'_>) -> Buffer {
    let (columns, rows) = viewer.ui.size;
    let area = Rect::new(0, 0, columns, rows);
    let mut buffer = Buffer::empty(area);
    draw(viewer, area, &mut buffer);
    buffer
}

fn screen(viewer: &Viewer<'_>) -> String {
    text_of(&buffer(viewer))
}

#[test]
fn failures_stand_beside_what_is_said_of_them() {
    let bench = Bench::new();
    for (name, size) in [("80", (80, 24)), ("120", (120, 40)), ("160", (160, 50))] {
        let mut viewer = bench.viewer(size);
        press(&mut viewer, "jj");
        insta::assert_snapshot!(format!("localised_{name}"), screen(&viewer));
    }
}

#[test]
fn failures_are_sorted_and_chosen_by_type_and_model() {
    let bench = Bench::new();
    let mut viewer = bench.viewer((120, 40));
    let failures = viewer.all.len();
    let failed = |of: &Measured| of.outcomes.iter().filter(|one| !one.is_hit(0)).count();
    assert_eq!(failures, bench.models.iter().map(failed).sum::<usize>());
    let ious = |viewer: &Viewer<'_>| -> Vec<f64> {
        let lines = (0..viewer.listed.len()).map(|at| viewer.line(at).unwrap().outcome.best[0]);
        lines.collect()
    };
    assert!(ious(&viewer).is_sorted());
    // What is looked at stays in sight in another order.
    press(&mut viewer, "jjj");
    let chosen = viewer.chosen().unwrap();
    press(&mut viewer, "ss");
    let sizes: Vec<f64> = (0..failures).map(|at| viewer.line(at).unwrap().size).collect();
    assert!(sizes.is_sorted() && viewer.chosen().unwrap().is(&chosen));
    let mut listed = Vec::new();
    loop {
        press(&mut viewer, "f");
        let Some(kind) = viewer.kind else {
            break;
        };
        listed.push((kind.name(), viewer.listed.len()));
        let all = (0..viewer.listed.len()).map(|at| viewer.line(at).unwrap().target.types);
        assert!(all.into_iter().all(|types| types.contains(kind)));
    }
    let names: Vec<&str> = listed.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["people", "animals", "vehicles", "other"]);
    assert_eq!(listed.iter().map(|(_, count)| count).sum::<usize>(), failures);
    press(&mut viewer, "m");
    assert_eq!(viewer.listed.len(), failed(&bench.models[0]));
    press(&mut viewer, "m");
    assert_eq!(viewer.listed.len(), failed(&bench.models[1]));
    press(&mut viewer, "m");
    assert_eq!((viewer.model, viewer.listed.len()), (None, failures));
}

#[test]
fn boxes_are_drawn_on_the_picture_or_without_it_on_a_ground() {
    let bench = Bench::new();
    let mut viewer = bench.viewer((120, 40));
    viewer.backend = Some(ImageBackend::halfblocks());
    let picture = viewer.picture().unwrap();
    let colours = viewer.ui.theme.localised_colours();
    let drawn: Vec<[u8; 3]> = picture.boxes.iter().map(|(_, colour)| *colour).collect();
    assert_eq!(drawn, colours);
    assert!(bench.pictures.find(&picture.file_name).is_ok());
    // Both as the file has them: pixels from 1, the last within.
    let failure = viewer.chosen().unwrap();
    let [x1, .., y2] = failure.outcome.first.unwrap().0;
    let (width, height) = picture.size;
    let edges = picture.boxes[1].0;
    assert!((edges[0] * f64::from(width) - (x1 - 1.0)).abs() < 1e-9);
    assert!((edges[3] * f64::from(height) - y2).abs() < 1e-9);
    press(&mut viewer, "D");
    assert!(viewer.picture().unwrap().boxes.is_empty());
    viewer.of.pictures = None;
    assert!(screen(&viewer).contains("--images names the folder"));
    press(&mut viewer, "<Enter>");
    assert_eq!(viewer.parts()[0].area(), 0);
    press(&mut viewer, "<Esc>");
    assert!(viewer.parts()[0].area() > 0);
}

#[test]
fn keys_are_told_and_a_row_is_copied() {
    let bench = Bench::new();
    let mut viewer = bench.viewer((80, 24));
    let Some(Effect::Copy(row)) = press(&mut viewer, "c") else { panic!("nothing is copied") };
    let fields: Vec<&str> = row.split('\t').collect();
    let [words] = [viewer.of.parts(&viewer.chosen().unwrap())[1]];
    assert_eq!((fields.len(), fields[4]), (6, words));
    press(&mut viewer, "?");
    assert!(screen(&viewer).contains("mark for the figure"));
    press(&mut viewer, "? ");
    assert_eq!((viewer.marked.len(), viewer.selected), (1, 1));
    press(&mut viewer, "k ");
    assert_eq!(viewer.marked.len(), 0);
    press(&mut viewer, "C");
    assert!(screen(&viewer).contains("does nothing here"));
    assert_eq!(press(&mut viewer, "q"), Some(Effect::Quit(None)));
}

/// Whatever the size, nothing panics, and too small a terminal is told.
#[test]
fn every_size_is_drawn() {
    let bench = Bench::new();
    let mut viewer = bench.viewer((80, 24));
    viewer.backend = Some(ImageBackend::halfblocks());
    for size in [(1, 1), (40, 8), (45, 9), (69, 12), (70, 12), (200, 60)] {
        viewer.handle(&Event::Resize(size.0, size.1));
        press(&mut viewer, "<PageDown>G<PageUp>gf?");
        assert!(!screen(&viewer).is_empty());
        press(&mut viewer, "?");
    }
}
