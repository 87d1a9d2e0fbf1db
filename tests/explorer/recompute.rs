//! Derived results are up to date after every event: recomputing all of them changes nothing.

use itm_explore::tui::event::Event;
use itm_explore::tui::state::changes::Dirty;

use crate::common::Harness;

/// Looks, sorts, filters and mixes, without judgments: a list keeps its order where a judgment changes what it is
/// sorted by.
const LOOKING: &str = "j k G g <Tab> r R m M d p s a . + - u <Ctrl-r> <Space> * 1 2 3 4 5 z % ] frank>2<Enter> \
                       /cat<Enter> <Esc>";
/// Judges, in the order of the gallery.
const JUDGING: &str =
    "J y P n N - ; <Backspace> j k G g <Tab> r m u <Ctrl-r> * } U <Esc> <Space> 1";

fn check(keys: &str, seed: u64, steps: usize) {
    let keys: Vec<&str> = keys.split_whitespace().collect();
    let mut state = seed;
    let mut harness = Harness::demo(120, 40);
    let mut typed = String::new();
    for _ in 0..steps {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let key = keys[(state >> 33) as usize % keys.len()];
        typed.push_str(key);
        harness = harness.keys(key);
        let before = harness.screen();
        harness.app.model.dirty = Dirty::ALL;
        harness.app.handle(Event::Resize(120, 40));
        harness = harness.settled();
        let after = harness.screen();
        assert!(before == after, "after {typed}\n{before}\n{after}");
    }
}

#[test]
fn all_that_follows_is_up_to_date_while_one_looks() {
    for seed in 1..=4 {
        check(LOOKING, seed, 60);
    }
}

#[test]
fn all_that_follows_is_up_to_date_while_one_judges() {
    for seed in 1..=4 {
        check(JUDGING, seed, 60);
    }
}
