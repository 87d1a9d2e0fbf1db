//! `python/itm_explore/functions.py`: a typed function for each subcommand, written from the command line's definition.
//!
//! `UPDATE_README=1 cargo test --test house python` writes it anew.

use std::any::TypeId;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command};
use itm_explore::cli::library;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python/itm_explore/functions.py");

/// The longest line.
const WIDTH: usize = 120;

const HEAD: &str = r#""""A function for each subcommand. `UPDATE_README=1 cargo test --test house python` writes this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .calls import Array, Call, Ids, Lists, Neighbours, Path, Scores, Similarities, Truth
from .explorer import open_explorer
from .results import Evaluation, Figure, Result
"#;

/// Options for a terminal or a shell, and those that another function stands for.
const LEFT_OUT: [&str; 5] = ["help", "version", "long", "per_query", "thumbnails"];

/// A function: its name, and the words of its subcommand.
fn functions(command: &Command) -> Vec<(String, String, &Command)> {
    let mut all = vec![("explore".to_owned(), String::new(), command)];
    for one in command.get_subcommands().filter(|one| one.get_name() != "completions") {
        let name = one.get_name();
        match name {
            "eval" => {
                all.push(("evaluate".to_owned(), name.to_owned(), one));
                all.push(("per_query".to_owned(), "eval --per-query=-".to_owned(), one));
            }
            _ if one.has_subcommands() => {
                let nested = one.get_subcommands().map(|nested| {
                    let of = nested.get_name();
                    (format!("{name}_{of}"), format!("{name} {of}"), nested)
                });
                all.extend(nested);
            }
            _ => all.push((name.to_owned(), name.to_owned(), one)),
        }
    }
    all
}

/// Return type of a function, the method of a call that returns it, and a sentence.
fn returned(name: &str, command: &Command) -> [&'static str; 3] {
    let arg = |id: &str| command.get_arguments().find(|arg| arg.get_id() == id);
    let prints = arg("format").is_some_and(is_report_format);
    match name {
        "explore" => ["None", "", ""],
        "per_query" => [
            "Result",
            "result",
            "A row for each model, direction and query, a column for each metric; see ``to_arrays``.",
        ],
        "evaluate" => [
            "Evaluation",
            "evaluation",
            "Values by model, metric and direction; shares are from 0 to 1.",
        ],
        _ if prints => ["Result", "result", "The JSON of the program; shares are from 0 to 1."],
        _ if arg("output").is_some_and(Arg::is_required_set) => ["Path", "written", "``output``."],
        _ => ["Figure", "figure", "The figure, as SVG and PNG; also written to ``output``."],
    }
}

/// Whether `--format` chooses how a report is printed, not what a file holds.
fn is_report_format(arg: &Arg) -> bool {
    arg.get_id() == "format"
        && arg.get_possible_values().iter().any(|value| value.get_name() == "table")
}

/// Arguments that a caller may pass.
fn arguments<'a>(name: &str, command: &'a Command) -> Vec<&'a Arg> {
    let inapplicable: &[&str] = if name == "per_query" { &["ci", "ceiling"] } else { &[] };
    let is_left_out = |id: &str| LEFT_OUT.contains(&id) || inapplicable.contains(&id);
    let applies = |arg: &&Arg| {
        !is_left_out(arg.get_id().as_str()) && !arg.is_hide_set() && !is_report_format(arg)
    };
    command.get_arguments().filter(applies).collect()
}

/// The name of an option in Python.
fn keyword(option: &str) -> String {
    let name = option.replace('-', "_");
    if name == "as" { "as_".to_owned() } else { name }
}

