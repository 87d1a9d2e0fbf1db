//! What the header says of what is looked at: the same for drawing and for the mouse.

use super::header;
use super::mixture::{Slider, least_named, without_slider};
use crate::data::text::grouped;
use crate::study::{Mix, Pool};
use crate::truth::relevance::Relevance;
use crate::tui::model::Model;
use crate::tui::model::session::Kept;
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// The words of the header's first line, between which stand fixed ones.
pub(in crate::tui) struct Headline {
    pub(super) model: Shown,
    /// What stands before the name of the ground truth.
    pub(super) of_truth: &'static str,
    pub(super) truth: String,
    /// What stands before the name of the pool; nothing, as its name, where there is no room to say that it is the whole
    /// gallery.
    pub(super) of_pool: &'static str,
    pub(super) pool: String,
    pub(super) judged: String,
    pub(super) kept: String,
}

/// What is said of the model.
pub(in crate::tui) enum Shown {
    /// Its name.
    Name(String),
    /// A mixture whose alpha can be dragged.
    Slider(Slider),
}

/// Words of the header that are always there, and the blanks between them.
pub(super) const FIXED: [&str; 2] = [" ", "  "];
const OF_POOL: &str = "  pool ";
/// What stands before the name of the ground truth, in ever fewer columns, and the columns of a header that begins with
/// the first.
const OF_TRUTH: [&str; 2] = ["  ground truth ", "  truth "];
const WIDE: u16 = 110;
/// Columns of a model's name that are left to it, and those that what must be known leaves to it.
const SHORT_NAME: usize = 24;
const SHORTEST_NAME: usize = 8;
/// A condition that is worth a place, in columns with what stands before it.
const LEAST_CONDITION: usize = 12;
impl Headline {
    /// The words for a header of so many columns and rows.
    pub(super) fn of(cx: Context<'_>, width: u16, rows: u16) -> Self {
        let truth = cx.model.truth();
        let name = cx.model.name_in_force(cx.model.view.truth);
        let mut headline = Headline {
            model: Shown::Name(String::new()),
            // A slider is the finer, the longer it is.
            of_truth: OF_TRUTH[usize::from(width < WIDE || mix_in_sight(cx.model).is_some())],
            truth: text::fit(&name, 24) + &cx.model.dial_words(truth) + &cx.model.other_dials(),
            of_pool: OF_POOL,
            pool: text::fit(&cx.model.base.pool_name(cx.model.dials.pool), 20),
            judged: judged(cx, width, Length::Long),
            kept: kept(cx, Length::Long),
        };
        // What must be known of the study is not given up for words.
        let [all, fewer, few, least] = header::noticed(cx);
        let mut right = all;
        let name = text::width(&name_of_model(cx)).min(SHORT_NAME);
        let is_full = |headline: &Headline, right: usize| {
            headline.width(cx) + name + right > usize::from(width)
        };
        if is_full(&headline, right) {
            headline.of_truth = OF_TRUTH[1];
        }
        for length in [Length::Middle, Length::Short] {
            if is_full(&headline, right) {
                headline.judged = judged(cx, width, length);
            }
        }
        if is_full(&headline, right) {
            headline.kept = kept(cx, Length::Short);
        }
        if is_full(&headline, right) {
            right = fewer;
        }
        if is_full(&headline, right) {
            headline.kept = kept(cx, Length::Least);
        }
        if is_full(&headline, right) {
            // What must be said beside all numbers: rather without the number of queries, and the name cut.
            let told = std::mem::replace(&mut headline.judged, met(cx));
            let least_name = name.min(SHORTEST_NAME);
            let beside = |headline: &Headline| {
                let named = headline.width(cx) + least_name;
                let fits = |right: &usize| *right > least && named + right <= usize::from(width);
                [fewer, few].into_iter().find(fits)
            };
            if let Some(beside) = beside(&headline).or_else(|| {
                headline.leave_out_whole_pool(cx);
                beside(&headline)
            }) {
                right = beside;
            } else {
                (headline.judged, right) = (told, least);
            }
        }
        headline.leave_to_mixture(cx, usize::from(width).saturating_sub(right));
        let left = usize::from(width).saturating_sub(headline.width(cx));
        let beside = if left >= name.min(SHORTEST_NAME) + right { right } else { 0 };
        headline.model = model(cx, width, if rows > 1 { left - beside } else { 0 });
        if rows > 1 {
            headline.judged += &condition(cx, left.saturating_sub(right + headline.model.width()));
        }
        headline
    }

