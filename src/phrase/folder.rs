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
    /// Errors of single files, lines and objects, which were skipped.
    pub problems: Vec<Error>,
}

/// The captions and the annotation of one image.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImagePhrases {
    /// Captions of the image, in file order; `None` for an unreadable line, so that the others keep their numbers.
    pub sentences: Vec<Option<Sentence>>,
    /// Boxes of the image; `None` if its annotation cannot be read.
    pub annotation: Option<Annotation>,
    /// Visual chains of the image, in the order in which its captions first mention them.
    pub chains: Vec<Chain>,
}

/// Reads a file by its path in the folder: its name for messages, and its text; `None` if missing.
type Reader<'a> = dyn Fn(&str) -> Option<(String, Result<String>)> + Sync + 'a;

/// Folder of the sentences.
const SENTENCES: &str = "Sentences";
/// Folder of the annotations.
const ANNOTATIONS: &str = "Annotations";
/// The list of captions unrelated to their image.
const UNRELATED: &str = "UNRELATED_CAPTIONS";
/// Maximum bytes of a file; files of the data set have some thousand.
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
        let stems = sentence_stems(folder, wanted)?;
        Ok(Entities::read_images(&stems, &|path| {
            let path = folder.join(path);
            let is_there = path.is_file() || !path.ends_with(UNRELATED);
            is_there.then(|| (path.display().to_string(), read_text(&path)))
        }))
    }

    /// From files that are part of the program, each given as its path in the folder and its text.
    pub fn built_in(files: &[(&str, &str)]) -> Self {
        let stem = |(path, _): &(&str, &str)| {
            let name = path.strip_prefix(SENTENCES)?.strip_prefix('/')?;
            name.strip_suffix(".txt").map(str::to_owned)
        };
        let stems: Vec<String> = files.iter().filter_map(stem).collect();
        Entities::read_images(&stems, &|path| {
            let (path, text) = files.iter().find(|(other, _)| *other == path)?;
            Some(((*path).to_owned(), Ok((*text).to_owned())))
        })
    }

    /// Reads the images with these file stems, and flags the captions that are unrelated to their image.
    fn read_images(stems: &[String], open: &Reader<'_>) -> Self {
        let read = |stem: &String| {
            let mut problems = Vec::new();
            let image = read_image(stem, open, &mut problems);
            (image, problems)
        };
        let mut entities = Entities::default();
        for (stem, (image, problems)) in stems.iter().zip(parallel::map(stems, read)) {
            entities.images.insert(Id::from_file_name(stem), image);
            entities.problems.extend(problems);
        }
        if let Some((subject, text)) = read_file(open, UNRELATED, &mut entities.problems) {
            entities.flag_unrelated(&text, &subject);
        }
        entities
    }

    /// Captions and annotation of an image; `None` if the folder lacks it.
    pub fn image(&self, id: &Id) -> Option<&ImagePhrases> {
        self.images.get(id)
    }

    /// Removes an image and returns its captions and annotation; `None` if the set lacks it.
    pub(super) fn remove_image(&mut self, id: &Id) -> Option<ImagePhrases> {
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
                Some((Id::from_file_name(image), sentence.checked_sub(1)?))
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
    /// A caption by its number, from 0; `None` if its line is missing or unreadable.
    pub fn sentence(&self, number: usize) -> Option<&Sentence> {
        self.sentences.get(number)?.as_ref()
    }

    /// Types of each chain: those of all phrases that mention it.
    pub fn types(&self) -> FxHashMap<Chain, Types> {
        let mut types: FxHashMap<Chain, Types> = FxHashMap::default();
        let phrases = self.sentences.iter().flatten().flat_map(|sentence| &sentence.phrases);
        for phrase in phrases {
            let known = types.entry(phrase.chain).or_default();
            *known = known.union(phrase.types);
        }
        types
    }

    /// The boxes of a chain, in file order; none if it is not visual.
    pub fn boxes(&self, chain: Chain) -> impl Iterator<Item = Rect> {
        let annotation = self.annotation.iter().filter(move |_| chain != Chain::NOT_VISUAL);
        annotation.flat_map(move |annotation| annotation.boxes(chain))
    }
}

