//! `itm-explore truth mine`: writes the judgments of a session as a ground truth, or as changes of one.

use std::path::PathBuf;

use clap::Args;

use crate::cli::convert::{BUNDLE, form, form_parser};
use crate::cli::marks::find_annotator;
use crate::cli::{InputArgs, progress, say};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::session::Session;
use crate::study::{self, Export, Inputs, NamedPairs, Study};
use crate::truth::judgment::{Judgments, MINE, Pair, is_mine};
use crate::truth::response::describe_responses;
use crate::truth::{Kind, Truth};

/// Help of the positional argument `files`.
pub(super) const FILES: &str =
    "Ground truth to change, and its gallery [default: the judgments alone]";

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore truth mine lsa.itm.json lsa.npy coco5k/ --truth eccv -o mine/\n  \
                  itm-explore truth mine lsa.itm.json lsa.npy coco5k/ --format bundle -o mine.json\n  \
                  itm-explore truth mine lsa.itm.json --annotator mk --format qrels -o mine/",
    after_long_help = "Yes and partial add a positive, no and mostly-no remove one. qrels (grade 0) and a bundle (nonrelevant) keep\n\
                       every no; lists of ids (json) cannot. Positives have no weights: `eval` gives the explorer's metrics except\n\
                       nDCG, where a partial has half the gain. In a ground truth with grades a yes gets the highest grade (a\n\
                       positive keeps its own), a partial half of it, rounded up."
)]
pub(in crate::cli) struct MineArgs {
    /// Session with the judgments
    session: PathBuf,
    /// Ground truth to change [default: the session's, else the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Whose judgments [default: the session's only annotator, else you]
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    /// Folder to write to, or the bundle
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Form: json, qrels, or bundle (one file with the gallery)
    #[arg(long, default_value = "json", value_parser = form_parser())]
    format: String,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &MineArgs) -> anyhow::Result<()> {
    let (session, warnings) = Session::read(&args.session)?;
    say::warn(warnings);
    let by = find_annotator(args.annotator.as_deref(), &args.session, &session)?;
    session.require_annotator(&args.session, &by)?;
    let (form, out) = (form(&args.format), &args.output);
    let mut not_covered = 0;
    let inputs = Inputs { any_order: true, ..args.input.inputs(args.format == BUNDLE) };
    let written = if inputs.demo && !args.input.given.demo {
        if let Some(truth) = &args.truth {
            return Err(Error::new("--truth", format!("{truth}, but no files"))
                .expected("the files of that ground truth after the session")
                .fix("without --truth the judgments alone are written")
                .into());
        }
        let alone = session.judgments_as_truth(&by);
        let pairs = PerDirection { i2t: Some(alone.i2t), t2i: Some(alone.t2i) };
        study::write_pairs(
            None,
            vec![NamedPairs { name: MINE.to_owned(), pairs }],
            (form, out),
            inputs.force,
        )?
    } else {
        let choose = |study: &Study| {
            let (name, judgments) = truth_and_judgments(args, &session, &by, study)?;
            let truth = study.require_truth(&name)?;
            not_covered = judgments.iter().filter(|(pair, _)| !is_covered(truth, *pair)).count();
            Ok((name, judgments))
        };
        let write = || study::write_judged(&inputs, choose, (form, out));
        let (study, written) = progress::with_spinner("writing", write)?;
        InputArgs::warn(&study);
        say::warn(session.judgments_in(&study.gallery, &by).1);
        written
    };
    let [judgments, cant_tell] = session.response_counts(&by);
    say!("{} of {by}", describe_responses(judgments, cant_tell));
    if not_covered > 0 {
        let count = describe_responses(not_covered, 0);
        say!("of queries that the ground truth does not cover, and not written: {count}");
    }
    if matches!(form, Export::Lists(output) if !output.keeps_grades) {
        say!("lists of ids do not hold what was judged not relevant; --format qrels and bundle do");
    }
    say::print_written(&written);
    Ok(())
}

/// Whether the ground truth covers the pair's query in some direction; else a judgment of the pair has no effect.
fn is_covered(truth: &Truth, pair: Pair) -> bool {
    Direction::BOTH.into_iter().any(|direction| {
        let (query, _) = pair.query_and_item(direction);
        let relevance = truth.relevance[direction].as_ref();
        relevance.is_some_and(|relevance| relevance.place(query.get()).is_some())
    })
}

/// Name of the ground truth to change, and the annotator's judgments of pairs in the gallery.
///
/// # Errors
/// No such judgments, or no ground truth.
fn truth_and_judgments(
    args: &MineArgs,
    session: &Session,
    annotator: &str,
    study: &Study,
) -> Result<(String, Judgments)> {
    let judgments = session.judgments_in(&study.gallery, annotator).0;
    if judgments.is_empty() {
        return Err(Error::new(
            args.session.display(),
            format!("none of the judgments of {annotator} is about a pair of this gallery"),
        )
        .expected("the files that the session was made with, or others with the same ids"));
    }
    let in_session = || session.view.get("truth")?.as_str();
    let in_session = in_session().filter(|name| study.truth(name).is_some());
    let name = args.truth.as_deref().or(in_session).or_else(|| richest_before_judgments(study));
    let name = name.ok_or_else(|| {
        Error::new("inputs", "no ground truth among the files")
            .expected("the files of the ground truth that the judgments change")
            .fix("without files the judgments alone are written")
    })?;
    Ok((name.to_owned(), judgments))
}

/// Name of the last rich ground truth, else of the first one, ignoring `TRUTH+mine`; `None` if there is no other.
fn richest_before_judgments(study: &Study) -> Option<&str> {
    let mut truths = study.truths.iter().filter(|truth| !is_mine(&truth.name));
    let rich = truths.clone().rfind(|truth| truth.kind == Kind::Rich);
    rich.or_else(|| truths.next()).map(|truth| truth.name.as_str())
}
