//! One caption per line: in matrix order, as SCAN's `testall_caps.txt`, or after the file name of its image.

use rustc_hash::FxHashSet;

use super::json::assemble;
use super::{Caption, CaptionFile};
use crate::data::id::Id;
use crate::data::rows::first_line;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// Number of lines that decide whether a text file holds captions.
const SAMPLED_LINES: usize = 100;

/// Whether most of the first lines have two words or more.
pub fn has_captions(source: &Source) -> bool {
    let lines = source.bytes().split(|&b| b == b'\n').take(SAMPLED_LINES);
    let lines: Vec<&[u8]> = lines.filter(|line| !line.trim_ascii().is_empty()).collect();
    let is_caption = |line: &&&[u8]| {
        let Ok(text) = str::from_utf8(line) else {
            return false;
        };
        // A number may have letters in it: 1.5e-03.
        let is_word =
            |word: &&str| word.chars().any(char::is_alphabetic) && word.parse::<f64>().is_err();
        text.split_whitespace().filter(is_word).nth(1).is_some() && !text.chars().any(|c| c == '\0')
    };
    lines.iter().filter(is_caption).count() * 2 > lines.len()
}

/// The text of a file.
///
/// # Errors
/// Text that is no UTF-8.
fn text(source: &Source) -> Result<&str> {
    str::from_utf8(source.bytes()).map_err(|error| {
        Error::new(
            source.display(),
            format!("text that is no UTF-8 (at byte {})", error.valid_up_to()),
        )
        .expected("captions in UTF-8, one a line")
        .fix("iconv -f latin1 -t utf-8 FILE > NEW")
    })
}

/// Reads each line as a caption; a blank one is a caption without text.
///
/// # Errors
/// Text that is no UTF-8, or a table by its name.
pub fn read_lines(source: &Source) -> Result<CaptionFile> {
    if [".csv", ".tsv"].iter().any(|ending| source.display().ends_with(ending)) {
        let found = "a table without a column of images or one of captions";
        return Err(Error::new(source.display(), found)
            .expected("a first line with their names, such as image,caption")
            .fix("name the columns; captions alone, one a line, are a file.txt"));
    }
    let mut file = CaptionFile { file: source.display(), ..CaptionFile::default() };
    text(source)?.lines().for_each(|line| file.push(None, line.to_owned()));
    Ok(file)
}

/// Separators of columns, or after the image name.
const SEPARATORS: [char; 4] = ['\t', '|', ';', ','];

/// Whether the first line is a header of images and captions, or has an image file name, `#N` and a tab before the
/// caption.
pub fn has_named_captions(source: &Source) -> bool {
    let line = String::from_utf8_lossy(first_line(source));
    let is_token_line = line.contains('#') && line.contains('\t') && parse_line(&line).is_some();
    is_token_line || TableColumns::find(&line).is_some()
}

/// The columns of a table of captions.
struct TableColumns {
    separator: char,
    image: usize,
    text: usize,
    id: Option<usize>,
}

impl TableColumns {
    /// Finds the columns by the names in a header, and ignores others; `None` without image or text, and of scored pairs.
    fn find(header: &str) -> Option<Self> {
        const IMAGES: [&str; 7] =
            ["image", "image_id", "image_name", "image_path", "file_name", "filename", "filepath"];
        const TEXTS: [&str; 4] = ["caption", "comment", "text", "sentence"];
        const PAIRS: [&str; 4] = ["score", "rank", "grade", "relevance"];
        let separator = SEPARATORS.into_iter().find(|separator| header.contains(*separator))?;
        let name = |name: &str| name.trim().trim_matches('"').to_lowercase();
        let names: Vec<String> = header.split(separator).map(name).collect();
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&&**name));
        let is_of_pairs = |name: &String| PAIRS.iter().any(|word| name.contains(word));
        let (image, text, id) = (find(&IMAGES)?, find(&TEXTS)?, find(&["caption_id"]));
        (!names.iter().any(is_of_pairs)).then_some(TableColumns { separator, image, text, id })
    }

    /// Reads the rows below the header.
    fn read(&self, source: &Source) -> Result<CaptionFile> {
        let broken = |found: String| {
            let expected = "the image and the text of a caption in each row";
            Error::new(source.display(), found).expected(expected)
        };
        let (file, has_ids) = (source.display(), self.id.is_some());
        let mut file = CaptionFile { file, has_ids, ..CaptionFile::default() };
        let mut seen = FxHashSet::default();
        let mut rows = csv::ReaderBuilder::new();
        for row in rows.delimiter(self.separator as u8).from_reader(source.bytes()).records() {
            let row = row.map_err(|error| broken(error.to_string()))?;
            let name = &row[self.image];
            let image = Id::from_file_name(name);
            if seen.insert(image.clone()) {
                file.images.push((image.clone(), Id::is_image_file(name).then(|| name.to_owned())));
            }
            let id =
                self.id.map_or(Id::Number(file.captions.len() as i64), |id| Id::parse(&row[id]));
            file.captions.push(Caption { id, image: Some(image), text: row[self.text].to_owned() });
        }
        if file.captions.iter().all(|one| one.text.parse::<f64>().is_ok()) {
            return Err(broken("captions that are numbers".to_owned()));
        }
        Ok(file)
    }
}

