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
/// What stands behind the name of the image.
const SEPARATORS: [char; 3] = ['\t', '|', ','];

/// Whether a file is captions with the names of their images' files before them.
pub fn are_captions(source: &Source) -> bool {
    let start = source.bytes().trim_ascii_start();
    let line = start[..start.len().min(LONGEST_LINE)].split(|&byte| byte == b'\n').next();
    let line = String::from_utf8_lossy(line.unwrap_or_default());
    is_header(&line) || line.contains('#') && line.contains('\t') && caption(&line).is_some()
}

/// Whether a line names the columns of a Kaggle release.
fn is_header(line: &str) -> bool {
    let mut names = line.split(SEPARATORS).map(|name| name.trim().to_lowercase());
    let is_image = names.next().is_some_and(|name| ["image", "image_name"].contains(&&*name));
    is_image && names.next_back().is_some_and(|name| ["caption", "comment"].contains(&&*name))
}

/// Image and text of a line. One line of Flickr30k's release on Kaggle lacks its second bar.
fn caption(line: &str) -> Option<(&str, String)> {
    let (name, text) = line.split_once(SEPARATORS)?;
    let (image, number) = name.split_once('#').unwrap_or((name.trim(), "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Flickr8k has images such as `2258277193_586949ec62.jpg.1`.
    let stem = image.rsplit_once('.').map_or("", |(stem, _)| stem);
    if !is_number(number) || !(Id::is_picture(image) || Id::is_picture(stem)) {
        return None;
    }
    let text = match line.as_bytes()[name.len()] {
        b'|' => {
            let text = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
            text.trim_start().trim_start_matches('|').trim().to_owned()
        }
        b',' => match text.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(quoted) => quoted.replace("\"\"", "\""),
            None => text.trim().to_owned(),
        },
        _ => text.to_owned(),
    };
    Some((image, text))
}

/// Reads the captions, those of an image side by side.
///
/// # Errors
/// Text that is no UTF-8, a line of another form, an image in two places.
pub fn read(source: &Source) -> Result<Unnamed> {
    let mut images: Vec<(String, Vec<String>)> = Vec::new();
    for (at, line) in (1..).zip(super::lines::text(source)?.lines()) {
        if line.trim().is_empty() || at == 1 && is_header(line) {
            continue;
        }
        let (image, text) = caption(line).ok_or_else(|| {
            Error::new(source.display(), format!("line {at} has no image and caption")).expected(
                "1000092795.jpg#0, a tab and the caption; or 1000092795.jpg| 0| and the caption",
            )
        })?;
        match images.last_mut() {
            Some((last, texts)) if last == image => texts.push(text),
            _ => images.push((image.to_owned(), vec![text])),
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
