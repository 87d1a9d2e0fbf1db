//! Content of a figure: queries, the top items of each model, and their standing.

use std::collections::BTreeSet;

use super::selection::{Chosen, statements};
use super::style::Sign;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::index::{ModelIx, QueryIx, TruthIx};
use crate::data::sets::Set;
use crate::data::text::{score, shown};
use crate::error::{Error, Result};
use crate::rank::edits::{Edits, ItemChange, label_edits};
use crate::rank::ranking::Ranking;
use crate::session::Pick;
use crate::study::Study;
use crate::truth::NONE;
use crate::truth::judgment::{Judgment, Judgments, Pair};
use crate::truth::relevance::Relevance;
use crate::truth::standing::{Badge, Standing};

/// Default number of items of a query.
pub const DEPTH: u32 = 5;
/// Heading of queries without one after those with one.
const OTHERS: &str = "Other queries";
/// Maximum number of items of a query.
pub const MAX_DEPTH: u32 = 100;

/// A query to be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Direction of retrieval.
    pub direction: Direction,
    /// Gallery index of the query.
    pub query: usize,
    /// Indices of the models, in the order of their rows.
    pub models: Vec<ModelIx>,
    /// Index of the truth of the ranks.
    pub truth: TruthIx,
    /// Number of items per ranking.
    pub depth: u32,
    /// A note below the query, or empty.
    pub note: String,
    /// Its heading, or empty.
    pub heading: String,
    /// Its selection.
    pub chosen: Chosen,
}

/// The content of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The queries, in order.
    pub queries: Vec<QueryRankings>,
    /// Selection of the queries, a sentence each.
    pub statements: Vec<String>,
}

/// A query and its rankings.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryRankings {
    /// Direction of retrieval.
    pub direction: Direction,
    /// The query.
    pub query: Subject,
    /// Name of the truth of the ranks, with judgments if these change it.
    pub truth: String,
    /// The candidate pool of the ranks; `None` for the whole gallery.
    pub pool: Option<String>,
    /// Number of positives; `None` if the truth does not cover the query.
    pub listed: Option<u32>,
    /// A note, or empty.
    pub note: String,
    /// The heading above it, or empty.
    pub heading: String,
    /// One for each model.
    pub rows: Vec<ModelRanking>,
}

/// A model's top items.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRanking {
    /// Name of the model.
    pub model: String,
    /// Rank of the first positive under the truth; `None` if there is none.
    pub first: Option<u32>,
    /// The items, best first.
    pub items: Vec<FigureItem>,
}

/// An item of a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureItem {
    /// Rank, from 1.
    pub rank: u32,
    /// NaN if the model gives none.
    pub score: f64,
    /// Whether the score is shown.
    pub is_scored: bool,
    /// A person's judgment of the pair, if shown.
    pub judgment: Option<Judgment>,
    /// The item.
    pub subject: Subject,
    /// Standing in all truths together, as loaded.
    pub badge: Badge,
    /// Standing in the truth of the ranks, with judgments.
    pub standing: Standing,
}

/// An image or a caption.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// Its id.
    pub id: Id,
    /// Gallery index.
    pub index: usize,
    /// Whether it is an image.
    pub is_image: bool,
    /// A caption's text; an image's file name, or its id in words.
    pub text: String,
    /// The captions written for an image; the query itself comes last.
    pub own: Vec<String>,
    /// Whether its id and its file are shown.
    pub is_named: bool,
}

/// Hidden parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hidden {
    /// The models' scores.
    pub scores: bool,
    /// Ids and file names.
    pub ids: bool,
    /// Notes on queries, and their selection.
    pub notes: bool,
}

