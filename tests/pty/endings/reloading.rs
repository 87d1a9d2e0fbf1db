//! Files change while the explorer is open, by whoever writes them and however: it neither ends nor mixes the
//! old with the new, says so, and reads them again when it is told to.

use std::fs::{self, File};
use std::io::Write;

use super::common::demo_file;
use super::large::Large;
use super::terminal::{BIN, Tui};

const RELOAD: &str = "\x0c";

/// Change of a file on disk.
#[derive(Debug, Clone, Copy)]
enum Change {
    Shrinks,
    Grows,
    IsReplaced,
    IsGone,
    IsWrittenOver,
}

impl Change {
    const ALL: [Change; 5] =
        [Change::Shrinks, Change::Grows, Change::IsReplaced, Change::IsGone, Change::IsWrittenOver];

    fn happens(self, large: &Large) {
        let matrix = large.matrix();
        match self {
            Change::Shrinks => large.cut(),
            Change::Grows => {
                let mut file = File::options().append(true).open(matrix).unwrap();
                file.write_all(&[0; 4_096]).unwrap();
            }
            Change::IsReplaced => replace(large, -80.0),
            Change::IsGone => fs::remove_file(matrix).unwrap(),
            Change::IsWrittenOver => Large::save(&matrix, -80.0),
        }
    }

    /// Notice on the screen before any key.
    fn notice(self) -> &'static str {
        match self {
            Change::Shrinks | Change::Grows | Change::IsWrittenOver => {
                "sims.npy was written over: nothing new is counted; Ctrl-l reloads"
            }
            Change::IsReplaced => "sims.npy changed on disk: Ctrl-l reloads",
            Change::IsGone => "sims.npy gone from the disk",
        }
    }

    /// Why it cannot be read again, where it cannot.
    fn refusal(self) -> Option<&'static str> {
        match self {
            Change::Shrinks => Some("cut off: "),
            Change::Grows => Some("too long: "),
            Change::IsGone => Some("no such file"),
            Change::IsReplaced | Change::IsWrittenOver => None,
        }
    }
}

/// Puts another matrix in the place of the file, as careful programs save.
fn replace(large: &Large, shift: f32) {
    Large::save(&large.path("new"), shift);
    fs::rename(large.path("new"), large.matrix()).unwrap();
}

fn shows(tui: &Tui, number: &str) {
    tui.wait(number, |screen| {
        let text = screen.contents();
        text.contains(number) && !text.contains("ranking …")
    });
}

#[test]
fn whatever_happens_to_a_matrix_while_it_is_browsed_is_said_and_the_old_numbers_stay() {
    for change in Change::ALL {
        let large = Large::new();
        let mut tui = large.explore(&[]);
        let before = large.r1();
        tui.press("jj", "queries 3/5,000");
        shows(&tui, &before);
        change.happens(&large);
        tui.wait_text(change.notice());
        shows(&tui, &before);
        // What was loaded is whole only where the file itself was left alone.
        tui.press("j", "queries 4/5,000");
        if matches!(change, Change::IsReplaced | Change::IsGone) {
            tui.wait_text("item at rank 1");
        } else {
            tui.wait_text("not ranked: a file was written over");
        }
        if let Some(refusal) = change.refusal() {
            tui.press(RELOAD, "not reloaded");
            tui.wait_text(refusal);
            shows(&tui, &before);
            replace(&large, -80.0);
            tui.wait("news", |screen| !screen.contents().contains("not reloaded"));
        }
        tui.send(RELOAD);
        let after = large.r1();
        assert_ne!(before, after);
        shows(&tui, &after);
        tui.wait_text("queries 4/5,000");
        tui.wait_text("item at rank 1");
        tui.wait_text("since the reload");
        let text = tui.text();
        assert!(!text.contains("reloads"), "{change:?} {text}");
        tui.quit();
    }
}

#[test]
fn whatever_happens_while_a_matrix_is_counted_ends_in_a_notice() {
    for change in Change::ALL {
        let large = Large::new();
        let mut tui = large.start(&[]);
        tui.wait_text("queries 1/5,000");
        change.happens(&large);
        // It may have been counted before that, or not.
        tui.wait("a notice", |screen| {
            let text = screen.contents();
            text.contains("sims.npy was written over") || text.contains(change.notice())
        });
        tui.press("jj", "queries 3/5,000");
        replace(&large, -60.0);
        tui.wait_text("Ctrl-l reloads");
        tui.send(RELOAD);
        shows(&tui, &large.r1());
        tui.wait_text("queries 3/5,000");
        tui.quit();
    }
}

#[test]
fn watched_files_are_read_again_as_often_as_they_are_written() {
    let large = Large::new();
    let tui = large.explore(&["--watch"]);
    shows(&tui, &large.r1());
    for (shift, in_place) in [(-80.0, false), (-60.0, true), (-70.0, false)] {
        if in_place {
            // Half of it first: what is not whole is not read.
            large.cut();
            tui.wait_text("sims.npy was written over");
            Large::save(&large.matrix(), shift);
        } else {
            replace(&large, shift);
        }
        shows(&tui, &large.r1());
        tui.wait("no notice", |screen| {
            let text = screen.contents();
            !text.contains("reloading") && !text.contains("written over")
        });
    }
    tui.quit();
}

