//! Words that must not come back: private ones, and phrases that nobody who writes about retrieval uses.
//!
//! Looked through are the texts and the documentation in `src`, the screens and outputs of the tests, the
//! README and `docs/`; names are those of types, modules and functions in `src`. Words that are also plain
//! English are looked for in the phrase that gives them away.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};

use crate::sources::{self, collect};

/// What is not said, and what is said instead.
const PHRASES: &[(&str, &str)] = &[
    ("images ask", "image-to-text retrieval"),
    ("captions ask", "text-to-image retrieval"),
    ("the line before", "previous line"),
    ("the pane before", "previous pane"),
    ("the truth before", "previous ground truth"),
    ("the model before", "previous model"),
    ("who competes", "candidate pool"),
    ("who competed", "candidate pool"),
    ("which items compete:", "candidate pool"),
    ("first item is right", "top-1 is correct"),
    ("first item is wrong", "top-1 is incorrect"),
    ("first item goes with", "top-1 is correct"),
    ("first right item", "first positive"),
    ("not right", "not a labelled positive"),
    ("right but poor", "R@1 = 1, low AP@R"),
    ("right in part", "partly relevant"),
    ("richer truth knows", "this ground truth judges the query and does not list the item"),
    ("knows this query", "judges the query"),
    ("R  in R ", "hits@R"),
    ("R in R ", "hits@R"),
    ("the own image", "the original image"),
    ("own captions first", "original captions first"),
    ("at best", "upper bound"),
    ("ceilings", "upper bounds"),
    ("judged negative", "judged not relevant"),
    ("kinds of failure", "error types"),
    ("kind of failure", "error type"),
    ("wrong firsts", "false top-1"),
    ("coarse query", "all models fail at 1"),
    ("first 10 share", "overlap@10 ="),
    ("first ten share", "overlap@10 ="),
    ("p, by Holm", "Holm-adjusted p"),
    ("p by Holm", "Holm-adjusted p"),
    ("95 % interval", "95 % CI"),
    ("draws by image", "cluster by image"),
    ("sims less", "sims - minilm"),
    ("careful less", "careful - broad"),
    ("broad less", "broad - naive"),
    ("to mend it", "fix"),
    ("how to mend", "how to fix"),
    ("how fix", "the fix"),
    ("what was loaded", "inputs"),
    ("let go of", "remove"),
    ("takes it away", "deletes it"),
    ("done again", "redone"),
    ("there is such a file", "file exists"),
    ("truth's dial", "CxC threshold, PM zeta"),
    ("by a number of theirs", "by an expression"),
    ("so many hubs", "number of hubs"),
    ("hubby", "a name of the demo"),
];

/// Keys that JSON had under private words: `told`, `met` and `drawn` are the report's, `matched`, `sampled`.
const JSON_KEYS: &[&str] = &["\"met\":", "\"drawn\":", "\"told\":"];

/// Words that no type and no module has in its name, and no function as its name.
const NAMES: &[&str] = &[
    "desk", "book", "sieve", "sift", "shelf", "arena", "halves", "moment", "drill", "contest",
    "reasons", "cause", "inquiry", "brush", "prints", "wish", "given", "made", "told", "pressed",
    "arrived", "curver", "drafter", "keeper",
];

