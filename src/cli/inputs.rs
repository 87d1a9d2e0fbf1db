//! Options that name the inputs of a study, for every command that reads one.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::values::{above_zero, assignment, choices, of_model};
use super::{command_line, progress, say};
use crate::data::cider::Tokenisation;
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::study::{Inputs, Neighbours, Phis, PoolFiles, ScoreInputs, Study, TruthRules};
use crate::truth::conventions::{NoPositives, ShortLists};
use crate::truth::rule::RULES;

/// The inputs of every subcommand. They stand at the end of its arguments: its own come first in the help.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Inputs")]
pub(super) struct InputArgs {
    /// Scores, ground truths, captions, ids, folders; recognised by content
    #[arg(help_heading = None)]
    pub(super) files: Vec<PathBuf>,
    /// Use the built-in demo, plus any files given
    #[arg(long, conflicts_with_all = command_line::SCORES)]
    pub(super) demo: bool,
    /// Image ids in matrix order (.npy, JSON list, or one per line)
    #[arg(long, value_name = "FILE")]
    image_ids: Option<PathBuf>,
    /// Caption ids in matrix order (.npy, JSON list, or one per line)
    #[arg(long, value_name = "FILE")]
    caption_ids: Option<PathBuf>,
    /// Name a model in all results, by its file or name; repeatable
    #[arg(long, value_name = "FILE=NAME", value_parser = assignment)]
    name: Vec<(String, String)>,
    /// Treat models as training steps, by the last number in each name
    ///
    /// A folder stands for all matrices in it.
    #[arg(long)]
    pub(super) series: bool,
    /// Folder, .zip or .tar of the images, found by file name or COCO id
    ///
    /// Subfolders are searched, too.
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
    /// Folder of Flickr30k Entities, with Sentences/ and Annotations/
    #[arg(long, value_name = "DIR")]
    entities: Option<PathBuf>,
    /// Table of images or captions by id, for conditions; repeatable
    ///
    /// CSV or TSV: ids in the first column. A condition names the others: column("NAME") == "x".
    #[arg(long, value_name = "FILE.csv")]
    table: Vec<PathBuf>,
    /// Consecutive captions per image without a ground truth (0: unpaired)
    ///
    /// [default: as the sizes imply]
    #[arg(long, value_name = "K")]
    captions_per_image: Option<u32>,
    /// Split of a Karpathy file (dataset_*.json) [default: test]
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// Add a candidate pool: a list of images or captions; repeatable
    ///
    /// Images by id or file name, captions by id (.npy, JSON list, or one per line).
    #[arg(long, value_name = "NAME=FILE", value_parser = assignment)]
    pool_file: Vec<(String, String)>,
    /// Add other texts of the captions, such as refined ones; repeatable
    #[arg(long, value_name = "NAME=FILE", value_parser = assignment)]
    texts: Vec<(String, String)>,
    /// Which of --texts a model was given; repeatable
    #[arg(long, value_name = "MODEL=NAME", value_parser = of_model)]
    captions_of: Vec<(String, String)>,
    /// Overwrite existing files
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
    #[command(flatten)]
    pub(super) scores: ScoreArgs,
    #[command(flatten)]
    pub(super) phi: PhiArgs,
}

impl InputArgs {
    pub(super) fn inputs(&self, texts: bool) -> Inputs {
        let ScoreArgs { captions_first, images_first, .. } = self.scores;
        let scores = ScoreInputs {
            i2t: self.scores.i2t.clone(),
            t2i: self.scores.t2i.clone(),
            image_emb: self.scores.image_emb.clone(),
            text_emb: self.scores.text_emb.clone(),
            cosine: self.scores.cosine,
            runs: self.scores.run.clone(),
            run_i2t: self.scores.run_i2t.clone(),
            run_t2i: self.scores.run_t2i.clone(),
            knn: self.scores.knn.iter().map(|named| Neighbours::parse(named)).collect(),
            dense: self.scores.dense,
        };
        let phis = Phis {
            named: self.phi.phi.clone(),
            models: self.phi.phi_model.clone(),
            tokenisation: self.phi.tokens,
            drop_self: self.phi.drop_self,
            m: self.phi.phi_m.map(|m| m as usize),
            close: self.phi.phi_close,
        };
        let RuleArgs { of_rules: OfRules(rules), relevant_from, .. } = &self.rules;
        let text_sets = self.texts.iter().map(|(name, file)| (name.clone(), file.into()));
        Inputs {
            files: self.files.clone(),
            image_ids: self.image_ids.clone(),
            caption_ids: self.caption_ids.clone(),
            captions_per_image: self.captions_per_image,
            demo: self.demo || (self.files.is_empty() && scores.is_empty()),
            force: self.force,
            series: self.series,
            names: self.name.clone(),
            captions_first: (captions_first || images_first).then_some(captions_first),
            scores,
            texts: texts || phis.need_texts() || self.entities.is_some(),
            phis,
            split: self.split.clone(),
            rules: TruthRules { relevant_from: *relevant_from, ..*rules },
            pools: self.pools(),
            images: self.images.clone(),
            text_sets: text_sets.collect(),
            captions_of: self.captions_of.clone(),
            entities: self.entities.clone(),
            tables: self.table.clone(),
            no_positives: self.rules.no_positives,
            short_lists: self.rules.short_lists,
            ..Inputs::default()
        }
    }

