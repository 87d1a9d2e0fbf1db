//! Pages of documentation, and what they are made of.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Whether the tree has a file or folder; `.rs` may be omitted.
pub fn exists(path: &str) -> bool {
    let root = Path::new(ROOT);
    root.join(path).exists() || root.join(format!("{path}.rs")).exists()
}

pub struct Page {
    pub path: PathBuf,
    /// The path from the root on.
    pub name: String,
    pub text: String,
}

/// README, CONTRIBUTING, and every page of `docs/`.
pub fn pages() -> Vec<Page> {
    let root = Path::new(ROOT);
    let docs = fs::read_dir(root.join("docs")).unwrap();
    let mut paths: Vec<PathBuf> = docs.map(|entry| entry.unwrap().path()).collect();
    paths.extend(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    paths.sort();
    paths.into_iter().map(Page::read).collect()
}

impl Page {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(ROOT).unwrap().to_str().unwrap().to_owned();
        Page { path, name, text }
    }

    /// The lines of every fence in a language.
    pub fn code(&self, language: &str) -> Vec<Vec<&str>> {
        let open = format!("```{language}");
        let mut fences = Vec::new();
        let mut lines = self.text.lines();
        while lines.by_ref().any(|line| line == open) {
            fences.push(lines.by_ref().take_while(|&line| line != "```").collect());
        }
        fences
    }

    /// Text outside of fences.
    fn prose(&self) -> String {
        let outside = self.text.split("\n```").step_by(2);
        outside.collect::<Vec<_>>().join("\n")
    }

    /// Text in backticks outside of fences.
    pub fn quoted(&self) -> Vec<String> {
        let prose = self.prose();
        let quoted = prose.split('`').skip(1).step_by(2);
        quoted.map(str::to_owned).collect()
    }

    /// Every command for a shell, without remarks behind it.
    pub fn commands(&self) -> Vec<String> {
        let lines = self.code("sh").into_iter().flatten();
        let bare = lines.map(|line| line.split(" # ").next().unwrap().trim());
        let commands = bare.filter(|line| !line.is_empty());
        commands.map(str::to_owned).collect()
    }

    /// Targets of links.
    pub fn links(&self) -> Vec<String> {
        let prose = self.prose();
        let links = prose.split("](").skip(1);
        links.map(|link| link.split(')').next().unwrap().to_owned()).collect()
    }

    /// Whether a link leads to a file of the tree, and to a heading in it.
    pub fn leads_to(&self, link: &str) -> bool {
        if link.starts_with("https://") {
            return true;
        }
        let (path, heading) = link.split_once('#').unwrap_or((link, ""));
        let path = match path {
            "" => self.path.clone(),
            _ => self.path.parent().unwrap().join(path),
        };
        path.exists() && (heading.is_empty() || Page::read(path).has_heading(heading))
    }

    fn has_heading(&self, wanted: &str) -> bool {
        let mut headings = self.text.lines().filter(|line| line.starts_with('#'));
        headings.any(|line| anchor(line) == wanted)
    }
}

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches(['#', ' ']).to_lowercase();
    let kept = heading.chars().filter(|&c| c.is_alphanumeric() || c == ' ' || c == '-');
    kept.collect::<String>().replace(' ', "-")
}
