//! Names that the sources use, from their syntax trees.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, FnArg, Item, ItemMod, ItemUse, Meta, ReceiverKind, Signature, Type, UseTree};

/// One file below `src`.
pub struct File {
    /// Its path there.
    pub name: String,
    /// Its module, from below the crate on.
    pub place: Vec<String>,
    /// Every path that it names outside of unit tests: from `crate` on, or from another crate on.
    pub paths: Vec<Vec<String>>,
    /// The macros that it calls.
    pub macros: Vec<String>,
    /// Its functions.
    pub functions: Vec<Function>,
    /// Its modules that are unit tests and stand in files of their own, by path without ending.
    pub only_tests: Vec<String>,
}

/// A function, and what it can change of its arguments: names of types, `self` for its own.
pub struct Function {
    pub name: String,
    pub changes: Vec<String>,
}

/// The folder of the sources.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source but unit tests, parsed once.
pub static FILES: LazyLock<Vec<File>> = LazyLock::new(files);

fn files() -> Vec<File> {
    let mut paths = Vec::new();
    collect(&root(), "rs", &mut paths);
    let parsed = |path: &PathBuf| {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        File::parsed(&name, &fs::read_to_string(path).unwrap())
    };
    let mut files: Vec<File> = paths.iter().map(parsed).collect();
    let tests: Vec<String> = files.iter().flat_map(|file| file.only_tests.clone()).collect();
    let is_test = |file: &File| {
        let stem = file.name.strip_suffix(".rs").unwrap_or_default();
        tests.iter().any(|test| stem == test || stem.starts_with(&format!("{test}/")))
    };
    files.retain(|file| !is_test(file));
    files
}

/// Adds the files of a folder, and of those within, whose names end in so.
pub fn collect(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

impl File {
    /// The file of this name and text.
    pub fn parsed(name: &str, text: &str) -> Self {
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        let stem = stem.strip_suffix("/mod").unwrap_or(stem);
        let module = stem.split('/').filter(|name| !["lib", "main"].contains(name));
        let module: Vec<String> = module.map(str::to_owned).collect();
        let mut reader = Reader {
            module: module.clone(),
            file: File {
                name: name.to_owned(),
                place: module,
                paths: Vec::new(),
                macros: Vec::new(),
                functions: Vec::new(),
                only_tests: Vec::new(),
            },
        };
        let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        reader.visit_file(&parsed);
        reader.file
    }

    /// The module of `lib.rs` that it belongs to.
    pub fn module(&self) -> &str {
        self.name.split(['/', '.']).next().unwrap_or_default()
    }
}

struct Reader {
    /// Where in the crate the code stands.
    module: Vec<String>,
    file: File,
}

impl Reader {
    /// Takes a path as it is written.
    fn take(&mut self, mut path: Vec<String>) {
        let mut base = self.module.clone();
        match path.first().map(String::as_str) {
            Some("self") => {
                path.remove(0);
            }
            Some("super") => {
                while path.first().is_some_and(|name| name == "super") {
                    path.remove(0);
                    base.pop();
                }
            }
            _ => {
                self.file.paths.push(path);
                return;
            }
        }
        self.file.paths.push([vec!["crate".to_owned()], base, path].concat());
    }

    fn take_use(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: &dyn ToString| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.take_use(&path.tree, &with(&path.ident)),
            UseTree::Name(name) => self.take(with(&name.ident)),
            UseTree::Rename(name) => self.take(with(&name.ident)),
            UseTree::Glob(_) => self.take(before.to_vec()),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.take_use(tree, before);
                }
            }
        }
    }

    /// Takes the paths and macros among tokens that are no syntax yet.
    fn take_tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Vec::new(), 0);
        for tree in tokens {
            match tree {
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.end(&mut path);
                    }
                    path.push(name.to_string());
                }
                TokenTree::Punct(punct) => {
                    if punct.as_char() == '!' {
                        self.file.macros.extend(path.pop());
                    }
                    self.end(&mut path);
                }
                TokenTree::Group(group) => {
                    self.end(&mut path);
                    self.take_tokens(group.stream());
                }
                TokenTree::Literal(_) => self.end(&mut path),
            }
            colons = 0;
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.take(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        } else if let Item::Mod(module) = item
            && module.content.is_none()
        {
            let path = [&*self.module, &[module.ident.to_string()]].concat();
            self.file.only_tests.push(path.join("/"));
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        self.module.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.take_use(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|segment| segment.ident.to_string());
        self.end(&mut names.collect());
        visit::visit_path(self, path);
    }

    /// Where something is seen from is no use of that place.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        let name = called.path.segments.last();
        self.file.macros.extend(name.map(|name| name.ident.to_string()));
        self.take_tokens(called.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.take_tokens(list.tokens.clone());
        }
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        self.file.functions.push(Function {
            name: signature.ident.to_string(),
            changes: signature.inputs.iter().filter_map(changed).collect(),
        });
        visit::visit_signature(self, signature);
    }
}

/// Name of an argument's type if the function can change it.
fn changed(argument: &FnArg) -> Option<String> {
    match argument {
        FnArg::Receiver(own) => {
            let changes = matches!(own.kind, ReceiverKind::Reference(_, _, Some(_)));
            changes.then(|| "self".into())
        }
        FnArg::Typed(typed) => {
            let Type::Reference(reference) = &*typed.ty else {
                return None;
            };
            reference.mutability.as_ref()?;
            let named = match &*reference.elem {
                Type::Path(path) => path.path.segments.last(),
                _ => None,
            };
            Some(named.map_or("what is not named".into(), |name| name.ident.to_string()))
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
