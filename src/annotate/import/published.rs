//! The layout in which ECCV Caption's raw annotations are published: CSV with
//! `model,ranking,score,cid,iid,annotation,shortcoming,shortcoming2`, annotation from 1 (yes) to 4 (no).
//!
//! It tells nobody's name: the annotator is the name of the file. A pair has a line for each model that proposed it.

use std::io::{self, Write};

use csv::StringRecord;
use rustc_hash::FxHashMap;

use super::decided::Decided;
use super::{Checked, EXPECTED, Found, Imported, imported, response};
use crate::annotate::pool::{Pool, PooledPair, Proposal};
use crate::data::binary;
use crate::data::id::Id;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::truth::response::Response;

/// The columns, in their order.
const COLUMNS: [&str; 8] =
    ["model", "ranking", "score", "cid", "iid", "annotation", "shortcoming", "shortcoming2"];

/// The answers of all lines.
pub(super) fn read(source: &Source) -> Result<Vec<Found>> {
    binary::refuse(source, EXPECTED)?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(source.bytes());
    let broken = |error: csv::Error| Error::new(source.display(), error);
    let columns = Columns::of(reader.headers().map_err(broken)?, source)?;
    let annotator = source.stem();
    let mut found = Vec::new();
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line() as usize;
        match reader.read_record(&mut record) {
            Ok(false) => return Ok(found),
            Ok(true) => {
                let line = record.position().map_or(line, |at| at.line() as usize);
                let answer = columns.answer(&record);
                let named = |given| Imported { annotator: annotator.clone(), ..given };
                found.push((line, answer.map(named)));
            }
            Err(error) => found.push((line, Err(error.to_string()))),
        }
    }
}

/// Where each column stands.
struct Columns([Option<usize>; 8]);

impl Columns {
    fn of(head: &StringRecord, source: &Source) -> Result<Self> {
        let place = |name: &str| head.iter().position(|column| column.trim() == name);
        let places = COLUMNS.map(place);
        let missing: Vec<&str> =
            (3..6).filter(|&at| places[at].is_none()).map(|at| COLUMNS[at]).collect();
        if missing.is_empty() {
            return Ok(Columns(places));
        }
        let found = if head.iter().all(|column| column.trim().is_empty()) {
            "empty".to_owned()
        } else {
            format!("no column {}", missing.join(", "))
        };
        Err(Error::new(source.display(), found).expected(EXPECTED))
    }

    fn answer(&self, record: &StringRecord) -> std::result::Result<Imported, String> {
        let field = |at: usize| self.0[at].and_then(|column| record.get(column)).map(str::trim);
        let id = |at: usize| {
            let text = field(at).filter(|text| !text.is_empty());
            text.map(Id::parse).ok_or_else(|| format!("no {}", COLUMNS[at]))
        };
        let [caption, image] = [id(3)?, id(4)?];
        // Tables that went through a data frame have 1.0.
        let word = field(5).unwrap_or_default();
        let word = word.strip_suffix(".0").unwrap_or(word);
        let told = |at: usize| field(at).filter(|text| !text.is_empty()).map(str::to_owned);
        Ok(Imported {
            shortcomings: [told(6), told(7)],
            proposal: Some(Box::new([0, 1, 2].map(|at| told(at).unwrap_or_default()))),
            ..imported(image, caption, response(word)?)
        })
    }
}

/// Writes pairs that were decided: a line for each proposal, by the answers that tell theirs, else by the pool.
///
/// # Errors
/// What the writer says.
pub fn write(
    checked: &Checked,
    decided: &[Decided],
    pool: Option<&Pool>,
    to: impl Write,
) -> io::Result<()> {
    let mut answers: FxHashMap<(&Id, &Id), Vec<&Imported>> = FxHashMap::default();
    for given in checked.counted() {
        answers.entry((&given.image, &given.caption)).or_default().push(given);
    }
    let pooled = pool.into_iter().flat_map(|pool| &pool.pairs);
    let pooled: FxHashMap<(&Id, &Id), &PooledPair> =
        pooled.map(|pair| ((&pair.image, &pair.caption), pair)).collect();
    let mut writer = csv::Writer::from_writer(to);
    writer.write_record(COLUMNS)?;
    for one in decided {
        let Some(verdict) = one.verdict else { continue };
        let pair = (&one.image, &one.caption);
        let givens = answers.get(&pair).map_or(&[][..], Vec::as_slice);
        let own = givens.iter().filter_map(|given| given.proposal.as_deref().cloned());
        let mut proposals: Vec<[String; 3]> = own.collect();
        proposals.dedup();
        if proposals.is_empty() {
            let rank = |one: &Proposal| one.rank.map_or(String::new(), |rank| rank.to_string());
            let of_pool = pooled.get(&pair).into_iter().flat_map(|pair| &pair.proposals);
            let of_pool = of_pool.map(|one| [one.model.clone(), rank(one), String::new()]);
            proposals = of_pool.collect();
        }
        if proposals.is_empty() {
            proposals.push(Default::default());
        }
        let says_so = |given: &&&Imported| given.response == Response::Verdict(verdict);
        let shortcomings = givens.iter().find(says_so).map(|given| given.shortcomings.clone());
        let [first, second] = shortcomings.unwrap_or_default().map(Option::unwrap_or_default);
        let annotation = (verdict as usize + 1).to_string();
        let (caption, image) = (one.caption.raw(), one.image.raw());
        for [model, rank, score] in &proposals {
            writer.write_record([
                model,
                rank,
                score,
                &caption,
                &image,
                &annotation,
                &first,
                &second,
            ])?;
        }
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::import::{Import, Rule};

    const RAW: &str = "model,ranking,score,cid,iid,annotation,shortcoming,shortcoming2\n\
                       pcme,1,0.5,30,9,1,,\nvsrn,4,0.2,30,9,1,,\npcme,2,0.4,31,9,3,number,other\n";

    fn import(text: &str) -> Import {
        let source = Source::in_memory("raw/first.csv", text.into());
        Import::read(&[source]).unwrap()
    }

    #[test]
    fn lines_read_back_as_they_were() {
        let import = import(RAW);
        assert_eq!((import.files[0].layout, import.answers.len()), ("published annotations", 3));
        assert_eq!(import.answers[0].annotator, "first");
        let checked = Checked::of(import, None, &crate::annotate::import::Asked::default());
        assert_eq!(checked.problems, []);
        let decided = checked.decided(Rule::Majority);
        let mut bytes = Vec::new();
        write(&checked, &decided, None, &mut bytes).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), RAW);
    }

    #[test]
    fn lines_that_are_broken_are_told_with_their_number() {
        let import = import("cid,iid,annotation\n30,9,1.0\n31,9,5\n,9,1\n32\n");
        let told: Vec<(usize, &str)> =
            import.problems.iter().map(|one| (one.place.nth, &one.found[..])).collect();
        assert_eq!(import.answers.len(), 1);
        assert_eq!(told[0].0, 3);
        assert!(told[0].1.starts_with("\"5\" is no answer"));
        assert_eq!(told[1..], [(4, "no cid"), (5, "no iid")]);
        let error =
            Import::read(&[Source::in_memory("x.csv", b"a,b\n1,2\n".to_vec())]).unwrap_err();
        assert!(error.to_string().contains("no column cid, iid, annotation"), "{error}");
    }
}
