//! Captions of equal text but for case.

use rustc_hash::FxHashMap;

use super::exam::Exam;
use super::{Check, Finding, Needs};
use crate::data::text::{Text, grouped};

pub(super) const CHECK: Check = Check {
    name: "texts",
    title: "equal captions",
    doc: "captions of equal text but for case",
    needs: Needs::Texts,
    find,
};

/// Longest text of an example, in characters.
const SHOWN: usize = 60;

/// Gives equal texts (blanks around and case left out) one number, that of the first of them;
/// captions without text differ from all others. `None` where no caption has a text.
pub(super) fn numbered(texts: &[Text]) -> Option<Vec<u32>> {
    let mut first: FxHashMap<String, u32> = FxHashMap::default();
    let number = |(at, text): (u32, &Text)| match text.raw().trim() {
        "" => at,
        text => *first.entry(text.to_lowercase()).or_insert(at),
    };
    let numbers = (0..).zip(texts).map(number).collect();
    (!first.is_empty()).then_some(numbers)
}

fn find(exam: &Exam) -> Vec<Finding> {
    let finding = exam.same_text().and_then(|numbers| {
        let mut repeated = (0..).zip(numbers).filter(|(at, first)| at != *first);
        let (_, &example) = repeated.next()?;
        let count = 1 + repeated.count();
        let gallery = &exam.study.gallery;
        let text: String = gallery.texts[example as usize].shown().trim().chars().take(SHOWN).collect();
        let has = if count == 1 { "1 caption has" } else { &format!("{} captions have", grouped(count)) };
        let found = format!("{has} the text of an earlier one but for case (such as \"{text}\")");
        Some(
            Finding::note("captions", found)
                .effect("such captions score about alike, equal ones rank by index; one counts as a miss where the ground truth lists the other alone")
                .mend("keep it in mind; `errors` counts such misses (near-duplicate caption)"),
        )
    });
    finding.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::{assert_note, assert_nothing, good, study};

    #[test]
    fn equal_texts_are_counted() {
        let mut study = study(good);
        assert_nothing(&CHECK, &study);
        study.gallery.texts = (0..60).map(|at| Text::new(&format!("A dog {at}"))).collect();
        assert_nothing(&CHECK, &study);
        study.gallery.texts[7] = Text::new(" a DOG 3\n");
        study.gallery.texts[9] = Text::new("");
        study.gallery.texts[10] = Text::new("");
        assert_note(&CHECK, &study, &["1 caption has", "A dog 3"]);
        study.gallery.texts[8] = Text::new("a dog 3");
        assert_note(&CHECK, &study, &["2 captions have"]);
    }
}
