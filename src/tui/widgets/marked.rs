//! Wrapped text some letters of which are marked.

/// The lines in pieces, each with whether it is marked. `marks` has one for each letter of all lines, blanks
/// left out; without any, nothing is marked. Blanks between marked letters are marked too.
pub fn lines(lines: &[String], marks: &[bool]) -> Vec<Vec<(bool, String)>> {
    let mut marks = marks.iter().copied();
    let mut of_line = |line: &String| {
        let mut pieces: Vec<(bool, String)> = Vec::new();
        let mut blanks = String::new();
        for letter in line.chars() {
            if letter.is_whitespace() {
                blanks.push(letter);
                continue;
            }
            let is_marked = marks.next().unwrap_or_default();
            let last = pieces.last().map(|(is_marked, _)| *is_marked);
            push(&mut pieces, last == Some(true) && is_marked, &std::mem::take(&mut blanks));
            push(&mut pieces, is_marked, letter.encode_utf8(&mut [0; 4]));
        }
        pieces
    };
    lines.iter().map(&mut of_line).collect()
}

fn push(pieces: &mut Vec<(bool, String)>, is_marked: bool, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some((last, piece)) if *last == is_marked => piece.push_str(text),
        _ => pieces.push((is_marked, text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_over_the_ends_of_lines() {
        let wrapped = ["a big red".to_owned(), "bus runs".to_owned()];
        let text = "abigredbusruns";
        let marks: Vec<bool> = (0..text.len()).map(|at| (1..10).contains(&at)).collect();
        let piece = |is_marked, piece: &str| (is_marked, piece.to_owned());
        assert_eq!(
            lines(&wrapped, &marks),
            [
                vec![piece(false, "a "), piece(true, "big red")],
                vec![piece(true, "bus"), piece(false, " runs")]
            ]
        );
        assert_eq!(lines(&wrapped[..1], &[]), [vec![piece(false, "a big red")]]);
    }
}