    /// Inputs of commands that browse rankings: no ground truth is required.
    pub(super) fn browsed(&self) -> Inputs {
        let inputs = self.inputs(true);
        Inputs { is_browsed: inputs.phis.named.is_empty(), ..inputs }
    }

    /// The pools of files: lists of its images and of its captions make one pool.
    fn pools(&self) -> Vec<PoolFiles> {
        let mut pools: Vec<PoolFiles> = Vec::new();
        for (name, file) in &self.pool_file {
            match pools.iter_mut().find(|known| known.name == *name) {
                Some(known) => known.files.push(file.into()),
                None => pools.push(PoolFiles { name: name.clone(), files: vec![file.into()] }),
            }
        }
        pools
    }

    /// The study of the arguments; reports how its files were understood.
    pub(super) fn open(&self, texts: bool) -> Result<Study> {
        Self::open_with(&self.inputs(texts))
    }

    pub(super) fn open_with(inputs: &Inputs) -> Result<Study> {
        let study = Self::read(inputs)?;
        Self::warn(&study);
        Ok(study)
    }

    /// The same without ground truths of similarities.
    pub(super) fn open_alone(inputs: &Inputs) -> Result<Study> {
        let study = progress::waiting("reading", || crate::study::open(inputs))?;
        Self::warn(&study);
        Ok(study)
    }

    pub(super) fn read(inputs: &Inputs) -> Result<Study> {
        progress::waiting("reading", || {
            let mut study = crate::study::open(inputs)?;
            crate::semantic::add_truths(&mut study, &CancelToken::default())?;
            Ok(study)
        })
    }

    /// Prints on stderr what may make numbers misleading; what makes them meaningless comes last, just above the
    /// result. `doctor` prints how the inputs were understood.
    pub(super) fn warn(study: &Study) {
        let warnings = study.notes.iter().filter(|note| note.is_to_be_heeded());
        say::warn(warnings.map(|note| &note.text));
        let problems = crate::doctor::examine_quickly(study);
        for alike in problems.chunk_by(|one, other| one.check == other.check) {
            say::warn_of_first(alike);
        }
    }
}

#[derive(Debug, Clone, Args)]
pub(super) struct RuleArgs {
    /// Queries without positives: exclude, or score 0 (like `trec_eval`)
    ///
    /// [default: left-out]
    #[arg(long, value_name = "HOW", value_parser = choices(NoPositives::ALL))]
    pub(super) no_positives: Option<NoPositives>,
    /// Positives beyond the end of a ranked list: unknown rank, or a miss
    ///
    /// [default: unknown]
    #[arg(long, value_name = "HOW", value_parser = choices(ShortLists::ALL))]
    pub(super) short_lists: Option<ShortLists>,
    #[command(flatten)]
    of_rules: OfRules,
    /// Lowest grade of a positive in graded ground truths [default: 1]
    ///
    /// nDCG uses all grades.
    #[arg(long, value_name = "GRADE", value_parser = above_zero)]
    relevant_from: Option<u32>,
}

/// The number and the switch of each rule in [`RULES`].
#[derive(Debug, Clone)]
struct OfRules(TruthRules);

