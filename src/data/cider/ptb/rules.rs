//! Token rules: each returns the length in bytes of a token at the start of a text, or 0 if there is none.

/// Abbreviations that keep their dot, like single letters and letters between dots.
const ABBREVIATIONS: &str = " adj adm adv al ala alex apr ariz assn asst atty aug ave bhd bldg blvd brig bros calif \
    capt cf cie cmdr co col colo conn corp cos cpl ct dak dec dept det dr drs elec ens esq est etc ext feb fla fri ft \
    ga gen gov govs hon inc ind insp intl invt jan jos jr jul jun kan kans ky lieut lt ltd maj mar md messrs mfg mich \
    minn mlle mme mo mon mont mr mrs ms msgr mt mtg natl neb nev nov oct okla penn pfc ph plc ppte ppty pres prof pte \
    ptes pty ptys pvt rd rep reps rev rt sen sens sep sept seq sfc sgt spc sq sr st ste supt sys tel tenn thu thurs tue \
    tues univ va vs vt wed wis wisc wm wyo ";
/// Capitalised abbreviations.
const NAMES: &str = " ark az del ill la mass miss ore pa tex wash ";
/// Abbreviations only before a number.
const BEFORE_NUMBERS: &str = " art ca fig figs no nos op pp prop ";
/// Words that start a sentence: before them, the dot of a single letter is a full stop.
const STARTERS: &str = " A About According Additionally After An As At But He Her Here However If In It Last Many More \
    Now Once One Other Our She Since So Some Such That The Their Then There These They This We What When While Yet You ";
/// Words with an apostrophe inside.
const WITH_APOSTROPHE: [&str; 6] = ["ma'am", "o'clock", "c'mon", "ne'er", "e'er", "ol'"];
/// Words with an apostrophe before them, whatever follows.
const AFTER_APOSTROPHE: [&str; 5] = ["'n'", "'em", "'til", "'cause", "'n"];
/// Suffixes that are words.
const CLITICS: [&str; 6] = ["'s", "'d", "'m", "'ll", "'re", "'ve"];

/// All rules; the longest token wins.
pub(super) const RULES: [fn(&str) -> usize; 14] = [
    dotted_word,
    joined,
    slashed,
    number,
    abbreviation,
    apostrophe,
    with_apostrophe,
    not,
    capitals,
    programming_language,
    currency,
    address,
    emoticon,
    repeated_sign,
];

/// Whether this is a letter or an accent of one.
fn is_letter(c: char) -> bool {
    let is_mark = ('\u{300}'..='\u{36f}').contains(&c);
    c.is_alphabetic() && !matches!(c, 'ª' | 'º') || is_mark
}

fn is_word_char(c: char) -> bool {
    is_letter(c) || c.is_ascii_digit()
}

/// Length of the longest prefix whose characters pass a test.
fn run_len(text: &str, test: impl Fn(char) -> bool) -> usize {
    text.find(|c| !test(c)).unwrap_or(text.len())
}

/// Whether the first character passes a test.
fn starts(text: &str, test: impl Fn(char) -> bool) -> bool {
    text.chars().next().is_some_and(test)
}

fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// Length of one part, and of up to `max_more` further ones, each after one of `signs`. `part` returns the length of a
/// part at the start of a text.
fn repeated(text: &str, signs: &[char], max_more: usize, part: impl Fn(&str) -> usize) -> usize {
    let mut end = part(text);
    for _ in 0..if end == 0 { 0 } else { max_more } {
        let Some(after) = text[end..].strip_prefix(signs) else {
            break;
        };
        let length = part(after);
        if length == 0 {
            break;
        }
        end = text.len() - after.len() + length;
    }
    end
}

/// Length of letters and digits, or of words joined by `.`, `!` or `?`: `b2b.c`, `yes!no`; else 0.
fn dotted_word(text: &str) -> usize {
    let word = |text: &str| {
        if starts(text, is_letter) { run_len(text, is_word_char) } else { 0 }
    };
    repeated(text, &['.', '!', '?'], usize::MAX, word).max(run_len(text, is_word_char))
}

/// Length of words or numbers joined by `-` or `_`: `2-year-old`, `hors-d'oeuvres`, `U.S.-based`, `a_b`; else 0.
fn joined(text: &str) -> usize {
    let part = |text: &str| run_len(text, is_word_char).max(elided(text));
    let whole = repeated(text, &['-', '_'], usize::MAX, part);
    let stem = number(text).max(initials(text));
    let compound = text[stem..].strip_prefix('-').filter(|end| stem > 0 && starts(end, is_letter));
    whole.max(compound.map_or(0, |end| stem + 1 + repeated(end, &['-'], usize::MAX, part)))
}

