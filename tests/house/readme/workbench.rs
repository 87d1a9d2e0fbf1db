//! A folder with files of the names that the documentation uses, in which its commands run.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::predictions;
use crate::common::{coco_5k, demo_file, npy, stderr};
use crate::terminal::{BIN, Tui};

/// Captions of COCO that pages name, and those of the demo that stand for them.
const COCO_IDS: [(&str, &str); 2] = [("285328", "60208"), ("566386", "42362")];

pub struct Workbench(tempfile::TempDir);

/// Names of the documentation, and the files of the demo that stand for them.
const COPIES: &[(&str, &str)] = &[
    ("sims.npy", "careful.npy"),
    ("a.npy", "careful.npy"),
    ("b.npy", "broad.npy"),
    ("c.npy", "naive.npy"),
    ("ours@1.npy", "careful.npy"),
    ("ours@2.npy", "naive.npy"),
    ("step-1000.npy", "broad.npy"),
    ("step-2000.npy", "careful.npy"),
    ("run/step-1000.npy", "broad.npy"),
    ("run/step-2000.npy", "careful.npy"),
    ("run/step-3000.npy", "naive.npy"),
    ("base.npy", "broad.npy"),
    ("spice.npy", "broad.npy"),
    ("a_i2t.npy", "careful.npy"),
    ("a_t2i.npy", "careful.npy"),
    ("captions.json", "captions.json"),
    ("captions_val2014.json", "captions.json"),
    ("coco5k/captions.json", "captions.json"),
    ("a_fg.npy", "../fg/careful_fg.npy"),
    ("MSCOCO_FG_ann.json", "../fg/refined.json"),
    ("careful.jsonl", "../fg/careful.jsonl"),
    ("naive.jsonl", "../fg/naive.jsonl"),
    ("coco5k/original_image_to_caption.json", "original_image_to_caption.json"),
    ("coco5k/original_caption_to_image.json", "original_caption_to_image.json"),
    ("coco5k/eccv_image_to_caption.json", "rich_image_to_caption.json"),
    ("coco5k/eccv_caption_to_image.json", "rich_caption_to_image.json"),
];

impl Workbench {
    /// The demo under the names of a COCO study; `eccv` is its rich truth.
    pub fn demo() -> Self {
        let bench = Workbench(tempfile::tempdir().unwrap());
        for folder in ["coco5k", "run"] {
            fs::create_dir(bench.0.path().join(folder)).unwrap();
        }
        for (name, of) in COPIES {
            bench.write(name, fs::read(demo_file(of)).unwrap());
        }
        std::os::unix::fs::symlink(demo_file("images"), bench.0.path().join("val2014")).unwrap();
        let entities = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/entities");
        std::os::unix::fs::symlink(entities, bench.0.path().join("flickr30k_entities")).unwrap();
        let images = bench.0.path().join("flickr30k_images");
        std::os::unix::fs::symlink(demo_file("images"), images).unwrap();
        bench.write_boxes(entities);
        bench.write_wins();
        bench.write_gallery();
        bench.write_sessions();
        bench.write_answers();
        bench.run("the bundle", "itm-explore convert coco5k/ -o eccv.json");
        bench
    }

