//! Equal captions of different images, and images with nearly equal embeddings.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Finding;
use super::exam::Exam;
use crate::data::Direction;
use crate::data::scores::Scores;
use crate::data::text::{count, grouped, shown};
use crate::data::words::tokens;
use crate::study::Study;
use crate::truth::original_images;

/// Cosine of embeddings above which two images are near-duplicates.
const MIN_COSINE: f64 = 0.99;
/// Maximum number of groups that a finding describes, and of ids per group.
const MAX_DESCRIBED: usize = 3;

/// Finds captions of several images that differ at most in case, punctuation and articles.
pub(super) fn find_captions(exam: &Exam) -> Vec<Finding> {
    let study = exam.study;
    let owners = original_images(&study.truths, &study.gallery);
    let owner = |&caption: &u32| owners.as_ref().and_then(|owners| owners[caption as usize]);
    let mut by_words: FxHashMap<String, Vec<u32>> = FxHashMap::default();
    for (caption, text) in (0..).zip(&study.gallery.texts) {
        let words = tokens(text.raw()).collect::<Vec<_>>().join(" ");
        if !words.is_empty() {
            by_words.entry(words).or_default().push(caption);
        }
    }
    let images = |group: &[u32]| group.iter().filter_map(owner).collect::<BTreeSet<u32>>();
    let is_duplicate = |group: &Vec<u32>| {
        group.len() > 1 && (group.iter().any(|one| owner(one).is_none()) || images(group).len() > 1)
    };
    let groups: Vec<Vec<u32>> = by_words.into_values().filter(is_duplicate).collect();
    let image_count = images(&groups.concat()).len();
    let Some(finding) = finding(study, Direction::T2i, "captions", groups) else {
        return Vec::new();
    };
    vec![finding.effect(format!(
        "the same but for case, punctuation and articles: errors of these captions and of their {} may be of wording \
         alone (see `errors`)",
        count(image_count, "image")
    ))]
}

/// Finds images with nearly equal embeddings.
pub(super) fn find_images(exam: &Exam) -> Vec<Finding> {
    let find_in_model = |(model, _): (&crate::data::scores::Model, _)| {
        let Scores::Embeddings(embeddings) = &model.scores else { return None };
        let mut groups: FxHashMap<usize, Vec<u32>> = FxHashMap::default();
        let mut group_of: Vec<usize> = Vec::new();
        for (image, copied) in (0..).zip(embeddings.copies(Direction::I2t, MIN_COSINE)) {
            let group = copied.map_or(image, |copied| group_of[copied]);
            group_of.push(group);
            groups.entry(group).or_default().push(image as u32);
        }
        groups.retain(|_, group| group.len() > 1);
        let subject = format!("images (model {})", model.name);
        let groups = groups.into_values().collect();
        let effect = format!(
            "their embeddings have a cosine above {MIN_COSINE}: the model hardly separates them"
        );
        Some(finding(exam.study, Direction::I2t, &subject, groups)?.effect(effect))
    };
    exam.samples().filter_map(find_in_model).collect()
}

/// The finding for groups of near-duplicate images (`side` i2t) or captions (t2i): their number, and the largest of
/// them; `None` without groups.
fn finding(
    study: &Study,
    side: Direction,
    subject: &str,
    mut groups: Vec<Vec<u32>>,
) -> Option<Finding> {
    groups.sort_unstable_by(|one, other| (other.len(), one).cmp(&(one.len(), other)));
    let duplicates: usize = groups.iter().map(Vec::len).sum();
    let ids = study.gallery.queries(side);
    let describe = |group: &Vec<u32>| {
        let named: Vec<String> =
            group.iter().take(MAX_DESCRIBED).map(|&at| ids[at as usize].to_string()).collect();
        let rest = if group.len() > MAX_DESCRIBED { ", .." } else { "" };
        let like = match side {
            Direction::T2i => {
                format!(" like {:?}", shown(&study.gallery.caption(group[0] as usize)))
            }
            Direction::I2t => String::new(),
        };
        format!("{}{like} ({}{rest})", group.len(), named.join(", "))
    };
    let described: Vec<String> = groups.iter().take(MAX_DESCRIBED).map(describe).collect();
    let found = format!(
        "{} of {} are near-duplicates, in {}",
        grouped(duplicates),
        grouped(ids.len()),
        count(groups.len(), "group")
    );
    (!groups.is_empty()).then(|| Finding {
        groups: groups
            .iter()
            .map(|group| group.iter().map(|&at| ids[at as usize].to_string()).collect())
            .collect(),
        ..Finding::note(subject, found)
            .detail(described.join("; ") + if groups.len() > MAX_DESCRIBED { "; .." } else { "" })
            .fix("none needed; --format json lists all groups")
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::npy::Npy;
    use crate::data::scores::Embeddings;
    use crate::data::text::Text;
    use crate::doctor::test_studies::{
        assert_note, assert_nothing, good, noise, run_check, set_scores, study,
    };

    #[test]
    fn captions_of_different_images_that_say_the_same_are_listed() {
        let mut study = study(good);
        assert_nothing(find_captions, &study);
        let mut texts: Vec<String> = (0..60).map(|at| format!("scene {at}")).collect();
        // Same image: no ranking confuses these.
        texts[1] = "Scene 0.".into();
        study.gallery.texts = texts.iter().map(|text| Text::new(text)).collect();
        assert_nothing(find_captions, &study);
        for at in [9, 20, 41] {
            texts[at] = "The scene, 5!".into();
        }
        texts[31] = "scene 30".into();
        texts[32] = "a scene 2".into();
        study.gallery.texts = texts.iter().map(|text| Text::new(text)).collect();
        let said = ["6 of 60", "2 groups", "4 like \"scene 5\" (105, 109, 120, ..)", "6 images"];
        assert_note(find_captions, &study, &said);
        let groups = &run_check(find_captions, &study)[0].groups;
        assert_eq!(groups, &[vec!["105", "109", "120", "141"], vec!["102", "132"]]);
    }

    #[test]
    fn images_whose_embeddings_are_nearly_the_same_are_listed() {
        let side = |rows, at: &dyn Fn(usize, usize) -> f64| {
            Npy::in_memory("e", [rows, 8], (0..rows * 8).map(|cell| at(cell / 8, cell % 8)))
        };
        let mut study = study(good);
        assert_nothing(find_images, &study);
        let mut of_images = |of: &dyn Fn(usize) -> usize| {
            let cell = |row: usize, column| {
                (noise(of(row), column) - 0.5) * (1.0 + row as f64) + 1e-4 * row as f64
            };
            let captions = side(60, &|row, column| noise(row + 50, column));
            let embeddings = Embeddings::new(&side(20, &cell), &captions, false).unwrap();
            set_scores(&mut study, Scores::Embeddings(Arc::new(embeddings)));
            run_check(find_images, &study)
        };
        assert_eq!(of_images(&|row| row), []);
        let found = of_images(&|row| if [4, 11, 19].contains(&row) { 2 } else { row });
        assert_eq!(found[0].groups, [["2", "4", "11", "19"]]);
        assert!(found[0].found.starts_with("4 of 20 are near-duplicates, in 1 group"), "{found:?}");
    }
}