impl Wanted {
    /// The query of a pick, with these models and this truth, or else those on screen then.
    ///
    /// # Errors
    /// A query, a model or a truth that the study lacks.
    pub fn of_pick(
        study: &Study,
        pick: &Pick,
        (models, truth): (Option<&[ModelIx]>, Option<TruthIx>),
    ) -> Result<Self> {
        let lacks = |error: Error| error.mend("the files that the session was made with");
        let models = match models {
            Some(models) => models.to_vec(),
            None => models_named(study, &pick.models).map_err(lacks)?,
        };
        let truth = match truth {
            Some(truth) => truth,
            None => study.truth_place(&pick.truth).map_err(lacks)?,
        };
        Ok(Wanted {
            direction: pick.direction,
            query: query_named(study, pick.direction, &pick.query)?,
            models,
            truth,
            depth: pick.depth,
            note: pick.note.clone(),
            heading: pick.group.clone().unwrap_or_default(),
            chosen: Chosen::of_pick(pick),
        })
    }

    /// The name of the current truth: with judgments, if these change it in this direction, and with its threshold, if
    /// not the default.
    pub fn truth_in_force(&self, study: &Study, judgments: &Judgments) -> String {
        let truth = &study.truths[self.truth];
        let name = if self.edits(study, judgments).is_empty() {
            truth.name.clone()
        } else {
            study.name_with_judgments(&truth.name)
        };
        name + &study.set_words(truth)
    }

    /// Changes of the truth by judgments, by index of the query; independent of ranks.
    fn edits(&self, study: &Study, judgments: &Judgments) -> Edits {
        let relevance = study.truths[self.truth].relevance[self.direction].as_ref();
        let edits = relevance.map(|of| label_edits(of, self.direction, judgments));
        edits.unwrap_or_default()
    }
}

/// The gallery index of a query.
///
/// # Errors
/// A query that the gallery lacks.
pub fn query_named(study: &Study, direction: Direction, id: &Id) -> Result<usize> {
    let kind = match direction {
        Direction::I2t => "image",
        Direction::T2i => "caption",
    };
    let find = |direction| study.gallery.queries(direction).find(id);
    find(direction).map(|query| query as usize).ok_or_else(|| {
        let other = direction.flipped();
        let mend = match find(other) {
            Some(_) => format!("it is a query of the other direction: --direction {other}"),
            None => "`itm-explore find FILES --where \"rank > 0\"` lists ids".to_owned(),
        };
        Error::new("queries", format!("no {kind} has the id {id}"))
            .expected(format!("the id of a query of the direction {direction}"))
            .mend(mend)
    })
}

/// Indices of the models with these names; the first model without names.
///
/// # Errors
/// Lists the known models.
pub fn models_named(study: &Study, names: &[String]) -> Result<Vec<ModelIx>> {
    if names.is_empty() {
        return Ok(vec![ModelIx::default()]);
    }
    let place = |name: &String| study.model_place(name);
    names.iter().map(place).collect()
}

impl Scene {
    /// The scene of these queries, with a person's judgments.
    ///
    /// # Errors
    /// Nothing to show, or a depth out of bounds.
    pub fn new(study: &Study, wanted: &[Wanted], judgments: &Judgments) -> Result<Self> {
        study.require_models_and_truths()?;
        if wanted.is_empty() {
            return Err(Error::new("figure", "no query to show")
                .expected("at least one")
                .mend("name queries with --query ID,ID, or pick some in the explorer and give --session FILE"));
        }
        if let Some(deep) = wanted.iter().find(|one| !(1..=MAX_DEPTH).contains(&one.depth)) {
            return Err(Error::new("--k", format!("{} items of a ranking", deep.depth))
                .expected(format!("1 to {MAX_DEPTH}")));
        }
        let mut queries: Vec<QueryRankings> =
            wanted.iter().map(|one| query_rankings(study, one, judgments)).collect();
        // Consecutive queries with the same heading show it once; one without a heading gets another one.
        for (asked, pair) in queries.iter_mut().skip(1).zip(wanted.windows(2)) {
            let [before, heading] = [&pair[0].heading, &pair[1].heading];
            if heading == before {
                asked.heading.clear();
            } else if heading.is_empty() {
                OTHERS.clone_into(&mut asked.heading);
            }
        }
        Ok(Scene { queries, statements: statements(wanted) })
    }

