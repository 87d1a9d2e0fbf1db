//! Content of a figure: queries, the top items of each model, and the standing of these items.

use std::collections::BTreeSet;

use super::selection::{QuerySelection, selection_sentences};
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

/// Default number of items shown per ranking.
pub const DEPTH: u32 = 5;
/// Heading of queries without a heading that follow queries with one.
const OTHER_QUERIES: &str = "Other queries";
/// Maximum number of items shown per ranking.
pub const MAX_DEPTH: u32 = 100;

/// A query that a figure shall show, with its models and truth.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureQuery {
    /// Direction of retrieval.
    pub direction: Direction,
    /// Gallery index of the query.
    pub query: usize,
    /// Indices of the models, in the order of their rows.
    pub models: Vec<ModelIx>,
    /// Index of the truth that defines the positives.
    pub truth: TruthIx,
    /// Number of items per ranking.
    pub depth: u32,
    /// A note below the query, or empty.
    pub note: String,
    /// Its heading, or empty.
    pub heading: String,
    /// How it was selected.
    pub selection: QuerySelection,
}

/// The content of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The queries, in order.
    pub queries: Vec<QueryRankings>,
    /// Sentences that say how the queries were selected.
    pub statements: Vec<String>,
}

/// A query and its rankings.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryRankings {
    /// Direction of retrieval.
    pub direction: Direction,
    /// The query.
    pub query: Subject,
    /// Name of the truth that defines the positives, as in [`FigureQuery::effective_truth_name`].
    pub truth: String,
    /// Name of the candidate pool; `None` for the whole gallery.
    pub pool: Option<String>,
    /// Number of positives; `None` if the truth does not cover the query.
    pub positives: Option<u32>,
    /// A note, or empty.
    pub note: String,
    /// The heading above it, or empty.
    pub heading: String,
    /// A ranking for each model.
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

/// An item of a ranking, with its standing.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureItem {
    /// Rank, from 1.
    pub rank: u32,
    /// Score by the model; NaN if it gives none.
    pub score: f64,
    /// Whether the score is shown.
    pub shows_score: bool,
    /// A person's judgment of the pair, if shown.
    pub judgment: Option<Judgment>,
    /// The item.
    pub subject: Subject,
    /// Standing in all truths together, as loaded.
    pub badge: Badge,
    /// Standing in the truth of the query, with judgments.
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
    /// A caption's text; an image's file name, or `image ID` if it has none.
    pub text: String,
    /// The captions written for an image; one with the text of the query comes last.
    pub captions: Vec<String>,
    /// Whether its id and its file name are shown.
    pub is_named: bool,
}

/// Which parts of a figure to hide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hidden {
    /// The models' scores.
    pub scores: bool,
    /// Ids and file names.
    pub ids: bool,
    /// Notes on queries, and how these were selected.
    pub notes: bool,
}

impl FigureQuery {
    /// The query of a pick; `None` for `models` or `truth` uses those of the pick.
    ///
    /// # Errors
    /// A query, a model or a truth that the study lacks.
    pub fn from_pick(
        study: &Study,
        pick: &Pick,
        (models, truth): (Option<&[ModelIx]>, Option<TruthIx>),
    ) -> Result<Self> {
        let with_fix = |error: Error| error.fix("the files that the session was made with");
        let models = match models {
            Some(models) => models.to_vec(),
            None => find_models(study, &pick.models).map_err(with_fix)?,
        };
        let truth = match truth {
            Some(truth) => truth,
            None => study.truth_index(&pick.truth).map_err(with_fix)?,
        };
        Ok(FigureQuery {
            direction: pick.direction,
            query: find_query(study, pick.direction, &pick.query)?,
            models,
            truth,
            depth: pick.depth,
            note: pick.note.clone(),
            heading: pick.group.clone().unwrap_or_default(),
            selection: QuerySelection::from_pick(pick),
        })
    }

    /// The name of the truth, followed by its threshold if that is not the default. The name mentions judgments if
    /// these change the truth in this direction.
    pub fn effective_truth_name(&self, study: &Study, judgments: &Judgments) -> String {
        let truth = &study.truths[self.truth];
        let name = if self.edits(study, judgments).is_empty() {
            truth.name.clone()
        } else {
            study.name_with_judgments(&truth.name)
        };
        name + &study.threshold_suffix(truth)
    }

    /// Changes of the truth by judgments, for every query.
    fn edits(&self, study: &Study, judgments: &Judgments) -> Edits {
        let relevance = study.truths[self.truth].relevance[self.direction].as_ref();
        let edits = relevance.map(|relevance| label_edits(relevance, self.direction, judgments));
        edits.unwrap_or_default()
    }
}

/// Finds the gallery index of a query by its id.
///
/// # Errors
/// A query that the gallery lacks.
pub fn find_query(study: &Study, direction: Direction, id: &Id) -> Result<usize> {
    let kind = match direction {
        Direction::I2t => "image",
        Direction::T2i => "caption",
    };
    let find = |direction| study.gallery.queries(direction).find(id);
    find(direction).map(|query| query as usize).ok_or_else(|| {
        let other = direction.flipped();
        let error = Error::new("queries", format!("no {kind} has the id {id}"))
            .expected(format!("the id of a query of the direction {direction}"));
        match find(other) {
            Some(_) => {
                error.fix(format!("it is a query of the other direction: --direction {other}"))
            }
            None => error,
        }
    })
}

