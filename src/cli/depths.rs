//! Depths on the command line, parted by blanks: `--k 1 3 a.npy` is `--k 1,3 a.npy`.

use std::ffi::OsString;

use crate::evaluate::plan::{Line, Rule};
use crate::metric::Depth;

/// The depths of whoever names none.
pub(super) const USUAL: [u32; 3] = [1, 5, 10];

/// Says that depths which somebody named are of no metric that is printed.
pub(super) fn tell_unheeded(depths: &[u32], lines: &[Line]) {
    let is_heeded = |line: &Line| match line.rule {
        Rule::Metric(spec, _) | Rule::FoldMean(spec) => {
            spec.metric.depth() == Depth::AtK && depths.contains(&spec.k)
        }
        Rule::Sum(..) | Rule::FoldRsum => false,
    };
    if depths != USUAL && !lines.iter().any(is_heeded) {
        say!(
            "warning: --k: changes nothing, as no metric of that depth is printed; name one, such as \
             --metrics ir_recall_at_k"
        );
    }
}

/// The flag, long and short.
const FLAGS: [&str; 2] = ["--k", "-k"];
/// The subcommands that take several depths.
const COMMANDS: [&str; 3] = ["eval", "compare", "errors"];

/// The arguments with the whole numbers after `--k` as one list with commas. A file whose name is a whole
/// number is not among them where it is written `./7`, or stands elsewhere.
pub(super) fn joined(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.into_iter().peekable();
    let mut joined: Vec<OsString> = arguments.next().into_iter().collect();
    let takes_several = |command: &OsString| COMMANDS.iter().any(|name| command == name);
    if !arguments.peek().is_some_and(takes_several) {
        joined.extend(arguments);
        return joined;
    }
    while let Some(argument) = arguments.next() {
        let (is_flag, ends) = (FLAGS.iter().any(|flag| argument == *flag), argument == "--");
        joined.push(argument);
        if ends {
            joined.extend(arguments);
            break;
        }
        let mut depths: Vec<String> = Vec::new();
        while let Some(more) = arguments.peek().filter(|_| is_flag).and_then(depths_in) {
            depths.push(more);
            arguments.next();
        }
        joined.extend((!depths.is_empty()).then(|| depths.join(",").into()));
    }
    joined
}

/// A whole number, or several with commas or blanks: these with commas. `None` for anything else.
fn depths_in(argument: &OsString) -> Option<String> {
    let parts = argument.to_str()?.split([',', ' ']).map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_number = |part: &&str| part.bytes().all(|b| b.is_ascii_digit());
    (!parts.is_empty() && parts.iter().all(is_number)).then(|| parts.join(","))
}

/// A whole number above 0, such as a depth.
///
/// # Errors
/// Says that one is expected.
pub(in crate::cli) fn above_zero(text: &str) -> std::result::Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "a whole number above 0 is expected".to_owned())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    fn of(line: &str) -> String {
        let arguments = line.split(' ').map(OsString::from);
        let joined = joined(arguments).join(OsStr::new(" "));
        joined.into_string().unwrap()
    }

    #[test]
    fn numbers_after_the_flag_are_one_list() {
        for (given, expected) in [
            ("itm eval --k 1 3 a.npy b.json", "itm eval --k 1,3 a.npy b.json"),
            ("itm eval a.npy --k 1 3", "itm eval a.npy --k 1,3"),
            ("itm eval a.npy -k 1 3", "itm eval a.npy -k 1,3"),
            ("itm compare --k 1,3 5 --k 7 8 7.npy", "itm compare --k 1,3,5 --k 7,8 7.npy"),
            ("itm errors --k 5 ./7 8", "itm errors --k 5 ./7 8"),
            ("itm eval --k=1 3", "itm eval --k=1 3"),
            ("itm eval --k", "itm eval --k"),
            ("itm eval -- --k 1 3", "itm eval -- --k 1 3"),
            ("itm show --k 1 3", "itm show --k 1 3"),
            ("itm --k 1 3", "itm --k 1 3"),
        ] {
            assert_eq!(of(given), expected, "{given}");
        }
        let quoted = ["itm", "eval", "--k", "1, 3", "5"].map(OsString::from);
        assert_eq!(joined(quoted).last().unwrap(), "1,3,5");
    }
}
