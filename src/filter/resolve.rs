//! Names are looked up, and each part must be of the kind that is wanted: number, text or condition.

use std::ops::Range;

use super::counts::{Needs, RanksOf, place_of};
use super::mistake::Mistake;
use super::names::{self, Named};
use super::program::Kind;
use super::range;
use super::syntax::{Expr, Node, Op, Written};
use super::values::{self, Need, Row, Value};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::nearest_of;
use crate::metric::Spec;
use crate::study::{Study, View};
use crate::truth::{self, Truth, rule};

type Resolved = Result<Node<Value>, Mistake>;

/// Kinds, and what is expected where a part is of none of them.
pub(super) type Wanted = (&'static [Kind], &'static str);

/// What a query meets or does not meet.
pub(super) const CONDITION: Wanted =
    (&[Kind::Condition, Kind::Flag], "a condition, such as r1 == 1");
pub(super) const NUMBER: Wanted = (&[Kind::Number, Kind::Flag], "a number");
/// A number, or a condition as 1 or 0.
pub(super) const NUMBER_OR_CONDITION: Wanted =
    (&[Kind::Number, Kind::Flag, Kind::Condition], "a number");
const TEXT: Wanted = (&[Kind::Text, Kind::Id], "text or id before ~");

/// Looks up what an expression names, and remembers what it needs.
pub(super) struct Resolver<'a> {
    /// The expression as it is written.
    pub text: &'a str,
    pub study: &'a Study,
    pub view: View,
    pub needs: Needs,
}

