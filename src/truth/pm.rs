//! Plausible Match: matches by the object categories of images.
//!
//! Two items match if the category sets of their images differ in at most zeta categories (the Hamming distance of
//! their bit vectors). Images without any category and their captions are not covered; a note gives their number.
//! Source: Chun et al. 2021 (PCME), arXiv:2101.05068; their tables average zeta 0, 1 and 2, own pairs included.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::judgment::Pair;
use super::relevance::{Builder, Relevance};
use super::rule::{Basis, Derived, Rule, RuleContext, RuleInput, RuleSetting, Switch, Threshold};
use super::{Kind, Truth, foreign, original_images};
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::json::{self, Shape};
use crate::data::source::Source;
use crate::data::text::{count, grouped, shown};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// The truth's name.
pub const NAME: &str = "pm";

/// The rule: similar category sets match.
pub static RULE: Rule = Rule {
    name: NAME,
    kind: Kind::Loose,
    content: "instances",
    made_from: "a COCO instances file",
    number: Threshold {
        flag: "pm-zeta",
        value_name: "N",
        doc: "Categories in which Plausible Match lets images differ [default: 0]",
        what: "a number of categories",
        is_whole: true,
        range: [0.0, 2.0],
        default: 0.0,
        step: 1.0,
        // No larger one is used.
        explorer_max: 2.0,
    },
    switch: Some(Switch {
        flag: "omit-own",
        doc: "Exclude an image and its own captions from Plausible Match",
    }),
    suffix: |zeta| format!("zeta {zeta}"),
    published: None,
    can_rebuild: false,
    is_late: false,
    needs_file: false,
    accepts: |_, shape| shape == Some(Shape::Instances),
    read: |source| Ok(Box::new(Categories(Arc::new(read(source)?)))),
    note: uncovered_note,
};

/// Note on the images and captions that a truth by Plausible Match does not cover; `None` if it covers all, and for
/// other truths.
fn uncovered_note(truth: &Truth) -> Option<String> {
    let is_pm = truth.kind == Kind::Loose && truth.name.starts_with(NAME);
    let [images, captions] = Direction::both(|direction| {
        let relevance = truth.relevance[direction].as_ref();
        relevance.map_or(0, |relevance| relevance.query_count() - relevance.len())
    });
    (is_pm && images + captions > 0).then(|| {
        format!(
            "ground truth {}: {} and {} are not covered: PM does not cover images without categories",
            truth.name,
            count(images, "image"),
            count(captions, "caption")
        )
    })
}

/// Object categories of images, as in a COCO instances file.
#[derive(Debug, Clone, Default)]
struct Instances {
    /// Category ids of each image, ascending, each once.
    categories: FxHashMap<Id, Vec<u32>>,
    /// Id and name of each category that an image has, by id.
    names: Vec<(u32, String)>,
}

/// The parsed file. Boxes and outlines, most of it, are skipped.
#[derive(Deserialize)]
struct InstancesFile {
    #[serde(default)]
    categories: Vec<Category>,
    annotations: Vec<Annotation>,
}

#[derive(Deserialize)]
struct Category {
    id: u32,
    name: String,
}

#[derive(Deserialize)]
struct Annotation {
    image_id: Id,
    category_id: u32,
}

/// Reads a COCO instances file.
///
/// # Errors
/// Broken or unexpected JSON, with line and column; no annotations.
fn read(source: &Source) -> Result<Instances> {
    let file: InstancesFile = json::parse(source)?;
    if file.annotations.is_empty() {
        return Err(Error::new(source.display(), "no annotation")
            .expected("\"annotations\" with \"image_id\" and \"category_id\""));
    }
    let mut instances = Instances::default();
    let mut seen = BTreeSet::new();
    for Annotation { image_id, category_id } in file.annotations {
        seen.insert(category_id);
        let of_image = instances.categories.entry(image_id).or_default();
        if let Err(at) = of_image.binary_search(&category_id) {
            of_image.insert(at, category_id);
        }
    }
    let name = |id: u32| {
        let known = file.categories.iter().find(|category| category.id == id);
        (id, known.map_or_else(|| id.to_string(), |category| shown(&category.name)))
    };
    instances.names = seen.into_iter().map(name).collect();
    Ok(instances)
}

/// The content of an instances file, from which Plausible Match is derived.
#[derive(Debug, Clone)]
struct Categories(Arc<Instances>);

