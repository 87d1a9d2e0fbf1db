//! A pair of a query and an item as a row for programs: that of `find --items`.

use serde_json::{Map, Value, json};

use crate::data::Direction;
use crate::data::id::Id;
use crate::data::text::Text;
use crate::study::Study;
use crate::truth::verdict::{Pair, Verdict, Verdicts};

/// Ids, what every ground truth says, the verdict, rank and score, the rating where there are ratings, file
/// name, caption and the first caption that was written for the image: keys and values are those of `find --items --session`, in this order.
pub fn pair_row(
    study: &Study,
    verdicts: &Verdicts,
    direction: Direction,
    (query, item): (usize, usize),
    (rank, score): (usize, f64),
) -> Value {
    let pair = Pair::of(direction, query.into(), item.into());
    let gallery = &study.gallery;
    let mut row = Map::new();
    let mut put = |key: &str, value: Value| row.insert(key.to_owned(), value);
    put("direction", json!(direction.key()));
    put("query", id(&gallery.queries(direction)[query].to_string()));
    put("item", id(&gallery.items(direction)[item].to_string()));
    let verdict = verdicts.get(pair);
    let badge = study.badge(verdict, direction, query.into(), item.into());
    put("standing", json!(badge.in_lists()));
    for truth in &study.truths {
        let standing = study.standing(truth, direction, query.into(), item.into());
        put(&truth.name, json!(standing.key()));
    }
    put("verdict", json!(verdict.map(Verdict::key)));
    put("rank", json!(rank));
    put("score", json!(Some(score).filter(|score| score.is_finite())));
    if study.truths.iter().any(|truth| study.is_rated(truth)) {
        put("rating", json!(study.rating(direction, query.into(), item.into())));
    }
    let name = gallery.file_names.get(pair.image.get());
    put("file_name", json!(name.map(Text::shown)));
    let text = |caption: usize| gallery.texts.get(caption).map_or("", Text::shown);
    put("caption", json!(text(pair.caption.get())));
    let own = study.own(Direction::I2t, pair.image.get()).iter().next();
    let own = own.map(|caption| text(caption as usize));
    put("image_caption", json!(own));
    Value::Object(row)
}

/// An id that is a number is a number in JSON too.
fn id(id: &str) -> Value {
    match Id::parse(id) {
        Id::Number(number) => json!(number),
        Id::Text(text) => json!(text),
    }
}
