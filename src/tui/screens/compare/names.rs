//! Which models the rankings are of: the names in their frames.

use super::Cx;
use crate::data::index::ModelIx;
use crate::tui::action::Action;
use crate::tui::signs;
use crate::tui::widgets::text;

/// Columns that the names of the models beside a ranking need at the least, where its own is cut for them.
const LEAST_BESIDE: usize = 24;

/// The title of a ranking's frame and what stands at its right, in so many columns together.
pub(super) fn titles(cx: Cx<'_>, column: usize, room: usize) -> [String; 2] {
    let model = cx.model.compared()[column];
    let letter = ('A'..).nth(column).unwrap_or('A');
    // The others are named in full where that leaves enough to this one.
    let wanted = text::width(&beside(cx, column, room)).min(LEAST_BESIDE);
    // A letter and a blank; two blanks more around what stands beside the name.
    let own = room.saturating_sub(2 + wanted + 2);
    let name = format!("{letter} {}", signs::model(&cx.model.study, model, own));
    let left = room.saturating_sub(text::width(&name) + 2);
    let beside = beside(cx, column, left);
    [name, beside]
}

/// The models compared but for that of a column, each with its letter.
pub(super) fn others(cx: Cx<'_>, column: usize) -> impl Iterator<Item = (char, ModelIx)> {
    let all = ('A'..).zip(cx.model.compared()).enumerate();
    all.filter(move |(at, _)| *at != column).map(|(_, other)| other)
}

/// What stands at the right of a ranking's frame: how many are left out; beside one that is alone, whose ranks it
/// has too.
fn beside(cx: Cx<'_>, column: usize, room: usize) -> String {
    if cx.areas().has_one_ranking() {
        let all: Vec<(char, ModelIx)> = others(cx, column).collect();
        return with_left_out(cx, named("ranks by ", &all, cx, room), room);
    }
    hidden(cx, column, room)
}

/// The same, and behind it that there are more models than can be compared, with the key that compares others.
fn with_left_out(cx: Cx<'_>, words: String, room: usize) -> String {
    let [compared, all] = [cx.model.compared().len(), cx.model.comparable().count()];
    if compared == all {
        return words;
    }
    let key = cx.ui.keymap.hint(Action::NextModel);
    let gap = if words.is_empty() { "" } else { ", " };
    let ways = [
        format!("{words}{gap}{compared} of {all} models: {key}"),
        format!("{words}{gap}{} more: {key}", all - compared),
    ];
    let fits = |words: &String| text::width(words) <= room;
    ways.into_iter().find(fits).unwrap_or(words)
}

/// The models that are out of sight, and the key that goes to them, after the last one in sight.
pub(super) fn hidden(cx: Cx<'_>, column: usize, room: usize) -> String {
    let areas = cx.areas();
    if areas.sighted().next_back() != Some(column) {
        return String::new();
    }
    let is_hidden =
        |(at, _): &(usize, (char, ModelIx))| areas.sighted().all(|sighted| sighted != *at);
    let all = ('A'..).zip(cx.model.compared()).enumerate();
    let hidden = all.filter(is_hidden).map(|(_, of)| of);
    let hidden: Vec<(char, ModelIx)> = hidden.collect();
    let told = if hidden.is_empty() {
        String::new()
    } else {
        let key = cx.ui.keymap.hint(Action::NextPane);
        named(&format!("{key}: "), &hidden, cx, room)
    };
    with_left_out(cx, told, room)
}

/// Models with their letters after some words, in so many columns: each name has as many of these.
fn named(before: &str, models: &[(char, ModelIx)], cx: Cx<'_>, room: usize) -> String {
    let study = &cx.model.study;
    let told = |each: usize| {
        let names = models.iter();
        let names =
            names.map(|&(letter, model)| format!("{letter} {}", signs::model(study, model, each)));
        let names: Vec<String> = names.collect();
        format!("{before}{}", names.join(", "))
    };
    // A letter and a blank before each name; a comma and a blank between.
    let taken = text::width(before) + 4 * models.len() - 2;
    let each = room.saturating_sub(taken) / models.len();
    text::first_fitting([told(usize::MAX), told(each)], room)
}