impl RuleInput for Categories {
    fn make(&self, file: &str, context: RuleContext<'_>, setting: RuleSetting) -> Result<Derived> {
        let basis = Arc::new(self.clone());
        if context.has_truth(NAME) {
            let line = format!("{file}: not used, the ground truth pm is in other files");
            return Ok(Derived {
                basis,
                truth: None,
                notes: vec![line + " (--pm-zeta makes it anew)"],
            });
        }
        let gallery = context.gallery;
        let images = gallery.images.as_slice().iter();
        let known = images.filter(|id| self.0.categories.contains_key(id));
        let known = known.count();
        if known == 0 {
            let example = self.0.categories.keys().min().map(|id| format!(" (for instance {id})"));
            let found = "none of its images is in the gallery".to_owned();
            let found = found + &example.unwrap_or_default();
            return Err(foreign::error(file, found, &[], &gallery.images));
        }
        let truth = self.truth(context, setting).ok_or_else(|| {
            Error::new(
                file,
                "categories of images, but no file lists which image a caption belongs to",
            )
            .expected(
                "an original ground truth (original_caption_to_image.json) or a captions file",
            )
        })?;
        let own = ["included", "excluded"][usize::from(setting.switch)];
        let note = format!(
            "{file}: {} categories of {} of the {} images, ground truth pm at zeta {}, own pairs {own}",
            self.0.names.len(),
            grouped(known),
            grouped(gallery.images.len()),
            setting.number,
        );
        Ok(Derived { basis, truth: Some(truth), notes: vec![note] })
    }
}

impl Basis for Categories {
    /// `None` if the image of each caption is unknown.
    fn truth(&self, context: RuleContext<'_>, setting: RuleSetting) -> Option<Truth> {
        let owner = original_images(context.truths, context.gallery)?;
        Some(self.derive(context.gallery, &owner, setting))
    }

    fn categories(&self) -> Vec<&str> {
        self.0.names.iter().map(|(_, name)| name.as_str()).collect()
    }

    fn has_category(&self, image: &Id, category: usize) -> Option<bool> {
        let of_image = self.0.categories.get(image)?;
        Some(of_image.binary_search(&self.0.names[category].0).is_ok())
    }
}

impl Categories {
    /// Derives the truth. `owner` has the gallery index of the image that each caption was written for, if known.
    fn derive(&self, gallery: &Gallery, owner: &[Option<u32>], setting: RuleSetting) -> Truth {
        let groups = Groups::new(&self.0, gallery, owner);
        let matching = groups.matching_groups(setting.number as u32);
        let relevance = |direction| Some(groups.relevance(&matching, direction, owner, setting));
        Truth { relevance: PerDirection::from_fn(relevance), ..Truth::new(NAME) }
    }
}

/// Images with equal category sets, and their captions: a few hundred groups for thousands of images.
struct Groups {
    /// Category set of each group, as bits.
    sets: Vec<Vec<u64>>,
    /// Images of each group, ascending.
    images: Vec<Vec<u32>>,
    /// Captions of each group, ascending.
    captions: Vec<Vec<u32>>,
    /// Group of each image and caption, if any.
    group_of: PerDirection<Vec<Option<u32>>>,
}

impl Groups {
    /// Groups the gallery. `owner` has the image of each caption, if known.
    fn new(instances: &Instances, gallery: &Gallery, owner: &[Option<u32>]) -> Self {
        let mut group_of_set: BTreeMap<&[u32], u32> = BTreeMap::new();
        let mut images: Vec<Vec<u32>> = Vec::new();
        let mut of_images = Vec::with_capacity(gallery.images.len());
        for (image, id) in (0..).zip(gallery.images.as_slice()) {
            of_images.push(instances.categories.get(id).map(|set| {
                let group = *group_of_set.entry(set).or_insert_with(|| {
                    images.push(Vec::new());
                    images.len() as u32 - 1
                });
                images[group as usize].push(image);
                group
            }));
        }
        let group_of = |owner: &Option<u32>| of_images[(*owner)? as usize];
        let of_captions: Vec<Option<u32>> = owner.iter().map(group_of).collect();
        let mut captions = vec![Vec::new(); images.len()];
        for (caption, group) in (0..).zip(&of_captions) {
            if let Some(group) = group {
                captions[*group as usize].push(caption);
            }
        }
        Groups {
            sets: bit_sets(&group_of_set),
            images,
            captions,
            group_of: PerDirection { i2t: of_images, t2i: of_captions },
        }
    }

    /// For each group, the groups whose sets differ in at most `zeta` categories, itself included.
    fn matching_groups(&self, zeta: u32) -> Vec<Vec<usize>> {
        let differ = |a: &[u64], b: &[u64]| -> u32 {
            a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
        };
        let matches = |set: &Vec<u64>| {
            let near = |other: &usize| differ(set, &self.sets[*other]) <= zeta;
            (0..self.sets.len()).filter(near).collect()
        };
        self.sets.iter().map(matches).collect()
    }

