//! Words by the Penn Treebank tokeniser of `pycocoevalcap`, without its punctuation.
//!
//! Written from the output of that tokeniser. Each rule below is the length of a token at the start of a text, and the
//! longest one wins.

mod rules;

use self::rules::{RULES, len_before_not};

/// Words split in two, and the length of the first one.
const TWO_WORDS: [(&str, usize); 6] =
    [("cannot", 3), ("gonna", 3), ("gotta", 3), ("lemme", 3), ("gimme", 3), ("wanna", 3)];
/// HTML entities and their characters.
const ENTITIES: [(&str, &str); 6] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&nbsp;", " "),
    ("&amp;", "&"),
];

/// Calls `each` with every word of a text, in order and in lower case.
pub(super) fn for_each_word(text: &str, each: &mut impl FnMut(&str)) {
    // Not in lower case yet: that changes the length of some letters.
    let mut plain = text.replace(['\u{2019}', '\u{2018}'], "'");
    if plain.contains('&') {
        for (written, sign) in ENTITIES {
            plain = plain.replace(written, sign);
        }
    }
    let mut rest = plain.as_str();
    while let Some(first) = rest.chars().next() {
        let length = RULES.iter().map(|rule| rule(rest)).max().unwrap_or(0);
        if length == 0 {
            emit_sign(first, each);
            rest = &rest[first.len_utf8()..];
        } else {
            let length = len_before_not(rest, length);
            emit_word(&rest[..length], each);
            rest = &rest[length..];
        }
    }
}

/// Calls `each` with a token in lower case, split if it is two words.
fn emit_word(token: &str, each: &mut impl FnMut(&str)) {
    let lower = token.to_lowercase();
    if let Some((_, first)) = TWO_WORDS.iter().find(|(word, _)| *word == lower) {
        each(&lower[..*first]);
        return each(&lower[*first..]);
    }
    let lower = lower.replace('(', "-lrb-").replace(')', "-rrb-");
    lower.split_whitespace().for_each(each);
}

/// Calls `each` with a sign that begins no token, unless it is punctuation.
fn emit_sign(sign: char, each: &mut impl FnMut(&str)) {
    match sign {
        '(' => each("-lrb-"),
        ')' => each("-rrb-"),
        '[' => each("-lsb-"),
        ']' => each("-rsb-"),
        '{' => each("-lcb-"),
        '}' => each("-rcb-"),
        '£' => each("#"),
        '€' => each("$"),
        '½' => each("1/2"),
        '¼' => each("1/4"),
        '¾' => each("3/4"),
        '.'
        | ','
        | ';'
        | ':'
        | '!'
        | '?'
        | '-'
        | '\''
        | '"'
        | '`'
        | '…'
        | '«'
        | '»'
        | '‹'
        | '›'
        | '\u{fe0f}'
        | '\u{200d}'
        | '\u{2010}'..='\u{201d}' => {}
        sign if sign.is_whitespace() || sign > '\u{ffff}' => {}
        sign => each(sign.encode_utf8(&mut [0; 4])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Captions, and their words by the tokeniser of `pycocoevalcap`.
    const KNOWN: [(&str, &str); 31] = [
        ("A pizza with sauce mushrooms,and cheese.", "a pizza with sauce mushrooms and cheese"),
        ("It is 12:43, almost 6:30pm.", "it is 12:43 almost 6:30 pm"),
        ("M&Ms, M&M's, AT&T and b&w", "m&m s m&m 's at&t and b & w"),
        ("Howe St. and Madison Ave.", "howe st. and madison ave."),
        ("A white Dr. coat, vs. no. 5 of no. it", "a white dr. coat vs. no. 5 of no it"),
        ("The Nintendo Wii U.", "the nintendo wii u"),
        ("N. Astor. B. The letter \"B.\"", "n. astor b the letter b."),
        (
            "An old car from the 1970 's, a person`s hand",
            "an old car from the 1970 's a person s hand",
        ),
        ("a toilet,bathtub.in between; yes!no", "a toilet bathtub.in between yes!no"),
        ("1/2 cup and/or 3/4ths w/ 1/2/2010", "1/2 cup and/or 3/4ths w / 1/2/2010"),
        ("1,000 dogs .5 5. 1.5-inch -5 2+2=4", "1,000 dogs .5 5 1.5-inch -5 2 +2 = 4"),
        ("a.m. 10a.m. U.S.-based T.V e.g.,this", "a.m. 10a m. u.s.-based t.v e.g. this"),
        ("50% $5 £5 €5 US$5 #1 c++", "50 % $ 5 # 5 $ 5 us$ 5 # 1 c++"),
        ("'tis 'em rock'n'roll 'til '60s 60's '5s", "'t is 'em rock 'n' roll 'til '60s 60 's 5s"),
        ("O'Reilly d'Or y'all ma'am o'clock qu'x", "o'reilly d'or y' all ma'am o'clock qu x"),
        ("can't CAN'T isn't cannot Gonna wanna,", "ca n't ca n't is n't can not gon na wan na"),
        ("dog's dogs' it\u{2019}s IT'LL 'dogs'", "dog 's dogs it 's it 'll dogs"),
        (":) :-( ;D =( ^_^ :", ":-rrb- :--lrb- ;d =-lrb- ^_^"),
        ("wow! wow!! what?! ... .. ** *", "wow wow !! what ?! ** *"),
        (
            "(paren) [bracket] {brace} <b> a<b",
            "-lrb- paren -rrb- -lsb- bracket -rsb- -lcb- brace -rcb- <b> a < b",
        ),
        ("foo@bar.com http://a.com/b, @user #tag", "foo@bar.com http://a.com/b @user #tag"),
        ("a-b-c -dog dog- a--b a \u{2013} b \u{201c}c\u{201d}", "a-b-c dog dog a b a b c"),
        (
            "\u{bd} cup 10\u{b0} caf\u{e9} Stra\u{df}e\u{300}",
            "1/2 cup 10 \u{b0} caf\u{e9} stra\u{df}e\u{300}",
        ),
        ("R&amp;B &lt; dog&amp;cat", "r&b < dog & cat"),
        ("lbs., a dog.; dog.", "lbs. a dog. dog"),
        ("5'10\" 6'2 5x7\" 12th 3x4", "5 10 6 2 5x7 12th 3x4"),
        ("more'n mac'n'cheese can'ts", "more 'n mac 'n' cheese ca n'ts"),
        ("a_b a__b _ C# A+B a+b", "a_b a __ b _ c# a+b a + b"),
        ("it's5 you'd", "it 's 5 you 'd"),
        ("", ""),
        (" \u{a0}\n. -- '' ``", ""),
    ];

    #[test]
    fn words_are_those_of_the_reference() {
        for (text, wanted) in KNOWN {
            let mut found = Vec::new();
            for_each_word(text, &mut |word| found.push(word.to_owned()));
            assert_eq!(found.join(" "), wanted, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_an_end(text in "\\PC{0,40}") {
            for_each_word(&text, &mut |word| assert!(!word.is_empty()));
        }
    }
}
