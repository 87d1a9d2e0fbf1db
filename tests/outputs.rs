//! What is written: files that stay.

mod common;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use common::{npy, run, stderr};

const SESSION: &str = r#"{"format": "itm-explore-session/1", "verdicts":
    [{"image": 1, "caption": 2, "verdict": "yes", "truth": "rich", "at": "2026-01-01T00:00:00Z", "by": "mk"}],
    "picks": [], "notes": [], "view": {}}"#;
/// The first caption of the demo.
const QUERY: [&str; 2] = ["--query", "55293"];

/// Writes a file and gives its name.
fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A file that its permissions let nobody write. They do not stop root, who may run the tests.
fn read_only(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = write(folder, name, bytes);
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    path
}

/// A matrix of two images and two captions.
fn square(folder: &Path, name: &str) -> String {
    let cells: Vec<u8> = [1f32, 0.0, 0.5, -1.0]
        .iter()
        .flat_map(|c| c.to_le_bytes())
        .collect();
    write(folder, name, npy("'<f4'", false, "(2, 2)", &cells))
}

#[test]
fn read_only_files_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = |name: &str| read_only(folder, name, "precious");
    let session = write(folder, "mine.itm.json", SESSION);
    let other = write(folder, "other.itm.json", SESSION);
    let merged = read_only(folder, "merged.itm.json", SESSION.replace("mk", "majority"));
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo");
    let ids = write(folder, "ids.txt", "1\n2\n");
    let embeddings = square(folder, "e.npy");
    let one = write(
        folder,
        "one.json",
        r#"{"i2t": {"1": [1]}, "t2i": {"1": [1]}}"#,
    );
    let embedded = [
        "eval",
        &one,
        "--image-ids",
        &ids,
        "--caption-ids",
        &ids,
        "--image-emb",
        &embeddings,
        "--text-emb",
        &embeddings,
        "--save-scores",
    ];
    file("rich_image_to_caption.json");
    let commands: [(&[&str], String); 8] = [
        (&["pack", demo, "-o"], file("all.json")),
        (&["figure", QUERY[0], QUERY[1], "-o"], file("fig.svg")),
        (&["eval", "--per-query"], file("all.csv")),
        (&embedded, file("scores.npy")),
        (
            &["truth", "write", demo, "--truth", "rich", "-o"],
            folder.to_str().unwrap().to_owned(),
        ),
        (
            &["truth", "mine", &session, "--format", "bundle", "-o"],
            file("mine.json"),
        ),
        (&["truth", "merge", &session, &other, "-o"], merged.clone()),
        (
            &[
                "find",
                "-q",
                "--where",
                "r1 == 0",
                "--pick",
                "1",
                "--session",
            ],
            merged.clone(),
        ),
    ];
    for (args, out) in commands {
        let args = [args, &[&out]].concat();
        let output = run(&args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        for part in ["it is read-only", "chmod u+w"] {
            assert!(said.contains(part), "{args:?}: {said}");
        }
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.metadata().unwrap().permissions().readonly() && !path.ends_with("merged.itm.json") {
            assert_eq!(fs::read(&path).unwrap(), b"precious", "{}", path.display());
        }
    }
    assert_eq!(
        fs::read_to_string(&merged).unwrap(),
        SESSION.replace("mk", "majority")
    );
    let free = folder.join("free.svg");
    let output = run(&["figure", QUERY[0], QUERY[1], "-o", free.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
}
