//! One small study in every form of scores: the same numbers, or none with the reason.

#![expect(clippy::float_cmp, reason = "shares of a few queries are exact")]

mod bad_tables;
mod captions;
use crate::common;
mod description;
mod explorer;
mod lists;
mod localize;
mod matrices;
mod mixtures;
mod parquet_file;
mod ranked_lists;
mod readings;
mod tables;
mod tensor_files;
mod tensors;

use std::path::PathBuf;

use itm_explore::evaluate::plan::{Choice, Line, Request};
use itm_explore::evaluate::{Evaluation, Value, evaluate};
use itm_explore::rank::pass::CancelToken;
use itm_explore::study::{self, Inputs, ScoreInputs, Study};

const IMAGES: usize = 6;
const CAPTIONS: usize = 30;

/// Exact in `f2`, some of them equal.
fn score(image: usize, caption: usize) -> f64 {
    let own = if caption / 5 == image { 9.0 } else { 0.0 };
    ((image * 31 + caption * 17) % 23) as f64 / 2.0 + own - 4.0
}

struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        let files = Files { folder: tempfile::tempdir().unwrap() };
        let pairs = |queries: usize, of: &dyn Fn(usize) -> String| -> String {
            let pairs: Vec<String> = (0..queries).map(of).collect();
            format!("{{{}}}", pairs.join(", "))
        };
        let captions = |i: usize| -> Vec<usize> { (5 * i..5 * i + 5).map(|c| c + 100).collect() };
        files.write(
            "original_image_to_caption.json",
            pairs(IMAGES, &|i| format!("\"{i}\": {:?}", captions(i))),
        );
        files.write(
            "original_caption_to_image.json",
            pairs(CAPTIONS, &|c| format!("\"{}\": [{}]", c + 100, c / 5)),
        );
        let ids: Vec<String> = (100..130).map(|id| id.to_string()).collect();
        files.write("ids.txt", ids.join("\n"));
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    /// A `.npy` file; `at` gives the cell of a row and a column.
    fn npy(
        &self,
        name: &str,
        descr: &str,
        fortran: bool,
        [rows, columns]: [usize; 2],
        at: impl Fn(usize, usize) -> f64,
    ) -> PathBuf {
        let (flag, version) = if fortran { ("True", 2) } else { ("False", 1) };
        let header = format!(
            "{{'descr': '{descr}', 'fortran_order': {flag}, 'shape': ({rows}, {columns}), }}\n"
        );
        let mut file = b"\x93NUMPY".to_vec();
        file.extend([version, 0]);
        let len = (header.len() as u32).to_le_bytes();
        file.extend(&len[..if version == 1 { 2 } else { 4 }]);
        file.extend(header.bytes());
        let (outer, inner) = if fortran { (columns, rows) } else { (rows, columns) };
        for o in 0..outer {
            for i in 0..inner {
                let cell = if fortran { at(i, o) } else { at(o, i) };
                let mut bytes = match &descr[1..] {
                    "f2" => half::f16::from_f64(cell).to_le_bytes().to_vec(),
                    "f4" => (cell as f32).to_le_bytes().to_vec(),
                    _ => cell.to_le_bytes().to_vec(),
                };
                if descr.starts_with('>') {
                    bytes.reverse();
                }
                file.extend(bytes);
            }
        }
        self.write(name, file)
    }

    fn study(&self, scores: &[PathBuf], flags: ScoreInputs) -> itm_explore::error::Result<Study> {
        let mut files = vec![self.path("original_image_to_caption.json")];
        files.extend_from_slice(scores);
        study::open(&Inputs {
            files,
            caption_ids: Some(self.path("ids.txt")),
            scores: flags,
            ..Inputs::default()
        })
    }
}

fn numbers(study: &Study) -> Evaluation {
    let request = Request { metrics: Choice::All, depths: vec![1, 5], ..Request::default() };
    evaluate(study, &request, &CancelToken::default()).unwrap()
}

fn dense(files: &Files) -> Vec<Value> {
    let path = files.npy("dense.npy", "<f8", false, [IMAGES, CAPTIONS], score);
    let study = files.study(&[path], ScoreInputs::default()).unwrap();
    numbers(&study).models.remove(0).2
}

fn assert_same(files: &Files, study: &Study) {
    let expected = dense(files);
    let found = numbers(study);
    assert!(found.undefined.is_empty(), "{:?}", found.undefined);
    for (name, _, values) in found.models {
        assert_eq!(values, expected, "{name}");
    }
}

/// Lists of one item: R@1 is that of the dense form, AP@R undefined with the reason.
fn assert_short(files: &Files, study: &Study) {
    let found = numbers(study);
    assert!(found.undefined[0].contains("original_map_at_r"), "{:?}", found.undefined);
    let is_r1 = |line: &Line| line.key == "original_r1";
    let r1 = found.lines.iter().position(is_r1).unwrap();
    assert_eq!(found.models[0].2[r1], dense(files)[r1]);
}
