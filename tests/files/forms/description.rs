//! A study written down in `study.toml`.

use super::*;

const STUDY: &str = r#"
files = ["plain.npy", "original_image_to_caption.json"]
caption_ids = "ids.txt"
pm_zeta = 1

[[models]]
name = "renamed"
scores = "plain.npy"

[[models]]
name = "two"
i2t = "plain.npy"
t2i = "turned.npy"

[truths]
rich = "better_image_to_caption.json"
"#;

fn files() -> Files {
    let files = Files::new();
    files.npy("plain.npy", "<f4", false, [IMAGES, CAPTIONS], score);
    files.npy("turned.npy", "<f4", false, [CAPTIONS, IMAGES], |c, i| score(i, c));
    for side in ["image_to_caption", "caption_to_image"] {
        let content = std::fs::read(files.path(&format!("original_{side}.json"))).unwrap();
        files.write(&format!("better_{side}.json"), content);
    }
    files
}

fn open(files: &Files, text: &str, more: Inputs) -> itm_explore::error::Result<Study> {
    let file = files.write("study.toml", text);
    study::open(&Inputs { files: vec![file], ..more })
}

#[test]
fn names_and_files_are_taken_from_it() {
    let files = files();
    let study = open(&files, STUDY, Inputs::default()).unwrap();
    let models: Vec<&str> = study.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(models, ["plain", "renamed", "two"]);
    let truths: Vec<&str> = study.truths.iter().map(|truth| truth.name.as_str()).collect();
    assert_eq!(truths, ["original", "rich"]);
    let rich = study.truth("rich").unwrap();
    assert!(rich.relevance.i2t.is_some() && rich.relevance.t2i.is_some(), "the partner came too");
    let expected = dense(&files);
    let original = numbers(&study);
    for (name, _, values) in original.models {
        assert_eq!(values[..expected.len()], expected, "{name}");
    }
}

#[test]
fn names_are_shown_and_not_obeyed() {
    let files = files();
    let text = STUDY.replace("renamed", "\\u001b[31mred").replace("rich", "\"\\u001b[1mrich\"");
    let study = open(&files, &text, Inputs::default()).unwrap();
    assert!(study.models.iter().all(|model| !model.name.contains('\u{1b}')));
    assert!(study.truths.iter().all(|truth| !truth.name.contains('\u{1b}')));
}

#[test]
fn the_folder_stands_for_it_and_flags_come_first() {
    let files = files();
    open(&files, STUDY, Inputs::default()).unwrap();
    let folder = files.path("");
    let study = study::open(&Inputs { files: vec![folder], ..Inputs::default() });
    assert_eq!(study.unwrap().models.len(), 3);
    let other = files.write("other.txt", "1\n2\n");
    let error = open(&files, STUDY, Inputs { caption_ids: Some(other), ..Inputs::default() });
    assert!(error.is_err(), "two ids are not those of the captions");
}

#[test]
fn mistakes_are_told() {
    let files = files();
    for (text, told) in [
        ("files = [", "study.toml: unclosed array, expected `]` (line 1, column 10"),
        ("model = []", "unknown key model"),
        ("[[models]]\nname = \"a\"", "no scores in it, though \"a\" names it"),
        ("[[models]]\nname = \"a\"\nscores = \"plain.npy\"\nrun = \"x\"", "x: no such file"),
        ("[[models]]\nname = \"a\"\nscores = \"ids.txt\"", "text of an unknown kind"),
        (
            "[[models]]\nname = \"a\"\nscores = \"original_image_to_caption.json\"",
            "no scores in it, though \"a\" names it",
        ),
        ("[[models]]\nname = \"a\"\nscores = \"gone.npy\"", "gone.npy: no such file or directory"),
        (
            "[[models]]\nname = \"a\"\nscores = 5",
            "study.toml: invalid type: integer `5`, expected path string (line 3, column 10",
        ),
        (
            "[[models]]\nname = \"a\"\nseeds = [\"plain.npy\", \"gone.npy\"]",
            "gone.npy: no such file",
        ),
        (
            "[[models]]\nname = \"a\"\nscores = \"plain.npy\"\n[[models]]\nscores = \"plain.npy\"",
            "study.toml: missing field `name` (line 4",
        ),
        ("files = [\"plain.npy\", \"gone.json\"]", "gone.json: no such file"),
        ("[pools]\nhalf = [\"gone.txt\"]", "gone.txt: no such file"),
        ("image_ids = \"gone.txt\"", "gone.txt: no such file"),
        ("cxc_threshold = 7.5", "cxc_threshold: 7.5"),
        ("cxc_threshold = nan", "a rating, 0 to 5"),
        ("[truths]\nmine = 3", "study.toml: expected FILE or [FILE, FILE] (line 2, column 8"),
        ("[truths]\nmine = \"plain.npy\"", "not one ground truth to name \"mine\""),
    ] {
        let error = open(&files, text, Inputs::default()).unwrap_err().to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
}
