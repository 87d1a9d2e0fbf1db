//! `itm-explore truth mine`: the verdicts of a session as a truth.

use std::path::{Path, PathBuf};

use clap::{Args, builder::PossibleValuesParser};

use super::super::{InputArgs, config, progress, report_notes};
use crate::data::PerDirection;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::session::Session;
use crate::study::{self, Form, Inputs, Study};
use crate::truth::Kind;
use crate::truth::output::OUTPUTS;
use crate::truth::response::counted;
use crate::truth::verdict::{MINE, Verdicts, is_mine};

/// The word for one file with ids, captions and the truth.
const BUNDLE: &str = "bundle";

/// What files are for here.
pub(super) const FILES: &str = "The truth that the verdicts change, and what its gallery is made of: as for `eval` [default: the verdicts alone]";

#[derive(Debug, Args)]
#[command(
    after_help = "A yes or partial adds a positive, a no or mostly-no takes one away. What is written lists positives\n\
                  without weights: `eval` gives the explorer's R@1, mAP@R and all else but nDCG, where a partial\n\
                  has half the gain; that weight lives in the session. Of a truth with grades a yes is written with\n\
                  the greatest grade (a positive keeps its own), a partial with half of it, rounded up.\n\n\
                  Examples:\n  itm-explore truth mine lsa.itm.json lsa.npy coco5k/ --truth eccv -o mine/\n  \
                  itm-explore truth mine lsa.itm.json lsa.npy coco5k/ --format bundle -o mine.json\n  \
                  itm-explore truth mine lsa.itm.json --annotator mk --format qrels -o mine/"
)]
pub(in crate::cli) struct MineArgs {
    /// The session with the verdicts
    session: PathBuf,
    /// The truth that the verdicts change [default: the session's, else the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Whose verdicts [default: those of the session's only annotator, else one's own]
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    /// The folder to write to, or the bundle [default: the current folder]
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// json: ids by id; qrels: as TREC tools read them; bundle: one file with the gallery
    #[arg(long, default_value = "json", value_parser = PossibleValuesParser::new(OUTPUTS.iter().map(|o| o.key).chain([BUNDLE])))]
    format: String,
    /// Say nothing about the inputs on stderr
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
    if let Some(out) = &args.output {
        spare(&args.session, out)?;
    }
    let (form, out) = (form(&args.format), args.output.as_deref());
    let inputs = Inputs {
        any_order: true,
        ..args.input.inputs(args.format == BUNDLE)
    };
    let written = if inputs.demo && !args.input.demo {
        if let Some(truth) = &args.truth {
            return Err(Error::new("--truth", format!("{truth}, but no files"))
                .expected("the files of that truth after the session")
                .mend("without files the verdicts alone are written")
                .into());
        }
        let alone = session.alone(&by);
        let pairs = PerDirection {
            i2t: Some(alone.i2t),
            t2i: Some(alone.t2i),
        };
        study::write_pairs(MINE, pairs, form, out, inputs.force)?
    } else {
        let choose = |study: &Study| choose(args, &session, &by, study);
        let write = || study::write_changed(&inputs, choose, form, out);
        let (study, written) = progress::waiting("writing", write)?;
        if !args.quiet {
            report_notes(&study);
        }
        for line in session.verdicts(&study.gallery, &by).notes {
            say!("warning: {line}");
        }
        written
    };
    let verdicts = session.judgements().iter().filter(|one| one.by == by);
    let (verdicts, cant_tell) = (verdicts.count(), session.count_of_cant_tell(&by));
    let counted = counted(verdicts, cant_tell);
    let left = if cant_tell > 0 {
        "; what cannot be told is not written"
    } else {
        ""
    };
    say!("{counted} of {}{left}", shown(&by));
    for path in written {
        say!("wrote {}", shown(&path.display().to_string()));
    }
    Ok(0)
}

fn form(key: &str) -> Form<'static> {
    let lists = OUTPUTS.iter().find(|output| output.key == key);
    lists.map_or(Form::Bundle, Form::Lists)
}

/// Whose verdicts are written.
fn annotator(args: &MineArgs, session: &Session) -> Result<String> {
    let names = session.annotators();
    let by = match (&args.annotator, &names[..]) {
        (None, [only]) => (*only).to_owned(),
        _ => config::annotator(args.annotator.as_deref())?.name,
    };
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
        Error::new("inputs", "no truth among the files")
            .expected("the files of the truth that the verdicts change")
            .mend("without files the verdicts alone are written")
    })?;
    Ok(truth.name.clone())
}

/// Checks that the session is not written over.
fn spare(session: &Path, out: &Path) -> Result<()> {
    match (session.canonicalize(), out.canonicalize()) {
        (Ok(session), Ok(out)) if session == out => Err(Error::new(
            out.display(),
            "is the session and would be written over",
        )
        .expected("another name")),
        _ => Ok(()),
    }
}
