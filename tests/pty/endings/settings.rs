//! Settings of `config.toml`, and options that override them.

use std::fs;

use super::large::Large;
use super::terminal::{BIN, Tui, own_keys};

/// A folder of settings with this `config.toml`.
fn settings(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    own_keys(folder.path());
    fs::write(folder.path().join("itm-explore/config.toml"), text).unwrap();
    folder
}

#[test]
fn the_variable_for_thumbnails_goes_before_the_setting() {
    for (setting, variable, shows) in [
        ("off", "halfblocks", true),
        ("halfblocks", "off", false),
        ("halfblocks", "", true),
        ("off", "", false),
    ] {
        let config = settings(&format!("thumbnails = \"{setting}\""));
        let env = [
            ("XDG_CONFIG_HOME", config.path().to_str().unwrap()),
            ("ITM_EXPLORE_THUMBNAILS", variable),
        ];
        let mut tui = Tui::ready(&[BIN], 40, 120, &env);
        if shows {
            tui.wait("thumbnails", |screen| screen.contents().contains('▄'));
        } else {
            tui.press("i", "thumbnails are off");
        }
        tui.quit();
    }
}

#[test]
fn files_are_read_again_unasked_where_that_is_set() {
    let config = settings("reload = true");
    let large = Large::new();
    let env = [("XDG_CONFIG_HOME", config.path().to_str().unwrap())];
    let tui = large.start_in(&[], &env);
    tui.wait_text(&large.r1());
    Large::save(&large.path("new"), -80.0);
    fs::rename(large.path("new"), large.matrix()).unwrap();
    tui.wait_text(&large.r1());
    tui.quit();
}
