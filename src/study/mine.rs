//! Writes a truth as a person changed it, and verdicts as a truth of their own.

use std::path::{Path, PathBuf};

use super::inputs::Inputs;
use super::{Study, description, load, pack, written};
use crate::data::gallery::Gallery;
use crate::data::output::check_new;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::truth::bundle::Truths;
use crate::truth::output::Output;
use crate::truth::pairs::Pairs;
use crate::truth::verdict::{Verdicts, with_mine};

/// How a truth is written.
#[derive(Clone, Copy)]
pub enum Form<'a> {
    /// A file for each direction, in a folder.
    Lists(&'a Output),
    /// One file, with the gallery.
    Bundle,
}

/// What a truth is written from.
struct Named<'a> {
    /// The option that names it.
    option: &'a str,
    name: &'a str,
    gallery: Option<&'a Gallery>,
    pairs: PerDirection<Option<Pairs>>,
}

/// Writes one truth of `inputs` with verdicts laid over it; `choose` names the truth and gives the
/// verdicts. The files appear whole or not at all.
///
/// Ids that the gallery lacks stay in the lists, so that R stays the same.
///
/// # Errors
/// As [`super::open`] and `choose`; a name that no truth has; when a file cannot be written.
pub fn write_changed(
    inputs: &Inputs,
    choose: impl FnOnce(&Study) -> Result<(String, Verdicts)>,
    form: Form,
    out: &Path,
) -> Result<(Study, Vec<PathBuf>)> {
    let inputs = &description::expanded(inputs)?;
    let (mut study, mut listed) = load::build(inputs)?;
    let (name, verdicts) = choose(&study)?;
    let truth = study.require_truth(&name)?;
    let of_truth = listed.iter().filter(|listed| listed.name == name);
    let flat = match form {
        Form::Lists(how) => written::without_grades(how, of_truth),
        Form::Bundle => Vec::new(),
    };
    let changed = truth.with(&verdicts);
    let gallery = &study.gallery;
    let pairs = PerDirection::from_fn(|direction| {
        let relevance = changed.relevance[direction].as_ref()?;
        let before = pack::pairs(&study, &mut listed, truth, direction)?;
        let (queries, items) = (gallery.queries(direction), gallery.items(direction));
        Some(before.with(relevance, queries, items))
    });
    let named = Named { option: "--truth", name: &with_mine(&name), gallery: Some(gallery), pairs };
    let written = named.write(form, out, |path| inputs.spare_inside(path))?;
    study.notes.extend(flat);
    Ok((study, written))
}

/// Writes lists as a truth of their own, without a gallery.
///
/// # Errors
/// A name that cannot be a file's; when a file cannot be written.
pub fn write_pairs(
    name: &str,
    pairs: PerDirection<Option<Pairs>>,
    form: Form,
    out: &Path,
    force: bool,
) -> Result<Vec<PathBuf>> {
    write_named(("--name", name), None, pairs, (form, out), |path| check_new(path, force))
}

/// Writes lists as a truth of that name, a bundle with the gallery where there is one.
pub(super) fn write_named(
    (option, name): (&str, &str),
    gallery: Option<&Gallery>,
    pairs: PerDirection<Option<Pairs>>,
    (form, out): (Form, &Path),
    spare: impl Fn(&Path) -> Result<()>,
) -> Result<Vec<PathBuf>> {
    let named = Named { option, name, gallery, pairs };
    named.write(form, out, spare)
}

impl Named<'_> {
    fn write(
        self,
        form: Form,
        out: &Path,
        spare: impl Fn(&Path) -> Result<()>,
    ) -> Result<Vec<PathBuf>> {
        match form {
            Form::Lists(how) => self.write_lists(how, out, spare),
            Form::Bundle => {
                written::check_one_file(out)?;
                spare(out)?;
                let truths = Truths(vec![(self.name.to_owned(), self.pairs)]);
                pack::write(self.gallery, truths, out)?;
                Ok(vec![out.to_owned()])
            }
        }
    }

    fn write_lists(
        &self,
        how: &Output,
        folder: &Path,
        spare: impl Fn(&Path) -> Result<()>,
    ) -> Result<Vec<PathBuf>> {
        written::check_name(self.option, self.name)?;
        for direction in Direction::BOTH {
            spare(&folder.join(how.file_name(self.name, direction)))?;
        }
        written::make_folder(folder)?;
        let lists = Direction::BOTH.into_iter();
        let lists =
            lists.filter_map(|direction| Some((direction, self.pairs[direction].as_ref()?)));
        lists
            .map(|(direction, pairs)| written::write_list(how, self.name, direction, pairs, folder))
            .collect()
    }
}
