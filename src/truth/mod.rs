//! Ground truths over a gallery.
//!
//! A [`Truth`] holds both directions separately: the directions of ECCV Caption are different sets, so neither is
//! derived from the other. A new file format is one file here and one line in [`FORMATS`], a new rule one file and one
//! line in [`rule::RULES`].

pub mod bundle;
pub mod conventions;
pub mod cxc;
pub(crate) mod foreign;
pub mod id_map;
pub mod judgment;
pub mod output;
pub mod pairs;
pub mod pm;
pub mod qrels;
pub mod relevance;
pub mod response;
pub mod rule;
pub mod similar;
pub mod standing;
pub mod stats;
pub mod union;
mod within;

use crate::data::gallery::Gallery;
use crate::data::index::{Per, TruthIx};
use crate::data::json::Shape;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use conventions::Conventions;
use judgment::Pair;
use pairs::Pairs;
use relevance::{Relevance, Unresolved};

/// A file format of truths.
#[derive(Debug)]
pub struct Format {
    /// Whether a file is in this format, given the shape of its outermost value if it is JSON.
    pub accepts: fn(&Source, Option<Shape>) -> bool,
    /// File name ending that only this format uses: in a folder these files are read, together with the file of the
    /// other direction. `None` for JSON.
    pub ending: Option<&'static str>,
    /// Reads the file; malformed content is an error with its position.
    pub read: fn(&Source) -> Result<TruthFile>,
}

/// All supported formats.
pub const FORMATS: &[&Format] = &[&id_map::ID_MAP, &bundle::BUNDLE, &qrels::QRELS];

/// Content of a ground-truth file.
#[derive(Debug, Default)]
pub struct TruthFile {
    /// Ids and texts of the gallery, if the file has them.
    pub gallery: Box<bundle::BundleFile>,
    /// Truths, each in one direction.
    pub truths: Vec<Listed>,
}

/// Pairs of one truth in one direction, whose ids are not yet looked up in the gallery.
#[derive(Debug)]
pub struct Listed {
    /// The truth's name, such as `eccv`.
    pub name: String,
    /// Its direction, if known from the file.
    pub direction: Option<Direction>,
    /// Query ids with their positives, grades and pairs judged not relevant.
    pub pairs: Pairs,
    /// The file, for messages.
    pub file: String,
}

impl Listed {
    /// Pairs of a truth `name` in a known direction, from `file`.
    pub fn new(name: &str, direction: Direction, pairs: Pairs, file: &str) -> Self {
        let (name, file) = (name.to_owned(), file.to_owned());
        Listed { name, direction: Some(direction), pairs, file }
    }
}

/// Name of the truth without positives, under which rankings are browsed if there is no ground truth.
pub const NONE: &str = "none";

/// How a truth relates to the original annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The pairing the gallery was made with.
    Original,
    /// Annotated with additional positives: `CxC`, ECCV Caption, custom.
    Rich,
    /// Matches by rule: Plausible Match.
    Loose,
    /// The most similar items by phi, without human judgments.
    Similar,
}

impl Kind {
    /// Kind of a truth, by name.
    pub fn from_name(name: &str) -> Kind {
        match name {
            "original" | "coco" | NONE => Kind::Original,
            name if judgment::is_mine(name) => Kind::Rich,
            name if name.starts_with("pm") || name.starts_with("loose") => Kind::Loose,
            name => rule::find(name).map_or(Kind::Rich, |rule| rule.kind),
        }
    }
}

/// One ground truth over the study's gallery.
#[derive(Debug, Clone)]
pub struct Truth {
    /// Its name: `original`, `cxc`, `eccv`, `pm` or the file's own.
    pub name: String,
    /// How it relates to the original annotation.
    pub kind: Kind,
    /// The positives of each direction that the files give.
    pub relevance: PerDirection<Option<Relevance>>,
    /// Ids missing from the gallery, by direction.
    pub unresolved: PerDirection<Unresolved>,
}

impl Per<TruthIx> for Truth {}

impl Truth {
    /// An empty truth of this name.
    pub fn new(name: &str) -> Self {
        Truth {
            name: name.to_owned(),
            kind: Kind::from_name(name),
            relevance: PerDirection::default(),
            unresolved: PerDirection::default(),
        }
    }

    /// Number of covered queries in a direction; `None` without lists. [`NONE`] covers 0.
    pub fn covered_queries(&self, direction: Direction) -> Option<usize> {
        let queries = self.relevance[direction].as_ref().map(Relevance::len);
        queries.map(|queries| if self.is_none_truth() { 0 } else { queries })
    }

