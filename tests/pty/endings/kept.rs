//! A reload keeps judgments, picks and the view.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use itm_explore::study::{self, Inputs};

use super::common::{Harness, demo_file};

/// Whoever writes over a mapped file stops all counting in its process, so these tests run one at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A copy of the demo's files, and what opens it.
fn demo_copy(folder: &Path) -> Inputs {
    let names = [
        "careful.npy",
        "broad.npy",
        "captions.json",
        "original_image_to_caption.json",
        "original_caption_to_image.json",
        "rich_image_to_caption.json",
        "rich_caption_to_image.json",
    ];
    let copied = |name: &str| -> PathBuf {
        fs::copy(demo_file(name), folder.join(name)).unwrap();
        folder.join(name)
    };
    Inputs {
        files: names.iter().map(|name| copied(name)).collect(),
        texts: true,
        ..Inputs::default()
    }
}

fn explorer(inputs: &Inputs) -> Harness {
    let mut explorer = Harness::new(study::open(inputs).unwrap(), 120, 40);
    explorer.app.model.set_inputs(inputs.clone());
    explorer
}

#[test]
fn query_item_filter_sort_search_picks_and_history_stay() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let inputs = demo_copy(folder.path());
    let explorer = explorer(&inputs).keys("fwords >= 6<Enter>sjj<Space><Tab>jjj");
    let model = &explorer.app.model;
    let (query, item) = (model.selection.query(), model.item().unwrap().item);
    let listed = model.selection.queries.len();
    let before = model.metrics().unwrap().r1.value;
    // The naive model's scores under the first one's name.
    fs::copy(demo_file("naive.npy"), folder.path().join("careful.npy")).unwrap();
    let explorer = explorer.keys("<Ctrl-l>");
    let model = &explorer.app.model;
    assert_ne!(model.metrics().unwrap().r1.value, before);
    assert_eq!(model.selection.query(), query);
    assert_eq!(model.item().unwrap().item, item, "at another rank");
    assert_eq!(model.selection.queries.len(), listed);
    assert_eq!(model.filter.text, "words >= 6");
    assert_eq!(model.session.picks().len(), 1);
    let names: Vec<&str> = model.history.steps().iter().map(|step| &*step.name).collect();
    assert_eq!(names.last(), Some(&"reloaded careful.npy"));
    let screen = explorer.screen();
    assert!(screen.contains("AP@R↑"), "{screen}");
    // Both numbers stand at the step before and at this one.
    let numbers: Vec<_> = model.history.steps().iter().map(|step| step.numbers).collect();
    let [.., before, after] = &numbers[..] else { panic!() };
    assert!(before.is_some() && after.is_some() && before != after);
}

#[test]
fn a_reload_is_passed_over_by_undo_and_what_was_done_before_it_is_undone() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let inputs = demo_copy(folder.path());
    let explorer = explorer(&inputs).keys("m");
    fs::copy(demo_file("naive.npy"), folder.path().join("broad.npy")).unwrap();
    let explorer = explorer.keys("<Ctrl-l>");
    assert_eq!(explorer.app.model.view.model.get(), 1);
    let naive = explorer.app.model.metrics().unwrap().r1.value;
    let explorer = explorer.keys("u");
    assert!(explorer.screen().contains("undone: model broad"));
    assert_eq!(explorer.app.model.view.model.get(), 0);
    let explorer = explorer.keys("u");
    assert!(explorer.screen().contains("nothing to undo"));
    let explorer = explorer.keys("<Ctrl-r>");
    let model = &explorer.app.model;
    assert_eq!(model.view.model.get(), 1);
    assert_eq!(model.metrics().unwrap().r1.value, naive);
}

#[test]
fn a_mixture_is_made_anew() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let inputs = demo_copy(folder.path());
    let explorer = explorer(&inputs).keys("a");
    let mixed = |explorer: &Harness| {
        let model = &explorer.app.model;
        assert_eq!((model.view.model.get(), model.study.models.len()), (2, 3));
        model.metrics().unwrap().map_at_r.value
    };
    let before = mixed(&explorer);
    fs::copy(demo_file("naive.npy"), folder.path().join("broad.npy")).unwrap();
    assert_ne!(mixed(&explorer.keys("<Ctrl-l>")), before);
}

#[test]
fn models_and_truths_that_came_or_went_are_found_by_name() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = demo_copy(folder.path());
    inputs.files = vec![folder.path().to_owned()];
    for model in ["careful.npy", "broad.npy"] {
        inputs.files.push(folder.path().join(model));
    }
    let explorer = explorer(&inputs).keys("m3");
    let truths = |explorer: &Harness| -> Vec<String> {
        let truths = explorer.app.model.study.truths.iter();
        truths.map(|truth| truth.name.clone()).collect()
    };
    assert_eq!(truths(&explorer), ["original", "rich"]);
    let rich = |side: &str| folder.path().join(format!("rich_{side}.json"));
    let other = |side: &str| folder.path().join(format!("other_{side}.json"));
    for side in ["image_to_caption", "caption_to_image"] {
        fs::rename(rich(side), other(side)).unwrap();
    }
    let explorer = explorer.keys("<Ctrl-l>");
    assert_eq!(truths(&explorer), ["original", "other"]);
    assert_eq!(explorer.app.model.view.model.get(), 1);
    assert!(explorer.screen().contains("other  queries:"), "{}", explorer.screen());
}