    /// The COCO test gallery, with two real models.
    pub fn coco() -> Self {
        let bench = Workbench(tempfile::tempdir().unwrap());
        for (name, place) in ["a.npy", "b.npy", "coco5k"].into_iter().zip(coco_5k()) {
            std::os::unix::fs::symlink(place, bench.0.path().join(name)).unwrap();
        }
        bench
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    /// Preferences of people between three models.
    fn write_wins(&self) {
        self.write("wins.csv", "winner,loser,count\na,b,12\na,c,9\nb,a,5\nb,c,8\nc,a,3\nc,b,6\n");
    }

    /// Predictions for the phrases of a folder.
    fn write_boxes(&self, entities: &str) {
        let targets = predictions::targets(entities);
        self.write("ours.jsonl", predictions::lines(&targets));
        for name in ["boxes.json", "mdetr.json"] {
            self.write(name, predictions::list(&targets));
        }
    }

    /// Writes categories, ratings, ranked lists, embeddings and a pool over the ids of the demo.
    fn write_gallery(&self) {
        let (images, captions) = (ids("images"), ids("annotations"));
        let categories = images.iter().enumerate();
        let annotations: Vec<Value> =
            categories.map(|(at, id)| json!({"image_id": id, "category_id": at % 9})).collect();
        let instances = json!({"annotations": annotations});
        self.write("instances_val2014.json", instances.to_string());
        let mut ratings = "caption,image,agg_score,sampling_method\n".to_owned();
        let mut run = String::new();
        for (at, caption) in captions.iter().enumerate() {
            let image = images[at / 5];
            let rated = format!("COCO_val2014:sentid:{caption},COCO_val2014_{image:012}.jpg");
            writeln!(ratings, "{rated},4.5,c2i_original").unwrap();
            let first = images.iter().cycle().skip(at / 5).take(10);
            for (rank, item) in first.enumerate() {
                let score = 10 - rank;
                writeln!(run, "{caption} Q0 {item} {} {score} ours", rank + 1).unwrap();
            }
        }
        self.write("sits_test.csv", ratings);
        self.write("top10.trec", run);
        let pool: Vec<String> = images.iter().take(20).map(u64::to_string).collect();
        self.write("held_out.txt", pool.join("\n"));
        for (name, rows) in [("images_emb.npy", 60_u32), ("captions_emb.npy", 300)] {
            let values = (0..rows * 4).map(|at| (f64::from(at).sin() as f32).to_le_bytes());
            let data: Vec<u8> = values.flatten().collect();
            self.write(name, npy("'<f4'", false, &format!("({rows}, 4)"), &data));
        }
    }

    /// Judgments of three people on the same pairs.
    fn write_sessions(&self) {
        self.write_session("a", "mk", "yes");
        self.write_session("anna", "anna", "yes");
        self.write_session("bo", "bo", "partial");
    }

    /// Writes responses of three people who disagree on many pairs, and an adjudicator's session.
    fn write_answers(&self) {
        let (images, captions) = (ids("images"), ids("annotations"));
        let pairs =
            captions.iter().flat_map(|caption| images.iter().map(move |image| (image, caption)));
        let pairs: Vec<(&u64, &u64)> = pairs.collect();
        let cy = |at: usize| ["yes", "no", "cant-tell"][at % 3];
        let people: [(&str, &dyn Fn(usize) -> &'static str); 3] =
            [("anna", &|_| "yes"), ("bo", &|_| "no"), ("cy", &cy)];
        for (name, says) in people {
            let answer = |(at, (image, caption)): (usize, &(&u64, &u64))| json!({"image": image, "caption": caption, "answer": says(at), "at": "2026-11-22T10:00:00Z"});
            let answers: Vec<Value> = pairs.iter().enumerate().map(answer).collect();
            let file =
                json!({"format": "itm-explore answers 1", "annotator": name, "answers": answers});
            self.write(&format!("{name}.json"), file.to_string());
        }
        self.write_session("again.judge", "judge", "yes");
    }

    fn write_session(&self, name: &str, by: &str, first: &str) {
        let line = |caption: u32, judgment: &str| {
            json!({"image": 8434, "caption": caption, "verdict": judgment,
                   "at": "2026-11-21T10:00:00Z", "by": by})
        };
        let judgments = [line(60208, first), line(79019, "no")];
        let session = json!({"format": "itm-explore-session/1", "verdicts": judgments});
        self.write(&format!("{name}.itm.json"), session.to_string());
    }

    /// Output of a shell command; captions of COCO are replaced by those of the demo.
    pub fn output(&self, command: &str) -> Output {
        let of_demo = |command: String, (coco, demo)| command.replace(coco, demo);
        let command = COCO_IDS.into_iter().fold(command.to_owned(), of_demo);
        let folder = Path::new(BIN).parent().unwrap().to_str().unwrap();
        let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(self.0.path());
        shell.env("PATH", path);
        shell.env("XDG_CONFIG_HOME", "/nonexistent");
        shell.env("XDG_STATE_HOME", self.0.path().join("state"));
        shell.output().unwrap()
    }

    /// Runs a command, in a terminal where it opens the explorer; it must succeed.
    pub fn run(&self, page: &str, command: &str) {
        if opens_the_explorer(command) {
            return self.explore(command);
        }
        // Another page may have written the same file.
        let writes = [" -o ", " --per-query ", " --disputed "];
        let force = if writes.iter().any(|flag| command.contains(flag)) { " --force" } else { "" };
        let output = self.output(&format!("{command}{force}"));
        assert!(output.status.success(), "{page}: {command}\n{}", stderr(&output));
    }

    fn explore(&self, command: &str) {
        let folder = Path::new(BIN).parent().unwrap().display();
        let place = self.0.path().display();
        let script = format!("cd {place} && PATH={folder}:$PATH && exec {command}");
        let mut tui = Tui::start(&["sh", "-c", &script], 30, 100, &[]);
        // Who judges a pool judges it blind.
        let is_blind = command.contains("--annotate ");
        tui.wait_text(if is_blind { "Judging" } else { "R@1" });
        tui.send("q");
        tui.assert_ends(0);
    }
}

/// The ids of the demo's images, or of its captions, in matrix order.
fn ids(of: &str) -> Vec<u64> {
    let text = fs::read_to_string(demo_file("captions.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let entries = file[of].as_array().unwrap().iter();
    entries.map(|entry| entry["id"].as_u64().unwrap()).collect()
}

/// No subcommand: the first word is a file or a flag of the explorer, or there is none.
fn opens_the_explorer(command: &str) -> bool {
    let first = command.split_whitespace().nth(1).unwrap_or(".");
    ["--demo", "--theme", "--watch", "--tour"].contains(&first) || first.contains(['.', '/'])
}
