//! The folder of Flickr30k Entities: sentences and annotations by image.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::rect::Rect;
use super::{Annotation, Chain, Sentence, Types, annotation, sentence};
use crate::data::id::Id;
use crate::data::in_use;
use crate::data::opened::record_state;
use crate::data::parallel;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// The phrases of captions and the boxes of pictures, by image.
#[derive(Debug, Clone, Default)]
pub struct Entities {
    images: FxHashMap<Id, ImagePhrases>,
    /// What is wrong with single files, lines and objects; the rest is read.
    pub problems: Vec<Error>,
}

/// The captions and the annotation of one image.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImagePhrases {
    /// Its captions, in the order of the file; `None` for a line that cannot be read, so that the others keep
    /// their numbers.
    pub sentences: Vec<Option<Sentence>>,
    /// Its annotation; `None` where there is none that can be read.
    pub annotation: Option<Annotation>,
    /// Its chains, those of nothing visual left out, in the order in which its captions mention them first.
    pub chains: Vec<Chain>,
}

/// Where the sentences are.
const SENTENCES: &str = "Sentences";
/// Where the annotations are.
const ANNOTATIONS: &str = "Annotations";
/// The list of captions that say nothing of their image.
const UNRELATED: &str = "UNRELATED_CAPTIONS";
/// Bytes of a file, at most: those of the data set have some thousand.
const LONGEST: u64 = 4 << 20;

impl Entities {
    /// Reads the images of a folder: all, or those `wanted`. What is wrong with single files is in
    /// [`Entities::problems`].
    ///
    /// # Errors
    /// A folder without `Sentences`, or one that holds none of the images.
    pub fn read(folder: &Path, wanted: Option<&FxHashSet<Id>>) -> Result<Self> {
        for part in [SENTENCES, ANNOTATIONS, UNRELATED] {
            record_state(&folder.join(part));
        }
        let found = listed(folder, wanted)?;
        if found.is_empty() {
            let example = wanted.and_then(|wanted| wanted.iter().min());
            return Err(none_found(folder, example));
        }
        let read = |(_, path): &(Id, PathBuf)| {
            let mut problems = Vec::new();
            let image = of_files(folder, path, &mut problems);
            (image, problems)
        };
        let read = parallel::map(&found, read);
        let mut entities = Entities::default();
        for ((id, _), (image, problems)) in found.into_iter().zip(read) {
            entities.images.insert(id, image);
            entities.problems.extend(problems);
        }
        let unrelated = folder.join(UNRELATED);
        if unrelated.is_file()
            && let Some(text) = kept(text(&unrelated), &mut entities.problems)
        {
            entities.flag_unrelated(&text, &unrelated.display().to_string());
        }
        Ok(entities)
    }

    /// Those of files that are part of the program, each by its path in the folder.
    pub fn built_in(files: &[(&str, &str)]) -> Self {
        let mut entities = Entities::default();
        let of = |folder: &str, name: &str| {
            let path = format!("{folder}/{name}");
            files.iter().find(|(other, _)| *other == path).copied()
        };
        for (path, text) in files {
            let name = path.strip_prefix(SENTENCES).and_then(|rest| rest.strip_prefix('/'));
            if let Some(stem) = name.and_then(|name| name.strip_suffix(".txt")) {
                let annotation = of(ANNOTATIONS, &format!("{stem}.xml"));
                let image = of_texts((path, text), annotation, &mut entities.problems);
                entities.images.insert(Id::of_file(stem), image);
            }
            if *path == UNRELATED {
                entities.flag_unrelated(text, path);
            }
        }
        entities
    }

    /// What is known of an image.
    pub fn image(&self, id: &Id) -> Option<&ImagePhrases> {
        self.images.get(id)
    }

    /// Takes out what is known of an image.
    pub(super) fn take(&mut self, id: &Id) -> Option<ImagePhrases> {
        self.images.remove(id)
    }

