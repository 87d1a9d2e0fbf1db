//! What an import of answers found: files, people, troubles, HITs that failed, agreement.

use serde_json::{Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table, agreement};
use crate::annotate::import::{AnswersFile, Checked, Decision, Failed, Person, Problem, Trouble};
use crate::data::text::{count, grouped, shown};
use crate::metric::Unit;
use crate::truth::verdict::Verdict;

/// What was found, and what it came to.
pub fn report<'a>(checked: &'a Checked, decision: &'a Decision) -> Report<'a> {
    let mut tables = vec![files(checked), people(checked), decided(checked, decision)];
    tables.extend(failed(checked));
    tables.extend(problems(checked));
    let (agreed, notes) = agreement::tables(&checked.panel);
    tables.extend(agreed);
    Report {
        notes: notes.into_iter().chain(legend(checked)).collect(),
        ..Report::new(tables, data(checked, decision), Json::tree(|| json(checked, decision)))
    }
}

fn legend(checked: &Checked) -> Vec<String> {
    let fleiss = checked.panel.fleiss().map_or_else(
        || "Fleiss' kappa: undefined, as pairs have different numbers of answers or all are alike; alpha takes these too".into(),
        |kappa| format!("Fleiss' kappa of the verdicts: {kappa:.3} (Fleiss 1971)"),
    );
    // One person agrees with nobody.
    let fleiss = (checked.panel.judged_by_several() > 0).then_some(fleiss);
    let other = [
        "golden: items whose answer is known; a HIT fails where one is answered on the other side, or cannot be told".into(),
        "others decide: pairs that the others decide by most; as they: those of them on which this person is on their side"
            .into(),
    ];
    fleiss.into_iter().chain(other).collect()
}

fn files(checked: &Checked) -> Table<'_> {
    let troubles = |at: usize, trouble: Trouble| {
        let of = |one: &&Problem| one.place.file == at && one.trouble == trouble;
        checked.problems.iter().filter(of).count()
    };
    let files = checked.import.files.iter().enumerate();
    let rows = files.map(move |(at, file): (usize, &AnswersFile)| {
        let mut cells = row![shown(&file.path), file.layout, file.answers];
        cells.extend(Trouble::ALL.map(|trouble| Cell::from(troubles(at, trouble))));
        cells
    });
    let head = ["file", "layout", "answers"].into_iter().chain(Trouble::ALL.map(Trouble::key));
    Table::new("files", head, 2, rows)
}

const PEOPLE: [&str; 10] = [
    "annotator",
    "answers",
    "can't tell",
    "golden",
    "right",
    "%",
    "HITs failed",
    "others decide",
    "as they",
    "%",
];

fn people(checked: &Checked) -> Table<'_> {
    let share = |part: usize, of: usize| {
        (of > 0).then(|| Cell::Value(part as f64 / of as f64, Unit::Share))
    };
    let rows = checked.people.iter().map(move |one: &Person| {
        row![
            shown(&one.name),
            one.answers,
            one.cant_tell,
            one.golden,
            one.golden_right,
            share(one.golden_right, one.golden),
            one.failed_hits,
            one.compared,
            one.as_others,
            share(one.as_others, one.compared)
        ]
    });
    Table::new("people", PEOPLE, 1, rows)
}

fn decided<'a>(checked: &'a Checked, decision: &'a Decision) -> Table<'a> {
    let adjudicated = checked.adjudicated.len();
    let title = format!(
        "{}, {} answered by two or more{}",
        count(checked.panel.pairs.len(), "pair"),
        grouped(checked.panel.judged_by_several()),
        match adjudicated {
            0 => String::new(),
            count => format!(", {} decided by the adjudicator", grouped(count)),
        }
    );
    let counts = Verdict::ALL.iter().zip(decision.verdicts);
    let rows = counts.map(|(verdict, count)| row![verdict.key(), count]);
    let open = std::iter::once(row!["open", decision.open]);
    Table::new(title, ["decided", "pairs"], 1, rows.chain(open))
}

