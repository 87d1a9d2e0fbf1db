//! Ratings of image-caption pairs: `sits_*.csv` of Crisscrossed Captions.

use super::id::{Id, text_after};
use super::source::Source;
use crate::error::{Error, Result};

/// An image and a caption with their mean rating.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRating {
    /// The image.
    pub image: Id,
    /// The caption.
    pub caption: Id,
    /// How well they fit, 0 to 5: mean over annotators.
    pub score: f64,
}

/// Highest rating.
pub const MAX_RATING: f64 = 5.0;

/// Whether the first line is a header of ratings, also of image pairs or caption pairs.
pub fn are_ratings(source: &Source) -> bool {
    column_names(source).iter().any(|name| name == "agg_score")
}

/// Column names from the first line.
fn column_names(source: &Source) -> csv::StringRecord {
    let start = source.bytes();
    let start = &start[..start.len().min(1_000)];
    let line = start.split(|&b| b == b'\n').next().unwrap_or_default();
    let mut reader = csv::ReaderBuilder::new().from_reader(line);
    reader.headers().cloned().unwrap_or_default()
}

/// Reads the ratings, in file order.
///
/// # Errors
/// Ratings of image pairs or caption pairs; a broken line, or a rating outside 0 to 5, with its line number.
pub fn read(source: &Source) -> Result<Vec<PairRating>> {
    let names = column_names(source);
    let column = |name: &str| names.iter().position(|column| column == name);
    let (Some(caption), Some(image), Some(score)) =
        (column("caption"), column("image"), column("agg_score"))
    else {
        let names: Vec<&str> = names.iter().collect();
        return Err(Error::new(
            source.display(),
            format!("ratings with the columns {}", names.join(", ")),
        )
        .expected("ratings of images with captions: caption,image,agg_score")
        .fix("name sits_val.csv or sits_test.csv instead"));
    };
    let broken = |line: u64, why: String| {
        Error::new(source.display(), format!("broken line {line}: {why}"))
            .expected("caption,image,agg_score,sampling_method")
            .fix("mend that line, or copy the file once more, if it is cut off there")
    };
    let mut reader = csv::Reader::from_reader(source.bytes());
    let (mut rated, mut row) = (Vec::new(), csv::StringRecord::new());
    loop {
        let line = reader.position().line();
        match reader.read_record(&mut row) {
            Ok(true) => {}
            Ok(false) => return Ok(rated),
            Err(error) => {
                let line = error.position().map_or(line, csv::Position::line);
                return Err(broken(line, error.to_string()));
            }
        }
        let line = row.position().map_or(line, csv::Position::line);
        let rating: f64 = row[score]
            .parse()
            .map_err(|_| broken(line, format!("{:?} is no number", &row[score])))?;
        if !(0.0..=MAX_RATING).contains(&rating) {
            let found = format!("a rating of {rating} at line {line}");
            return Err(Error::new(source.display(), found).expected("ratings from 0 to 5"));
        }
        rated.push(PairRating {
            image: Id::from_file_name(&row[image]),
            caption: Id::parse(text_after(&row[caption], b":")),
            score: rating,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::in_memory("sits.csv", text.as_bytes().to_vec())
    }

    const HEADER: &str = "caption,image,agg_score,sampling_method\n";

    #[test]
    fn ids_come_from_names() {
        let text =
            format!("{HEADER}COCO_val2014:sentid:732091,COCO_val2014_000000365325.jpg,2.2,x\r\n");
        assert!(are_ratings(&source(&text)));
        let rated = read(&source(&text)).unwrap();
        let expected =
            PairRating { image: Id::Number(365325), caption: Id::Number(732091), score: 2.2 };
        assert_eq!(rated, [expected]);
    }

    #[test]
    fn wrong_ratings_are_told_with_their_line() {
        for (text, told) in [
            (format!("{HEADER}a:b:1,c.jpg,5.5,x\n"), "5.5 at line 2"),
            (format!("{HEADER}a:b:1,c.jpg,2,x\na:b:1,c.jpg,many,x\n"), "line 3"),
            (format!("{HEADER}a:b:1,c.jpg\n"), "line 2"),
            (format!("{HEADER}a:b:1,c.jpg,nan,x\n"), "line 2"),
            ("image1,image2,agg_score\n".to_owned(), "image1, image2"),
        ] {
            let error = read(&source(&text)).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        assert!(!are_ratings(&source("a,b\n")));
    }
}