/// The type of one value.
fn value_type(arg: &Arg) -> String {
    let choices = arg.get_possible_values();
    if !choices.is_empty() {
        let words: Vec<String> =
            choices.iter().map(|choice| format!("\"{}\"", choice.get_name())).collect();
        return format!("Literal[{}]", words.join(", "));
    }
    let of = arg.get_value_parser().type_id();
    let is = |types: &[TypeId]| types.iter().any(|one| of == *one);
    let integers =
        [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    if is(&integers) {
        "int".to_owned()
    } else if is(&[TypeId::of::<f32>(), TypeId::of::<f64>()]) {
        "float".to_owned()
    } else if is(&[TypeId::of::<PathBuf>()]) {
        "Path".to_owned()
    } else {
        "str".to_owned()
    }
}

/// The type of an option, without `None`.
fn annotation(arg: &Arg) -> String {
    match arg.get_id().as_str() {
        "image_ids" | "caption_ids" => return "Ids".to_owned(),
        "image_emb" | "text_emb" | "i2t" | "t2i" => return "Array".to_owned(),
        "run_i2t" | "run_t2i" => return "Lists".to_owned(),
        "knn" => return "Neighbours".to_owned(),
        "phi" => return "Similarities".to_owned(),
        _ if !arg.get_action().takes_values() => return "bool".to_owned(),
        _ => {}
    }
    let of = value_type(arg);
    let pairs = [TypeId::of::<(String, String)>(), TypeId::of::<(String, PathBuf)>()];
    if pairs.iter().any(|pair| arg.get_value_parser().type_id() == *pair) {
        let names_file = value_name(arg).ends_with("=FILE");
        return format!("Mapping[str, {}]", if names_file { "Array" } else { "str" });
    }
    if arg.get_num_args().is_some_and(|count| count.min_values() == 0 && count.max_values() == 1) {
        return format!("bool | {of}");
    }
    match arg.get_action() {
        ArgAction::Append => format!("{of} | Sequence[{of}]"),
        _ => of,
    }
}

fn value_name(arg: &Arg) -> String {
    arg.get_value_names()
        .and_then(|names| names.first())
        .map(ToString::to_string)
        .unwrap_or_default()
}

/// The default of an option; nothing where a call needs it.
fn default(arg: &Arg, annotation: &str) -> Option<String> {
    let word = |value: &std::ffi::OsStr| {
        let value = value.to_str().unwrap();
        let is_number = ["int", "float"].contains(&value_type(arg).as_str());
        if is_number { value.to_owned() } else { format!("\"{value}\"") }
    };
    let values: Vec<String> = match arg.get_action() {
        ArgAction::SetTrue => Vec::new(),
        _ => arg.get_default_values().iter().map(|value| word(value)).collect(),
    };
    match values.as_slice() {
        [] if arg.is_required_set() => None,
        [] if annotation.starts_with("bool") => Some("False".to_owned()),
        [] => Some("None".to_owned()),
        [one] => Some(one.clone()),
        several => Some(format!("({})", several.join(", "))),
    }
}

/// The help of an option as it is read in Python: options by their names there.
fn help(arg: &Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let mut parts = help.split("--");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c| !is_part(c)).unwrap_or(part.len());
        out += &keyword(&part[..end]);
        out += &part[end..];
    }
    out.replace('\\', "\\\\")
}

/// Indented items between commas, as many on a line as fit.
fn wrapped(items: &[String]) -> String {
    let mut lines = vec![String::new()];
    for item in items {
        let line = lines.last_mut().unwrap();
        if !line.is_empty() && line.len() + item.len() + 6 > WIDTH {
            lines.push(String::new());
        }
        let line = lines.last_mut().unwrap();
        let blank = if line.is_empty() { "" } else { " " };
        let _ = write!(line, "{blank}{item},");
    }
    format!("    {}\n", lines.join("\n    "))
}

/// A parameter in the signature, and its lines in the docstring.
fn option(arg: &Arg) -> [String; 2] {
    let (name, of) = (keyword(arg.get_long().unwrap()), annotation(arg));
    let default = default(arg, &of);
    let optional = if default.as_deref() == Some("None") { " | None" } else { "" };
    let assigned = default.map(|value| format!(" = {value}")).unwrap_or_default();
    let help = help(arg);
    [format!("{name}: {of}{optional}{assigned}"), format!("    {name} : {of}\n        {help}.\n")]
}

/// The parameters of what stands without a flag, in their order.
fn positionals(words: &str, arguments: &[&Arg]) -> Vec<[String; 2]> {
    let mut all = Vec::new();
    for arg in arguments.iter().filter(|arg| arg.is_positional()) {
        let name = arg.get_id().to_string();
        let help = help(arg);
        let (of, is_many) = (value_type(arg), matches!(arg.get_action(), ArgAction::Append));
        if name == "files" {
            let scores = "sims: Scores | None = None".to_owned();
            let truths = "*truths: Truth".to_owned();
            let in_scores = "    sims : Scores\n        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.\n";
            let in_truths = "    *truths : Truth\n        Ground truths and captions: files, folders, dictionaries or data frames of pairs.\n";
            let (scores, truths) = ([scores, in_scores.into()], [truths, in_truths.into()]);
            let is_of_truths =
                ["truth", "convert", "semantic cider"].iter().any(|one| words.starts_with(one));
            all.extend(if is_of_truths { [truths, scores] } else { [scores, truths] });
        } else {
            let star = if is_many { "*" } else { "" };
            all.push([
                format!("{star}{name}: {of}"),
                format!("    {star}{name} : {of}\n        {help}.\n"),
            ]);
        }
    }
    all
}