impl Resolver<'_> {
    /// A part of one of some kinds.
    pub fn of_kind(&mut self, node: &Node<Written>, (kinds, expected): Wanted) -> Resolved {
        let part = self.part(node)?;
        let kind = part.kind();
        if kinds.contains(&kind) {
            return Ok(part);
        }
        let found = format!("this is {}", kind.in_words());
        Err(Mistake::new(node.at.clone(), found).expected(expected))
    }

    fn part(&mut self, node: &Node<Written>) -> Resolved {
        let at = node.at.clone();
        let expr = match &node.expr {
            Expr::Number(number) => Expr::Number(*number),
            Expr::Text(text) => Expr::Text(text.clone()),
            Expr::Value(value) => Expr::Value(self.value(value, &at)?),
            Expr::Not(inner) => Expr::Not(Box::new(self.of_kind(inner, CONDITION)?)),
            Expr::Negative(inner) => Expr::Negative(Box::new(self.of_kind(inner, NUMBER)?)),
            Expr::Both(op, left, right) => {
                let [left, right] = self.sides(*op, left, right)?;
                Expr::Both(*op, Box::new(left), Box::new(right))
            }
            Expr::Named(inner) => {
                let inner = self.part(inner);
                inner.map_err(|mistake| mistake.moved_to(self.text, at.clone()))?.expr
            }
        };
        Ok(Node { at, expr })
    }

    fn sides(
        &mut self,
        op: Op,
        left: &Node<Written>,
        right: &Node<Written>,
    ) -> Result<[Node<Value>; 2], Mistake> {
        match op {
            Op::And | Op::Or => {
                return Ok([self.of_kind(left, CONDITION)?, self.of_kind(right, CONDITION)?]);
            }
            op if op.is_arithmetic() => {
                return Ok([self.of_kind(left, NUMBER)?, self.of_kind(right, NUMBER)?]);
            }
            Op::Like => {
                let left = self.of_kind(left, TEXT)?;
                let Expr::Text(part) = &right.expr else {
                    return Err(Mistake::new(right.at.clone(), "no text behind ~")
                        .expected("words in double quotes, such as text ~ \"red bus\""));
                };
                let expr = Expr::Text(part.to_lowercase());
                return Ok([left, Node { at: right.at.clone(), expr }]);
            }
            _ => {}
        }
        let [left, right] = [self.part(left)?, self.part(right)?];
        let at = left.at.start..right.at.end;
        match [left.kind(), right.kind()] {
            [Kind::Number | Kind::Flag, Kind::Number | Kind::Flag] => {
                range::check(self.text, op, &left, &right)?;
            }
            [Kind::Id, Kind::Number | Kind::Flag] | [Kind::Number | Kind::Flag, Kind::Id] => {}
            [Kind::Text | Kind::Id, Kind::Text | Kind::Id] => {
                if op != Op::Equal && op != Op::Differs {
                    return Err(Mistake::new(at, "texts are neither more nor less")
                        .expected("== or != or ~"));
                }
            }
            kinds => {
                let [left, right] = kinds.map(Kind::in_words);
                return Err(Mistake::new(at, format!("{left} is compared with {right}"))
                    .expected("two numbers, two texts, or an id with a number or a text"));
            }
        }
        Ok([left, right])
    }

    fn value(&mut self, written: &Written, at: &Range<usize>) -> Result<Value, Mistake> {
        let name = &written.name.text;
        let found = values::named(name);
        let (row, spec) = found.ok_or_else(|| unknown(self.study, written))?;
        let named = names::resolve(self.study, &written.names)?;
        for (is_named, is_taken, what) in [
            (named.model.is_some(), row.takes_model(), "model"),
            (named.truth.is_some(), row.takes_truth(), "ground truth"),
        ] {
            if is_named && !is_taken {
                return Err(Mistake::new(
                    at.clone(),
                    format!("{name} is the same under any {what}"),
                )
                .expected(format!("{name} without a {what}")));
            }
        }
        let k = self.depth(row, written, at)?;
        let model = named.model.unwrap_or(self.view.model);
        let truth = named.truth.unwrap_or(self.view.truth);
        let mut value = Value { row, spec, k, model, truth, ranks: Vec::new() };
        for need in row.needs {
            self.require(*need, &mut value, named, at)?;
        }
        Ok(value)
    }

    /// The depth among the arguments; 0 where none is due.
    fn depth(&self, row: &Row, value: &Written, at: &Range<usize>) -> Result<u32, Mistake> {
        let name = &value.name.text;
        match (value.numbers.as_deref(), row.arguments.is_empty()) {
            (None, true) => Ok(0),
            (Some(_), true) => Err(Mistake::new(at.clone(), format!("{name} takes no arguments"))
                .expected(format!("{name} without brackets"))),
            (Some([(k, at)]), false) => {
                let whole = k.fract() == 0.0 && (1.0..f64::from(u32::MAX)).contains(k);
                whole.then_some(*k as u32).ok_or_else(|| {
                    Mistake::new(at.clone(), format!("{k} is no depth"))
                        .expected("a whole number from 1 on")
                })
            }
            _ => {
                let model = names::written(&self.study.models[self.view.model].name);
                Err(Mistake::new(at.clone(), format!("{name} needs one depth"))
                    .expected(format!("{name}(5) or {name}({model}, 5)")))
            }
        }
    }

    /// Adds what a value is told from to what is needed.
    fn require(
        &mut self,
        need: Need,
        value: &mut Value,
        named: Named,
        at: &Range<usize>,
    ) -> Result<(), Mistake> {
        let (study, direction) = (self.study, self.view.direction);
        let lacks =
            |found: String, expected: &str| Err(Mistake::new(at.clone(), found).expected(expected));
        let has_lists = |truth: &Truth| truth.relevance[direction].is_some();
        // Who names the original annotation asks what that lists, whatever somebody said since.
        let is_original = |truth: TruthIx| study.truths[truth].kind == truth::Kind::Original;
        let as_loaded = named.truth.is_some_and(is_original);
        let mut need_ranks = |model: ModelIx, truth: TruthIx, as_loaded: bool| {
            let view = place_of(&mut self.needs.views, View { model, truth, direction });
            value.ranks.push(RanksOf { view, as_loaded });
        };
        match need {
            Need::Lists | Need::Ranks | Need::Steps if !has_lists(&study.truths[value.truth]) => {
                let name = &study.truths[value.truth].name;
                return lacks(
                    format!("ground truth {name} has no {direction} list"),
                    "a ground truth that judges queries of this direction",
                );
            }
            Need::Ranks => {
                need_ranks(value.model, value.truth, as_loaded);
                if let Some(spec) = value.spec {
                    check_metric(study, value.truth, spec, at)?;
                }
            }
            Need::Phi => {
                value.truth = truth_of_phi(study, self.view, named.truth, at)?;
                need_ranks(value.model, value.truth, false);
            }
            Need::Rich => {
                let of_kind = |kind: truth::Kind| {
                    let truths = TruthIx::each(&study.truths);
                    let is_it = move |truth: &Truth| truth.kind == kind && has_lists(truth);
                    truths.filter(move |(_, truth)| is_it(truth)).map(|(at, _)| at)
                };
                let Some(original) = of_kind(truth::Kind::Original).next() else {
                    return lacks(
                        format!("no original ground truth with a {direction} list"),
                        "a ground truth named original, by which others are richer",
                    );
                };
                // What somebody said since makes no item one that the original annotation lists.
                need_ranks(value.model, original, true);
                of_kind(truth::Kind::Rich).for_each(|rich| need_ranks(value.model, rich, false));
                if value.ranks.len() == 1 {
                    return lacks(
                        format!("no rich ground truth with a {direction} list"),
                        "a ground truth with further positives, such as eccv or cxc",
                    );
                }
            }
            Need::Steps if study.steps.is_empty() => {
                return lacks(
                    "the models are no steps of a training".into(),
                    "two files or more of one model at different steps, and --series",
                );
            }
            Need::Steps => {
                study.steps.iter().for_each(|of| need_ranks(of.model, value.truth, as_loaded));
            }
            Need::TopK => {
                place_of(&mut self.needs.top_k, value.model);
            }
            Need::Words => self.needs.texts = true,
            Need::Captions if study.gallery.texts.is_empty() => {
                return lacks("no texts are known".into(), "a captions file among the inputs");
            }
            Need::Captions => {
                let pairs_images =
                    |truth: &Truth| truth.kind == truth::Kind::Original && has_lists(truth);
                if direction == Direction::I2t && !study.truths.iter().any(pairs_images) {
                    return lacks(
                        "no ground truth says which captions an image has".into(),
                        "a ground truth named original: the text of an image is its first caption",
                    );
                }
            }
            Need::Phrases if study.phrases.is_none() => {
                return lacks(
                    "no phrases are known".into(),
                    "the folder of Flickr30k Entities: --entities DIR",
                );
            }
            Need::Truth | Need::Lists | Need::Phrases => {}
        }
        Ok(())
    }
}