    /// All images, in the order of their ids.
    pub fn images(&self) -> Vec<(&Id, &ImagePhrases)> {
        let mut all: Vec<_> = self.images.iter().collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    /// Marks captions that say nothing of their image: `<image id> <number of the sentence, from 1>` on each line. Those of
    /// other images are left alone; lines of another form are problems.
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

    /// The boxes of a chain, in the order of the file; none for what is not visual.
    pub fn boxes(&self, chain: Chain) -> impl Iterator<Item = Rect> {
        let annotation = self.annotation.iter().filter(move |_| chain != Chain::NOT_VISUAL);
        annotation.flat_map(move |annotation| annotation.boxes(chain))
    }
}

/// The files of sentences, in the order of their ids. Those that are wanted are mostly named by their ids; only
/// where none is, all names are looked through.
fn listed(folder: &Path, wanted: Option<&FxHashSet<Id>>) -> Result<Vec<(Id, PathBuf)>> {
    let sentences = folder.join(SENTENCES);
    let named = |id: &Id| {
        let name = Some(id.raw()).filter(|name| !name.contains(['/', '\\']))?;
        let path = sentences.join(format!("{name}.txt"));
        path.is_file().then(|| (id.clone(), path))
    };
    let mut found: Vec<_> = wanted.into_iter().flatten().filter_map(named).collect();
    if found.is_empty() {
        found = all(&sentences)?;
        found.retain(|(id, _)| wanted.is_none_or(|wanted| wanted.contains(id)));
    }
    found.sort_unstable();
    Ok(found)
}

/// Every file of sentences.
fn all(sentences: &Path) -> Result<Vec<(Id, PathBuf)>> {
    let fail = |error: std::io::Error| {
        let error = Error::io(sentences, &error);
        error.expected("the folder of Flickr30k Entities, with Sentences/ and Annotations/ in it")
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(sentences).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let is_text = path.extension().is_some_and(|extension| extension == "txt");
        let stem = path.file_stem().filter(|_| is_text);
        if let Some(stem) = stem.map(|stem| Id::of_file(&stem.to_string_lossy())) {
            found.push((stem, path));
        }
    }
    Ok(found)
}

fn none_found(folder: &Path, example: Option<&Id>) -> Error {
    let sentences = folder.join(SENTENCES);
    let wanted = example.map_or("files such as 1007129816.txt".to_owned(), |id| {
        format!("files named by the images, such as {id}.txt")
    });
    Error::new(sentences.display(), "the sentences of none of the images").expected(wanted)
}

fn of_files(folder: &Path, sentences: &Path, problems: &mut Vec<Error>) -> ImagePhrases {
    let subject = sentences.display().to_string();
    let text_of_sentences = kept(text(sentences), problems).unwrap_or_default();
    let mut xml = folder.join(ANNOTATIONS);
    xml.push(sentences.file_stem().unwrap_or_default());
    // Not `set_extension`: a stem may hold a dot.
    xml.as_mut_os_string().push(".xml");
    let annotation = kept(text(&xml), problems);
    let xml = xml.display().to_string();
    let annotation = annotation.as_ref().map(|text| (xml.as_str(), text.as_str()));
    of_texts((&subject, &text_of_sentences), annotation, problems)
}

/// Reads both files of an image, each as its name and its text.
fn of_texts(
    (subject, sentences): (&str, &str),
    annotation: Option<(&str, &str)>,
    problems: &mut Vec<Error>,
) -> ImagePhrases {
    let line = |(number, line): (usize, &str)| {
        let place = format!("{subject}, line {number}");
        kept(sentence::parse(line, &place), problems)
    };
    // As the data set's own parser counts them: an empty line is no sentence.
    let lines = (1..).zip(sentences.lines());
    let lines = lines.filter(|(_, line)| !line.is_empty());
    let sentences: Vec<_> = lines.map(line).collect();
    let mut image = ImagePhrases { chains: mentioned(&sentences), sentences, annotation: None };
    if let Some((subject, text)) = annotation {
        let read = annotation::parse(text, subject, problems);
        image.annotation = kept(read, problems);
        problems.extend(without_annotation(&image, subject));
    }
    image
}

/// The chains of captions but those of nothing visual, each once, in the order of their first mention.
fn mentioned(sentences: &[Option<Sentence>]) -> Vec<Chain> {
    let phrases = sentences.iter().flatten().flat_map(|sentence| &sentence.phrases);
    let mut chains = Vec::new();
    for chain in phrases.map(|phrase| phrase.chain) {
        if chain != Chain::NOT_VISUAL && !chains.contains(&chain) {
            chains.push(chain);
        }
    }
    chains
}

/// Chains of the captions of which the annotation says nothing.
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
    // A pipe that nobody writes to would be waited for.
    if !facts.is_file() || facts.len() > LONGEST {
        return Err(Error::new(path.display(), "no file of at most 4 MB"));
    }
    let mut bytes = Vec::with_capacity(facts.len() as usize);
    let file = File::open(path).map_err(fail)?;
    // It may have grown.
    file.take(LONGEST).read_to_end(&mut bytes).map_err(fail)?;
    String::from_utf8(bytes).map_err(|_| Error::new(path.display(), "no text in UTF-8"))
}

/// The value; what is wrong is added to `problems`.
fn kept<T>(read: Result<T>, problems: &mut Vec<Error>) -> Option<T> {
    read.map_err(|error| problems.push(error)).ok()
}

/// Reads a list of images such as `test.txt`, ids or names of files, one a line.
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
