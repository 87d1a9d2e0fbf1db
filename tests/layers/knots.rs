//! Knots: files that import each other, directly or through others.

use std::collections::BTreeSet;

use crate::sources::File;

/// The knots of two files and more among `files`, by name.
pub fn knots<'a>(files: &[&'a File]) -> BTreeSet<Vec<&'a str>> {
    let imports: Vec<BTreeSet<usize>> = files.iter().map(|file| imports(file, files)).collect();
    let reached: Vec<BTreeSet<usize>> =
        (0..files.len()).map(|from| reached(from, &imports)).collect();
    let knot = |at: usize| -> Vec<&str> {
        let others = reached[at].iter().copied();
        let back = others.filter(|&other| reached[other].contains(&at));
        back.map(|other| &*files[other].name).collect()
    };
    let all = (0..files.len()).map(knot);
    all.filter(|knot| knot.len() > 1).collect()
}

/// The places of the files that a file names: of the longest module that each of its paths begins with.
fn imports(file: &File, files: &[&File]) -> BTreeSet<usize> {
    let of = |module: &[String]| files.iter().position(|other| other.place == module);
    let target = |path: &Vec<String>| {
        let below = [&*file.place, &path[..1]].concat();
        let path = match path[0].as_str() {
            "crate" => path[1..].to_vec(),
            _ if of(&below).is_some() => [&*file.place, path].concat(),
            _ => return None,
        };
        (1..=path.len()).rev().find_map(|end| of(&path[..end]))
    };
    let targets = file.paths.iter().filter_map(target);
    targets.filter(|&to| files[to].name != file.name).collect()
}

fn reached(from: usize, imports: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        let new = imports[at].iter().filter(|&&to| reached.insert(to));
        next.extend(new.copied().collect::<Vec<_>>());
    }
    reached
}

/// Knots are seen wherever the paths stand, and chains are none.
#[test]
fn knots_are_found() {
    let file = |name: &str, text: &str| File::parsed(name, text);
    let files = [
        file("tui/a.rs", "use super::b::B;"),
        file("tui/b/mod.rs", "mod c; fn f() { c::g() }"),
        file("tui/b/c.rs", "pub fn g() -> crate::tui::a::A { todo!() }"),
        file("tui/d.rs", "pub(in crate::tui) use crate::tui::{a, b};"),
        file("tui/mod.rs", "pub mod a;"),
    ];
    let files: Vec<&File> = files.iter().collect();
    let found = knots(&files);
    let wanted = vec!["tui/a.rs", "tui/b/mod.rs", "tui/b/c.rs"];
    assert_eq!(found, BTreeSet::from([wanted]));
}
