//! The folder of Flickr30k Entities: sentences and annotations by image.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::rect::Rect;
use super::{Annotation, Chain, Sentence, Types, annotation, sentence};
use crate::data::file_states::record_state;
use crate::data::id::Id;
use crate::data::in_use;
use crate::data::parallel;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// The phrases of captions and the boxes of images, by image.
#[derive(Debug, Clone, Default)]
pub struct Entities {
    images: FxHashMap<Id, ImagePhrases>,
    /// Errors of single files, lines and objects; the rest is read.
    pub problems: Vec<Error>,
}

/// The captions and the annotation of one image.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImagePhrases {
    /// Its captions, in file order; `None` for an unreadable line, so that the others keep their numbers.
    pub sentences: Vec<Option<Sentence>>,
    /// Its annotation; `None` if none can be read.
    pub annotation: Option<Annotation>,
    /// Its visual chains, in the order in which its captions first mention them.
    pub chains: Vec<Chain>,
}

/// The name and the text of a file by its path in the folder; `None` if missing.
type Open<'a> = dyn Fn(&str) -> Option<(String, Result<String>)> + Sync + 'a;

/// Folder of the sentences.
const SENTENCES: &str = "Sentences";
/// Folder of the annotations.
const ANNOTATIONS: &str = "Annotations";
/// The list of captions unrelated to their image.
const UNRELATED: &str = "UNRELATED_CAPTIONS";
/// Maximum bytes of a file: those of the data set have some thousand.
const MAX_FILE_BYTES: u64 = 4 << 20;

impl Entities {
    /// Reads the images of a folder: all, or those `wanted`. Errors of single files are in [`Entities::problems`].
    ///
    /// # Errors
    /// A folder without `Sentences`, or one that holds none of the images.
    pub fn read(folder: &Path, wanted: Option<&FxHashSet<Id>>) -> Result<Self> {
        for part in [SENTENCES, ANNOTATIONS, UNRELATED] {
            record_state(&folder.join(part));
        }
        let stems = listed(folder, wanted)?;
        Ok(Entities::gather(&stems, &|path| {
            let path = folder.join(path);
            let is_there = path.is_file() || !path.ends_with(UNRELATED);
            is_there.then(|| (path.display().to_string(), text(&path)))
        }))
    }

    /// From files that are part of the program, each by its path in the folder.
    pub fn built_in(files: &[(&str, &str)]) -> Self {
        let stem = |(path, _): &(&str, &str)| {
            let name = path.strip_prefix(SENTENCES)?.strip_prefix('/')?;
            name.strip_suffix(".txt").map(str::to_owned)
        };
        let stems: Vec<String> = files.iter().filter_map(stem).collect();
        Entities::gather(&stems, &|path| {
            let (path, text) = files.iter().find(|(other, _)| *other == path)?;
            Some(((*path).to_owned(), Ok((*text).to_owned())))
        })
    }

    /// Reads the images of these names, and the unrelated captions.
    fn gather(stems: &[String], open: &Open<'_>) -> Self {
        let read = |stem: &String| {
            let mut problems = Vec::new();
            let image = of_image(stem, open, &mut problems);
            (image, problems)
        };
        let mut entities = Entities::default();
        for (stem, (image, problems)) in stems.iter().zip(parallel::map(stems, read)) {
            entities.images.insert(Id::of_file(stem), image);
            entities.problems.extend(problems);
        }
        if let Some((subject, text)) = opened(open, UNRELATED, &mut entities.problems) {
            entities.flag_unrelated(&text, &subject);
        }
        entities
    }

    /// The data of an image.
    pub fn image(&self, id: &Id) -> Option<&ImagePhrases> {
        self.images.get(id)
    }

    /// Removes the data of an image.
    pub(super) fn take(&mut self, id: &Id) -> Option<ImagePhrases> {
        self.images.remove(id)
    }

    /// All images, in the order of their ids.
    pub fn images(&self) -> Vec<(&Id, &ImagePhrases)> {
        let mut all: Vec<_> = self.images.iter().collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    /// Marks unrelated captions: `<image id> <number of the sentence, from 1>` on each line. Those of other images are
    /// ignored; lines of another form are problems.
    fn flag_unrelated(&mut self, text: &str, subject: &str) {
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let caption = || {
                let (image, sentence) = line.split_once(char::is_whitespace)?;
                let sentence: usize = sentence.trim().parse().ok()?;
                Some((Id::of_file(image), sentence.checked_sub(1)?))
            };
            let Some((id, sentence)) = caption() else {
                let place = format!("{subject}, line {number}");
                let error = Error::new(place, format!("{line:?} names no caption"));
                let form = "<image id> <number of the sentence, from 1>";
                self.problems.push(error.expected(form));
                continue;
            };
            let image = self.images.get_mut(&id);
            let slot = image.and_then(|image| image.sentences.get_mut(sentence));
            if let Some(Some(sentence)) = slot {
                sentence.is_unrelated = true;
            }
        }
    }
}

impl ImagePhrases {
    /// A caption by its number, from 0.
    pub fn sentence(&self, number: usize) -> Option<&Sentence> {
        self.sentences.get(number)?.as_ref()
    }

    /// The types of the mentions of each chain.
    pub fn types(&self) -> FxHashMap<Chain, Types> {
        let mut types: FxHashMap<Chain, Types> = FxHashMap::default();
        let phrases = self.sentences.iter().flatten().flat_map(|sentence| &sentence.phrases);
        for phrase in phrases {
            let of = types.entry(phrase.chain).or_default();
            *of = of.joined(phrase.types);
        }
        types
    }