/// The golden items that were answered wrongly; `None` where there are none.
fn failed(checked: &Checked) -> Option<Table<'_>> {
    let rows = checked.failed.iter().map(|one: &Failed| {
        row![
            shown(&checked.people[one.person].name),
            shown(&one.hit),
            Cell::Id(one.image.to_string()),
            Cell::Id(one.caption.to_string()),
            one.golden.key(),
            one.response.key()
        ]
    });
    let title =
        format!("HITs to be reviewed: {} answers left out with them", grouped(checked.left_out));
    let head = ["annotator", "HIT", "image", "caption", "golden", "answer"];
    Table::new(title, head, 6, rows).if_any()
}

/// Answers that do not count, each with its place; `None` where there are none.
fn problems(checked: &Checked) -> Option<Table<'_>> {
    let rows = checked.problems.iter().map(|one: &Problem| {
        let place = shown(&checked.import.words(one.place));
        row![one.trouble.key(), place, shown(&one.found)]
    });
    let title = match checked.problems.len() {
        1 => "1 answer that does not count as it is".to_owned(),
        count => format!("{} answers that do not count as they are", grouped(count)),
    };
    Table::new(title, ["trouble", "place", "found"], 3, rows).if_any()
}

/// One number a row.
fn data<'a>(checked: &'a Checked, decision: &'a Decision) -> Table<'a> {
    let all = |part: &'static str, number: &str, value: usize| row!["", "", part, number, value];
    let troubles = Trouble::ALL
        .into_iter()
        .map(move |trouble| all("troubles", trouble.key(), checked.count_of(trouble)));
    let verdicts = Verdict::ALL.iter().zip(decision.verdicts);
    let verdicts = verdicts.map(move |(verdict, count)| all("decided", verdict.key(), count));
    let open = std::iter::once(all("decided", "open", decision.open));
    let fleiss = std::iter::once(row!["", "", "verdicts", "fleiss", checked.panel.fleiss()]);
    let people = checked.people.iter().flat_map(|one| {
        NUMBERS.map(|(part, number, of)| row![&one.name, "", part, number, of(one)])
    });
    let agreed = agreement::data(&checked.panel);
    let rows = troubles.chain(verdicts).chain(open).chain(fleiss).chain(people);
    Table::new("", agreed.head, 4, rows.chain(agreed.rows))
}

/// A number of a person: its part, its name, and what it is.
type NumberOf = (&'static str, &'static str, fn(&Person) -> usize);

/// The numbers of each person.
const NUMBERS: [NumberOf; 7] = [
    ("answers", "answers", |one| one.answers),
    ("answers", "cant_tell", |one| one.cant_tell),
    ("golden", "asked", |one| one.golden),
    ("golden", "right", |one| one.golden_right),
    ("golden", "failed_hits", |one| one.failed_hits),
    ("others", "compared", |one| one.compared),
    ("others", "as_others", |one| one.as_others),
];

fn json(checked: &Checked, decision: &Decision) -> Value {
    let files = checked.import.files.iter();
    let files = files
        .map(|file| json!({"file": file.path, "layout": file.layout, "answers": file.answers}));
    let people = checked.people.iter().map(|one| {
        let numbers = NUMBERS.map(|(_, number, of)| (number.to_owned(), json!(of(one))));
        let name = ("annotator".to_owned(), json!(one.name));
        Value::Object(std::iter::once(name).chain(numbers).collect())
    });
    let failed = checked.failed.iter().map(|one| {
        json!({
            "annotator": checked.people[one.person].name,
            "hit": one.hit,
            "image": one.image,
            "caption": one.caption,
            "golden": one.golden.key(),
            "answer": one.response,
        })
    });
    let problems = checked.problems.iter().map(|one| {
        json!({
            "trouble": one.trouble.key(),
            "file": checked.import.files[one.place.file].path,
            "place": one.place.nth,
            "found": one.found,
        })
    });
    let counts = Verdict::ALL.iter().zip(decision.verdicts);
    let counts = counts.map(|(verdict, count)| (verdict.key().to_owned(), json!(count)));
    let open = ("open".to_owned(), json!(decision.open));
    let decided: serde_json::Map<String, Value> = counts.chain([open]).collect();
    let mut tree = agreement::json(&checked.panel);
    tree["files"] = files.collect();
    tree["people"] = people.collect();
    tree["failed"] = failed.collect();
    tree["left_out"] = json!(checked.left_out);
    tree["problems"] = problems.collect();
    tree["decided"] = Value::Object(decided);
    tree["fleiss"] = json!(checked.panel.fleiss());
    tree
}
