//! The types of phrases.

/// Type of a phrase, as in the files: eight types, and phrases for nothing visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PhraseType {
    /// Persons and groups of them.
    People,
    /// Clothes.
    Clothing,
    /// Parts of a body.
    BodyParts,
    /// Animals.
    Animals,
    /// Vehicles.
    Vehicles,
    /// Musical instruments.
    Instruments,
    /// The place shown.
    Scene,
    /// Any other thing.
    Other,
    /// Nothing visible: no type of the paper's tables.
    NotVisual,
}

impl PhraseType {
    /// The eight types, in the order of the paper's tables.
    pub const VISUAL: [PhraseType; 8] = [
        PhraseType::People,
        PhraseType::Clothing,
        PhraseType::BodyParts,
        PhraseType::Animals,
        PhraseType::Vehicles,
        PhraseType::Instruments,
        PhraseType::Scene,
        PhraseType::Other,
    ];

    /// Name of the type in the files.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The type with this name in the files.
    pub fn parse(name: &str) -> Option<Self> {
        let all = PhraseType::VISUAL.into_iter().chain([PhraseType::NotVisual]);
        all.into_iter().find(|kind| kind.name() == name)
    }
}

/// Names of all types in the files, in the order of [`PhraseType`].
const NAMES: [&str; 9] = [
    "people",
    "clothing",
    "bodyparts",
    "animals",
    "vehicles",
    "instruments",
    "scene",
    "other",
    "notvisual",
];

/// The types of one phrase: some have two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Types(u16);

impl Types {
    /// These types and another one.
    #[must_use]
    pub fn with_type(self, kind: PhraseType) -> Self {
        Types(self.0 | 1 << kind as u16)
    }

    /// These types and all of `other`.
    #[must_use]
    pub fn union(self, other: Types) -> Self {
        Types(self.0 | other.0)
    }

    /// Whether a type is one of these.
    pub fn contains(self, kind: PhraseType) -> bool {
        self.0 & 1 << kind as u16 != 0
    }

    /// The visual types among these, in the order of the paper's tables.
    pub fn visual(self) -> impl Iterator<Item = PhraseType> {
        PhraseType::VISUAL.into_iter().filter(move |kind| self.contains(*kind))
    }

    /// Names of the visual types as in a file, such as `people/clothing`; `notvisual` without any.
    pub fn names(self) -> String {
        let names: Vec<&str> = self.visual().map(PhraseType::name).collect();
        if names.is_empty() {
            return PhraseType::NotVisual.name().to_owned();
        }
        names.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_name_and_place() {
        for kind in PhraseType::VISUAL {
            assert_eq!(PhraseType::parse(kind.name()), Some(kind));
        }
        assert_eq!(PhraseType::parse("notvisual"), Some(PhraseType::NotVisual));
        assert_eq!(PhraseType::parse("People"), None);
        let both = Types::default().with_type(PhraseType::Vehicles).with_type(PhraseType::People);
        assert_eq!(both.names(), "people/vehicles");
        assert_eq!(Types::default().with_type(PhraseType::NotVisual).visual().count(), 0);
    }
}
