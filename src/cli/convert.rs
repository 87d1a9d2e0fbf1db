//! `itm-explore convert`: ground truths as a bundle, JSON lists or TREC qrels.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValuesParser};

use super::InputArgs;
use crate::study::{self, Export, Inputs};
use crate::truth::output::OUTPUTS;

/// Key of the form that is one file with ids, captions and ground truths.
pub(super) const BUNDLE: &str = "bundle";

/// Parser of the keys of all output forms.
pub(super) fn form_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(OUTPUTS.iter().map(|output| output.key).chain([BUNDLE]))
}

/// The output form with this key of [`OUTPUTS`]; a bundle for any other key.
pub(super) fn form(key: &str) -> Export<'static> {
    let lists = OUTPUTS.iter().find(|output| output.key == key);
    lists.map_or(Export::Bundle, Export::Lists)
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore convert coco5k/ captions_val2014.json -o eccv.json\n  \
                        itm-explore convert coco5k/ --truth eccv --format qrels -o qrels/\n  \
                        itm-explore convert eccv.json -o lists/"
)]
pub(super) struct ConvertArgs {
    /// Ground truths, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(Debug, Clone, Args)]
pub(super) struct WriteArgs {
    /// File to write; for lists a folder
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// json, qrels or bundle [default: bundle for a .json file, else json]
    ///
    /// json: lists of ids, as `eccv_caption` reads them; qrels: for TREC tools; bundle: one file with ids and captions.
    #[arg(long, value_parser = form_parser())]
    format: Option<String>,
    #[command(flatten)]
    pub(super) input: InputArgs,
}

pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    write(&args.write, &args.truth)
}

/// Writes the ground truths with these names, without names all.
pub(super) fn write(args: &WriteArgs, names: &[String]) -> anyhow::Result<()> {
    let out = &args.output;
    let is_file = out.symlink_metadata().is_ok() && !out.is_dir();
    let is_bundle = is_file || out.extension().is_some_and(|ending| ending == "json");
    let default = if is_bundle { BUNDLE } else { OUTPUTS[0].key };
    let form = form(args.format.as_deref().unwrap_or(default));
    let inputs = args.input.inputs(matches!(form, Export::Bundle));
    // Lists name ids, so they do not need to know the order of the gallery.
    let inputs = Inputs { any_order: matches!(form, Export::Lists(_)), ..inputs };
    let write = || study::write_truths(&inputs, names, (form, out));
    let (study, written) = super::progress::with_spinner("writing", write)?;
    InputArgs::warn(&study);
    super::say::print_written(&written);
    Ok(())
}
