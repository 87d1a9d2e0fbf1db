//! Problems of files, with fixes.

use serde_json::json;

use super::cell::id;
use super::list::List;
use super::{Cell, Report};
use crate::doctor::{CHECKS, Finding, Severity, summary};

/// A row for each finding, and how inputs were interpreted, a line each.
pub fn report<'a>(findings: &'a [Finding], inputs: &'a [String]) -> Report<'a> {
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let title = summary(count(Severity::Problem), count(Severity::Note));
    let optional = |text: &Option<String>| text.as_ref().map_or(Cell::Empty, Cell::from);
    let list = List::new("findings", &title, findings)
        .column("check", "check", |one| one.check)
        .column("severity", "severity", |one| one.severity.to_string())
        .column("subject", "subject", |one| &one.subject)
        .column("found", "found", |one| one.in_full())
        .column("expected", "expected", move |one| optional(&one.expected))
        .column("effect", "effect", move |one| optional(&one.effect))
        .column("mend", "fix", move |one| optional(&one.mend));
    let grouped = findings.iter().filter(|one| !one.groups.is_empty());
    let groups = grouped.map(|one| {
        let groups = one.groups.iter().map(|ids| ids.iter().map(|one| id(one)).collect::<Vec<_>>());
        json!({"check": one.check, "subject": one.subject, "groups": groups.collect::<Vec<_>>()})
    });
    // Files that cannot be opened are not checked.
    let is_opened = findings.iter().all(|one| one.check != "open");
    let checks = CHECKS.iter().filter(|_| is_opened).map(|check| check.name);
    let mut report = Report::from_sections(vec![list.section()])
        .with_json("checked", checks.collect())
        .with_json("inputs", json!(inputs))
        .with_json("near_duplicates", groups.collect());
    // Count, a paragraph for each, and the inputs.
    let each = findings.iter().map(|finding| format!("{}: {finding}\n", finding.severity));
    let mut drawn = format!("{title}\n{}", each.collect::<String>());
    if !inputs.is_empty() {
        drawn += &["\nInputs:\n", &inputs.join("\n"), "\n"].concat();
    }
    report.tables[0].drawn = Some(drawn);
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::formats::Format;

    fn written(findings: &[Finding], key: &str) -> String {
        let format = Format::named(key).unwrap();
        String::from_utf8(format.bytes(report(findings, &[])).unwrap()).unwrap()
    }

    #[test]
    fn every_format_says_the_same() {
        let findings = [
            Finding::problem("a.npy", "upside down").effect("all wrong").mend("turn it"),
            Finding::note("b.npy", "odd"),
        ];
        let text = written(&findings, "table");
        let expected = "1 problem, 1 note\n\
                        problem: a.npy: upside down\n  effect: all wrong\n  fix: turn it\nnote: b.npy: odd\n";
        assert_eq!(text, expected);
        let json: serde_json::Value = serde_json::from_str(&written(&findings, "json")).unwrap();
        assert_eq!(json["findings"][0]["severity"], "problem");
        assert_eq!(json["findings"][1]["mend"], serde_json::Value::Null);
        assert_eq!(json["checked"].as_array().unwrap().len(), CHECKS.len());
        let csv = written(&findings, "csv");
        assert!(csv.contains("problem,a.npy,upside down,,all wrong,turn it\n"), "{csv}");
        let markdown = written(&findings, "markdown");
        assert!(markdown.contains("1 problem, 1 note"), "{markdown}");
        assert_eq!(written(&[], "table"), "nothing wrong\n");
    }
}
