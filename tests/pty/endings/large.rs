//! A study whose matrix is large enough to be mapped.

use std::fmt::Write;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::common::{run, stdout};
use super::terminal::{BIN, Tui};

/// A study whose matrix is large enough to be mapped: 1,000 images x 5,000 captions, each image nearest to
/// its own captions.
pub struct Large {
    folder: tempfile::TempDir,
}

const IMAGES: usize = 1_000;

impl Large {
    pub fn new() -> Self {
        let large = Large { folder: tempfile::tempdir().unwrap() };
        let (mut of_images, mut of_captions) = (String::new(), String::new());
        for image in 0..IMAGES {
            let own: Vec<usize> = (5 * image..5 * image + 5).map(|c| c + 10_000).collect();
            write!(of_images, "\"{image}\": {own:?}, ").unwrap();
            for caption in own {
                write!(of_captions, "\"{caption}\": [{image}], ").unwrap();
            }
        }
        for (side, pairs) in [("image_to_caption", of_images), ("caption_to_image", of_captions)] {
            let pairs = pairs.trim_end_matches(", ");
            fs::write(large.path(&format!("original_{side}.json")), format!("{{{pairs}}}"))
                .unwrap();
        }
        let ids: Vec<String> = (10_000..15_000).map(|id| id.to_string()).collect();
        fs::write(large.path("ids.txt"), ids.join("\n")).unwrap();
        Large::save(&large.matrix(), 0.0);
        large
    }

    /// The files, as a command takes them.
    pub fn args(&self) -> Vec<String> {
        let of_images = self.path("original_image_to_caption.json");
        let of_captions = self.path("original_caption_to_image.json");
        let files =
            [self.matrix(), of_images, of_captions, "--caption-ids".into(), self.path("ids.txt")];
        files.map(|path| path.display().to_string()).into()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn matrix(&self) -> PathBuf {
        self.path("sims.npy")
    }

    /// Leaves the first page of the matrix.
    pub fn cut(&self) {
        let file = File::options().write(true).open(self.matrix()).unwrap();
        file.set_len(4_096).unwrap();
    }

    /// The matrix, its diagonal `shift` higher.
    pub fn save(path: &Path, shift: f32) {
        let header =
            format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({IMAGES}, 5000), }}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.as_bytes());
        for image in 0..IMAGES {
            for caption in 0..5 * IMAGES {
                let noise = (image * 7 + caption * 13) % 101;
                let own = if caption / 5 == image { 90.0 + shift } else { 0.0 };
                file.extend((noise as f32 + own).to_le_bytes());
            }
        }
        // Over what is there: cut in between, it would be told as that.
        let mut options = File::options();
        let mut out = options.write(true).create(true).truncate(false).open(path).unwrap();
        std::io::Write::write_all(&mut out, &file).unwrap();
    }

    /// The explorer as it starts, with more arguments.
    pub fn start(&self, more: &[&str]) -> Tui {
        self.start_in(more, &[])
    }

    /// Starts the explorer with further arguments and environment variables.
    pub fn start_in(&self, more: &[&str], env: &[(&str, &str)]) -> Tui {
        let args = self.args();
        let command = args.iter().map(String::as_str);
        let command: Vec<&str> =
            std::iter::once(BIN).chain(command).chain(more.iter().copied()).collect();
        Tui::start(&command, 24, 100, env)
    }

    /// R@1 of caption queries, in percent, as the header has it, of what the files are now.
    pub fn r1(&self) -> String {
        self.r1_with(&[])
    }

    /// R@1 of `eval` with further arguments.
    pub fn r1_with(&self, more: &[&str]) -> String {
        let args = self.args();
        let start = ["eval", "-q", "--metrics", "r1", "--format", "json"].into_iter();
        let args: Vec<&str> =
            start.chain(args.iter().map(String::as_str)).chain(more.iter().copied()).collect();
        let report: serde_json::Value = serde_json::from_str(&stdout(&run(&args))).unwrap();
        let r1 = &report["models"][0]["metrics"]["original_r1"]["t2i"];
        format!("R@1 {:>5.2}", 100.0 * r1.as_f64().unwrap())
    }

    /// The explorer, once all is counted and ranked.
    pub fn explore(&self, more: &[&str]) -> Tui {
        let tui = self.start(more);
        tui.wait("numbers", |screen| {
            let text = screen.contents();
            text.contains("queries 1/5,000")
                && !text.contains("counting")
                && !text.contains("ranking …")
        });
        tui
    }
}
