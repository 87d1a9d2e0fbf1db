//! Words of a caption.

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tokenisation {
    /// As captioning has it: much as the Penn Treebank tokeniser of `pycocoevalcap`, without punctuation.
    #[default]
    Ptb,
    /// As the code of NCS has it: what stands between blanks.
    Ncs,
}

/// Ends of words that are words of their own.
const CLITICS: [&str; 7] = ["'s", "'re", "'ve", "'ll", "'m", "'d", "n't"];
/// Signs inside of a word that do not end it.
const INSIDE: [char; 8] = ['\'', '\u{2019}', '-', '.', ',', '/', '_', '@'];
/// Signs that are words, where punctuation is none.
const WORDS: [char; 9] = ['&', '%', '$', '#', '+', '=', '*', '@', '/'];

impl Tokenisation {
    /// Both.
    pub const ALL: [Tokenisation; 2] = [Tokenisation::Ptb, Tokenisation::Ncs];

    /// The word on the command line and in results.
    pub fn key(self) -> &'static str {
        match self {
            Tokenisation::Ptb => "ptb",
            Tokenisation::Ncs => "ncs",
        }
    }

    /// That of this word.
    pub fn named(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.key() == key)
    }

    /// What it does, in words.
    pub fn doc(self) -> &'static str {
        match self {
            Tokenisation::Ptb => "words in lower case without punctuation, as captioning has them",
            Tokenisation::Ncs => "words in lower case split at blanks, as the code of NCS has them",
        }
    }

    /// Calls `each` with every word of a text, in order.
    pub fn words(self, text: &str, mut each: impl FnMut(&str)) {
        let text = text.to_lowercase();
        let between_blanks = text.split_whitespace();
        match self {
            Tokenisation::Ncs => between_blanks.for_each(each),
            Tokenisation::Ptb => between_blanks.for_each(|part| without_signs(part, &mut each)),
        }
    }
}

/// The words of what stands between two blanks.
fn without_signs(part: &str, each: &mut impl FnMut(&str)) {
    let mut rest = part;
    while let Some(first) = rest.chars().next() {
        let length = word_length(rest);
        if length == 0 {
            match first {
                '(' => each("-lrb-"),
                ')' => each("-rrb-"),
                sign if WORDS.contains(&sign) => each(&rest[..sign.len_utf8()]),
                _ => {}
            }
            rest = &rest[first.len_utf8()..];
        } else {
            with_clitic(&rest[..length], each);
            rest = &rest[length..];
        }
    }
}

/// The length in bytes of the word that a text begins with; 0 where it begins with a sign.
fn word_length(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    let mut is_dotted = false;
    while let Some((at, c)) = chars.next() {
        let continues = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if c.is_alphanumeric() || (end > 0 && INSIDE.contains(&c) && continues) {
            is_dotted |= c == '.';
            end = at + c.len_utf8();
        } else if c == '.' && is_dotted && is_initials(&text[..end]) {
            return end + 1;
        } else {
            break;
        }
    }
    end
}

/// Single letters between dots, as in `t.v`: the last dot is theirs, too.
fn is_initials(word: &str) -> bool {
    let is_letter = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
    word.split('.').all(is_letter)
}

/// A word, the end that is a word of its own taken off.
fn with_clitic(word: &str, each: &mut impl FnMut(&str)) {
    if word == "cannot" {
        each("can");
        return each("not");
    }
    let plain = word.replace('\u{2019}', "'");
    let end = CLITICS
        .iter()
        .find(|clitic| plain.len() > clitic.len() && plain.ends_with(**clitic));
    let (stem, end) = plain.split_at(plain.len() - end.map_or(0, |clitic| clitic.len()));
    each(stem);
    if !end.is_empty() {
        each(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(tokenisation: Tokenisation, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        tokenisation.words(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn blanks_alone_split_for_ncs() {
        let words = |text| words(Tokenisation::Ncs, text);
        assert_eq!(words("A dog.\tRuns , "), ["a", "dog.", "runs", ","]);
        assert!(words(" \n").is_empty());
    }

    /// What the tokeniser of `pycocoevalcap` gives.
    #[test]
    fn punctuation_is_no_word_for_captioning() {
        let words = |text| words(Tokenisation::Ptb, text);
        assert_eq!(words("A dog, running."), ["a", "dog", "running"]);
        assert_eq!(
            words("\"Black-and-white\" cats' photo; it's 3.5 m!"),
            ["black-and-white", "cats", "photo", "it", "'s", "3.5", "m"]
        );
        assert_eq!(
            words("He can't, they cannot"),
            ["he", "ca", "n't", "they", "can", "not"]
        );
        assert_eq!(
            words("cats & dogs 50% -- no... (yes)"),
            [
                "cats", "&", "dogs", "50", "%", "no", "-lrb-", "yes", "-rrb-"
            ]
        );
        assert_eq!(
            words("A man\u{2019}s T.V. on a tv."),
            ["a", "man", "'s", "t.v.", "on", "a", "tv"]
        );
        assert!(words("... !? -- ,").is_empty());
        assert_eq!(words("Straße\u{300}, 犬が走る。"), ["straße", "犬が走る"]);
    }
}