#[test]
fn no_private_phrase_is_in_texts_screens_and_pages() {
    let mut found = Vec::new();
    for (file, text) in sources().into_iter().chain(pages()) {
        let text = plain(&text);
        let of = PHRASES.iter().filter(|(phrase, _)| has(&text, phrase));
        found.extend(of.map(|(phrase, instead)| format!("{file}: \"{phrase}\", say: {instead}")));
        let ending = std::path::Path::new(&file).extension();
        let is_source = ending.is_some_and(|ending| ending == "rs");
        let keys = JSON_KEYS.iter().filter(|key| !is_source && text.contains(**key));
        found.extend(keys.map(|key| format!("{file}: the key {key}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_type_module_or_function_has_a_private_name() {
    let mut found = Vec::new();
    for path in files(&sources::root(), "rs") {
        let text = fs::read_to_string(&path).unwrap();
        for (kind, name) in names(text.parse().unwrap()) {
            let words = words(&name);
            let is_private = match kind.as_str() {
                "fn" => words.len() == 1 && NAMES.contains(&words[0].as_str()),
                _ => words.iter().any(|word| NAMES.contains(&word.as_str())),
            };
            if is_private {
                found.push(format!("{}: {kind} {name}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn phrases_are_found_as_whole_words() {
    assert!(has("it is not right, or", "not right"));
    assert!(!has("the knot rightly", "not right"));
    assert_eq!(words("FoundCause"), ["found", "cause"]);
    assert_eq!(words("no_colour"), ["no", "colour"]);
    let texts = texts(
        r#"/// A line
/// before. 
const A: &str = "one \
   two"; fn f() { g!("three") }"#
            .parse()
            .unwrap(),
    );
    assert_eq!(texts, [" A line before. ", "one two", "three"]);
}

/// The texts of every source, documentation included.
fn sources() -> Vec<(String, String)> {
    let texts = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let texts = texts(text.parse().unwrap());
        (path.display().to_string(), texts.join("\n"))
    };
    files(&sources::root(), "rs").into_iter().map(texts).collect()
}

/// The pages that people read, and the screens and outputs that tests hold.
fn pages() -> impl Iterator<Item = (String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    all.extend(files(&root.join("docs"), "md"));
    all.extend(files(&root.join("tests"), "snap"));
    all.extend(files(&root.join("src"), "toml"));
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).unwrap());
    all.into_iter().map(read)
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, ending, &mut found);
    assert!(!found.is_empty(), "{}", folder.display());
    found
}

/// Every string and every piece of documentation, its lines joined.
fn texts(tokens: TokenStream) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut in_doc = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let line = doc(&group);
                let is_further = in_doc;
                in_doc = line.is_some();
                match (line, found.last_mut().filter(|_| is_further)) {
                    (Some(line), Some(last)) => last.push_str(&line),
                    (Some(line), None) => found.push(line),
                    (None, _) => found.extend(texts(group.stream())),
                }
            }
            TokenTree::Literal(literal) => {
                in_doc = false;
                found.extend(text(&literal));
            }
            TokenTree::Punct(punct) if in_doc && "#!".contains(punct.as_char()) => {}
            TokenTree::Punct(_) | TokenTree::Ident(_) => in_doc = false,
        }
    }
    found
}

/// The line of a comment that documents something.
fn doc(group: &Group) -> Option<String> {
    let mut tokens = group.stream().into_iter();
    let is_doc = matches!(tokens.next(), Some(TokenTree::Ident(ident)) if ident == "doc");
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Punct(_)), Some(TokenTree::Literal(line)))
            if is_doc && group.delimiter() == Delimiter::Bracket =>
        {
            text(&line)
        }
        _ => None,
    }
}

fn text(literal: &Literal) -> Option<String> {
    match syn::parse_str(&literal.to_string()) {
        Ok(syn::Lit::Str(text)) => Some(text.value()),
        _ => None,
    }
}

/// The types, modules and functions that are defined, each with its keyword.
fn names(tokens: TokenStream) -> Vec<(String, String)> {
    const KEYWORDS: &[&str] = &["struct", "enum", "trait", "type", "mod", "fn"];
    let mut found = Vec::new();
    let mut before = String::new();
    for token in tokens {
        let keyword = std::mem::take(&mut before);
        match token {
            TokenTree::Group(group) => found.extend(names(group.stream())),
            TokenTree::Ident(ident) if KEYWORDS.contains(&keyword.as_str()) => {
                found.push((keyword, ident.to_string()));
            }
            TokenTree::Ident(ident) => before = ident.to_string(),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

/// The words of a name, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() {
            words.push(String::new());
        }
        let word = words.last_mut().expect("one at least");
        word.extend(letter.to_lowercase().filter(|letter| *letter != '_'));
    }
    words.retain(|word| !word.is_empty());
    words
}

/// In lower case, each line's end a space.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('\n', " ")
}

/// Whether a text in lower case has a phrase, which begins and ends with a word.
fn has(text: &str, phrase: &str) -> bool {
    let phrase = phrase.to_lowercase();
    text.match_indices(&phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let ends = phrase.ends_with(char::is_alphanumeric);
        !(is_word(before) || ends && is_word(after))
    })
}