/// A training that diverges is no change of the model: whichever of two it is, both stay as they were.
#[test]
fn a_model_that_lost_its_numbers_is_not_read_again() {
    let large = Large::new();
    let other = large.path("other.npy");
    fs::copy(large.matrix(), &other).unwrap();
    let mut tui = large.explore(&[other.to_str().unwrap(), "--watch"]);
    let r1 = large.r1();
    shows(&tui, &r1);
    for model in [large.matrix(), other] {
        Large::save(&large.path("new"), f32::NAN);
        fs::rename(large.path("new"), &model).unwrap();
        tui.wait_text("not reloaded");
        tui.press("I", "NaN at image");
        tui.send("I");
        shows(&tui, &r1);
        tui.send("2");
        tui.wait("both models", |screen| {
            let text = screen.contents();
            text.contains("A sims") && text.contains("other better")
        });
        tui.send("1");
        Large::save(&large.path("new"), 0.0);
        fs::rename(large.path("new"), &model).unwrap();
        tui.wait("no notice", |screen| !screen.contents().contains("not reloaded"));
    }
    tui.quit();
}

#[test]
fn a_training_is_watched_from_its_empty_folder_on_at_its_newest_step() {
    let folder = tempfile::tempdir().unwrap();
    let step = |number: u32| folder.path().join(format!("step-{number}.npy"));
    let files = ["captions.json", "original_caption_to_image.json"];
    let [captions, truth] = files.map(demo_file);
    let steps = folder.path().to_str().unwrap();
    let command = [BIN, steps, &captions, &truth, "--series", "--watch"];
    let mut tui = Tui::start(&command, 30, 110, &[]);
    tui.wait_text("waiting for the first step");
    fs::copy(demo_file("naive.npy"), step(1)).unwrap();
    tui.wait_text("step 1 (1/1)");
    fs::copy(demo_file("broad.npy"), step(2)).unwrap();
    tui.wait_text("step 2 (2/2)");
    let whole = fs::read(demo_file("careful.npy")).unwrap();
    fs::write(step(3), &whole[..whole.len() / 2]).unwrap();
    tui.wait_text("changed on disk: read once");
    tui.wait_text("step 2 (2/2)");
    fs::write(step(3), &whole).unwrap();
    tui.wait_text("step 3 (3/3)");
    // Older steps may go. Whoever went to one of those that stay is left there.
    tui.press("M", "step 2 (2/3)");
    fs::copy(demo_file("naive.npy"), folder.path().join("new")).unwrap();
    fs::rename(folder.path().join("new"), step(4)).unwrap();
    fs::remove_file(step(1)).unwrap();
    tui.wait_text("step 2 (1/3)");
    tui.quit();
}

#[test]
fn a_ground_truth_that_is_edited_is_read_again() {
    let large = Large::new();
    let ids: Vec<String> = (0..1_000).map(|id| id.to_string()).collect();
    let images = large.path("images.txt");
    fs::write(&images, ids.join("\n")).unwrap();
    let images = ["--image-ids", images.to_str().unwrap()];
    let mut tui = large.explore(&images);
    let truth = large.path("original_caption_to_image.json");
    let before = large.r1_with(&images);
    let text = fs::read_to_string(&truth).unwrap();
    // The captions of the second image are said to be of the third.
    fs::write(&truth, text.replacen("[1]", "[2]", 5)).unwrap();
    tui.wait_text("original_caption_to_image.json changed on disk: Ctrl-l reloads");
    shows(&tui, &before);
    tui.send(RELOAD);
    let after = large.r1_with(&images);
    assert_ne!(before, after);
    shows(&tui, &after);
    // Half of it is no ground truth: the one that was read stays.
    fs::write(&truth, &text[..text.len() / 2]).unwrap();
    tui.wait_text("changed on disk");
    tui.press(RELOAD, "not reloaded");
    tui.wait_text("broken JSON");
    shows(&tui, &after);
    tui.quit();
}

/// The folders of phrases are looked at: a sentence file that takes the place of another one is read.
#[test]
fn sentences_that_are_replaced_are_read_again() {
    let large = Large::new();
    let entities = large.path("entities");
    for part in ["Sentences", "Annotations"] {
        fs::create_dir_all(entities.join(part)).unwrap();
    }
    let write = |name: &str, sentence: &str| {
        let written = large.path("new");
        fs::write(&written, sentence).unwrap();
        fs::rename(written, entities.join("Sentences").join(name)).unwrap();
    };
    write("0.txt", "[/EN#1/people A man] .\n");
    let folder = ["--entities", entities.to_str().unwrap()];
    let mut tui = large.explore(&folder);
    tui.press("I", "phrases of 1 of 1,000 images");
    write("1.txt", "[/EN#1/people A woman] .\n");
    tui.press("I", "Sentences changed on disk: Ctrl-l reloads");
    tui.press(RELOAD, "reloaded Sentences from the disk");
    tui.press("I", "phrases of 2 of 1,000 images");
    tui.send("Iq");
    tui.assert_ends(0);
}

#[test]
fn another_gallery_is_refused() {
    let large = Large::new();
    let mut tui = large.explore(&[]);
    let ids: Vec<String> = (20_000..25_000).map(|id| id.to_string()).collect();
    fs::write(large.path("ids.txt"), ids.join("\n")).unwrap();
    tui.wait_text("ids.txt changed on disk");
    tui.press(RELOAD, "not reloaded");
    tui.press("j", "queries 2/5,000");
    tui.quit();
}
