//! The import rules of `lib.rs`, executable: parses the sources and fails on a forbidden path, wherever it
//! stands: in a `use`, grouped or relative, in a type, an expression, an attribute or a macro. Unit tests
//! may use what they like.

mod sources;

use std::fs;

use sources::{FILES, File};

/// Modules that each top-level module may name with `crate::`.
const MAY_USE: &[(&str, &[&str])] = &[
    ("error", &["data"]),
    ("data", &["error"]),
    ("truth", &["data", "error"]),
    ("picture", &["data", "error"]),
    ("phrase", &["data", "error"]),
    ("study", &["data", "truth", "picture", "phrase", "error"]),
    ("session", &["data", "truth", "study", "error"]),
    ("rank", &["data", "truth", "error"]),
    ("metric", &["data", "truth", "rank", "error"]),
    ("evaluate", &["data", "truth", "study", "rank", "metric", "error"]),
    ("doctor", &["data", "truth", "study", "rank", "error"]),
    ("semantic", &["data", "truth", "study", "rank", "error"]),
    ("filter", &["data", "truth", "phrase", "study", "rank", "metric", "error"]),
    (
        "analysis",
        &["data", "truth", "phrase", "study", "rank", "evaluate", "metric", "filter", "error"],
    ),
    (
        "annotate",
        &[
            "data", "truth", "picture", "study", "session", "rank", "evaluate", "metric", "filter",
            "analysis", "figure", "error",
        ],
    ),
    (
        "jobs",
        &[
            "data", "truth", "phrase", "picture", "study", "rank", "doctor", "evaluate", "metric",
            "analysis", "annotate", "filter", "figure", "semantic", "report", "error", "session",
            "tui",
        ],
    ),
    (
        "report",
        &[
            "data", "truth", "phrase", "study", "session", "rank", "doctor", "evaluate", "metric",
            "analysis", "annotate", "filter", "error",
        ],
    ),
    (
        "figure",
        &[
            "data", "truth", "phrase", "picture", "study", "session", "rank", "evaluate", "metric",
            "analysis", "error",
        ],
    ),
    (
        "tui",
        &[
            "data", "truth", "phrase", "picture", "study", "session", "rank", "doctor", "evaluate",
            "metric", "analysis", "annotate", "filter", "jobs", "figure", "error",
        ],
    ),
    (
        "cli",
        &[
            "data", "truth", "phrase", "picture", "study", "session", "rank", "doctor", "evaluate",
            "metric", "analysis", "annotate", "filter", "jobs", "report", "figure", "semantic",
            "tui", "error",
        ],
    ),
];

/// Crates that only these files may name.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("ratatui", &["tui/"]),
    ("crossterm", &["tui/event/"]),
    ("clap", &["cli/", "main.rs"]),
    ("clap_complete", &["cli/completions.rs"]),
    ("clap_mangen", &["cli/completions.rs"]),
    ("fuzzy_matcher", &["jobs/search_queries.rs"]),
    ("strsim", &["data/near.rs"]),
    ("chacha20", &["data/stream.rs"]),
    ("image", &["picture/"]),
    ("libm", &["analysis/beta.rs", "analysis/normal.rs"]),
    ("ratatui_image", &["tui/event/", "tui/pictures/", "tui/widgets/"]),
    ("tui_input", &["tui/"]),
    ("viuer", &["cli/show/"]),
    ("parquet", &["data/table/"]),
    ("safetensors", &["data/arrays/"]),
    ("hdf5_reader", &["data/arrays/hdf5.rs"]),
    ("krilla", &["figure/pdf.rs"]),
    ("krilla_svg", &["figure/pdf.rs"]),
    ("resvg", &["figure/"]),
    ("roxmltree", &["phrase/annotation.rs"]),
    ("rustybuzz", &["figure/fonts.rs"]),
    ("rayon", &["data/parallel.rs", "jobs/runner.rs"]),
    ("ruzstd", &["data/table/pages.rs"]),
];

