//! `UNRELATED_CAPTIONS`: captions that say nothing of their image.

use crate::data::id::Id;
use crate::error::Error;

/// Reads `<image id> <number of the sentence>` of each line; the number counts from 1 in the file, from 0
/// here. Lines of another form are added to `problems`.
pub fn parse(text: &str, subject: &str, problems: &mut Vec<Error>) -> Vec<(Id, usize)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match one(line) {
            Some(one) => found.push(one),
            None => problems.push(
                Error::new(
                    format!("{subject}, line {number}"),
                    format!("{line:?} names no caption"),
                )
                .expected("<image id> <number of the sentence, from 1>"),
            ),
        }
    }
    found
}

fn one(line: &str) -> Option<(Id, usize)> {
    let (image, number) = line.split_once(char::is_whitespace)?;
    let number: usize = number.trim().parse().ok()?;
    Some((Id::of_file(image), number.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_count_from_one_in_the_file() {
        let text = "# format: <imageID> <sentence number>\n129602216 5\n\nx.jpg 1\n7 0\n7\n";
        let mut problems = Vec::new();
        let found = parse(text, "UNRELATED_CAPTIONS", &mut problems);
        assert_eq!(found, [(Id::Number(129602216), 4), (Id::parse("x"), 0)]);
        let told: Vec<String> = problems.iter().map(Error::to_string).collect();
        assert!(
            told[0].starts_with("UNRELATED_CAPTIONS, line 5: \"7 0\" names no caption"),
            "{told:?}"
        );
        assert!(told[1].starts_with("UNRELATED_CAPTIONS, line 6: "), "{told:?}");
    }
}
