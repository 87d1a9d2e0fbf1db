//! Inputs that are wrong: one error, whoever asks.

mod common;

use std::fs;
use std::path::Path;

use common::{assert_error, npy, run, stderr};

/// Writes a file and gives its name.
fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A truth of the ids 0 and 1.
const TRUTH: &str = r#"{"i2t": {"0": [0], "1": [1]}, "t2i": {"0": [0], "1": [1]}}"#;

fn doubles(cells: [f64; 4]) -> Vec<u8> {
    let cells: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    npy("'<f8'", false, "(2, 2)", &cells)
}

/// One ranking is refused as all are, wherever in the file the NaN is.
#[test]
fn nan_is_the_same_error_for_one_query_as_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let truth = write(folder.path(), "t.json", TRUTH);
    let whole = write(folder.path(), "whole.npy", doubles([1.0, 2.0, 3.0, 4.0]));
    let broken = write(
        folder.path(),
        "broken.npy",
        doubles([1.0, 2.0, 3.0, f64::NAN]),
    );
    let told = [
        "broken.npy: NaN at image 1, caption 1 (counted from 0)",
        "numpy.nan_to_num",
    ];
    assert_error(1, &["eval", &broken, &truth], &told);
    for direction in ["i2t", "t2i"] {
        for query in ["0", "1"] {
            let named = ["--query", query, "--direction", direction];
            for command in ["show", "figure"] {
                let args = [&[command, &broken, &truth], &named[..]].concat();
                assert_error(1, &args, &told);
                let both = ["--model", "whole,broken", &whole];
                assert_error(1, &[&args[..], &both].concat(), &told);
                let args = [
                    &[command, &whole, &truth, &broken, "--model", "whole"],
                    &named[..],
                ]
                .concat();
                let output = run(&args);
                assert!(output.status.success(), "{args:?}: {}", stderr(&output));
            }
        }
    }
}
