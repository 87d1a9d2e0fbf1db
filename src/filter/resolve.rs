//! Names are looked up, and each part is given its kind: number, text or condition.

use std::ops::Range;

use super::checks;
use super::facts::{Needs, RanksOf};
use super::mistake::Mistake;
use super::names;
use super::program::{Condition, Number, Words};
use super::range;
use super::syntax::{Arithmetic, Comparison, Expr, Node, Op, Value};
use super::values::{self, Depends, KNOWN, Known, Quantity, is_flag};
use crate::data::id::Id;
use crate::data::index::{ModelIx, TruthIx};
use crate::study::{Study, View};
use crate::truth::{Kind, Truth};

type Resolved<T> = Result<T, Mistake>;

/// A part with its kind.
#[derive(Debug)]
enum Part {
    Number(Number),
    /// 0 or 1: a number, and a condition too.
    Flag(Number),
    Words(Words),
    Condition(Condition),
}

impl Part {
    fn kind(&self) -> &'static str {
        match self {
            Part::Number(_) => "a number",
            Part::Flag(_) => "a number, 0 or 1",
            Part::Words(Words::Id | Words::FirstItem(_)) => "an id",
            Part::Words(_) => "a text",
            Part::Condition(_) => "a condition",
        }
    }
}

/// Looks up what an expression names, and remembers what it needs.
pub(super) struct Resolver<'a> {
    /// The expression as it is written.
    pub text: &'a str,
    pub study: &'a Study,
    pub view: View,
    pub needs: Needs,
}

