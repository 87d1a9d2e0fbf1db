//! Captions by the name of their image's file, a line each: Flickr30k's and Flickr8k's `results_*.token`
//! (`1000092795.jpg#0<TAB>text`), and the tables of their Kaggle releases (`image_name| comment_number| comment`,
//! `image,caption`).

use super::Unnamed;
use super::listed::by_image;
use crate::data::id::Id;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// Bytes within which the first line ends.
const LONGEST_LINE: usize = 10_000;

/// How the lines of a file are written.
#[derive(Clone, Copy)]
enum Form {
    Token,
    /// Fields between bars.
    Bars,
    Csv,
}

fn form(source: &Source) -> Option<Form> {
    let start = source.bytes();
    let start = str::from_utf8(start[..start.len().min(LONGEST_LINE)].trim_ascii_start());
    let start = match start {
        Ok(start) => start,
        // The end may be within a character.
        Err(error) => {
            str::from_utf8(&source.bytes().trim_ascii_start()[..error.valid_up_to()]).ok()?
        }
    };
    let line = start.lines().next()?;
    if token(line).is_some() {
        return Some(Form::Token);
    }
    let names: Vec<String> =
        line.split(['|', ',']).map(|name| name.trim().to_lowercase()).collect();
    let is_image = ["image", "image_name"].contains(&names.first()?.as_str());
    let is_text = ["caption", "comment"].contains(&names.last()?.as_str());
    (is_image && is_text && names.len() > 1).then_some(if line.contains('|') {
        Form::Bars
    } else {
        Form::Csv
    })
}

/// Whether a file is captions with the names of their images' files before them.
pub fn are_captions(source: &Source) -> bool {
    form(source).is_some()
}

/// Image and text of a line such as `1000092795.jpg#0<TAB>text`.
fn token(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.split_once('\t')?;
    let (image, number) = name.rsplit_once('#')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // Flickr8k has images such as `2258277193_586949ec62.jpg.1`.
    let is_image = Id::is_picture(image)
        || image.rsplit_once('.').is_some_and(|(image, _)| Id::is_picture(image));
    (is_number && is_image).then_some((image, text))
}

/// Image and text of a line such as `1000092795.jpg| 0| text`. One line of the release lacks its second bar.
fn barred(line: &str) -> Option<(&str, &str)> {
    let (image, rest) = line.split_once('|')?;
    let rest = rest.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let text = rest.trim_start().strip_prefix('|').unwrap_or(rest);
    Id::is_picture(image.trim()).then_some((image.trim(), text.trim()))
}

/// Reads the captions, those of an image side by side.
///
/// # Errors
/// Text that is no UTF-8, a line of another form, an image in two places.
pub fn read(source: &Source) -> Result<Unnamed> {
    let text = super::lines::text(source)?;
    let form = form(source).unwrap_or(Form::Token);
    let mut images: Vec<(String, Vec<String>)> = Vec::new();
    let mut add = |image: &str, text: &str| match images.last_mut() {
        Some((last, texts)) if last == image => texts.push(text.to_owned()),
        _ => images.push((image.to_owned(), vec![text.to_owned()])),
    };
    if let Form::Csv = form {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for record in reader.records() {
            let record = record.map_err(|error| Error::new(source.display(), error))?;
            add(record[0].trim(), record[record.len() - 1].trim());
        }
        return by_image(source, images);
    }
    let header = usize::from(matches!(form, Form::Bars));
    for (at, line) in (1..).zip(text.lines()).skip(header) {
        let found = match form {
            Form::Token => token(line),
            Form::Bars | Form::Csv => barred(line),
        };
        match found {
            Some((image, text)) => add(image, text),
            None if line.trim().is_empty() => {}
            None => {
                return Err(Error::new(source.display(), format!("line {at} has no image and caption"))
                    .expected("1000092795.jpg#0, a tab and the caption; or 1000092795.jpg| 0| and the caption"));
            }
        }
    }
    by_image(source, images)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::in_memory("c.token", text.as_bytes().to_vec())
    }

    #[test]
    fn every_form_gives_images_and_texts() {
        for text in [
            "7.jpg#0\ta dog\n7.jpg#1\tone dog\n8.jpg#0\ta cat\n",
            "image_name| comment_number| comment\n7.jpg| 0| a dog\n7.jpg| 1   one dog\n8.jpg| 0| a cat\n",
            "image,caption\n7.jpg,a dog\n7.jpg,\"one dog\"\n8.jpg,a cat\n",
        ] {
            let source = source(text);
            assert!(are_captions(&source), "{text}");
            let file = read(&source).unwrap();
            let names = [
                (Id::Number(7), Some("7.jpg".to_owned())),
                (Id::Number(8), Some("8.jpg".to_owned())),
            ];
            assert_eq!(file.images, names);
            let texts = [(Some(0), "a dog"), (Some(0), "one dog"), (Some(1), "a cat")];
            assert_eq!(file.captions, texts.map(|(at, text)| (at, text.to_owned())));
        }
    }

    #[test]
    fn other_lines_are_none() {
        for text in [
            "a dog\truns",
            "7.jpg\ta dog",
            "7.jpg#x\ta",
            "image,score\n",
            "caption,image,agg_score\n",
            "",
        ] {
            assert!(!are_captions(&source(text)), "{text}");
        }
        let error = read(&source("7.jpg#0\ta dog\nno image\n")).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