/// Length of words or numbers joined by at most two slashes: `and/or`, `1/2-inch`, `1/2/2010`; else 0.
fn slashed(text: &str) -> usize {
    let part = |text: &str| repeated(text, &['-'], usize::MAX, |text| run_len(text, is_word_char));
    repeated(text, &['/'], 2, part)
}

/// Length of a number: `1,000`, `12:43`, `-5`, `.5`; else 0.
fn number(text: &str) -> usize {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |text: &str| run_len(text, |c| c.is_ascii_digit());
    let mut end = digits(unsigned);
    while let Some(after) = unsigned[end..].strip_prefix(['.', ':', ',']) {
        let more = digits(after);
        if more == 0 {
            break;
        }
        end += 1 + more;
    }
    if end == 0 { 0 } else { text.len() - unsigned.len() + end }
}

/// Length of single letters with dots behind them: `a.m.`, `B.`; else 0.
fn initials(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.chars();
    while let (Some(letter), Some('.')) = (chars.next().filter(|&c| is_letter(c)), chars.next()) {
        end += letter.len_utf8() + 1;
    }
    end
}

/// Length of a word that keeps its dot: `Mr.`, `Ph.D.`, `No.` before a number; else 0.
fn abbreviation(text: &str) -> usize {
    let doctor = text.get(..5).filter(|start| start.eq_ignore_ascii_case("ph.d."));
    if let Some(doctor) = doctor {
        return doctor.len();
    }
    let word = joined(text);
    if word > 0 && [".,", ".;", ".:"].iter().any(|end| text[word..].starts_with(end)) {
        return word + 1;
    }
    let initials = initials(text);
    if initials > 0 {
        let rest = &text[initials..];
        let ends_sentence = rest.trim_ascii_start().is_empty()
            || starts(rest, char::is_whitespace)
                && has_word(STARTERS, rest.split_whitespace().next().unwrap_or_default());
        let is_single = text[..initials].matches('.').count() == 1;
        return if is_single && ends_sentence { 0 } else { initials };
    }
    let letters = run_len(text, |c| c.is_ascii_alphabetic());
    let Some(rest) = text[letters..].strip_prefix('.').filter(|_| letters > 1) else {
        return 0;
    };
    let word = text[..letters].to_ascii_lowercase();
    let is_name = starts(text, char::is_uppercase) && has_word(NAMES, &word);
    let has_number = starts(rest.trim_ascii_start(), |c| c.is_ascii_digit());
    let is_abbreviation =
        has_word(ABBREVIATIONS, &word) || is_name || has_number && has_word(BEFORE_NUMBERS, &word);
    if is_abbreviation { letters + 1 } else { 0 }
}

/// Length of a word that begins with an apostrophe: `'s`, `'em`, `'90s`, or `'t` of `'tis`; else 0.
fn apostrophe(text: &str) -> usize {
    let Some(after) = text.strip_prefix('\'') else {
        return 0;
    };
    let lower = text.chars().take(8).collect::<String>().to_ascii_lowercase();
    let ends = |length: usize| !starts(&text[length..], is_letter);
    let clitic = CLITICS.iter().find(|word| lower.starts_with(**word) && ends(word.len()));
    if let Some(word) = clitic {
        return word.len();
    }
    let is_it = ["'tis", "'twas"].iter().any(|word| {
        lower.starts_with(word) && (ends(word.len()) || lower[word.len()..].starts_with("n't"))
    });
    if is_it {
        return 2;
    }
    let whole = |word: &&&str| lower.starts_with(**word) && (**word != "'n" || ends(2));
    if let Some(word) = AFTER_APOSTROPHE.iter().find(whole) {
        return word.len();
    }
    let digits = run_len(after, |c| c.is_ascii_digit());
    let has_s = after[digits..].starts_with('s');
    let decade = 1 + digits + usize::from(has_s);
    let is_quoted = text[decade..].starts_with('"') || !has_s && text[decade..].starts_with('\'');
    if digits == 2 && ends(decade) && !is_quoted { decade } else { 0 }
}

/// Length of a word with an apostrophe after its first letter: `d'Or`, `O'Reilly`; else 0.
fn elided(text: &str) -> usize {
    let Some(after) = text.strip_prefix(['d', 'D', 'o', 'O', 'l', 'L']) else {
        return 0;
    };
    let letters = after.strip_prefix('\'').map_or(0, |name| run_len(name, is_word_char));
    if letters > 1 { 2 + letters } else { 0 }
}

/// Length of a word with an apostrophe in it or at its end: `o'clock`, `d'Or`, `l'`; else 0.
fn with_apostrophe(text: &str) -> usize {
    let is_start =
        |word: &&&str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if let Some(word) = WITH_APOSTROPHE.iter().find(is_start) {
        return word.len() + run_len(&text[word.len()..], is_word_char);
    }
    let mut chars = text.chars();
    let elision = chars.next().filter(|c| "dljyDLJY".contains(*c));
    let is_elision = elision.is_some() && chars.next() == Some('\'');
    let clitic = is_elision && apostrophe(&text[1..]) > 0;
    elided(text).max(if is_elision && !clitic { 2 } else { 0 })
}