    /// Whether it is [`NONE`], which has no positives but those of judgments.
    pub fn is_none_truth(&self) -> bool {
        self.name == NONE
    }

    /// Whether it has lists of positives in any direction, even empty ones.
    pub fn has_lists(&self) -> bool {
        self.any(|_| true)
    }

    /// Whether any pair is judged not relevant, in any direction.
    pub fn has_nonrelevant(&self) -> bool {
        self.any(Relevance::has_nonrelevant)
    }

    /// Whether the lists of any direction meet a condition.
    fn any(&self, meets: impl Fn(&Relevance) -> bool) -> bool {
        Direction::BOTH.into_iter().any(|one| self.relevance[one].as_ref().is_some_and(&meets))
    }

    /// This truth with changed lists of each direction.
    fn map(&self, change: impl Fn(&Relevance, Direction) -> Relevance) -> Truth {
        let changed = |one| self.relevance[one].as_ref().map(|relevance| change(relevance, one));
        Truth { relevance: PerDirection::from_fn(changed), ..self.clone() }
    }

    /// Whether its positives are the items most similar to the query by phi.
    pub fn is_by_similarity(&self) -> bool {
        self.kind == Kind::Similar
    }

    /// Whether both share the same lists: one is a clone of the other.
    pub fn is_same(&self, other: &Truth) -> bool {
        let same = |direction: Direction| match (
            &self.relevance[direction],
            &other.relevance[direction],
        ) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        Direction::BOTH.into_iter().all(same)
    }

    /// This truth with other edge-case conventions.
    #[must_use]
    pub fn with_conventions(self, conventions: Conventions) -> Self {
        self.map(|relevance, _| relevance.clone().with_conventions(conventions))
    }

    /// Looks up the ids of `listed` in the gallery, and adds its pairs in its direction.
    ///
    /// # Errors
    /// No query id, or no positive's id, is in the gallery. Few ids are, and the file or the gallery has plain indices
    /// as ids. The direction was already added.
    ///
    /// # Panics
    /// When the direction of `listed` is unknown.
    pub fn add_direction(&mut self, listed: &Listed, gallery: &Gallery) -> Result<()> {
        let direction = listed.direction.expect("told or found out before ids are looked up");
        if self.relevance[direction].is_some() {
            return Err(Error::new(
                &listed.file,
                format!("ground truth \"{}\" has a second {direction} list", self.name),
            )
            .expected("one file for each ground truth and direction")
            .fix("leave one of the two files out, or rename it"));
        }
        let queries = gallery.queries(direction);
        let items = gallery.items(direction);
        let (relevance, unresolved) = Relevance::resolve(&listed.pairs, queries, items);
        let known = relevance.len();
        let all = known + unresolved.queries;
        let positives = relevance.pair_count();
        let all_positives = positives + unresolved.items;
        let pairs = listed.pairs.listed();
        let (keys, values) = (pairs.keys(), pairs.values());
        let foreign = if known == 0 || foreign::is_foreign(keys, (known, all), queries) {
            Some((keys, queries, "queries", (known, all)))
        } else if positives == 0 && unresolved.items > 0
            || foreign::is_foreign(values, (positives, all_positives), items)
        {
            Some((values, items, "positives", (positives, all_positives)))
        } else {
            None
        };
        if let Some((ids, list, what, (inside, all))) = foreign {
            let count = match inside {
                0 => format!("none of its {what} is"),
                _ => format!("only {} of its {} {what} are", grouped(inside), grouped(all)),
            };
            let examples = foreign::examples(ids);
            let found = format!("{count} in the gallery (for instance {examples})");
            return Err(foreign::error(&listed.file, found, ids, list));
        }
        self.relevance[direction] = Some(relevance);
        self.unresolved[direction] = unresolved;
        Ok(())
    }
}

/// For each caption, the gallery index of its original image, if listed; `None` without an original ground truth.
pub fn original_images(truths: &[Truth], gallery: &Gallery) -> Option<Vec<Option<u32>>> {
    let original = truths.iter().find(|truth| truth.kind == Kind::Original)?;
    let mut images = vec![None; gallery.captions.len()];
    for direction in Direction::BOTH {
        let Some(relevance) = &original.relevance[direction] else {
            continue;
        };
        for (place, &query) in relevance.queries().iter().enumerate() {
            for item in relevance.positives(place) {
                let Pair { image, caption } =
                    Pair::from_query(direction, query.into(), item.into());
                images[caption.get()].get_or_insert(image.raw());
            }
        }
    }
    Some(images)
}