/// Finds models by their names. Without names, returns the first model.
///
/// # Errors
/// An unknown name; the error lists the known models.
pub fn find_models(study: &Study, names: &[String]) -> Result<Vec<ModelIx>> {
    if names.is_empty() {
        return Ok(vec![ModelIx::default()]);
    }
    names.iter().map(|name| study.model_index(name)).collect()
}

impl Scene {
    /// The scene of these queries, with a person's judgments.
    ///
    /// # Errors
    /// No query, or a depth out of bounds.
    pub fn new(study: &Study, queries: &[FigureQuery], judgments: &Judgments) -> Result<Self> {
        study.require_models_and_truths()?;
        if queries.is_empty() {
            return Err(Error::new("figure", "no query to show")
                .expected("at least one")
                .fix("name queries with --query ID,ID, or pick some in the explorer and give --session FILE"));
        }
        let mut depths = queries.iter().map(|query| query.depth);
        if let Some(depth) = depths.find(|depth| !(1..=MAX_DEPTH).contains(depth)) {
            return Err(Error::new("--k", format!("{depth} items of a ranking"))
                .expected(format!("1 to {MAX_DEPTH}")));
        }
        let mut all: Vec<QueryRankings> =
            queries.iter().map(|query| query_rankings(study, query, judgments)).collect();
        // Consecutive queries with the same heading show it once.
        for (rankings, pair) in all.iter_mut().skip(1).zip(queries.windows(2)) {
            let [before, heading] = [&pair[0].heading, &pair[1].heading];
            if heading == before {
                rankings.heading.clear();
            } else if heading.is_empty() {
                OTHER_QUERIES.clone_into(&mut rankings.heading);
            }
        }
        Ok(Scene { queries: all, statements: selection_sentences(queries) })
    }

    /// Removes parts that are to be hidden.
    #[must_use]
    pub fn hide(mut self, hidden: Hidden) -> Self {
        if hidden.notes {
            self.statements.clear();
        }
        for rankings in &mut self.queries {
            rankings.query.is_named = !hidden.ids;
            if hidden.notes {
                rankings.note.clear();
            }
            for item in rankings.rows.iter_mut().flat_map(|row| &mut row.items) {
                item.shows_score = !hidden.scores;
                item.subject.is_named = !hidden.ids;
            }
        }
        self
    }

    /// The signs of all items, each once, in the order of the legend.
    pub fn signs(&self) -> Vec<Sign> {
        let items = self.queries.iter().flat_map(|rankings| &rankings.rows);
        let used: Vec<Sign> = items.flat_map(|row| &row.items).map(FigureItem::sign).collect();
        Sign::all().filter(|sign| used.contains(sign)).collect()
    }

    /// Gallery indices of the images shown, each once.
    pub fn images(&self) -> BTreeSet<usize> {
        let subjects = self.queries.iter().flat_map(|rankings| {
            let items = rankings.rows.iter().flat_map(|row| &row.items);
            std::iter::once(&rankings.query).chain(items.map(|item| &item.subject))
        });
        subjects.filter(|subject| subject.is_image).map(|subject| subject.index).collect()
    }
}

impl FigureItem {
    /// The sign of the judgment if there is one that differs from the badge, else the sign of the badge.
    pub fn sign(&self) -> Sign {
        let differs = |is_positive: bool| {
            if is_positive { !self.badge.is_positive() } else { self.badge != Badge::NotRelevant }
        };
        let judgment = self.judgment.map(Judgment::is_positive);
        match judgment.filter(|is_positive| differs(*is_positive)) {
            None => Sign::Standing(self.badge),
            Some(true) => Sign::MyYes,
            Some(false) => Sign::MyNo,
        }
    }

    /// Score and judgment in words, if shown, with the annotation if the judgment contradicts it.
    pub fn score_and_judgment(&self) -> String {
        let score = self.shows_score.then(|| score(self.score));
        let is_against = self.badge.is_positive() || self.badge == Badge::NotRelevant;
        let is_against = is_against && self.sign() != Sign::Standing(self.badge);
        let badge = if is_against { format!(" ({})", self.badge.key()) } else { String::new() };
        let judgment = self.judgment.map(|judgment| format!("{}{badge}", judgment.key()));
        score.into_iter().chain(judgment).collect::<Vec<_>>().join(" ")
    }

    /// The rank, followed by [`FigureItem::score_and_judgment`].
    pub fn rank_and_score(&self) -> String {
        format!("{}. {}", self.rank, self.score_and_judgment()).trim_end().to_owned()
    }
}

impl Subject {
    /// `image` or `caption`, with its id if ids are shown.
    pub fn label(&self) -> String {
        let kind = if self.is_image { "image" } else { "caption" };
        if self.is_named { format!("{kind} {}", self.id) } else { kind.to_owned() }
    }

