//! Licences and sources of all dependencies, on every platform, are those that `deny.toml` allows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use spdx::{Expression, ParseMode};

#[derive(Deserialize)]
struct Rules {
    licenses: Licences,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licences {
    allow: BTreeSet<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    source: Option<String>,
}

fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The licence of every crate that any feature, platform, test or build script brings in.
fn licences() -> BTreeMap<String, String> {
    let mut tree = Command::new(env!("CARGO"));
    tree.current_dir(env!("CARGO_MANIFEST_DIR"));
    tree.args(["tree", "--locked", "--all-features", "--target", "all"]);
    tree.args(["--edges", "normal,build,dev", "--no-dedupe"]);
    tree.args(["--prefix", "none", "--format", "{p}\t{l}"]);
    let output = tree.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let entry = |line: &str| {
        let (package, licence) = line.split_once('\t').unwrap();
        (package.to_owned(), licence.to_owned())
    };
    text.lines().map(entry).collect()
}

/// The licences that an expression asks for, of which `allowed` are taken; `Err` where these do not suffice.
fn accepted(expression: &str, allowed: &BTreeSet<String>) -> Result<BTreeSet<String>, ()> {
    let expression = Expression::parse_mode(expression, ParseMode::LAX).map_err(drop)?;
    let mut accepted = BTreeSet::new();
    let holds = expression.evaluate(|one| {
        let name = one.to_string();
        let is = allowed.contains(&name);
        if is {
            accepted.insert(name);
        }
        is
    });
    if holds { Ok(accepted) } else { Err(()) }
}

#[test]
fn licences_are_allowed() {
    let rules: Rules = read("deny.toml");
    let mut used = BTreeSet::new();
    let (mut wrong, mut excepted) = (Vec::new(), BTreeSet::new());
    for (package, licence) in licences() {
        let name = package.split(' ').next().unwrap();
        let exception = rules.licenses.exceptions.iter().find(|one| one.name == name);
        match (accepted(&licence, &rules.licenses.allow), exception) {
            (Ok(accepted), _) => used.extend(accepted),
            (Err(()), Some(one)) if accepted(&licence, &one.allow).is_ok() => {
                excepted.insert(name.to_owned());
            }
            _ => wrong.push(format!("{package}: {licence}")),
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "deny.toml does not allow these");
    assert_eq!(used, rules.licenses.allow, "what nobody needs is not allowed");
    let exceptions = rules.licenses.exceptions.into_iter().map(|one| one.name);
    assert_eq!(excepted, exceptions.collect(), "nor excepted");
}

/// The packages of this workspace.
const OWN: [&str; 3] = [env!("CARGO_PKG_NAME"), "itm-explore-kernels", "itm-explore-python"];

#[test]
fn crates_come_from_the_registry() {
    let (rules, lock): (Rules, Lock) = (read("deny.toml"), read("Cargo.lock"));
    for package in lock.package {
        let own = package.source.is_none() && OWN.contains(&package.name.as_str());
        let registry =
            package.source.as_deref().and_then(|source| source.strip_prefix("registry+"));
        let known = registry.is_some_and(|one| rules.sources.allow_registry.contains(one));
        assert!(own || known, "{} is from {:?}", package.name, package.source);
    }
}

#[test]
fn expressions_are_understood() {
    let allowed: BTreeSet<String> = ["MIT", "Zlib"].map(String::from).into();
    let names = |names: &[&str]| Ok(names.iter().map(|&name| name.to_owned()).collect());
    assert_eq!(accepted("GPL-2.0-only OR MIT", &allowed), names(&["MIT"]));
    assert_eq!(accepted("Apache-2.0/MIT", &allowed), names(&["MIT"]));
    assert_eq!(accepted("MIT AND (Zlib OR ISC)", &allowed), names(&["MIT", "Zlib"]));
    for refused in ["MIT AND ISC", "GPL-3.0-only", "MIT WITH LLVM-exception", ""] {
        assert_eq!(accepted(refused, &allowed), Err(()), "{refused}");
    }
}