    /// Removes the hidden parts.
    #[must_use]
    pub fn without(mut self, hidden: Hidden) -> Self {
        if hidden.notes {
            self.statements.clear();
        }
        for asked in &mut self.queries {
            asked.query.is_named = !hidden.ids;
            if hidden.notes {
                asked.note.clear();
            }
            for item in asked.rows.iter_mut().flat_map(|row| &mut row.items) {
                item.is_scored = !hidden.scores;
                item.subject.is_named = !hidden.ids;
            }
        }
        self
    }

    /// The signs in use, in the order of the legend.
    pub fn signs(&self) -> Vec<Sign> {
        let items = self.queries.iter().flat_map(|asked| &asked.rows);
        let items = items.flat_map(|row| &row.items);
        let shown: Vec<Sign> = items.map(FigureItem::sign).collect();
        Sign::all().filter(|sign| shown.contains(sign)).collect()
    }

    /// Gallery indices of the images shown, each once.
    pub fn images(&self) -> BTreeSet<usize> {
        let subjects = self.queries.iter().flat_map(|asked| {
            let items = asked.rows.iter().flat_map(|row| &row.items);
            std::iter::once(&asked.query).chain(items.map(|item| &item.subject))
        });
        let images = subjects.filter(|subject| subject.is_image);
        images.map(|subject| subject.index).collect()
    }
}

impl FigureItem {
    /// Its sign: that of the judgment if the annotation differs, or has none.
    pub fn sign(&self) -> Sign {
        let is_new = |is_positive: bool| {
            if is_positive { !self.badge.is_positive() } else { self.badge != Badge::NotRelevant }
        };
        let judgment = self.judgment.map(Judgment::is_positive);
        match judgment.filter(|is_positive| is_new(*is_positive)) {
            None => Sign::Standing(self.badge),
            Some(true) => Sign::MyYes,
            Some(false) => Sign::MyNo,
        }
    }

    /// Its score and a person's judgment, if shown; with the annotation if the judgment contradicts it.
    pub fn numbers(&self) -> String {
        let score = self.is_scored.then(|| score(self.score));
        // A contradicting annotation is shown as well.
        let is_against = self.badge.is_positive() || self.badge == Badge::NotRelevant;
        let is_against = is_against && self.sign() != Sign::Standing(self.badge);
        let badge = is_against.then(|| format!(" ({})", self.badge.in_lists()));
        let badge = badge.unwrap_or_default();
        let judgment = self.judgment.map(|judgment| format!("{}{badge}", judgment.key()));
        let both: Vec<String> = score.into_iter().chain(judgment).collect();
        both.join(" ")
    }

    /// Rank and numbers.
    pub fn with_rank(&self) -> String {
        let line = format!("{}. {}", self.rank, self.numbers());
        line.trim_end().to_owned()
    }
}

impl Subject {
    /// Its kind, and its id if ids are shown.
    pub fn label(&self) -> String {
        let kind = if self.is_image { "image" } else { "caption" };
        if self.is_named { format!("{kind} {}", self.id) } else { kind.to_owned() }
    }

    /// Its text if no image is shown: an image's first caption.
    pub fn caption(&self) -> &str {
        self.own.first().unwrap_or(&self.text)
    }

    /// Description of an image: its name, if names are shown, and its first caption.
    pub fn alt(&self) -> String {
        match self.own.first() {
            Some(caption) if self.is_image && self.is_named => format!("{}: {caption}", self.text),
            Some(caption) if self.is_image => caption.clone(),
            _ => self.text.clone(),
        }
    }

    /// Moves a caption equal to the query to the end: the image is described by another one.
    fn apart_from(mut self, query: &str) -> Self {
        self.own.sort_by_key(|own| own == query);
        self
    }
}

impl ModelRanking {
    /// The rank of the first positive, in words.
    pub fn first_in_words(&self, asked: &QueryRankings) -> String {
        let pool = asked.pool.as_ref();
        let pool = pool.map_or(String::new(), |pool| format!(", pool {pool}"));
        let under = format!("({}{pool})", asked.truth);
        match (self.first, asked.listed) {
            (Some(rank), _) => format!("first positive at rank {rank} {under}"),
            (None, Some(_)) => format!("no positive is ranked {under}"),
            (None, None) if asked.truth == NONE => format!("no ground truth{pool}"),
            (None, None) => format!("{} does not judge this query{pool}", asked.truth),
        }
    }
}