/// `inputs` are the options of most functions, which the docstring of `evaluate` describes for all.
fn function(name: &str, path: &str, command: &Command, inputs: &[String]) -> String {
    let arguments = arguments(name, command);
    let mut parameters = positionals(path, &arguments);
    let has_options = arguments.iter().any(|arg| !arg.is_positional());
    if has_options && !parameters.iter().any(|[one, _]| one.starts_with('*')) {
        parameters.push(["*".to_owned(), String::new()]);
    }
    let has_inputs = arguments.iter().any(|arg| arg.get_id() == "image_ids");
    let is_input = |arg: &&Arg| {
        has_inputs && arg.get_long().is_some_and(|long| inputs.iter().any(|input| input == long))
    };
    let (shared, own): (Vec<&Arg>, Vec<&Arg>) =
        arguments.iter().copied().filter(|arg| !arg.is_positional()).partition(is_input);
    parameters.extend(own.iter().map(|arg| option(arg)));
    if name == "explore" {
        let help = "    folder : Path\n        Folder for inputs that are in memory.\n";
        parameters.push(["folder: Path = \"itm-study\"".to_owned(), help.to_owned()]);
    }
    let describes_inputs = name == "evaluate";
    parameters.extend(shared.iter().map(|arg| {
        let [parameter, help] = option(arg);
        [parameter, if describes_inputs { help } else { String::new() }]
    }));
    let signature: Vec<String> = parameters.iter().map(|[one, _]| one.clone()).collect();
    let mut docs: String = parameters.iter().map(|[_, help]| help.as_str()).collect();
    if has_inputs && !describes_inputs {
        docs += "    inputs\n        The options from ``demo`` on: see :func:`evaluate`.\n";
    }
    let [of, method, about_return] = returned(name, command);
    let mut body = format!("return Call(\"{path}\", {name}, locals()).{method}()");
    if name == "explore" {
        body = format!("open_explorer({name}, locals())");
    } else {
        let _ = write!(docs, "\n    Returns\n    -------\n    {of}\n        {about_return}\n");
    }
    format!(
        "\n\ndef {name}(\n{}) -> {of}:\n    \"\"\"{}.\n\n    Parameters\n    ----------\n{docs}    \"\"\"\n    {body}\n",
        wrapped(&signature),
        about(name, command)
    )
}

/// The first sentence of a docstring.
fn about(name: &str, command: &Command) -> String {
    match name {
        "explore" => "Open the explorer in a terminal; elsewhere, as in a notebook, print the command that does".into(),
        "per_query" => "Compute the metrics of every query".into(),
        _ => command.get_about().map(ToString::to_string).unwrap_or_default(),
    }
}

fn module() -> String {
    let command = library::command();
    let all = functions(&command);
    let inputs = command.find_subcommand("doctor").unwrap().get_arguments();
    let inputs = inputs.filter(|arg| arg.get_id() != "format");
    let inputs: Vec<String> = inputs.filter_map(Arg::get_long).map(str::to_owned).collect();
    let mut names: Vec<&str> = all.iter().map(|(name, ..)| name.as_str()).collect();
    names.sort_unstable();
    let names = names.join("\",\n    \"");
    let mut text = format!("{HEAD}\n__all__ = [\n    \"{names}\",\n]\n");
    for (name, path, command) in &all {
        text += &function(name, path, command, &inputs);
    }
    text
}

#[test]
fn functions_are_those_of_the_command_line() {
    let wanted = module();
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(FILE, &wanted).unwrap();
    }
    let current = fs::read_to_string(FILE).unwrap_or_default();
    let renew = "run UPDATE_README=1 cargo test --test house python";
    assert!(current == wanted, "functions.py: {renew}");
}
