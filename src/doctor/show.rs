//! Findings for people and for programs.

use std::fmt::Write;

use serde_json::json;

use super::{CHECKS, Finding, Severity};
use crate::data::json_text;

/// A paragraph for each finding, and a last line that says what was looked for.
pub fn text(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let Finding { subject, found, .. } = finding;
        let severity = finding.severity;
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{severity}: {subject}: {found}");
        for (what, said) in finding.rest() {
            let _ = writeln!(out, "  {what}: {said}");
        }
    }
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
    let _ = writeln!(
        out,
        "{} (checked: {})",
        counted(count(Severity::Problem), count(Severity::Note)),
        names.join(", ")
    );
    out
}

/// `1 problem, 2 notes`; `nothing wrong` without any.
pub fn counted(problems: usize, notes: usize) -> String {
    let one = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let both = [one(problems, "problem"), one(notes, "note")];
    let told: Vec<String> = both.into_iter().flatten().collect();
    if told.is_empty() {
        return "nothing wrong".into();
    }
    told.join(", ")
}

/// `{"findings": [..], "checked": [names]}`.
pub fn json(findings: &[Finding]) -> String {
    let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
    json_text::pretty(&json!({"findings": findings, "checked": names}))
}

impl Finding {
    /// What else is said: names and texts.
    pub fn rest(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("expected", &self.expected),
            ("effect", &self.effect),
            ("to mend it", &self.mend),
        ];
        all.into_iter()
            .filter_map(|(what, said)| Some((what, said.as_deref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_json_say_the_same() {
        let findings = [
            Finding::problem("a.npy", "upside down")
                .effect("all wrong")
                .mend("turn it")
                .of("x"),
            Finding::note("b.npy", "odd").of("y"),
        ];
        let text = text(&findings);
        assert!(text.starts_with(
            "problem: a.npy: upside down\n  effect: all wrong\n  to mend it: turn it\nnote: b.npy: odd\n1 problem, 1 note (checked: "
        ), "{text}");
        let json: serde_json::Value = serde_json::from_str(&json(&findings)).unwrap();
        assert_eq!(json["findings"][0]["severity"], "problem");
        assert_eq!(json["findings"][1]["mend"], serde_json::Value::Null);
        assert_eq!(json["checked"].as_array().unwrap().len(), CHECKS.len());
        assert!(super::text(&[]).starts_with("nothing wrong (checked: "));
    }
}
