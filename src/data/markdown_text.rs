//! Text that Markdown shows as it is: no tag, no link, no code, no list.

/// Text within a line, with every character literal that Markdown gives a meaning there.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_live = match (c, rest.peek()) {
            // Elsewhere these are the bracket of an interval, and a sign between numbers.
            (']', next) => next == Some(&'(') || next == Some(&'['),
            ('<', Some(next)) => next.is_alphabetic() || "/!?".contains(*next),
            _ => "\\|*_`&~$".contains(c),
        };
        if is_live {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

/// Text that begins a paragraph: there also signs of headings, lists, quotes and references are literal.
pub fn paragraph(text: &str) -> String {
    let text = text.trim_start();
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text.len() - digits.len();
    let is_live = text.starts_with(['#', '>', '+', '-', '=', '['])
        || number > 0 && digits.starts_with(['.', ')']);
    if is_live {
        format!("{}\\{}", &text[..number], escaped(&text[number..]))
    } else {
        escaped(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_tags_nor_links_of_data_live() {
        for (text, literal) in [
            ("<script>x</script>", "\\<script>x\\</script>"),
            ("[a](javascript:x)", "[a\\](javascript:x)"),
            ("![a](b) `c` &lt; d|e", "![a\\](b) \\`c\\` \\&lt; d\\|e"),
            ("[a][b]", "[a\\][b]"),
            ("<!-- a", "\\<!-- a"),
            ("[0.1, 0.2] <0.01 a < b", "[0.1, 0.2] <0.01 a < b"),
            ("a|b *c* <d>\n", "a\\|b \\*c\\* \\<d> "),
        ] {
            assert_eq!(escaped(text), literal);
        }
    }

    #[test]
    fn a_paragraph_is_no_heading_list_or_reference() {
        for (text, literal) in [
            ("# a #", "\\# a #"),
            ("- a", "\\- a"),
            (" 12. a", "12\\. a"),
            ("3) a_b", "3\\) a\\_b"),
            ("[a]: b", "\\[a]: b"),
            ("12 pairs", "12 pairs"),
            ("-", "\\-"),
            ("", ""),
        ] {
            assert_eq!(paragraph(text), literal);
        }
    }
}
