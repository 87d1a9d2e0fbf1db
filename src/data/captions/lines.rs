//! Captions one a line, in matrix order, as SCAN's `testall_caps.txt`.

use super::Unnamed;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// Lines looked at to tell captions from other text.
const SAMPLED_LINES: usize = 100;

/// Whether most of the first lines have two words or more.
pub fn are_captions(source: &Source) -> bool {
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
pub(super) fn text(source: &Source) -> Result<&str> {
    str::from_utf8(source.bytes()).map_err(|error| {
        Error::new(
            source.display(),
            format!("text that is no UTF-8 (at byte {})", error.valid_up_to()),
        )
        .expected("captions in UTF-8, one a line")
        .mend("iconv -f latin1 -t utf-8 FILE > NEW")
    })
}

/// Reads the lines; a blank one is a caption without text.
///
/// # Errors
/// Text that is no UTF-8.
pub fn read(source: &Source) -> Result<Unnamed> {
    let captions = text(source)?.lines().map(|line| (None, line.to_owned())).collect();
    Ok(Unnamed { images: Vec::new(), captions })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(bytes: &[u8]) -> Source {
        Source::in_memory("caps.txt", bytes.to_vec())
    }

    #[test]
    fn lines_of_words_are_captions_and_ids_are_not() {
        assert!(are_captions(&source("a dog runs\n\nein schöner Hund\r\n".as_bytes())));
        for other in
            [&b"12\n13\n14"[..], b"img_1.jpg\nimg_2.jpg\n", b"", b"\0\0 \0 \0\n", b"1 0 5 1\n"]
        {
            assert!(!are_captions(&source(other)), "{other:?}");
        }
        let read = read(&source(b"a b\n\nc d\r\n")).unwrap();
        let texts: Vec<&str> = read.captions.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["a b", "", "c d"]);
        assert!(super::read(&source(b"a b\xff")).is_err());
    }
}