    /// That the pool is the whole gallery is what everybody takes it for.
    fn leave_out_whole_pool(&mut self, cx: Context<'_>) {
        if cx.model.dials.pool == Pool::All {
            self.of_pool = "";
            self.pool.clear();
        }
    }

    /// A mixture is told by the names of its models: so many columns in all, what else there is to say gives way to
    /// them.
    fn leave_to_mixture(&mut self, cx: Context<'_>, columns: usize) {
        let Some(mix) = mix_in_sight(cx.model) else {
            return;
        };
        let least = least_named(mix, names_of(cx.model, mix));
        let is_full = |headline: &Headline| headline.width(cx) + least > columns;
        if is_full(self) {
            self.judged = judged(cx, 0, Length::Least);
        }
        if is_full(self) {
            self.pool = text::fit_middle(&self.pool, SHORTEST_NAME);
        }
        if is_full(self) {
            self.truth = text::fit_middle(&self.truth, SHORTEST_NAME);
        }
    }

    /// The slider of the header, if it has one.
    pub(in crate::tui) fn slider(cx: Context<'_>) -> Option<Slider> {
        let header = cx.ui.frame().header;
        if header.height == 0 {
            return None;
        }
        match Headline::of(cx, header.width, header.height).model {
            Shown::Slider(slider) => Some(slider),
            Shown::Name(_) => None,
        }
    }

    /// Columns of all but the model.
    fn width(&self, cx: Context<'_>) -> usize {
        let words = [&self.truth, &self.pool, &self.judged, &self.kept];
        let key = cx.model.view.direction.key();
        let fixed = FIXED.into_iter().chain([key, self.of_truth, self.of_pool]);
        let words = words.into_iter().map(String::as_str);
        fixed.chain(words).map(text::width).sum()
    }
}

/// How many words there is room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Length {
    Least,
    Short,
    Middle,
    Long,
}

/// How many queries a filter lets through, in the fewest words; without one the list alone tells how many there are.
fn met(cx: Context<'_>) -> String {
    if cx.model.has_filter() { judged(cx, 0, Length::Least) } else { String::new() }
}

/// How many queries are looked at.
fn judged(cx: Context<'_>, width: u16, length: Length) -> String {
    if cx.model.is_rejudged(cx.model.view.truth) {
        return "  ···".into();
    }
    let covered =
        cx.model.truth().relevance[cx.model.view.direction].as_ref().map_or(0, Relevance::len);
    let total = cx.model.study.pool_sizes()[cx.model.view.direction];
    let is_crowded = !cx.model.judgements.is_empty() || mix_in_sight(cx.model).is_some();
    // Short where the state of the session or a slider must fit beside it.
    let is_short = length <= Length::Short || width < 72 || width < 110 && is_crowded;
    let entered = cx.model.scored().map_or(covered, |scored| scored.r1.judged);
    // Answers change it.
    let lacks_values = entered < covered && !cx.model.is_blind();
    let is_told = lacks_values && width >= 110 && length > Length::Middle;
    match (grouped(covered), grouped(total)) {
        (covered, _) if let Some(met) = cx.model.filtered() => {
            let met = grouped(met.len());
            match (length, cx.model.filter_unknown()) {
                _ if cx.model.is_blind() => in_force(length).into(),
                (Length::Least, _) => format!("  filter {met}"),
                (Length::Long, 0) => format!("  filter {met} of {covered} queries"),
                (Length::Long, unknown) => {
                    let unknown = grouped(unknown);
                    format!("  filter {met} of {covered} queries, {unknown} without a value")
                }
                (Length::Middle, _) => format!("  filter {met} of {covered}"),
                (Length::Short, _) => format!("  filter {met}/{covered}"),
            }
        }
        _ if cx.model.is_filtering() => "  filter …".into(),
        (covered, _) if cx.model.truth().lists_nothing() => match grouped(entered) {
            _ if !cx.model.is_judged() || cx.model.is_blind() => format!("  {covered} queries"),
            entered if is_short => format!("  {entered}/{covered}"),
            entered => format!("  {entered} of {covered} queries with a value"),
        },
        // Where there is no room for both, that of the means.
        (_, total) if lacks_values && !is_told => match grouped(entered) {
            entered if length == Length::Least => format!("  {entered}"),
            entered if is_short => format!("  {entered}/{total}"),
            entered => format!("  {entered} of {total} with a value"),
        },
        (covered, _) if length == Length::Least => format!("  {covered}"),
        (covered, total) if is_short => format!("  {covered}/{total}"),
        (covered, total) if length == Length::Middle => format!("  {covered} of {total} judged"),
        (covered, total) if is_told => {
            let entered = grouped(entered);
            format!("  {covered} of {total} queries judged, {entered} with a value")
        }
        (covered, total) => format!("  {covered} of {total} queries judged"),
    }
}

