//! Where a session lies.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::ENDING;
use crate::data::text::shown;
use crate::study::{Inputs, Study};

/// The session of a study: the demo's, or beside the description (`study.toml`), the first file of scores or,
/// where only folders and other files are named, the first of these.
pub fn path_for(inputs: &Inputs, study: &Study) -> PathBuf {
    if inputs.demo {
        return of_demo();
    }
    let described = inputs.files.iter().find(|path| is_described(path));
    let files = inputs.positional_and_scores();
    let is_scores = |path: &&&Path| {
        let name = shown(&path.display().to_string());
        study
            .models
            .iter()
            .any(|model| model.source.starts_with(&name))
    };
    let first = described.map(PathBuf::as_path);
    let first = first.or_else(|| files.iter().find(is_scores).copied());
    let first = first.or_else(|| files.first().copied());
    first.map_or_else(of_demo, beside)
}

/// The session beside a file: `lsa.npy` has `lsa.itm.json`. That of a folder is inside, and is named
/// as the folder, or as the description that it holds.
pub fn beside(path: &Path) -> PathBuf {
    if !path.is_dir() {
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        let stem = Path::new(stem);
        let packed = path.extension().is_some_and(|ending| ending == "gz");
        let stem = stem
            .file_stem()
            .filter(|_| packed)
            .unwrap_or(stem.as_os_str());
        return path.with_file_name(with_ending(stem));
    }
    if is_described(path) {
        return path.join(with_ending(OsStr::new("study")));
    }
    // The name of `.` or `..` is that of the folder it stands for.
    let full = path.canonicalize().ok();
    let name = path.file_name().or_else(|| full.as_deref()?.file_name());
    path.join(with_ending(name.unwrap_or(OsStr::new("study"))))
}

/// The session of the built-in demo, in the folder for the state of programs; in the current folder
/// where nothing tells which that is.
pub fn of_demo() -> PathBuf {
    let folder = state_folder().unwrap_or_default();
    folder.join(format!("demo{ENDING}"))
}

/// The program's folder among those for the state of programs; `None` where nothing tells which that is.
pub(super) fn state_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    state.map(|state| state.join("itm-explore"))
}

/// Whether a path is a description of a study, or a folder that holds one.
fn is_described(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml") || path.join("study.toml").is_file()
}

fn with_ending(stem: &OsStr) -> OsString {
    let mut name = stem.to_owned();
    name.push(ENDING);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_lie_beside_the_first_file() {
        for (path, session) in [
            ("lsa.npy", "lsa.itm.json"),
            ("runs/7/ours.run.gz", "runs/7/ours.itm.json"),
            ("runs/v1.5/scores", "runs/v1.5/scores.itm.json"),
            ("study.toml", "study.itm.json"),
        ] {
            assert_eq!(beside(Path::new(path)), Path::new(session), "{path}");
        }
        let folder = tempfile::tempdir().unwrap();
        let coco = folder.path().join("coco5k");
        std::fs::create_dir(&coco).unwrap();
        assert_eq!(beside(&coco), coco.join("coco5k.itm.json"));
        assert_eq!(beside(&coco.join(".")), coco.join("./coco5k.itm.json"));
        std::fs::write(coco.join("study.toml"), "").unwrap();
        assert_eq!(beside(&coco), coco.join("study.itm.json"));
    }

    #[test]
    fn scores_and_descriptions_go_before_other_files() {
        let mut study = crate::study::demo::open().unwrap();
        study.models[0].source = "b.npy".into();
        let of = |files: &[&str]| {
            let inputs = Inputs {
                files: files.iter().map(PathBuf::from).collect(),
                ..Inputs::default()
            };
            path_for(&inputs, &study)
        };
        assert_eq!(of(&["eccv.json", "b.npy"]), Path::new("b.itm.json"));
        assert_eq!(of(&["eccv.json"]), Path::new("eccv.itm.json"));
        assert_eq!(of(&["b.npy", "x/own.toml"]), Path::new("x/own.itm.json"));
        assert!(of(&[]).ends_with("demo.itm.json"));
    }
}