    /// The boxes of a chain, in file order; none if it is not visual.
    pub fn boxes(&self, chain: Chain) -> impl Iterator<Item = Rect> {
        let annotation = self.annotation.iter().filter(move |_| chain != Chain::NOT_VISUAL);
        annotation.flat_map(move |annotation| annotation.boxes(chain))
    }
}

/// The names of the sentence files without extension, of the wanted images, sorted by id.
fn listed(folder: &Path, wanted: Option<&FxHashSet<Id>>) -> Result<Vec<String>> {
    let sentences = folder.join(SENTENCES);
    let fail = |error: std::io::Error| {
        let error = Error::io(&sentences, &error);
        error.expected("the folder of Flickr30k Entities, with Sentences/ and Annotations/ in it")
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(&sentences).map_err(fail)? {
        let name = entry.map_err(fail)?.file_name();
        if let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(".txt")) {
            found.push((Id::of_file(stem), stem.to_owned()));
        }
    }
    found.retain(|(id, _)| wanted.is_none_or(|wanted| wanted.contains(id)));
    found.sort_unstable();
    if found.is_empty() {
        let example = wanted.and_then(|wanted| wanted.iter().min());
        let example = example.map_or("1007129816".to_owned(), Id::to_string);
        return Err(Error::new(sentences.display(), "the sentences of none of the images")
            .expected(format!("files named by the images, such as {example}.txt")));
    }
    Ok(found.into_iter().map(|(_, stem)| stem).collect())
}

/// A file by its path in the folder; its errors are added to `problems`.
fn opened(open: &Open<'_>, path: &str, problems: &mut Vec<Error>) -> Option<(String, String)> {
    let (subject, text) = open(path)?;
    Some((subject, collect_error(text, problems)?))
}

/// Reads both files of an image.
fn of_image(stem: &str, open: &Open<'_>, problems: &mut Vec<Error>) -> ImagePhrases {
    let texts = opened(open, &format!("{SENTENCES}/{stem}.txt"), problems);
    let (subject, text) = texts.unwrap_or_default();
    // As in the data set's own parser: an empty line is no sentence.
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty());
    let line = |(number, line): (usize, &str)| {
        collect_error(sentence::parse(line, &format!("{subject}, line {number}")), problems)
    };
    let sentences: Vec<_> = lines.map(line).collect();
    let mut image = ImagePhrases { chains: mentioned(&sentences), sentences, annotation: None };
    let annotation = opened(open, &format!("{ANNOTATIONS}/{stem}.xml"), problems);
    if let Some((subject, text)) = annotation {
        let read = annotation::parse(&text, &subject, problems);
        image.annotation = collect_error(read, problems);
        problems.extend(without_annotation(&image, &subject));
    }
    image
}

/// The visual chains of captions, each once, in the order of their first mention.
fn mentioned(sentences: &[Option<Sentence>]) -> Vec<Chain> {
    let phrases = sentences.iter().flatten().flat_map(|sentence| &sentence.phrases);
    let chains = phrases.map(|phrase| phrase.chain).filter(|chain| *chain != Chain::NOT_VISUAL);
    chains.collect::<IndexSet<_>>().into_iter().collect()
}

/// Chains of the captions that the annotation lacks.
fn without_annotation(image: &ImagePhrases, subject: &str) -> Option<Error> {
    let annotation = image.annotation.as_ref()?;
    let chains = image.chains.iter().filter(|chain| !annotation.knows(**chain));
    let mut unknown: Vec<u32> = chains.map(|chain| chain.0).collect();
    unknown.sort_unstable();
    let error = || {
        Error::new(subject, format!("no object for these chains of the sentences: {unknown:?}"))
            .expected("every chain with a box, or as <scene> or <nobndbox>")
    };
    (!unknown.is_empty()).then(error)
}

/// A file as text.
fn text(path: &Path) -> Result<String> {
    in_use::reads(path)?;
    let fail = |error: std::io::Error| Error::io(path, &error);
    let facts = fs::metadata(path).map_err(fail)?;
    // Opening a pipe without a writer would block.
    if !facts.is_file() || facts.len() > MAX_FILE_BYTES {
        return Err(Error::new(path.display(), "no file of at most 4 MB"));
    }
    let mut bytes = Vec::with_capacity(facts.len() as usize);
    let file = File::open(path).map_err(fail)?;
    // It may have grown.
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(fail)?;
    String::from_utf8(bytes).map_err(|_| Error::new(path.display(), "no text in UTF-8"))
}

/// The value; an error is added to `problems`.
fn collect_error<T>(read: Result<T>, problems: &mut Vec<Error>) -> Option<T> {
    read.map_err(|error| problems.push(error)).ok()
}

/// Reads a list of images such as `test.txt`, ids or file names, one a line.
///
/// # Errors
/// When it cannot be read, is no text, or names no image.
pub fn read_split(path: &Path) -> Result<Vec<Id>> {
    let source = Source::open(path)?;
    let wrong = |found| Error::new(source.display(), found).expected("ids of images, one a line");
    let text = std::str::from_utf8(source.bytes()).map_err(|_| wrong("no text"))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let ids: Vec<Id> = lines.map(Id::of_file).collect();
    if ids.is_empty() {
        return Err(wrong("an empty list"));
    }
    Ok(ids)
}

#[cfg(test)]
mod tests;
