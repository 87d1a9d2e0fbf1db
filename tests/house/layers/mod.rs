//! The import rules of `lib.rs`, executable: parses the sources and fails on a forbidden path, wherever it
//! stands: in a `use`, grouped or relative, in a type, an expression, an attribute or a macro. Unit tests
//! may use what they like.

mod sources;

use std::fs;

use sources::{FILES, File};

/// Modules that each top-level module may name with `crate::`.
const MAY_USE: &[(&str, &str)] = &[
    // A package of its own.
    ("kernels", ""),
    ("error", "data"),
    ("data", "error"),
    ("truth", "data error"),
    ("image_file", "data error"),
    ("phrase", "data error"),
    ("study", "data truth image_file phrase error"),
    ("session", "data truth study error"),
    ("rank", "data truth error"),
    ("metric", "data truth rank error"),
    ("evaluate", "data truth study rank metric error"),
    ("doctor", "data truth image_file study rank error"),
    ("semantic", "data truth study rank error"),
    ("filter", "data truth phrase study rank metric error"),
    ("analysis", "data truth phrase study rank evaluate metric filter error"),
    (
        "annotate",
        "data truth image_file study session rank evaluate metric filter analysis figure error",
    ),
    (
        "jobs",
        "data truth phrase image_file study rank doctor evaluate metric analysis annotate \
         filter figure semantic report error session tui",
    ),
    (
        "report",
        "data truth phrase study session rank doctor evaluate metric analysis annotate filter error",
    ),
    ("figure", "data truth phrase image_file study session rank evaluate metric analysis error"),
    (
        "tui",
        "data truth phrase image_file study session rank doctor evaluate metric analysis \
         annotate filter jobs figure error",
    ),
    (
        "cli",
        "data truth phrase image_file study session rank doctor evaluate metric analysis \
         annotate filter jobs report figure semantic tui error",
    ),
];

/// Crates that only these files may name.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("ratatui", &["tui/"]),
    ("crossterm", &["tui/event/", "cli/format.rs"]),
    ("clap", &["cli/", "study/", "main.rs"]),
    ("clap_complete", &["cli/completions.rs"]),
    ("fuzzy_matcher", &["jobs/find_queries.rs"]),
    ("strsim", &["data/near.rs"]),
    ("tar", &["image_file/archive.rs"]),
    ("chacha20", &["data/stream.rs"]),
    ("image", &["image_file/"]),
    ("libm", &["analysis/student.rs"]),
    ("ratatui_image", &["tui/event/", "tui/thumbnails.rs", "tui/ui/"]),
    ("tui_input", &["tui/"]),
    ("viuer", &["cli/show.rs"]),
    ("parquet", &["data/table/"]),
    ("safetensors", &["data/arrays/"]),
    ("hdf5_reader", &["data/arrays/hdf5.rs"]),
    ("krilla", &["figure/pdf.rs"]),
    ("krilla_svg", &["figure/pdf.rs"]),
    ("resvg", &["figure/"]),
    ("roxmltree", &["phrase/annotation.rs"]),
    ("rustybuzz", &["figure/fonts.rs"]),
    ("rayon", &["data/parallel.rs", "jobs/runner.rs"]),
    ("lz4_flex", &["data/table/pages.rs"]),
    ("ruzstd", &["data/table/pages.rs"]),
    ("snap", &["data/table/pages.rs"]),
];

/// Modules that draw nothing: of ratatui, they may name areas and sizes.
const STATE: &[&str] =
    &["tui/state/", "tui/sort.rs", "tui/action.rs", "tui/keymap", "tui/app", "jobs/"];

/// Modules that count frames.
const DRAWS_FRAMES: [&str; 2] = ["tui/run.rs", "tui/phrases.rs"];

/// Modules of the explorer that each of them may use, apart from itself.
const OF_TUI: &[(&str, &str)] = &[
    // The line of the search is state.
    ("state", "signs sort ui"),
    ("thumbnails", ""),
    ("ui", "action context keymap thumbnails signs sort theme"),
    ("popups", "action context effect keymap thumbnails popup signs sort state theme ui"),
    ("screens", "action context thumbnails popup popups screen signs sort state theme ui"),
];

fn is_named_in(list: &str, module: &str) -> bool {
    list.split_whitespace().any(|name| name == module)
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
            && rule.is_some_and(|(_, allowed)| !is_named_in(allowed, used))
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
                used.is_some_and(|used| used != of && !is_named_in(allowed, used))
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

/// State does not draw.
#[test]
fn state_does_not_draw() {
    let is_wrong = |file: &File, path: &[String]| {
        let draws = path[0] == "ratatui" && path.get(1).is_none_or(|module| module != "layout");
        draws && STATE.iter().any(|place| file.name.starts_with(place))
    };
    assert_eq!(wrong(is_wrong), Vec::<String>::new());
}

/// Drawing changes nothing but the buffer: who takes one takes all else as it is.
#[test]
fn code_that_draws_takes_shared_references() {
    let drawn = FILES.iter().filter(|file| file.name.starts_with("tui/"));
    let mut wrong = Vec::new();
    for file in drawn.filter(|file| !DRAWS_FRAMES.contains(&&*file.name)) {
        for function in &file.functions {
            let others = function.changes.iter().filter(|one| *one != "Buffer").count();
            if others > 0 && others < function.changes.len() {
                wrong.push(format!(
                    "{} {} changes {:?}",
                    file.name, function.name, function.changes
                ));
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