fn query_rankings(study: &Study, wanted: &Wanted, judgments: &Judgments) -> QueryRankings {
    let (direction, query) = (wanted.direction, wanted.query);
    let truth = &study.truths[wanted.truth];
    let relevance = truth.relevance[direction].as_ref();
    let place = relevance.and_then(|relevance| relevance.place(query));
    let edits = wanted.edits(study, judgments);
    let listed =
        |of: &Relevance, place: usize| changed(of.total_positives(place), edits.get(&place));
    // With several models, the query is that of the first.
    let first = wanted.models.first().copied().unwrap_or_default();
    let rows = wanted.models.iter();
    let rows = rows.map(|&model| row(study, wanted, judgments, model));
    QueryRankings {
        direction,
        query: subject(study, first, direction == Direction::I2t, query),
        truth: wanted.truth_in_force(study, judgments),
        pool: study.own_pool(),
        listed: relevance
            .and_then(|of| Some(listed(of, place?)))
            .filter(|listed| !truth.lists_nothing() || *listed > 0),
        note: shown(&wanted.note),
        heading: shown(&wanted.heading),
        rows: rows.collect(),
    }
}

/// Number of positives after judgments added some and removed others.
fn changed(listed: u32, changes: Option<&Vec<ItemChange>>) -> u32 {
    let [was, is] = [0, 1].map(|at| {
        let changes = changes.into_iter().flatten();
        changes.filter(|change| change.is_positive[at]).count() as u32
    });
    listed + is - was
}

fn row(study: &Study, wanted: &Wanted, judgments: &Judgments, of: ModelIx) -> ModelRanking {
    let (direction, query) = (wanted.direction, wanted.query);
    let truth = &study.truths[wanted.truth];
    let model = &study.models[of];
    let ranking = Ranking::among(model, study.mask.as_deref(), direction, query);
    let query = QueryIx::new(query);
    let judgment = |item: u32| judgments.get(Pair::from_query(direction, query, item.into()));
    let standing = |item: u32| {
        let loaded = study.standing(truth, direction, query, item.into());
        match judgment(item) {
            // Without any ground truth, only judgments count.
            said @ Some(_) if truth.lists_nothing() => Standing::NotListed.with(said),
            said => loaded.with(said),
        }
    };
    let text = subject(study, of, direction == Direction::I2t, wanted.query).text;
    let is_right = |item: &u32| standing(*item) == Standing::Positive;
    let first = ranking.order.iter().position(is_right);
    let item = |(rank, &item): (u32, &u32)| FigureItem {
        rank,
        score: ranking.scores[item as usize],
        is_scored: true,
        judgment: judgment(item),
        subject: subject(study, of, direction == Direction::T2i, item as usize).apart_from(&text),
        badge: study.badge(None, direction, query, item.into()),
        standing: standing(item),
    };
    let best = (1..=wanted.depth).zip(&ranking.order);
    ModelRanking {
        model: model.name.clone(),
        first: first.map(|place| place as u32 + 1),
        items: best.map(item).collect(),
    }
}

/// An image or a caption, with the texts given to a model.
fn subject(study: &Study, model: ModelIx, is_image: bool, index: usize) -> Subject {
    let gallery = &study.gallery;
    let (ids, text) = if is_image {
        (&gallery.images, gallery.image(index))
    } else {
        (&gallery.captions, study.caption_of(model, index))
    };
    let images = is_image.then_some(index);
    let own = images.map_or(Set::default(), |image| study.original_items(Direction::I2t, image));
    let caption = |caption: u32| study.caption_of(model, caption as usize).trim().to_owned();
    Subject {
        id: ids[index].clone(),
        index,
        is_image,
        text: text.trim().to_owned(),
        own: own.iter().map(caption).collect(),
        is_named: true,
    }
}
