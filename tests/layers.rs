//! The import rules of `lib.rs`, executable: reads the sources and fails on a forbidden `use`.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules that each top-level module may name with `crate::`.
const MAY_USE: &[(&str, &[&str])] = &[
    ("error", &["data"]),
    ("data", &["error"]),
    ("truth", &["data", "error"]),
    ("picture", &["data", "error"]),
    ("study", &["data", "truth", "picture", "error"]),
    ("session", &["data", "truth", "study", "error"]),
    ("rank", &["data", "truth", "error"]),
    ("metric", &["data", "truth", "rank", "error"]),
    (
        "evaluate",
        &["data", "truth", "study", "rank", "metric", "error"],
    ),
    ("doctor", &["data", "truth", "study", "rank", "error"]),
    (
        "filter",
        &["data", "truth", "study", "rank", "metric", "error"],
    ),
    (
        "analysis",
        &[
            "data", "truth", "study", "rank", "evaluate", "metric", "filter", "error",
        ],
    ),
    (
        "engine",
        &[
            "data", "truth", "picture", "study", "rank", "doctor", "evaluate", "metric",
            "analysis", "filter", "figure", "error", "session",
        ],
    ),
    (
        "report",
        &[
            "data", "truth", "study", "session", "rank", "doctor", "evaluate", "metric",
            "analysis", "filter", "error",
        ],
    ),
    (
        "figure",
        &[
            "data", "truth", "picture", "study", "session", "rank", "error",
        ],
    ),
    (
        "tui",
        &[
            "data", "truth", "picture", "study", "session", "rank", "doctor", "evaluate", "metric",
            "analysis", "filter", "engine", "figure", "error",
        ],
    ),
    (
        "cli",
        &[
            "data", "truth", "picture", "study", "session", "rank", "doctor", "evaluate", "metric",
            "analysis", "filter", "engine", "report", "figure", "tui", "error",
        ],
    ),
];

/// Crates that only these files may name.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("ratatui", &["tui/"]),
    ("crossterm", &["tui/event/"]),
    ("clap", &["cli/", "main.rs"]),
    ("fuzzy_matcher", &["engine/search.rs"]),
    ("strsim", &["filter/"]),
    ("chacha20", &["data/stream.rs"]),
    ("image", &["picture/"]),
    (
        "libm",
        &[
            "analysis/beta.rs",
            "analysis/mcnemar.rs",
            "analysis/normal.rs",
        ],
    ),
    ("ratatui_image", &["tui/"]),
    ("tui_input", &["tui/"]),
    ("viuer", &["cli/show/"]),
    ("parquet", &["data/table/"]),
    ("krilla", &["figure/pdf.rs"]),
    ("krilla_svg", &["figure/pdf.rs"]),
    ("resvg", &["figure/"]),
    ("rustybuzz", &["figure/fonts.rs"]),
    ("ruzstd", &["data/table/pages.rs"]),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Each source below `src`, by its path there, without its unit tests and comments.
fn code() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let read = |path: PathBuf| {
        let name = path
            .strip_prefix(&root)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        (name, lines.join("\n"))
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn imports_go_one_way() {
    let mut wrong = Vec::new();
    for (name, text) in code() {
        let module = name.split(['/', '.']).next().unwrap();
        let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| *known == module) else {
            assert!(
                ["lib", "main"].contains(&module),
                "{name}: no rule for this module"
            );
            continue;
        };
        for used in text.split("crate::").skip(1) {
            let used: String = used
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if used != module
                && MAY_USE.iter().any(|(known, _)| *known == used)
                && !allowed.contains(&used.as_str())
            {
                wrong.push(format!("{name} uses {used}"));
            }
        }
    }
    // `error` cleans the text it shows, and nothing else of `data`.
    assert_eq!(wrong, Vec::<String>::new());
}

/// Whether a path in `text` starts with a crate, and not with one whose name only ends so.
fn names(text: &str, krate: &str) -> bool {
    let path = format!("{krate}::");
    let starts =
        |(at, _): (usize, &str)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    text.match_indices(&path).any(starts)
}

#[test]
fn crates_stay_where_they_belong() {
    for (name, text) in code() {
        for (krate, places) in ONLY_IN {
            let named = names(&text, krate);
            assert!(
                !named || places.iter().any(|place| name.starts_with(place)),
                "{name} uses {krate}"
            );
        }
    }
}

/// State does not draw: only views, widgets and the theme see frames, buffers and styles.
#[test]
fn only_views_draw() {
    let draws = [
        "view.rs",
        "header.rs",
        "queries.rs",
        "ranking.rs",
        "detail.rs",
        "footer.rs",
    ];
    for (name, text) in code()
        .into_iter()
        .filter(|(name, _)| name.starts_with("tui/"))
    {
        let may = name.starts_with("tui/widgets/")
            || name.starts_with("tui/event/")
            || ["tui/mod.rs", "tui/theme.rs"].contains(&name.as_str())
            || draws
                .iter()
                .any(|view| name.starts_with("tui/screens/") && name.ends_with(view))
            || name.starts_with("tui/popups/");
        assert!(
            may || !text.contains("ratatui::buffer") && !text.contains("ratatui::style"),
            "{name} draws"
        );
    }
}

/// The macros that print panic where nothing can be written: `cli::say` does not.
#[test]
fn nothing_is_printed_that_could_panic() {
    for (name, text) in code() {
        for printed in ["println!", "print!(", "dbg!("] {
            assert!(!text.contains(printed), "{name} uses {printed}");
        }
    }
}

/// Small files: a reader holds one in the head.
#[test]
fn no_file_grows_beyond_reading() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (name, _) in code() {
        let lines = fs::read_to_string(root.join(&name))
            .unwrap()
            .lines()
            .count();
        assert!(lines <= 400, "{name} has {lines} lines");
    }
}
