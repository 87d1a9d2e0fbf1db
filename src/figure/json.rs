//! JSON: the scene itself, for other programs.

use serde_json::{Value, json};

use super::scene::{FigureItem, ModelRanking, QueryRankings, Subject};
use super::{Figure, Format, Output};
use crate::data::json_text;
use crate::error::Error;
use crate::study::WHOLE_GALLERY;

/// The value of `format` in files of this version.
const NAME: &str = "itm-explore-figure/1";

pub(super) const FORMAT: Format = Format {
    key: "json",
    doc: "what the figure shows, for other programs",
    is_text: true,
    is_paper: false,
    caption_height: None,
    pages: None,
    draw: None,
    write: |figure, _| {
        let text = json_text::pretty(&scene(figure)).map_err(|e| Error::new("the figure", e))?;
        Ok(Output::text(text, Vec::new()))
    },
};

fn scene(figure: &Figure) -> Value {
    let queries = figure.scene.queries.iter();
    let queries = queries.map(|asked| {
        let layout = figure.options.layout(asked.direction);
        query(asked, layout.key())
    });
    let legend =
        figure.scene.signs().into_iter().map(
            |sign| json!({"standing": sign.key(), "glyph": sign.glyph(), "words": sign.words()}),
        );
    json!({
        "format": NAME,
        "width_mm": figure.options.width,
        "text_pt": figure.options.text,
        "statements": figure.scene.statements,
        "legend": legend.collect::<Vec<Value>>(),
        "queries": queries.collect::<Vec<Value>>(),
    })
}

fn query(asked: &QueryRankings, layout: &str) -> Value {
    json!({
        "direction": asked.direction.key(),
        "layout": layout,
        "query": subject(&asked.query),
        "truth": asked.truth,
        "pool": asked.pool.as_deref().unwrap_or(WHOLE_GALLERY),
        "listed": asked.listed,
        "note": asked.note,
        "heading": asked.heading,
        "models": asked.rows.iter().map(row).collect::<Vec<Value>>(),
    })
}

fn row(row: &ModelRanking) -> Value {
    json!({
        "model": row.model,
        "first_positive": row.first,
        "items": row.items.iter().map(item).collect::<Vec<Value>>(),
    })
}

fn item(item: &FigureItem) -> Value {
    let mut value = subject(&item.subject);
    value["rank"] = json!(item.rank);
    // JSON has neither NaN nor infinities.
    if item.is_scored {
        value["score"] = json!(item.score.is_finite().then_some(item.score));
    }
    if let Some(verdict) = item.verdict {
        value["verdict"] = json!(verdict.key());
    }
    value["standing"] = json!(item.sign().key());
    value["positive"] = json!(item.standing.is_right());
    value
}

fn subject(subject: &Subject) -> Value {
    if subject.is_image {
        json!({"image": subject.id, "name": subject.text, "captions": subject.own})
    } else {
        json!({"caption": subject.id, "text": subject.text})
    }
}