/// Image file name and text of a line; `None` of another form. One line of Flickr30k's release on Kaggle lacks its
/// second bar.
fn parse_line(line: &str) -> Option<(&str, String)> {
    let (name, text) = line.split_once(['\t', '|'])?;
    let (image, number) = name.split_once('#').unwrap_or((name.trim(), "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Flickr8k has images such as `2258277193_586949ec62.jpg.1`.
    let stem = image.rsplit_once('.').map_or("", |(stem, _)| stem);
    if !is_number(number) || !(Id::is_image_file(image) || Id::is_image_file(stem)) {
        return None;
    }
    if line.as_bytes()[name.len()] == b'\t' {
        return Some((image, text.to_owned()));
    }
    let text = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    Some((image, text.trim_start().trim_start_matches('|').trim().to_owned()))
}

/// Reads lines of an image file name and a caption, or a table with a header.
///
/// # Errors
/// Text that is no UTF-8, a line or a row of another form; lines of an image in two places.
pub fn read_named(source: &Source) -> Result<CaptionFile> {
    let text = text(source)?;
    let header = TableColumns::find(&String::from_utf8_lossy(first_line(source)));
    if let Some(columns) = header.as_ref().filter(|columns| columns.separator != '|') {
        return columns.read(source);
    }
    let mut images: Vec<(String, Vec<String>)> = Vec::new();
    for (at, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || at == 1 && header.is_some() {
            continue;
        }
        let (image, text) = parse_line(line).ok_or_else(|| {
            Error::new(source.display(), format!("line {at} has no image and caption")).expected(
                "1000092795.jpg#0, a tab and the caption; or 1000092795.jpg| 0| and the caption",
            )
        })?;
        match images.last_mut() {
            Some((last, texts)) if last == image => texts.push(text),
            _ => images.push((image.to_owned(), vec![text])),
        }
    }
    assemble(source, images)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: impl AsRef<[u8]>) -> Source {
        Source::in_memory("caps.txt", text.as_ref().to_vec())
    }

    #[test]
    fn lines_of_words_are_captions_and_ids_are_not() {
        assert!(has_captions(&source("a dog runs\n\nein schöner Hund\r\n")));
        for other in
            [&b"12\n13\n14"[..], b"img_1.jpg\nimg_2.jpg\n", b"", b"\0\0 \0 \0\n", b"1 0 5 1\n"]
        {
            assert!(!has_captions(&source(other)), "{other:?}");
        }
        let read = read_lines(&source(b"a b\n\nc d\r\n")).unwrap();
        let texts: Vec<&str> = read.captions.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["a b", "", "c d"]);
        assert!(read_lines(&source(b"a b\xff")).is_err());
    }

    #[test]
    fn every_form_gives_images_and_texts() {
        for text in [
            "7.jpg#0\ta dog\n7.jpg#1\tone dog\n8.jpg#0\ta cat\n",
            "image_name| comment_number| comment\n7.jpg| 0| a dog\n7.jpg| 1   one dog\n8.jpg| 0| a cat\n",
            "image,caption\n7.jpg,a dog\n7.jpg,\"one dog\"\n8.jpg,a cat\n",
            ";filename;text;split\n0;7.jpg;a dog;val\n1;7.jpg;one dog;val\n2;8.jpg;a cat;val\n",
            "caption_id\tcaption\tfile_name\n5\ta dog\t7.jpg\n6\tone dog\t7.jpg\n4\ta cat\t8.jpg\n",
        ] {
            let source = source(text);
            assert!(has_named_captions(&source), "{text}");
            let file = read_named(&source).unwrap();
            let names = [
                (Id::Number(7), Some("7.jpg".to_owned())),
                (Id::Number(8), Some("8.jpg".to_owned())),
            ];
            assert_eq!(file.images, names);
            let texts = [(7, "a dog"), (7, "one dog"), (8, "a cat")];
            let found: Vec<_> =
                file.captions.iter().map(|one| (one.image.clone(), &*one.text)).collect();
            assert_eq!(found, texts.map(|(image, text)| (Some(Id::Number(image)), text)));
        }
    }

    #[test]
    fn other_lines_are_none() {
        for text in [
            "a dog\truns",
            "7.jpg\ta dog",
            "7.jpg#x\ta",
            "image,score\n",
            "image,caption,score\n",
            "caption,image,agg_score\n",
            "",
        ] {
            assert!(!has_named_captions(&source(text)), "{text}");
        }
        let error = read_named(&source("7.jpg#0\ta dog\nno image\n")).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        assert!(read_named(&source("image_id,caption\n42,7\n")).is_err(), "pairs of ids");
        let unnamed = Source::in_memory("caps.csv", b"7.jpg,a dog runs\n".to_vec());
        assert!(read_lines(&unnamed).unwrap_err().to_string().contains("image,caption"));
    }
}