/// Files that draw: they name ratatui's buffers, styles, texts and widgets. All other code of `tui` knows
/// of its layout (areas, sizes) at most.
const VIEWS: &[&str] = &[
    // A popup is one file: what it makes of keys, and how it is drawn.
    "tui/popups/",
    "tui/widgets/",
    "tui/screens/header.rs",
    "tui/screens/footer.rs",
    "tui/screens/queries.rs",
    "tui/screens/browse/detail.rs",
    "tui/screens/browse/queries.rs",
    "tui/screens/browse/ranking.rs",
    "tui/screens/compare/detail.rs",
    "tui/screens/compare/queries.rs",
    "tui/screens/compare/ranking.rs",
];

/// What no view is, and yet names drawing types.
const NO_VIEWS: &[(&str, &str)] = &[
    ("tui/theme.rs", "styles are read from a file of a theme"),
    ("tui/popup.rs", "every popup is drawn"),
    ("tui/screen.rs", "every screen is drawn"),
    ("tui/event/", "writes the buffer to the terminal"),
    ("tui/pointed.rs", "reads off a buffer what a click meets"),
];

/// What the modules of the explorer may name of it, apart from themselves.
const OF_TUI: &[(&str, &[&str])] = &[
    // The line of the search is state.
    ("model", &["signs", "widgets"]),
    ("pictures", &[]),
    ("widgets", &["action", "keymap", "pictures", "signs", "theme", "ui"]),
    (
        "popups",
        &[
            "action", "effect", "keymap", "model", "pictures", "popup", "signs", "theme", "ui",
            "widgets",
        ],
    ),
    (
        "screens",
        &[
            "action", "model", "pictures", "popup", "popups", "screen", "signs", "theme", "ui",
            "widgets",
        ],
    ),
];

fn is_view(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    let is_listed = VIEWS.iter().any(|view| name.starts_with(view));
    is_listed || name.starts_with("tui/") && (file == "view.rs" || file.ends_with("_view.rs"))
}

/// The rules that a path breaks, as lines about the file.
fn wrong(is_wrong: impl Fn(&File, &[String]) -> bool) -> Vec<String> {
    let of_file = |file: &File| {
        let wrong = file.paths.iter().filter(|path| is_wrong(file, path));
        let line = |path: &Vec<String>| format!("{} uses {}", file.name, path.join("::"));
        wrong.map(line).collect::<Vec<_>>()
    };
    FILES.iter().flat_map(of_file).collect()
}

#[test]
fn every_module_has_its_rule() {
    for file in FILES.iter() {
        let known = MAY_USE.iter().any(|(module, _)| *module == file.module());
        assert!(known || ["lib", "main"].contains(&file.module()), "{}", file.name);
    }
}

#[test]
fn imports_go_one_way() {
    let is_wrong = |file: &File, path: &[String]| {
        let [root, used, ..] = path else { return false };
        let rule = MAY_USE.iter().find(|(module, _)| *module == file.module());
        root == "crate"
            && used != file.module()
            && MAY_USE.iter().any(|(module, _)| module == used)
            && rule.is_some_and(|(_, allowed)| !allowed.contains(&used.as_str()))
    };
    assert_eq!(wrong(is_wrong), Vec::<String>::new());
}

/// The model knows nothing of what shows it, popups nothing of screens, and nothing below the explorer's own
/// state of that.
#[test]
fn imports_of_the_explorer_go_one_way() {
    let is_wrong = |file: &File, path: &[String]| {
        let rule = OF_TUI.iter().find(|(of, _)| file.place.get(1).is_some_and(|at| at == of));
        let used = path.get(2).filter(|_| path[0] == "crate" && path[1] == "tui");
        file.module() == "tui"
            && rule.is_some_and(|(of, allowed)| {
                used.is_some_and(|used| used != of && !allowed.contains(&used.as_str()))
            })
    };
    assert_eq!(wrong(is_wrong), Vec::<String>::new());
}

/// `error` cleans the text it shows, and uses nothing else of `data`.
#[test]
fn errors_know_of_text_alone() {
    let is_wrong = |file: &File, path: &[String]| {
        file.module() == "error"
            && path.first().is_some_and(|root| root == "crate")
            && !path[1..].starts_with(&["data".to_owned(), "text".to_owned()])
            && path.get(1).is_some_and(|module| module == "data")
    };
    assert_eq!(wrong(is_wrong), Vec::<String>::new());
}

