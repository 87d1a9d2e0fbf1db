//! Sessions belong to the gallery: the real program finds them whatever score files are opened, and says where they lie.

use crate::explorer::shown_as_saved;
use crate::terminal;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use terminal::{BIN, Tui};

const GALLERY: [&str; 3] =
    ["captions.json", "original_image_to_caption.json", "original_caption_to_image.json"];

/// Score files and a folder with ids, captions and ground truth, and a folder for the state of programs.
struct Data(TempDir);

impl Data {
    fn new() -> Self {
        let data = Data(tempfile::tempdir().unwrap());
        fs::create_dir(data.path("gallery")).unwrap();
        for name in ["broad.npy", "careful.npy"] {
            data.copy(name, name);
        }
        for name in GALLERY {
            data.copy(name, &format!("gallery/{name}"));
        }
        data
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn copy(&self, demo: &str, name: &str) {
        let demo = format!("{}/fixtures/demo/{demo}", env!("CARGO_MANIFEST_DIR"));
        fs::copy(demo, self.path(name)).unwrap();
    }

    fn sessions(&self) -> PathBuf {
        self.path("state/itm-explore/sessions")
    }

    /// The sessions that the program put into its folder.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.sessions()).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// The program in a folder, on files as they are named there.
    fn open_in(&self, folder: &Path, arguments: &str) -> Tui {
        let line = format!("cd '{}' && exec '{BIN}' {arguments}", folder.display());
        let state = self.path("state");
        let env = [("XDG_STATE_HOME", state.to_str().unwrap()), ("USER", "mk")];
        let tui = Tui::start(&["sh", "-c", &line], 40, 160, &env);
        tui.wait_text("item at rank 1");
        tui
    }

    fn open(&self, arguments: &str) -> Tui {
        self.open_in(self.0.path(), arguments)
    }

    /// Output of a shell command that calls the program by name.
    fn shell(&self, line: &str) -> Output {
        let line = line.replace("itm-explore eval", &format!("'{BIN}' eval"));
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(self.0.path());
        command.env("XDG_STATE_HOME", self.path("state"));
        command.env("XDG_CONFIG_HOME", "/none").env("USER", "mk");
        command.output().unwrap()
    }
}

fn judge(tui: &mut Tui) {
    tui.send("Jy");
    tui.wait("a saved judgment", |screen| shown_as_saved(&screen.contents()) == 1);
}

/// Quits, and returns the text left on the terminal without line breaks.
fn leave(mut tui: Tui) -> String {
    tui.send("\x1b\x1bq");
    tui.assert_ends(0).replace('\n', "")
}

#[test]
fn judgments_are_found_whatever_score_files_are_opened_and_where_they_lie() {
    let data = Data::new();
    let mut tui = data.open("broad.npy gallery/");
    tui.press("Jy", "saved in ");
    let said = leave(tui);
    let names = data.names();
    let [name] = &names[..] else {
        panic!("one session: {names:?}");
    };
    assert!(name.starts_with("60x300-") && name.ends_with(".mk.itm.json"), "{name}");
    assert!(!data.path("broad.itm.json").exists(), "nothing lies beside the files");
    // Where it lies, and the command that counts it, which works as it stands.
    let path = data.sessions().join(name);
    let start = format!("1 judgment in {}. Metrics with them: ", path.display());
    let (_, command) = said.split_once(&start).unwrap_or_else(|| panic!("{said}"));
    let wanted = format!("itm-explore eval broad.npy gallery/ --session {}", path.display());
    assert!(command.starts_with(&wanted), "{command}");
    let counted = data.shell(&wanted);
    let printed = String::from_utf8(counted.stdout).unwrap();
    assert!(printed.contains("Original+mine"), "{printed}");

    let elsewhere = data.path("else where");
    fs::create_dir(&elsewhere).unwrap();
    fs::copy(data.path("careful.npy"), elsewhere.join("step 7.npy")).unwrap();
    std::os::unix::fs::symlink(data.path("gallery"), elsewhere.join("link")).unwrap();
    for (folder, files) in [
        (data.0.path(), "careful.npy broad.npy gallery/"),
        (data.0.path(), "gallery/ careful.npy"),
        (&*elsewhere, "'step 7.npy' link/"),
    ] {
        let tui = data.open_in(folder, files);
        tui.wait_text("1 judgment");
        let said = leave(tui);
        assert!(!said.contains("Metrics with them"), "none was made: {said}");
        assert_eq!(data.names(), names, "{files}");
    }
}

#[test]
fn scores_without_ids_open_no_session_of_a_gallery_and_have_one_in_any_order() {
    let data = Data::new();
    let mut tui = data.open("broad.npy careful.npy gallery/");
    judge(&mut tui);
    tui.press("\x1b\x1b2", "careful");
    leave(tui);
    // Nor one that an earlier version kept beside them.
    fs::copy(data.sessions().join(&data.names()[0]), data.path("broad.itm.json")).unwrap();
    let mut tui = data.open("broad.npy");
    tui.wait_text("broad  t2i");
    assert!(!tui.text().contains("1 judgment"), "{}", tui.text());
    judge(&mut tui);
    leave(tui);
    assert_eq!(data.names().len(), 2);
    let tui = data.open("careful.npy broad.npy");
    tui.wait_text("1 judgment");
    leave(tui);
    // One model alone is not compared, as two were.
    let tui = data.open("careful.npy gallery/");
    tui.wait_text("1 judgment");
    assert!(!tui.text().contains("One model alone"), "{}", tui.text());
    leave(tui);
    assert_eq!(data.names().len(), 2);
}

#[test]
fn every_annotator_has_a_session_of_their_own() {
    let data = Data::new();
    let mut tui = data.open("broad.npy gallery/ --annotator a/b");
    judge(&mut tui);
    leave(tui);
    // Nobody is named: the only session is meant.
    let tui = data.open("broad.npy gallery/");
    tui.wait_text("1 judgment");
    leave(tui);
    let mut tui = data.open("broad.npy gallery/ --annotator a_b");
    assert!(!tui.text().contains("1 judgment"), "{}", tui.text());
    judge(&mut tui);
    leave(tui);
    let names = data.names();
    let of = |name: &str| names.iter().any(|file| file.ends_with(name));
    assert!(of(".a%2Fb.itm.json") && of(".a_b.itm.json") && names.len() == 2, "{names:?}");
    // A name that is too long for a file is refused at once.
    let line = format!("'{BIN}' broad.npy gallery/ --annotator {}", "n".repeat(240));
    let line = format!("cd '{}' && {line}", data.0.path().display());
    let tui = Tui::start(&["sh", "-c", &line], 24, 160, &[]);
    let said = tui.assert_ends(1);
    assert!(said.contains("a shorter name after --session or --annotator"), "{said}");
}

#[test]
fn a_second_explorer_on_the_gallery_says_what_to_do() {
    let data = Data::new();
    let first = data.open("broad.npy gallery/");
    let tui = data.open("careful.npy gallery/");
    tui.wait_text("read-only");
    tui.wait_text("or use --session OTHER.itm.json");
    let said = leave(tui);
    assert!(!said.contains("Metrics with them"), "{said}");
    leave(first);
}
