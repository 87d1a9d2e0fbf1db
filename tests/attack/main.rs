//! Hostile input for every reader.
//!
//! Each target takes the seeds of one reader, changes them (`hostile.rs`), and reads them in a process of its
//! own, so that an abort, a hang or a flood of memory is found and told with its case. What is asserted of
//! each case: no panic, no abort, an end, memory of at most three times the input and 200 MB
//! (`meter.rs`), an error that names the file, and no control character in anything that is shown
//! (`readers.rs`).
//!
//! A case is made of its number alone. The usual run tries a few hundred of each target; a long one:
//!
//! ```sh
//! ITM_EXPLORE_CASES=100000 cargo test --release --test attack
//! ```

#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod meter;
#[path = "../files/forms/parquet_file.rs"]
mod parquet_file;
mod readers;
mod seeds;
#[path = "../files/forms/tensor_files.rs"]
mod tensor_files;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use readers::{TARGETS, Target};

/// Cases of each target, where nothing else is asked for.
const CASES: usize = 150;
/// The variable that tells how many.
const COUNT: &str = "ITM_EXPLORE_CASES";
/// The variable that makes this test the process that reads: the target and a folder.
const READS: &str = "ITM_EXPLORE_READS";
/// A case that takes longer counts as endless.
const CASE_TIMEOUT: Duration = Duration::from_secs(60);

fn cases() -> usize {
    let given = std::env::var(COUNT).ok().and_then(|text| text.parse().ok());
    given.unwrap_or(CASES)
}

/// The process that reads: all cases of a target, each announced before.
#[test]
fn reads() {
    let Ok(given) = std::env::var(READS) else {
        return;
    };
    let (name, folder) = given.split_once(' ').unwrap();
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let folder = Path::new(folder);
    let seeds = (target.seeds)(folder);
    for case in 0..cases() {
        let (file, bytes) = hostile::case(name, &seeds, case);
        let path = folder.join(file);
        fs::write(&path, &bytes).unwrap();
        fs::write(folder.join("progress"), case.to_string()).unwrap();
        meter::within(3 * bytes.len() + (200 << 20), || {
            (target.read)(folder, &path);
        });
        fs::remove_file(&path).unwrap();
    }
}

/// Lets a process of its own read all cases, and tells the one at which it ended.
fn attack(target: &Target) {
    let folder = tempfile::tempdir().unwrap();
    let said = fs::File::create(folder.path().join("said")).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        // What keys have written goes there, too.
        .current_dir(folder.path())
        .args(["--exact", "reads", "--nocapture", "--test-threads", "1"])
        .env(READS, format!("{} {}", target.name, folder.path().display()))
        .env("RUST_BACKTRACE", "0")
        .stdout(Stdio::null())
        .stderr(said)
        .spawn()
        .unwrap();
    let is_well = ends_well(&mut child, &folder.path().join("progress"));
    if is_well == Ok(()) {
        return;
    }
    let kept = folder.keep();
    let said = fs::read_to_string(kept.join("said")).unwrap_or_default();
    let end: Vec<&str> = said.lines().rev().take(12).collect();
    let end: Vec<&str> = end.into_iter().rev().collect();
    panic!(
        "{}: {} at case {}; its files are in {}\n{}",
        target.name,
        is_well.unwrap_err(),
        progress(&kept.join("progress")),
        kept.display(),
        end.join("\n")
    );
}

fn progress(path: &PathBuf) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn ends_well(child: &mut Child, path: &PathBuf) -> Result<(), String> {
    let (mut last, mut since) = (String::new(), Instant::now());
    loop {
        match child.try_wait().unwrap() {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(status.to_string()),
            None => std::thread::sleep(Duration::from_millis(20)),
        }
        let now = progress(path);
        if now != last {
            (last, since) = (now, Instant::now());
        }
        if since.elapsed() > CASE_TIMEOUT {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err("no end".into());
        }
    }
}

macro_rules! attacks {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            let name = stringify!($name);
            attack(TARGETS.iter().find(|target| target.name == name).unwrap());
        })*

        #[test]
        fn every_target_is_attacked() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

attacks! { npy npz ids json text description parquet neighbours session pools image_file expression keys sentences annotations predictions text_pairs tensors }
