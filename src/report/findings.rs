//! What is wrong with files, and the fix.

use std::fmt::Write;

use serde_json::json;

use super::cell::row;
use super::{Cell, Json, Report, Table};
use crate::doctor::{Finding, Severity, counted};

const HEAD: [&str; 7] = ["check", "severity", "subject", "found", "expected", "effect", "mend"];

/// A row for each finding, and which checks were made.
pub fn report<'a>(findings: &'a [Finding], names: &'a [&'static str]) -> Report<'a> {
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let said = counted(count(Severity::Problem), count(Severity::Note));
    let title = match names {
        [] => format!("{said} (nothing else checked)"),
        names => format!("{said} (checked: {})", names.join(", ")),
    };
    let table = |title: &str| Table::new(title, HEAD, HEAD.len(), findings.iter().map(row));
    let shown = Table { drawn: Some(drawn(findings, &title)), ..table(&title) };
    let json = Json::tree(move || json!({"findings": findings, "checked": names}));
    Report::new(vec![shown], table(""), json)
}

fn row(finding: &Finding) -> Vec<Cell> {
    let said = |said: &Option<String>| said.as_ref().map_or(Cell::Empty, Cell::from);
    row![
        finding.check,
        finding.severity.to_string(),
        &finding.subject,
        finding.in_full(),
        said(&finding.expected),
        said(&finding.effect),
        said(&finding.mend)
    ]
}

/// A paragraph for each finding, and a last line that says what was looked for.
fn drawn(findings: &[Finding], last: &str) -> String {
    let mut out = String::new();
    for finding in findings {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}: {finding}", finding.severity);
    }
    out + last + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::formats::Format;

    const CHECKED: [&str; 2] = ["order", "values"];

    fn written(findings: &[Finding], key: &str) -> String {
        let format = Format::named(key).unwrap();
        String::from_utf8(format.bytes(report(findings, &CHECKED)).unwrap()).unwrap()
    }

    #[test]
    fn every_format_says_the_same() {
        let findings = [
            Finding::problem("a.npy", "upside down").effect("all wrong").mend("turn it"),
            Finding::note("b.npy", "odd"),
        ];
        let text = written(&findings, "table");
        assert!(text.starts_with(
            "problem: a.npy: upside down\n  effect: all wrong\n  fix: turn it\nnote: b.npy: odd\n1 problem, 1 note (checked: "
        ), "{text}");
        let json: serde_json::Value = serde_json::from_str(&written(&findings, "json")).unwrap();
        assert_eq!(json["findings"][0]["severity"], "problem");
        assert_eq!(json["findings"][1]["mend"], serde_json::Value::Null);
        assert_eq!(json["checked"].as_array().unwrap().len(), CHECKED.len());
        let csv = written(&findings, "csv");
        assert!(csv.contains("problem,a.npy,upside down,,all wrong,turn it\n"), "{csv}");
        let markdown = written(&findings, "markdown");
        assert!(markdown.contains("1 problem, 1 note (checked: "), "{markdown}");
        assert!(written(&[], "table").starts_with("nothing wrong (checked: "));
    }
}