    /// The positives of every query: the items of all groups in `matching` for its group. The switch of `setting`
    /// excludes own pairs; `owner` has the image of each caption.
    fn relevance(
        &self,
        matching: &[Vec<usize>],
        direction: Direction,
        owner: &[Option<u32>],
        setting: RuleSetting,
    ) -> Relevance {
        let members = match direction {
            Direction::I2t => &self.captions,
            Direction::T2i => &self.images,
        };
        let merged = |groups: &Vec<usize>| {
            let items = groups.iter().flat_map(|&group| &members[group]);
            let mut items: Vec<u32> = items.copied().collect();
            items.sort_unstable();
            items
        };
        let lists: Vec<Vec<u32>> = matching.iter().map(merged).collect();
        let group_of = &self.group_of[direction];
        let mut builder = Builder::new(group_of.len());
        let mut others = Vec::new();
        for (query, group) in (0..).zip(group_of) {
            let Some(group) = group else { continue };
            let mut list = &lists[*group as usize];
            if setting.switch {
                others.clear();
                others.extend(list.iter().filter(|&&item| {
                    !is_own(Pair::from_query(direction, query.into(), item.into()), owner)
                }));
                list = &others;
            }
            // As published: images without a match have no entry, captions an empty one.
            if !list.is_empty() || direction == Direction::T2i {
                builder.push(query, list, list.len() as u32);
            }
        }
        builder.finish()
    }
}

/// Whether the caption of a pair was written for its image; `owner` has the image of each caption, if known.
fn is_own(pair: Pair, owner: &[Option<u32>]) -> bool {
    owner[pair.caption.get()] == Some(pair.image.raw())
}

/// The category set of each group as a bit set, given the group of each set. Categories are renumbered: ids may be
/// large.
fn bit_sets(group_of_set: &BTreeMap<&[u32], u32>) -> Vec<Vec<u64>> {
    let mut categories: Vec<u32> = group_of_set.keys().copied().flatten().copied().collect();
    categories.sort_unstable();
    categories.dedup();
    let mut sets = vec![vec![0u64; categories.len().div_ceil(64)]; group_of_set.len()];
    for (set, &group) in group_of_set {
        for category in *set {
            let bit = categories.partition_point(|other| other < category);
            sets[group as usize][bit / 64] |= 1 << (bit % 64);
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::IdList;

    /// Images 0 {1, 2}, 1 {1, 2}, 2 {1}, 3 none; two captions each.
    fn pm(zeta: u32, omit_own: bool) -> Truth {
        let sets: [&[u32]; 3] = [&[1, 2], &[1, 2], &[1]];
        let instances = Instances {
            categories: (0..).map(Id::Number).zip(sets.map(<[u32]>::to_vec)).collect(),
            names: Vec::new(),
        };
        let gallery = Gallery {
            images: IdList::for_len(4),
            captions: IdList::for_len(8),
            ..Gallery::default()
        };
        let owner: Vec<Option<u32>> = (0..8).map(|caption| Some(caption / 2)).collect();
        let setting = RuleSetting { number: f64::from(zeta), switch: omit_own };
        Categories(Arc::new(instances)).derive(&gallery, &owner, setting)
    }

    fn lists(truth: &Truth, direction: Direction) -> Vec<(u32, Vec<u32>)> {
        let relevance = truth.relevance[direction].as_ref().unwrap();
        let list =
            |(place, &query): (usize, &u32)| (query, relevance.positives(place).iter().collect());
        relevance.queries().iter().enumerate().map(list).collect()
    }

    #[test]
    fn equal_sets_match_at_zeta_0() {
        let truth = pm(0, false);
        let images = [(0, vec![0, 1, 2, 3]), (1, vec![0, 1, 2, 3]), (2, vec![4, 5])];
        assert_eq!(lists(&truth, Direction::I2t), images);
        let captions = lists(&truth, Direction::T2i);
        assert_eq!(captions.len(), 6);
        assert_eq!((&captions[0], &captions[5]), (&(0, vec![0, 1]), &(5, vec![2])));
    }

    #[test]
    fn one_difference_matches_at_zeta_1() {
        let truth = pm(1, false);
        assert_eq!(lists(&truth, Direction::I2t)[2], (2, vec![0, 1, 2, 3, 4, 5]));
        assert_eq!(lists(&truth, Direction::T2i)[0], (0, vec![0, 1, 2]));
    }

    #[test]
    fn own_pairs_are_left_out_on_wish() {
        let truth = pm(0, true);
        assert_eq!(lists(&truth, Direction::I2t), [(0, vec![2, 3]), (1, vec![0, 1])]);
        let captions = lists(&truth, Direction::T2i);
        assert_eq!((&captions[0], &captions[4]), (&(0, vec![1]), &(4, vec![])));
    }

    #[test]
    fn categories_stand_once_and_ascending() {
        let text = r#"{"images": [{"id": 7}], "categories": [{"id": 44, "name": "bottle"}], "annotations": [
            {"id": 1, "image_id": 7, "category_id": 44, "bbox": [1.5, 2, 3, 4]},
            {"id": 2, "image_id": 7, "category_id": 3, "segmentation": {"counts": [1]}},
            {"id": 3, "image_id": 7, "category_id": 44}]}"#;
        let source = |text: &str| Source::in_memory("i.json", text.as_bytes().to_vec());
        let instances = read(&source(text)).unwrap();
        assert_eq!(instances.categories[&Id::Number(7)], [3, 44]);
        assert_eq!(instances.names, [(3, "3".to_owned()), (44, "bottle".to_owned())]);
        let error = read(&source(r#"{"annotations": []}"#)).unwrap_err();
        assert!(error.to_string().contains("no annotation"), "{error}");
    }
}