/// That a filter is in force, while one judges blind: its condition may tell how items stand.
fn in_force(length: Length) -> &'static str {
    match length {
        Length::Long | Length::Middle => "  a filter is in force",
        Length::Short | Length::Least => "  filter",
    }
}

/// The condition in force, in at most so many columns; nothing where they tell too little of it.
fn condition(cx: Context<'_>, room: usize) -> String {
    let is_answered = cx.model.filtered().is_some() && room >= LEAST_CONDITION;
    let condition = cx.model.condition().filter(|_| is_answered);
    condition.map_or(String::new(), |condition| format!(": {}", text::fit(&condition, room - 2)))
}

/// How many answers there are, and whether they are saved.
fn kept(cx: Context<'_>, length: Length) -> String {
    let answers = &cx.model.judgements;
    let count = answers.count();
    let verdicts = match length {
        _ if count == 0 => String::new(),
        Length::Least => format!("  {}", grouped(count)),
        Length::Short if count > answers.verdicts.len() => format!("  {} answers", grouped(count)),
        _ => format!("  {}", answers.counted()),
    };
    match cx.model.session.kept() {
        Kept::ReadOnly => verdicts + "  read-only",
        Kept::Failed => verdicts + " NOT SAVED",
        _ if count == 0 => verdicts,
        Kept::Saving => verdicts + ", saving",
        // As wide as the other, or a slider would move under the pointer that drags it.
        Kept::Saved => verdicts + " saved  ",
        Kept::Nowhere => verdicts + ", no session",
    }
}

/// The name of the model, or the step of a training that it is, and the texts that it was given where there are several sets of them.
fn name_of_model(cx: Context<'_>) -> String {
    let (study, model) = (&cx.model.study, cx.model.view.model);
    let name = &study.models[model].name;
    let name = &cx.model.step_words().unwrap_or_else(|| name.clone());
    let texts = study.texts_name_of(model);
    texts.map_or_else(|| name.clone(), |texts| format!("{name} [{texts}]"))
}

fn model(cx: Context<'_>, width: u16, room: usize) -> Shown {
    let most = if width < 120 { 24 } else { 40 };
    let Some(mix) = mix_in_sight(cx.model) else {
        let room = if room == 0 { most } else { room };
        let names: Vec<&str> = cx.model.study.models.iter().map(|of| &*of.name).collect();
        let room = room.clamp(SHORTEST_NAME, most);
        return Shown::Name(text::fit_apart(&name_of_model(cx), &names, room));
    };
    let names = names_of(cx.model, mix);
    match Slider::fitted(mix, names, room) {
        Some(slider) => Shown::Slider(slider),
        None => Shown::Name(without_slider(mix, names, room)),
    }
}

impl Shown {
    fn width(&self) -> usize {
        match self {
            Shown::Name(name) => text::width(name),
            Shown::Slider(slider) => {
                let words = text::width(&slider.before) + text::width(&slider.after);
                words + usize::from(slider.track)
            }
        }
    }
}

fn names_of(model: &Model, mix: Mix) -> [&str; 2] {
    mix.models.map(|at| model.base.models[at].name.as_str())
}

/// The mixture, where it is what is looked at.
fn mix_in_sight(model: &Model) -> Option<Mix> {
    let is_looked_at = model.view.model.get() == model.base.models.len();
    model.dials.mix.filter(|_| is_looked_at)
}