    /// Text to show instead of an image: its first caption, or [`Subject::text`] if it has none. A caption's own text.
    pub fn caption(&self) -> &str {
        self.captions.first().unwrap_or(&self.text)
    }

    /// Description in words. Of an image: its name if names are shown, and its first caption; only the name if it has
    /// no caption. Of a caption: its text.
    pub fn alt(&self) -> String {
        match self.captions.first() {
            Some(caption) if self.is_image && self.is_named => format!("{}: {caption}", self.text),
            Some(caption) if self.is_image => caption.clone(),
            _ => self.text.clone(),
        }
    }

    /// Moves captions equal to the query to the end, so that another one describes the image.
    fn with_query_last(mut self, query: &str) -> Self {
        self.captions.sort_by_key(|caption| caption == query);
        self
    }
}

impl ModelRanking {
    /// The rank of the first positive, in words, with truth and pool.
    pub fn first_positive_text(&self, rankings: &QueryRankings) -> String {
        let pool = rankings.pool.as_ref();
        let pool = pool.map_or(String::new(), |pool| format!(", pool {pool}"));
        let under = format!("({}{pool})", rankings.truth);
        match (self.first, rankings.positives) {
            (Some(rank), _) => format!("first positive at rank {rank} {under}"),
            (None, Some(_)) => format!("no positive is ranked {under}"),
            (None, None) if rankings.truth == NONE => format!("no ground truth{pool}"),
            (None, None) => format!("{} does not cover this query{pool}", rankings.truth),
        }
    }
}

/// A query with the rankings of its models, as a figure shows them.
fn query_rankings(study: &Study, request: &FigureQuery, judgments: &Judgments) -> QueryRankings {
    let (direction, query) = (request.direction, request.query);
    let truth = &study.truths[request.truth];
    let relevance = truth.relevance[direction].as_ref();
    let place = relevance.and_then(|relevance| relevance.place(query));
    let edits = request.edits(study, judgments);
    let positives = |relevance: &Relevance, place: usize| {
        edited_positives(relevance.total_positives(place), edits.get(&place))
    };
    // Models may have texts of their own: the query is shown as given to the first.
    let first = request.models.first().copied().unwrap_or_default();
    let rows = request.models.iter().map(|&model| model_ranking(study, request, judgments, model));
    QueryRankings {
        direction,
        query: subject(study, first, direction == Direction::I2t, query),
        truth: request.effective_truth_name(study, judgments),
        pool: study.own_pool_name(),
        positives: relevance
            .and_then(|relevance| Some(positives(relevance, place?)))
            .filter(|positives| !truth.is_none_truth() || *positives > 0),
        note: shown(&request.note),
        heading: shown(&request.heading),
        rows: rows.collect(),
    }
}

/// Number of positives of a query: `listed`, plus those that `changes` by judgments add, minus those that they remove.
fn edited_positives(listed: u32, changes: Option<&Vec<ItemChange>>) -> u32 {
    let [before, after] = [0, 1].map(|at| {
        changes.into_iter().flatten().filter(|change| change.is_positive[at]).count() as u32
    });
    listed + after - before
}

/// The top items of one model for a query, with their standing after judgments.
fn model_ranking(
    study: &Study,
    request: &FigureQuery,
    judgments: &Judgments,
    model_index: ModelIx,
) -> ModelRanking {
    let (direction, query) = (request.direction, request.query);
    let truth = &study.truths[request.truth];
    let model = &study.models[model_index];
    let ranking = Ranking::in_pool(model, study.mask.as_deref(), direction, query);
    let query = QueryIx::new(query);
    let judgment = |item: u32| judgments.get(Pair::from_query(direction, query, item.into()));
    let standing = |item: u32| {
        let loaded = study.standing(truth, direction, query, item.into());
        match judgment(item) {
            // Without any ground truth, only judgments count.
            judgment @ Some(_) if truth.is_none_truth() => {
                Standing::NotListed.with_judgment(judgment)
            }
            judgment => loaded.with_judgment(judgment),
        }
    };
    let query_text = subject(study, model_index, direction == Direction::I2t, request.query).text;
    let is_positive = |item: &u32| standing(*item) == Standing::Positive;
    let first = ranking.order.iter().position(is_positive);
    let item = |(rank, &item): (u32, &u32)| FigureItem {
        rank,
        score: ranking.scores[item as usize],
        shows_score: true,
        judgment: judgment(item),
        subject: subject(study, model_index, direction == Direction::T2i, item as usize)
            .with_query_last(&query_text),
        badge: study.badge(None, direction, query, item.into()),
        standing: standing(item),
    };
    let top = (1..=request.depth).zip(&ranking.order);
    ModelRanking {
        model: model.name.clone(),
        first: first.map(|place| place as u32 + 1),
        items: top.map(item).collect(),
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
    let captions =
        if is_image { study.original_items(Direction::I2t, index) } else { Set::default() };
    let caption_text = |caption: u32| study.caption_of(model, caption as usize).trim().to_owned();
    Subject {
        id: ids[index].clone(),
        index,
        is_image,
        text: text.trim().to_owned(),
        captions: captions.iter().map(caption_text).collect(),
        is_named: true,
    }
}