impl Resolver<'_> {
    /// A part that a query meets or does not meet.
    pub fn condition(&mut self, node: &Node) -> Resolved<Condition> {
        match self.part(node)? {
            Part::Condition(condition) => Ok(condition),
            Part::Flag(number) => Ok(Condition::Flag(number)),
            other => Err(wrong(node, &other, "a condition, such as r1 == 1")),
        }
    }

    /// A part that is a number.
    pub fn number(&mut self, node: &Node) -> Resolved<Number> {
        match self.part(node)? {
            Part::Number(number) | Part::Flag(number) => Ok(number),
            other => Err(wrong(node, &other, "a number")),
        }
    }

    fn part(&mut self, node: &Node) -> Resolved<Part> {
        Ok(match &node.expr {
            Expr::Number(number) => Part::Number(Number::Constant(*number)),
            Expr::Text(text) => Part::Words(Words::Constant(text.clone())),
            Expr::Value(value) => self.value(value, &node.at)?,
            Expr::Not(inner) => Part::Condition(Condition::Not(Box::new(self.condition(inner)?))),
            Expr::Negative(inner) => Part::Number(Number::Negative(Box::new(self.number(inner)?))),
            Expr::Both(op, left, right) => self.both(*op, left, right)?,
        })
    }

    fn both(&mut self, op: Op, left: &Node, right: &Node) -> Resolved<Part> {
        Ok(match op {
            Op::And | Op::Or => {
                let left = Box::new(self.condition(left)?);
                let right = Box::new(self.condition(right)?);
                Part::Condition(match op {
                    Op::And => Condition::And(left, right),
                    _ => Condition::Or(left, right),
                })
            }
            Op::Arithmetic(how) => Part::Number(self.arithmetic(how, left, right)?),
            Op::Compare(how) => Part::Condition(self.comparison(how, left, right)?),
            Op::Like => Part::Condition(self.like(left, right)?),
        })
    }

    fn arithmetic(&mut self, how: Arithmetic, left: &Node, right: &Node) -> Resolved<Number> {
        let left = Box::new(self.number(left)?);
        let right = Box::new(self.number(right)?);
        Ok(Number::Arithmetic(how, left, right))
    }

    fn comparison(&mut self, how: Comparison, left: &Node, right: &Node) -> Resolved<Condition> {
        use Part::{Flag, Number, Words as Text};
        let at = left.at.start..right.at.end;
        let nodes = [left, right];
        let (left, right) = (self.part(left)?, self.part(right)?);
        Ok(match (left, right) {
            (Number(left) | Flag(left), Number(right) | Flag(right)) => {
                range::check(self.text, how, (&left, nodes[0]), (&right, nodes[1]))?;
                Condition::Compare(how, left, right)
            }
            (Text(id), Number(number) | Flag(number)) if id.is_id() => {
                Condition::CompareId(how, id, number)
            }
            (Number(number) | Flag(number), Text(id)) if id.is_id() => {
                Condition::CompareId(how.flipped(), id, number)
            }
            (Text(left), Text(right)) => same(how, left, right, at)?,
            (left, right) => {
                let found = format!("{} is compared with {}", left.kind(), right.kind());
                return Err(Mistake::new(at, found)
                    .expected("two numbers, two texts, or an id with a number or a text"));
            }
        })
    }

    fn like(&mut self, left: &Node, right: &Node) -> Resolved<Condition> {
        let text = match self.part(left)? {
            Part::Words(text) => text,
            other => return Err(wrong(left, &other, "text or id before ~")),
        };
        match &right.expr {
            Expr::Text(part) => Ok(Condition::Like(text, part.to_lowercase())),
            _ => Err(Mistake::new(right.at.clone(), "no text behind ~")
                .expected("words in double quotes, such as text ~ \"red bus\"")),
        }
    }

    fn value(&mut self, value: &Value, at: &Range<usize>) -> Resolved<Part> {
        if let Some(spec) = values::metric(&value.name.text) {
            checks::depth((self.study, self.view), value, at, false)?;
            let view = if spec.metric.takes_phi() {
                self.need_phi(value, at)?
            } else {
                let of = self.look(value, at)?;
                checks::judgements((self.study, of), spec, at)?;
                checks::own_truth((self.study, of), spec, at)?;
                self.need(value, at)?
            };
            let number = Number::Metric(view, spec);
            return Ok(if is_flag(spec) { Part::Flag(number) } else { Part::Number(number) });
        }
        let known = KNOWN.iter().find(|known| known.name == value.name.text);
        let known = known.ok_or_else(|| checks::unknown(self.study, value))?;
        let named = names::resolve(self.study, &value.names)?;
        let allowed = match known.depends {
            Depends::Both => true,
            Depends::Model => named.truth.is_none(),
            Depends::Truth => named.model.is_none(),
            Depends::Nothing => value.names.is_empty(),
        };
        if !allowed {
            return Err(checks::useless(known, at));
        }
        self.item(known, value, at)
    }

    fn item(&mut self, known: &Known, value: &Value, at: &Range<usize>) -> Resolved<Part> {
        let takes_depth = matches!(
            known.item,
            Quantity::ExtraInTop | Quantity::PositivesInTop | Quantity::MissedPhi
        );
        let k = checks::depth((self.study, self.view), value, at, takes_depth)?;
        Ok(match known.item {
            Quantity::Rank => Part::Number(Number::Rank(self.need(value, at)?)),
            Quantity::PositivesInTop => {
                Part::Number(Number::PositivesInTop(self.need(value, at)?, k))
            }
            Quantity::ExtraInTop => Part::Number(self.extra(value, at, k)?),
            Quantity::Listed => Part::Number(Number::Listed(self.look(value, at)?.truth)),
            Quantity::Judged => {
                let named = names::resolve(self.study, &value.names)?;
                Part::Flag(Number::Judged(named.truth.unwrap_or(self.view.truth)))
            }
            Quantity::Words => {
                checks::texts(self.study, self.view.direction, at)?;
                Part::Number(Number::Words)
            }
            Quantity::Text => {
                checks::texts(self.study, self.view.direction, at)?;
                Part::Words(Words::Text)
            }
            Quantity::Id => Part::Words(Words::Id),
            Quantity::First => Part::Words(Words::FirstItem(self.head(value)?)),
            Quantity::Hub => Part::Flag(Number::Hub(self.head(value)?)),
            Quantity::NearDuplicate => {
                checks::texts(self.study, self.view.direction, at)?;
                self.needs.texts = true;
                let truth = self.look(value, at)?.truth;
                Part::Flag(Number::NearDuplicate(self.head(value)?, truth))
            }
            Quantity::LackingPhrases | Quantity::LackingTypes => {
                checks::phrases(self.study, at)?;
                let is_by_type = known.item == Quantity::LackingTypes;
                Part::Number(Number::Lacking(self.head(value)?, is_by_type))
            }
            Quantity::Unrelated => {
                checks::phrases(self.study, at)?;
                Part::Flag(Number::Unrelated)
            }
            Quantity::Phi => Part::Number(Number::Phi(self.need_phi(value, at)?)),
            Quantity::MissedPhi => Part::Number(Number::MissedPhi(self.need_phi(value, at)?, k)),
            Quantity::Learning(kind) => Part::Flag(Number::Learning(kind, self.steps(value, at)?)),
            Quantity::FirstRightStep => {
                let steps = self.steps(value, at)?;
                let numbers = self.study.steps.iter().map(|step| step.number);
                Part::Number(Number::FirstRightStep(steps, numbers.collect()))
            }
            Quantity::Picked => Part::Flag(Number::Picked),
            Quantity::Verdicts => Part::Number(Number::Verdicts),
        })
    }

    fn look(&self, value: &Value, at: &Range<usize>) -> Resolved<View> {
        let named = names::resolve(self.study, &value.names)?;
        names::view(self.study, self.view, named, at)
    }

    /// The place of the view that a value is of, in the list of those that are needed.
    fn need(&mut self, value: &Value, at: &Range<usize>) -> Resolved<RanksOf> {
        let view = self.look(value, at)?;
        self.ranks_of(value, view)
    }

    /// The ranks of a view for a value. Who names the original annotation asks what that lists, whatever somebody said
    /// since.
    fn ranks_of(&mut self, value: &Value, view: View) -> Resolved<RanksOf> {
        let named = names::resolve(self.study, &value.names)?.truth;
        let is_original = |truth: TruthIx| self.study.truths[truth].kind == Kind::Original;
        Ok(RanksOf { view: self.needs.view(view), as_loaded: named.is_some_and(is_original) })
    }

    /// The ranks of all steps.
    fn steps(&mut self, value: &Value, at: &Range<usize>) -> Resolved<Vec<RanksOf>> {
        checks::steps(self.study, at)?;
        let view = self.look(value, at)?;
        let models = self.study.steps.iter().map(|step| step.model);
        let views = models.map(|model| View { model, ..view });
        views.map(|view| self.ranks_of(value, view)).collect()
    }

    /// The same under the truth of a similarity: the one named or looked at, else the first.
    fn need_phi(&mut self, value: &Value, at: &Range<usize>) -> Resolved<RanksOf> {
        let named = names::resolve(self.study, &value.names)?;
        let truth = checks::of_phi((self.study, self.view), named.truth, at)?;
        let model = named.model.unwrap_or(self.view.model);
        let direction = self.view.direction;
        let view = View { model, truth, direction };
        Ok(RanksOf::view(self.needs.view(view)))
    }

    /// The model whose first items a value is about.
    fn head(&mut self, value: &Value) -> Resolved<ModelIx> {
        let named = names::resolve(self.study, &value.names)?;
        let model = named.model.unwrap_or(self.view.model);
        self.needs.head(model);
        Ok(model)
    }

    fn extra(&mut self, value: &Value, at: &Range<usize>, k: u32) -> Resolved<Number> {
        let named = names::resolve(self.study, &value.names)?;
        let (study, direction) = (self.study, self.view.direction);
        let model = named.model.unwrap_or(self.view.model);
        let of_kind = |kind: Kind| {
            let is_it = move |(_, truth): &(TruthIx, &Truth)| {
                truth.kind == kind && truth.relevance[direction].is_some()
            };
            let found = TruthIx::each(&study.truths).filter(is_it);
            found.map(move |(truth, _)| View { model, truth, direction })
        };
        let Some(original) = of_kind(Kind::Original).next() else {
            return Err(Mistake::new(
                at.clone(),
                format!("no original ground truth with a {direction} list"),
            )
            .expected("a ground truth named original, by which others are richer"));
        };
        let rich: Vec<RanksOf> =
            of_kind(Kind::Rich).map(|view| RanksOf::view(self.needs.view(view))).collect();
        if rich.is_empty() {
            return Err(Mistake::new(
                at.clone(),
                format!("no rich ground truth with a {direction} list"),
            )
            .expected("a ground truth with further positives, such as eccv or cxc"));
        }
        // What somebody said since makes no item one that the original annotation lists.
        let original = RanksOf { view: self.needs.view(original), as_loaded: true };
        Ok(Number::ExtraInTop(rich, original, k))
    }
}

fn wrong(node: &Node, part: &Part, expected: &str) -> Mistake {
    Mistake::new(node.at.clone(), format!("this is {}", part.kind())).expected(expected)
}

/// Two texts, or an id and a text.
fn same(how: Comparison, left: Words, right: Words, at: Range<usize>) -> Resolved<Condition> {
    let same = match (left, right) {
        (left, Words::Constant(id)) if left.is_id() => Condition::IsId(left, Id::parse(&id)),
        (Words::Constant(id), right) if right.is_id() => Condition::IsId(right, Id::parse(&id)),
        (left, right) => Condition::SameText(left, right),
    };
    match how {
        Comparison::Equal => Ok(same),
        Comparison::Differs => Ok(Condition::Not(Box::new(same))),
        _ => Err(Mistake::new(at, "texts are neither more nor less").expected("== or != or ~")),
    }
}