/// Names without extension of the sentence files of the wanted images, sorted by id.
fn sentence_stems(folder: &Path, wanted: Option<&FxHashSet<Id>>) -> Result<Vec<String>> {
    let sentences = folder.join(SENTENCES);
    let fail = |error: std::io::Error| {
        let error = Error::io(&sentences, &error);
        error.expected("the folder of Flickr30k Entities, with Sentences/ and Annotations/ in it")
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(&sentences).map_err(fail)? {
        let name = entry.map_err(fail)?.file_name();
        if let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(".txt")) {
            found.push((Id::from_file_name(stem), stem.to_owned()));
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

/// Reads a file by its path in the folder: its name for messages, and its text. `None` if it is missing or unreadable;
/// errors are added to `problems`.
fn read_file(open: &Reader<'_>, path: &str, problems: &mut Vec<Error>) -> Option<(String, String)> {
    let (subject, text) = open(path)?;
    Some((subject, collect_error(text, problems)?))
}

/// Reads the sentences and the annotation of an image; errors are added to `problems`.
fn read_image(stem: &str, open: &Reader<'_>, problems: &mut Vec<Error>) -> ImagePhrases {
    let texts = read_file(open, &format!("{SENTENCES}/{stem}.txt"), problems);
    let (subject, text) = texts.unwrap_or_default();
    // As in the data set's own parser: an empty line is no sentence.
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty());
    let line = |(number, line): (usize, &str)| {
        collect_error(sentence::parse(line, &format!("{subject}, line {number}")), problems)
    };
    let sentences: Vec<_> = lines.map(line).collect();
    let mut image = ImagePhrases { chains: visual_chains(&sentences), sentences, annotation: None };
    let annotation = read_file(open, &format!("{ANNOTATIONS}/{stem}.xml"), problems);
    if let Some((subject, text)) = annotation {
        let read = annotation::parse(&text, &subject, problems);
        image.annotation = collect_error(read, problems);
        problems.extend(missing_chains_error(&image, &subject));
    }
    image
}

/// The visual chains of captions, each once, in the order of their first mention.
fn visual_chains(sentences: &[Option<Sentence>]) -> Vec<Chain> {
    let phrases = sentences.iter().flatten().flat_map(|sentence| &sentence.phrases);
    let chains = phrases.map(|phrase| phrase.chain).filter(|chain| *chain != Chain::NOT_VISUAL);
    chains.collect::<IndexSet<_>>().into_iter().collect()
}

/// Error for chains of the captions that the annotation lacks; `None` if there are none.
fn missing_chains_error(image: &ImagePhrases, subject: &str) -> Option<Error> {
    let annotation = image.annotation.as_ref()?;
    let chains = image.chains.iter().filter(|chain| !annotation.mentions(**chain));
    let mut unknown: Vec<u32> = chains.map(|chain| chain.0).collect();
    unknown.sort_unstable();
    let error = || {
        Error::new(subject, format!("no object for these chains of the sentences: {unknown:?}"))
            .expected("every chain with a box, or as <scene> or <nobndbox>")
    };
    (!unknown.is_empty()).then(error)
}

/// Reads a regular file of at most [`MAX_FILE_BYTES`] as text.
fn read_text(path: &Path) -> Result<String> {
    in_use::note_input(path)?;
    let fail = |error: std::io::Error| Error::io(path, &error);
    let metadata = fs::metadata(path).map_err(fail)?;
    // Opening a pipe without a writer would block.
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return Err(Error::new(path.display(), "no file of at most 4 MB"));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    let file = File::open(path).map_err(fail)?;
    // The file may have grown since its length was read.
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(fail)?;
    String::from_utf8(bytes).map_err(|_| Error::new(path.display(), "no text in UTF-8"))
}

/// The value; `None` for an error, which is added to `problems`.
fn collect_error<T>(read: Result<T>, problems: &mut Vec<Error>) -> Option<T> {
    read.map_err(|error| problems.push(error)).ok()
}

/// Reads a list of images such as `test.txt`, ids or file names, one a line.
///
/// # Errors
/// A file that cannot be read, is no text, or names no image.
pub fn read_split(path: &Path) -> Result<Vec<Id>> {
    let source = Source::open(path)?;
    let wrong = |found| Error::new(source.display(), found).expected("ids of images, one a line");
    let text = std::str::from_utf8(source.bytes()).map_err(|_| wrong("no text"))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let ids: Vec<Id> = lines.map(Id::from_file_name).collect();
    if ids.is_empty() {
        return Err(wrong("an empty list"));
    }
    Ok(ids)
}

#[cfg(test)]
mod tests;