#[test]
fn crates_stay_where_they_belong() {
    let is_wrong = |file: &File, path: &[String]| {
        let rule = ONLY_IN.iter().find(|(krate, _)| path[0] == *krate);
        rule.is_some_and(|(_, places)| !places.iter().any(|place| file.name.starts_with(place)))
    };
    assert_eq!(wrong(is_wrong), Vec::<String>::new());
}

/// State does not draw: only views name what is drawn with.
#[test]
fn only_views_draw() {
    let is_wrong = |file: &File, path: &[String]| {
        let draws = path[0] == "ratatui" && path.get(1).is_none_or(|module| module != "layout");
        let mut others = NO_VIEWS.iter();
        let is_other = others.any(|(other, _)| file.name.starts_with(other));
        // A screen's page hands the buffer to its view.
        let hands_on = file.name.ends_with("/page.rs") && path[1..].starts_with(&["buffer".into()]);
        draws && !is_view(&file.name) && !is_other && !hands_on
    };
    assert_eq!(wrong(is_wrong), Vec::<String>::new());
}

/// Drawing changes nothing but the buffer: who takes one takes all else as it is, and no view changes the
/// application or itself.
#[test]
fn code_that_draws_takes_shared_references() {
    let mut wrong = Vec::new();
    for file in FILES.iter().filter(|file| file.name.starts_with("tui/")) {
        for function in &file.functions {
            let changed: Vec<&str> = function.changes.iter().map(String::as_str).collect();
            let others = changed.iter().filter(|one| **one != "Buffer").count();
            let draws = changed.contains(&"Buffer") && others > 0;
            // Popups and widgets take keys as well, in functions of their own.
            let takes_keys = ["tui/popups/", "tui/widgets/"];
            let takes_keys = takes_keys.iter().any(|folder| file.name.starts_with(folder));
            let only_draws = is_view(&file.name) && !takes_keys;
            let decides =
                only_draws && changed.iter().any(|one| ["App", "Model", "self"].contains(one));
            if draws || decides {
                wrong.push(format!("{} {} changes {changed:?}", file.name, function.name));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// The macros that print panic where nothing can be written: `cli::say` does not.
#[test]
fn nothing_is_printed_that_could_panic() {
    for file in FILES.iter() {
        for printed in ["print", "println", "eprint", "eprintln", "dbg"] {
            let is_called = file.macros.iter().any(|called| called == printed);
            assert!(!is_called, "{} uses {printed}!", file.name);
        }
    }
}

/// Small files: a reader holds one in the head.
#[test]
fn no_file_grows_beyond_reading() {
    for file in FILES.iter() {
        let text = fs::read_to_string(sources::root().join(&file.name)).unwrap();
        let lines = text.lines().count();
        assert!(lines <= 500, "{} has {lines} lines", file.name);
    }
}

/// The rules see what they are to see.
#[test]
fn paths_are_found_wherever_they_stand() {
    let text = "use crate::{data::{self, Direction}, rank};
        use super::super::super::metric as m;
        #[derive(clap::Args)]
        struct Two(crate::study::Study);
        #[cfg(test)]
        mod tests { use crate::tui::App; }
        #[cfg(test)]
        mod oracle;
        fn one(app: &mut App, buf: &mut Buffer) { println!(\"{}\", crate::figure::name()); super::of() }
        mod inner { use super::super::super::engine; }";
    let file = File::parsed("report/compare/data.rs", text);
    let found: Vec<String> = file.paths.iter().map(|path| path.join("::")).collect();
    for path in [
        "crate::data::self",
        "crate::data::Direction",
        "crate::rank",
        "crate::metric",
        "clap::Args",
        "crate::study::Study",
        "crate::figure::name",
        "crate::report::compare::of",
        "crate::report::engine",
    ] {
        assert!(found.contains(&path.to_owned()), "{path} in {found:?}");
    }
    assert!(!found.iter().any(|path| path.contains("tui")), "{found:?}");
    assert_eq!(file.only_tests, ["report/compare/data/oracle"]);
    assert_eq!(
        (&*file.functions[0].name, &*file.functions[0].changes),
        ("one", &["App".to_owned(), "Buffer".to_owned()][..])
    );
    assert_eq!(file.macros, ["println"]);
}
