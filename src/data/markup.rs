//! Escapes text so that HTML, Markdown and LaTeX show it unchanged.

/// Escapes text for XML and HTML, in elements and quoted attributes. Tabs and line ends become blanks, characters
/// that XML forbids U+FFFD.
pub fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

/// Escapes text for Markdown inside a line: tags, links, code and tables stay literal.
pub fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_special = match (c, rest.peek()) {
            // Elsewhere these are the bracket of an interval, and a sign between numbers.
            (']', next) => next == Some(&'(') || next == Some(&'['),
            ('<', Some(next)) => next.is_alphabetic() || "/!?".contains(*next),
            _ => "\\|*_`&~$".contains(c),
        };
        if is_special {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

/// Escapes text for the start of a Markdown paragraph: signs of headings, lists, quotes and references stay literal,
/// too.
pub fn escape_paragraph(text: &str) -> String {
    let text = text.trim_start();
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text.len() - digits.len();
    let is_special = text.starts_with(['#', '>', '+', '-', '=', '['])
        || number > 0 && digits.starts_with(['.', ')']);
    if is_special {
        format!("{}\\{}", &text[..number], escape_markdown(&text[number..]))
    } else {
        escape_markdown(text)
    }
}

/// Characters, each followed by its LaTeX. A straight double quote is two single ones: its code in the older encoding
/// is another character.
const LATEX: &str = r#"
    \ \textbackslash{}   ~ \textasciitilde{}   ^ \textasciicircum{}   < \textless{}
    > \textgreater{}   | \textbar{}   ` \textasciigrave{}   " ''   “ ``   ” ''
    „ \quotedblbase{}   ‘ `   ’ '   – --   — ---   ‐ -   ‑ -   − $-$   … \ldots{}
    ¡ \textexclamdown{}   ¿ \textquestiondown{}   £ \pounds{}   § \S{}   © \copyright{}
    ® \textregistered{}   ™ \texttrademark{}   • \textbullet{}   ° $^{\circ}$   ² $^2$
    ³ $^3$   ½ $\frac{1}{2}$   ± $\pm$   ● $\bullet$   ○ $\circ$   ✗ $\times$   ✓ $\surd$
    ∓ $\mp$   × $\times$   ÷ $\div$   · $\cdot$   ≤ $\le$   ≥ $\ge$   ≠ $\ne$   → $\to$
    α $\alpha$   β $\beta$   µ $\mu$   € EUR
"#;

/// Signs that form ligatures with a neighbour of their kind.
const LIGATURE_SIGNS: &str = "-'`,";

/// Escapes text for LaTeX in any font encoding. `other` gives the LaTeX of characters that the standard fonts lack.
pub fn escape_latex(text: &str, other: &mut dyn FnMut(char) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let Some(latex) = latex_character(c) else {
            out += &other(c);
            continue;
        };
        if is_ligature(&out, &latex) {
            out += "{}";
        }
        out += &latex;
    }
    out
}

/// Whether the end of `before` and the start of `after` would form a ligature.
fn is_ligature(before: &str, after: &str) -> bool {
    let Some(first) = after.chars().next() else {
        return false;
    };
    let same = LIGATURE_SIGNS.contains(first) && before.ends_with(first);
    same || first == '`' && before.ends_with(['!', '?'])
}

/// LaTeX of a character; `None` if the standard fonts lack it.
fn latex_character(c: char) -> Option<String> {
    if matches!(c, '&' | '%' | '$' | '#' | '_' | '{' | '}') {
        return Some(format!("\\{c}"));
    }
    if c.is_ascii_alphanumeric() {
        return Some(c.to_string());
    }
    if c == '\u{A0}' {
        return Some("~".to_owned());
    }
    let pairs: Vec<&str> = LATEX.split_ascii_whitespace().collect();
    if let Some(pair) = pairs.chunks(2).find(|pair| pair[0].starts_with(c)) {
        return Some(pair[1].to_owned());
    }
    if matches!(c, ' '..='~') {
        return Some(c.to_string());
    }
    if c.is_whitespace() {
        return Some(" ".into());
    }
    // The letters of Western and Central Europe, which LaTeX reads as UTF-8 in every font encoding.
    matches!(c, 'À'..='ž').then(|| c.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(text: &str) -> String {
        escape_latex(text, &mut |_| "[?]".into())
    }

    #[test]
    fn every_sign_of_its_own_is_literal() {
        assert_eq!(
            plain(r"\ { } $ & # ^ _ ~ %"),
            r"\textbackslash{} \{ \} \$ \& \# \textasciicircum{} \_ \textasciitilde{} \%"
        );
        assert_eq!(plain("“it’s” 5–6 — “"), "``it's'' 5--6 --- ``");
        assert_eq!(plain("a -- b ''c?“"), "a -{}- b '{}'c?{}``");
    }

    #[test]
    fn letters_stay_and_the_rest_is_told() {
        assert_eq!(plain("café Ångström Šiška"), "café Ångström Šiška");
        assert_eq!(plain("a 狗 b 😀"), "a [?] b [?]");
        let mut kept = |c: char| c.to_string();
        assert_eq!(escape_latex("50% 狗", &mut kept), r"50\% 狗");
    }

    /// Reads LaTeX of [`escaped`] as LaTeX would: commands with their letters, and plain text.
    fn read_back(latex: &str) -> String {
        let mut table: Vec<(String, char)> = Vec::new();
        let all = ('\u{0}'..='\u{3FF}').chain("“”„‘’–—‐‑−…•™≤≥≠→€∓".chars());
        for c in all.filter(|c| !c.is_whitespace()) {
            if let Some(written) = latex_character(c).filter(|written| written.len() > 1) {
                table.push((written, c));
            }
        }
        table.sort_by_key(|(written, _)| std::cmp::Reverse(written.len()));
        let mut out = String::new();
        let mut rest = latex;
        while let Some(c) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("{}") {
                rest = after;
            } else if let Some((written, c)) =
                table.iter().find(|(written, _)| rest.starts_with(written.as_str()))
            {
                out.push(*c);
                rest = &rest[written.len()..];
            } else {
                assert!(!"\\{}$&#^_~%".contains(c), "{c} is not literal in {latex}");
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        out
    }

    /// Signs that LaTeX prints alike.
    fn alike(text: &str) -> String {
        let like = |c: char| match c {
            '”' | '"' => "\"".to_owned(),
            '‘' => "`".into(),
            '’' => "'".into(),
            '‐' | '‑' => "-".into(),
            c => c.to_string(),
        };
        text.chars().map(like).collect()
    }

    proptest! {
        #[test]
        fn escaped_text_reads_back(text in "[ -~À-ž–—“”’…]{0,40}") {
            let escaped = plain(&text);
            prop_assume!(!escaped.contains("[?]"));
            prop_assert_eq!(alike(&read_back(&escaped)), alike(&text));
        }
    }

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
            assert_eq!(escape_markdown(text), literal);
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
            assert_eq!(escape_paragraph(text), literal);
        }
    }
}
