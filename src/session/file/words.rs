//! How JSON spells what has a word of its own.

/// Verdicts by their words.
pub(in crate::session) mod verdict {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::truth::verdict::Verdict;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
    pub(in crate::session) fn serialize<S: Serializer>(
        verdict: &Verdict,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(verdict.key())
    }

    pub(in crate::session) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Verdict, D::Error> {
        let word = String::deserialize(deserializer)?;
        let wrong = |()| {
            let words = Verdict::ALL.map(Verdict::key).join(", ");
            de::Error::custom(format!("{word:?} is no verdict: {words}"))
        };
        word.parse().map_err(wrong)
    }
}

/// Directions by their words.
pub(in crate::session) mod direction {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::data::Direction;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
    pub(in crate::session) fn serialize<S: Serializer>(
        direction: &Direction,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(direction.key())
    }

    pub(in crate::session) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Direction, D::Error> {
        let word = String::deserialize(deserializer)?;
        let known = Direction::BOTH.into_iter().find(|d| d.key() == word);
        known.ok_or_else(|| de::Error::custom(format!("{word:?} is no direction: i2t, t2i")))
    }
}
