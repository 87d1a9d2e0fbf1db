//! What there is to say of the selected query: how the second model differs from the first.

use super::Cx;
use crate::analysis::overlap::Shared;
use crate::analysis::similarity::HEAD;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::metric::{Spec, hit};
use crate::tui::model::compare::FIRST;
use crate::tui::model::ranking::Ranked;

impl Cx<'_> {
    /// Sentences about the first two models on the selected query, the most telling first; those whose
    /// rankings or numbers are not there yet are left out.
    pub fn differences(self) -> Vec<String> {
        let (Some(query), Some(two)) = (self.model.selection.query(), self.model.two()) else {
            return Vec::new();
        };
        let names = two.map(|model| self.model.study.models[model].name.as_str());
        let ranked = two.map(|model| self.model.ranked_by(model));
        let mut told = Vec::new();
        told.extend(self.winner_flips(two, query).map(|[one, other]| {
            let names = [names[one], names[other]];
            format!("the winner flips: {} by R@1, {} by AP@R", names[0], names[1])
        }));
        if let [Some(first), Some(second)] = ranked {
            told.extend(self.own_item(query, names, [first, second]));
            told.extend(self.first_items(query, names, [first, second]));
            told.extend(in_common([first, second]).into_iter().flatten());
        }
        told
    }

    /// Which of two models, 0 or 1, wins by R@1 and which by AP@R, where they are not the same.
    fn winner_flips(self, two: [ModelIx; 2], query: usize) -> Option<[usize; 2]> {
        let winner = |[first, second]: [Option<f64>; 2]| {
            let (first, second) = (first?, second?);
            let differ = first.total_cmp(&second).is_ne();
            differ.then_some(usize::from(second > first))
        };
        let r1 = |model| Spec::new(&hit::R1).per_query(self.model.ranks_by(model, query)?);
        let by_r1 = winner(two.map(r1))?;
        let by_ap = winner(two.map(|model| self.model.ap_by(model, query)))?;
        (by_r1 != by_ap).then_some([by_r1, by_ap])
    }

    /// Where both put the item that the original annotation pairs with the query, or the first of these.
    fn own_item(self, query: usize, names: [&str; 2], ranked: [&Ranked; 2]) -> Option<String> {
        let own = self.model.study.own(self.model.view.direction, query);
        let best = |ranked: &Ranked| own.iter().filter_map(|item| ranked.rank(item as usize)).min();
        let what = match self.model.view.direction {
            Direction::T2i => "original image",
            Direction::I2t => "best own caption",
        };
        let [first, second] = names;
        let (one, other) = (best(ranked[0])?, best(ranked[1])?);
        let places = |count: usize| if count == 1 { "place" } else { "places" };
        let [at_one, at_other] = [one, other].map(grouped);
        Some(if one == other {
            format!("both put the {what} at rank {at_one}")
        } else {
            let by = one.abs_diff(other);
            let side = if one > other { "lower" } else { "higher" };
            format!(
                "{first} puts the {what} {} {} {side} than {second} (#{at_one}, #{at_other})",
                grouped(by),
                places(by),
            )
        })
    }

    /// What the first items are.
    fn first_items(self, query: usize, names: [&str; 2], ranked: [&Ranked; 2]) -> Option<String> {
        let [one, other] = ranked.map(|ranked| ranked.ranking.order.first().copied());
        let (one, other) = (one?, other?);
        let badge = |item: u32| self.model.badge(query, item as usize).words();
        Some(if one == other {
            format!("both put the same item first: {}", badge(one))
        } else if badge(one) == badge(other) {
            format!("the first items differ; both: {}", badge(one))
        } else {
            let [first, second] = names;
            let badges = [badge(one), badge(other)];
            format!("the first items differ; {first}: {}, {second}: {}", badges[0], badges[1])
        })
    }
}

/// What the first items have in common.
fn in_common(ranked: [&Ranked; 2]) -> Option<[String; 2]> {
    let top_k = ranked.map(|ranked| {
        let order = &ranked.ranking.order;
        &order[..order.len().min(HEAD)]
    });
    let shared = Shared::of(top_k[0], top_k[1]);
    let overlap = shared.overlap(FIRST)?;
    let alike = shared.rank_biased()?;
    Some([
        format!("overlap@{FIRST} = {}", (100.0 * overlap).round() / 100.0),
        format!("rank-biased overlap {alike:.3} of 1"),
    ])
}
