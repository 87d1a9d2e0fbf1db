//! Findings of `doctor`: problems of files, with fixes.

use serde_json::json;

use super::cell::id;
use super::list::List;
use super::{Cell, Report};
use crate::doctor::{CHECKS, Finding, Severity, summary};

/// A row for each finding. `inputs` are lines that say how the inputs were interpreted.
pub fn report<'a>(findings: &'a [Finding], inputs: &'a [String]) -> Report<'a> {
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let title = summary(count(Severity::Problem), count(Severity::Note));
    let optional = |text: &Option<String>| text.as_ref().map_or(Cell::Empty, Cell::from);
    let list = List::new("findings", &title, findings)
        .column("check", "check", |one| one.check)
        .column("severity", "severity", |one| one.severity.to_string())
        .column("subject", "subject", |one| &one.subject)
        .column("found", "found", |one| one.found_with_detail())
        .column("expected", "expected", move |one| optional(&one.expected))
        .column("effect", "effect", move |one| optional(&one.effect))
        .column("mend", "fix", move |one| optional(&one.fix));
    let groups = findings.iter().filter(|one| !one.groups.is_empty()).map(|one| {
        let groups = one.groups.iter().map(|ids| ids.iter().map(|one| id(one)).collect::<Vec<_>>());
        json!({"check": one.check, "subject": one.subject, "groups": groups.collect::<Vec<_>>()})
    });
    // Files that cannot be opened are not checked.
    let is_checked = findings.iter().all(|one| one.check != "open");
    let checks = CHECKS.iter().filter(|_| is_checked).map(|check| check.name);
    let mut report = Report::from_sections(vec![list.section()])
        .with_json("checked", checks.collect())
        .with_json("inputs", json!(inputs))
        .with_json("near_duplicates", groups.collect());
    // On a terminal, the count, a paragraph for each finding, and the inputs.
    let paragraphs = findings.iter().map(|finding| format!("{}: {finding}\n", finding.severity));
    let mut text = format!("{title}\n{}", paragraphs.collect::<String>());
    if !inputs.is_empty() {
        text += &["\nInputs:\n", &inputs.join("\n"), "\n"].concat();
    }
    report.tables[0].terminal_text = Some(text);
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::formats::Format;

    fn written(findings: &[Finding], key: &str) -> String {
        let format = Format::from_key(key).unwrap();
        String::from_utf8(format.bytes(report(findings, &[])).unwrap()).unwrap()
    }

    #[test]
    fn every_format_says_the_same() {
        let findings = [
            Finding::problem("a.npy", "upside down").effect("all wrong").fix("turn it"),
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