impl Args for OfRules {
    fn augment_args(mut command: Command) -> Command {
        for rule in RULES {
            let number = rule.number;
            let arg = Arg::new(number.flag).long(number.flag);
            let arg = arg.value_name(number.value_name).help(number.doc);
            command = command.arg(arg.value_parser(move |text: &str| number.parse(text)));
            if let Some(switch) = rule.switch {
                let arg = Arg::new(switch.flag).long(switch.flag);
                command = command.arg(arg.help(switch.doc).action(ArgAction::SetTrue));
            }
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OfRules {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let mut rules = OfRules(TruthRules::default());
        rules.update_from_arg_matches(matches)?;
        Ok(rules)
    }

    fn update_from_arg_matches(
        &mut self,
        matches: &ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        for rule in RULES {
            self.0.numbers[rule.name] = matches.get_one(rule.number.flag).copied();
            let switch = rule.switch.map(|switch| matches.get_flag(switch.flag));
            self.0.switches[rule.name] = switch.unwrap_or_default();
        }
        Ok(())
    }
}

impl RuleArgs {
    /// Gives a rule its own number where none is given: its truth is made, whatever other files list.
    pub(super) fn take(&mut self, rule: &str, default: f64) {
        self.of_rules.0.numbers[rule].get_or_insert(default);
    }
}

#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[command(next_help_heading = "Scores in other forms")]
pub(super) struct ScoreArgs {
    /// Rows of matrices are captions
    #[arg(long)]
    captions_first: bool,
    /// Rows of matrices are images
    #[arg(long, conflicts_with = "captions_first")]
    images_first: bool,
    /// Scores of image queries, as re-ranking models write; with --t2i
    #[arg(long, value_name = "FILE")]
    i2t: Option<PathBuf>,
    /// Scores of caption queries; with --i2t
    #[arg(long, value_name = "FILE")]
    t2i: Option<PathBuf>,
    /// Image embeddings (.npy or Parquet); with --text-emb
    #[arg(long, value_name = "FILE")]
    image_emb: Option<PathBuf>,
    /// Caption embeddings; the scores are dot products
    #[arg(long, value_name = "FILE")]
    text_emb: Option<PathBuf>,
    /// Normalize embeddings, so that scores are cosines
    #[arg(long)]
    cosine: bool,
    /// Ranked lists of both directions (JSON, TREC run, Parquet); repeatable
    ///
    /// JSON: {"i2t": {query id: [item ids, best first]}, "t2i": {..}}
    #[arg(long, value_name = "FILE")]
    run: Vec<PathBuf>,
    /// Ranked captions of image queries (JSON, TREC run, Parquet)
    #[arg(long, value_name = "FILE")]
    run_i2t: Option<PathBuf>,
    /// Ranked images of caption queries (JSON, TREC run, Parquet)
    #[arg(long, value_name = "FILE")]
    run_t2i: Option<PathBuf>,
    /// Neighbours from FAISS: indices, optional distances; per direction
    ///
    /// Prefix `i2t:` or `t2i:` if the sizes do not tell the direction.
    #[arg(long, value_name = "I.npy[,D.npy]")]
    knn: Vec<String>,
    /// Take every cell as a score, even if most of a row are its minimum
    #[arg(long)]
    dense: bool,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Similarity of captions")]
pub(super) struct PhiArgs {
    /// Add a similarity as ground truth: `cider`, or NAME=FILE; repeatable
    ///
    /// For semantic recall and NCS. `cider` is CIDEr-D of the captions; a file holds other scores, such as SPICE.
    #[arg(long, value_name = "NAME[=FILE]", value_parser = Phis::named)]
    phi: Vec<(String, Option<PathBuf>)>,
    /// Most similar items that count as positives [default: 5]
    #[arg(long, requires = "phi", value_name = "M", value_parser = clap::value_parser!(u32).range(1..=30))]
    phi_m: Option<u32>,
    /// Share of the greatest phi at which an item is close [default: 0.5]
    #[arg(long, requires = "phi", value_name = "SHARE", value_parser = Phis::share)]
    phi_close: Option<f64>,
    /// Also add a phi as a model; repeatable
    #[arg(long, value_name = "NAME")]
    phi_model: Vec<String>,
    /// Tokens of CIDEr-D: ptb (no punctuation) or ncs (split at blanks)
    ///
    /// [default: ptb]
    #[arg(long, value_name = "HOW", value_parser = choices(Tokenisation::ALL.map(|one| (one.key(), one))))]
    tokens: Option<Tokenisation>,
    /// Exclude a caption's own copy from its references
    #[arg(long)]
    drop_self: bool,
}
