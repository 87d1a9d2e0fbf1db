//! Words of a caption.

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tokenisation {
    /// The words of the Penn Treebank tokeniser of `pycocoevalcap`, without punctuation.
    #[default]
    Ptb,
    /// As the code of NCS has it: what stands between blanks.
    Ncs,
}

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
        match self {
            Tokenisation::Ncs => text.to_lowercase().split_whitespace().for_each(each),
            Tokenisation::Ptb => super::ptb::words(text, &mut each),
        }
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
        assert_eq!(words("He can't, they cannot"), ["he", "ca", "n't", "they", "can", "not"]);
        assert_eq!(
            words("cats & dogs 50% -- no... (yes)"),
            ["cats", "&", "dogs", "50", "%", "no", "-lrb-", "yes", "-rrb-"]
        );
        assert_eq!(
            words("A man\u{2019}s T.V. on a tv."),
            ["a", "man", "'s", "t.v.", "on", "a", "tv"]
        );
        assert!(words("... ! ? -- ,").is_empty());
        assert_eq!(words("Straße, 犬が走る。"), ["straße", "犬が走る", "。"]);
    }
}