/// That a truth has the judgements that a metric takes, and is the one that it is defined under.
fn check_metric(
    study: &Study,
    truth: TruthIx,
    spec: Spec,
    at: &Range<usize>,
) -> Result<(), Mistake> {
    let truth = &study.truths[truth];
    if spec.metric.takes_judgements() && !truth.has_nonrelevant() {
        let name = &truth.name;
        let found = format!("ground truth {name} does not tell what was judged not relevant");
        return Err(Mistake::new(at.clone(), found)
            .expected("the name of one that does: qrels with 0, a bundle with \"nonrelevant\""));
    }
    let Some(name) = spec.metric.only_under().filter(|name| truth.name != *name) else {
        return Ok(());
    };
    let found = format!("{spec} is defined under ground truth {name} alone");
    let made_from = rule::named(name).map_or("", |rule| rule.made_from);
    Err(Mistake::new(at.clone(), found).expected(match study.truth(name) {
        Some(_) => format!("{name}.{spec}"),
        None => format!("{made_from} among the files, which makes it"),
    }))
}

/// The truth of a similarity: the one named, else the one looked at, else the first.
fn truth_of_phi(
    study: &Study,
    view: View,
    named: Option<TruthIx>,
    at: &Range<usize>,
) -> Result<TruthIx, Mistake> {
    let is_of_phi = |truth: &TruthIx| study.truths[*truth].is_by_similarity();
    let here = Some(named.unwrap_or(view.truth)).filter(is_of_phi);
    let first = || TruthIx::all(&study.truths).find(is_of_phi).filter(|_| named.is_none());
    here.or_else(first).ok_or_else(|| {
        let found = named.map_or("no similarity phi is loaded".into(), |truth| {
            format!("ground truth {} is of no similarity", study.truths[truth].name)
        });
        Mistake::new(at.clone(), found).expected("the name of one: --phi cider, or --phi NAME=FILE")
    })
}

/// A name that is no value: perhaps that of a model or a truth.
fn unknown(study: &Study, value: &Written) -> Mistake {
    let name = &value.name.text;
    let mistake = |found: String| Mistake::new(value.name.at.clone(), found);
    let is_model = study.models.iter().any(|model| model.name == *name);
    for (is, what) in [(is_model, "model"), (study.truth(name).is_some(), "truth")] {
        if is && value.numbers.is_none() {
            return mistake(format!("{name} is a {what}, not a value"))
                .expected(format!("a value of it, such as {name}.r1"));
        }
    }
    let of_truth = study.truths.iter().find_map(|truth| {
        let value = name.strip_prefix(&truth.name)?.strip_prefix('_')?;
        values::named(value).map(|_| format!("{}.{value}", truth.name))
    });
    let known = values::values();
    let known = known.iter().map(|(written, _)| written.as_str()).collect();
    let near = nearest_of(name, known, 10).join(", ");
    let mistake = mistake(format!("no value is named {name}"))
        .expected(format!("a value, such as {near}; `itm-explore find --help` lists all"));
    match of_truth.or_else(|| values::meant(name).map(str::to_owned)) {
        Some(near) => mistake.mend(format!("did you mean {near}?")),
        None => mistake.mend("text stands in double quotes, such as text ~ \"dog\""),
    }
}