/// Length of capitals with a sign between them: `AT&T`, `A+B`; else 0.
fn capitals(text: &str) -> usize {
    let part = |text: &str| run_len(text, |c| c.is_ascii_uppercase());
    let whole = repeated(text, &['&', '+'], usize::MAX, part);
    if whole > part(text) { whole } else { 0 }
}

/// Length of the name of a programming language: `C++`, `c#`; else 0.
fn programming_language(text: &str) -> usize {
    let names = ["c++", "c#", "f#"];
    let is_start =
        |name: &&&str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    names.iter().find(is_start).map_or(0, |name| name.len())
}

/// Length of one or two capitals and a dollar sign: `US$`; else 0.
fn currency(text: &str) -> usize {
    let letters = run_len(text, |c| c.is_ascii_uppercase());
    if (1..=2).contains(&letters) && text[letters..].starts_with('$') { letters + 1 } else { 0 }
}

/// Length of a URL, a mail address, `@name`, `#name`, or an HTML tag; else 0.
fn address(text: &str) -> usize {
    if ["http://", "https://", "www."].iter().any(|start| text.starts_with(start)) {
        let url = &text[..run_len(text, |c| !c.is_whitespace() && !"\"<>|()".contains(c))];
        let url = url.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '/']);
        return if url.ends_with("http") || url.ends_with("https") { 0 } else { url.len() };
    }
    let name = |text: &str| run_len(text, |c| is_word_char(c) || ['.', '_', '-'].contains(&c));
    if let Some(tag) = text.strip_prefix('#') {
        let letters = run_len(tag, is_letter);
        return if letters > 0 { letters + 1 } else { 0 };
    }
    if let Some(user) = text.strip_prefix('@') {
        let is_name = starts(user, is_letter);
        let length = 1 + run_len(user, |c| is_word_char(c) || c == '_');
        return if is_name { length } else { 0 };
    }
    if let Some(tag) = text.strip_prefix('<') {
        let bare = tag.strip_prefix('/').unwrap_or(tag);
        let end = tag.find(['<', '>', '\'']).filter(|&end| tag[end..].starts_with('>'));
        return end.filter(|_| starts(bare, is_letter)).map_or(0, |end| end + 2);
    }
    let user = if starts(text, is_word_char) { name(text) } else { 0 };
    let host = text[user..].strip_prefix('@').filter(|_| user > 0);
    host.map_or(0, |host| {
        let length = host[..name(host)].trim_end_matches(['.', '-', '_']).len();
        if length > 0 { user + 1 + length } else { 0 }
    })
}

/// Length of an emoticon: `:-)`, `;D`, `=(`, `^_^`; else 0.
fn emoticon(text: &str) -> usize {
    if ["^_^", "-_-"].iter().any(|face| text.starts_with(face)) {
        return 3;
    }
    let brow = text.strip_prefix('>').unwrap_or(text);
    let Some(eyes) = brow.strip_prefix([':', ';', '=']) else {
        return 0;
    };
    let mouth = eyes.strip_prefix(['-', '\'']).unwrap_or(eyes);
    match mouth.strip_prefix([')', '(', ']', '[', 'D', 'P', 'p', 'o', 'O', '3']) {
        Some(rest) if !starts(rest, is_word_char) => text.len() - rest.len(),
        _ => 0,
    }
}

/// Length of two or more `!` and `?`, `*` (at most three) or `_`: `!!`, `?!`, `**`, `__`; else 0.
fn repeated_sign(text: &str) -> usize {
    let marks = run_len(text, |c| c == '!' || c == '?');
    let stars = run_len(text, |c| c == '*').min(3);
    let length = marks.max(stars).max(run_len(text, |c| c == '_'));
    if length > 1 { length } else { 0 }
}

/// Length of `n't`, with the letters that follow; else 0.
fn not(text: &str) -> usize {
    let rest = text.strip_prefix(['n', 'N']).and_then(|rest| rest.strip_prefix(['\'', '`']));
    let is_not = rest.is_some_and(|rest| starts(rest, |c| c.eq_ignore_ascii_case(&'t')));
    if is_not { 2 + run_len(rest.unwrap_or_default(), is_letter) } else { 0 }
}

/// Length of the token `text[..length]` without its last letter if that is the `n` of `n't`.
pub(super) fn len_before_not(text: &str, length: usize) -> usize {
    let is_not = length > 1 && text[..length].ends_with(['n', 'N']) && not(&text[length - 1..]) > 0;
    if is_not { length - 1 } else { length }
}
