//! `itm-explore truth mine`: the verdicts of a session as a truth.

use std::path::PathBuf;

use clap::Args;

use super::super::convert::{BUNDLE, form, forms};
use super::super::marks::whose;
use super::super::{InputArgs, progress, report_notes};
use crate::data::text::{grouped, shown};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::session::Session;
use crate::study::{self, Form, Inputs, Study};
use crate::truth::response::counted;
use crate::truth::verdict::{MINE, Pair, Verdict, Verdicts, is_mine};
use crate::truth::{Kind, Truth};

/// What files are for here.
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
    #[arg(long, default_value = "json", value_parser = forms())]
    format: String,
    /// Print warnings only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &MineArgs) -> anyhow::Result<u8> {
    let (session, doubts) = Session::read(&args.session)?;
    for line in doubts {
        say!("warning: {line}");
    }
    let by = annotator(args, &session)?;
    let (form, out) = (form(&args.format), &args.output);
    let (mut aside, mut written_of) = (0, of_each(said(&session, &by)));
    let mut half = PerDirection::<usize>::default();
    let inputs = Inputs { any_order: true, ..args.input.inputs(args.format == BUNDLE) };
    let written = if inputs.demo && !args.input.demo {
        if let Some(truth) = &args.truth {
            return Err(Error::new("--truth", format!("{truth}, but no files"))
                .expected("the files of that ground truth after the session")
                .mend("without files the verdicts alone are written")
                .into());
        }
        let alone = session.alone(&by);
        let pairs = PerDirection { i2t: Some(alone.i2t), t2i: Some(alone.t2i) };
        study::write_pairs(MINE, pairs, form, out, inputs.force)?
    } else {
        let choose = |study: &Study| {
            let (name, verdicts) = choose(args, &session, &by, study)?;
            let truth = study.require_truth(&name)?;
            let judged = || verdicts.iter().filter(|(pair, _)| is_judged(truth, *pair));
            aside = verdicts.iter().count() - judged().count();
            half = PerDirection::from_fn(|direction| {
                let left = judged().filter(|(pair, _)| !is_judged_in(truth, *pair, direction));
                left.count()
            });
            written_of = of_each(judged().map(|(_, verdict)| verdict));
            Ok((name, verdicts))
        };
        let write = || study::write_changed(&inputs, choose, form, out);
        let (study, written) = progress::waiting("writing", write)?;
        report_notes(&study, args.quiet);
        for line in session.verdicts(&study.gallery, &by).notes {
            say!("warning: {line}");
        }
        written
    };
    say!("{}", summary(&session, &by));
    if aside > 0 {
        say!(
            "of queries that the ground truth does not judge, and not written: {}",
            counted(aside, 0)
        );
    }
    for direction in Direction::BOTH.into_iter().filter(|&of| half[of] > 0) {
        say!(
            "of queries that the ground truth does not judge in {direction}, and written in the other direction alone: {}",
            counted(half[direction], 0)
        );
    }
    if let Some(line) = without_no(written_of, form) {
        say!("{line}");
    }
    for path in written {
        say!("wrote {}", shown(&path.display().to_string()));
    }
    Ok(0)
}

/// Whose verdicts there are, and how many.
fn summary(session: &Session, by: &str) -> String {
    let cant_tell = session.count_of_cant_tell(by);
    let counted = counted(said(session, by).count(), cant_tell);
    let left = if cant_tell > 0 { "; what cannot be told is not written" } else { "" };
    format!("{counted} of {}{left}", shown(by))
}

/// What an annotator said of pairs.
fn said(session: &Session, by: &str) -> impl Iterator<Item = Verdict> {
    let of_annotator = session.judgements().iter().filter(move |one| one.by == by);
    of_annotator.map(|one| one.verdict)
}

/// How many verdicts make positives, and how many take them away.
fn of_each(verdicts: impl Iterator<Item = Verdict>) -> [usize; 2] {
    let (yes, no): (Vec<_>, Vec<_>) = verdicts.partition(|verdict| verdict.is_positive());
    [yes.len(), no.len()]
}

/// Whether a truth judges a pair's query in any direction: else a verdict on it changes nothing.
fn is_judged(truth: &Truth, pair: Pair) -> bool {
    let mut directions = Direction::BOTH.into_iter();
    directions.any(|direction| is_judged_in(truth, pair, direction))
}

/// Whether a truth judges a pair's query in a direction.
fn is_judged_in(truth: &Truth, pair: Pair, direction: Direction) -> bool {
    let relevance = truth.relevance[direction].as_ref();
    let (query, _) = pair.asked(direction);
    relevance.is_some_and(|relevance| relevance.place(query.get()).is_some())
}

/// Says what of the verdicts written, so many positives and so many others, lists of ids do not hold; `None` where the
/// form holds all.
fn without_no([yes, no]: [usize; 2], form: Form) -> Option<String> {
    let is_lost = matches!(form, Form::Lists(output) if !output.keeps_grades);
    (is_lost && no > 0).then(|| {
        format!(
            "{} yes or partly: positives; {} no or mostly no: no positives, and lists of ids do not tell them from what \
             nobody judged; --format qrels and bundle do",
            grouped(yes),
            grouped(no)
        )
    })
}

/// Whose verdicts are written.
fn annotator(args: &MineArgs, session: &Session) -> Result<String> {
    let by = whose(args.annotator.as_deref(), &args.session, session)?;
    session.require_annotator(&args.session, &by)?;
    Ok(by)
}

/// The truth to be changed, and the verdicts.
fn choose(
    args: &MineArgs,
    session: &Session,
    by: &str,
    study: &Study,
) -> Result<(String, Verdicts)> {
    let verdicts = session.verdicts(&study.gallery, by).verdicts;
    if verdicts.is_empty() {
        return Err(Error::new(
            args.session.display(),
            format!("none of the verdicts of {by} is about a pair of this gallery"),
        )
        .expected("the files that the session was made with, or others with the same ids"));
    }
    let viewed = || session.view.get("truth")?.as_str();
    let viewed = viewed().filter(|name| study.truth(name).is_some());
    let name = match (args.truth.as_deref(), viewed) {
        (Some(name), _) | (None, Some(name)) => name.to_owned(),
        (None, None) => richest(study)?,
    };
    Ok((name, verdicts))
}

/// The richest truth that verdicts have not changed before.
fn richest(study: &Study) -> Result<String> {
    let made = study.truths.iter().filter(|truth| !is_mine(&truth.name));
    let rich = made.clone().rfind(|truth| truth.kind == Kind::Rich);
    let truth = rich.or_else(|| made.clone().next()).ok_or_else(|| {
        Error::new("inputs", "no ground truth among the files")
            .expected("the files of the ground truth that the verdicts change")
            .mend("without files the verdicts alone are written")
    })?;
    Ok(truth.name.clone())
}
