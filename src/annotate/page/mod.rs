//! HITs as one HTML page: images embedded, no external resources, responses kept in the browser until saved to a file.

use std::collections::BTreeMap;

use rustc_hash::FxHasher;
use serde_json::{Value, json};
use std::hash::{Hash, Hasher};

use super::answers;
use super::hits::{Hit, HitItem};
use crate::data::Direction;
use crate::error::{Error, Result};
use crate::figure::images::FigureImages;
use crate::study::Study;
use crate::truth::judgment::Pair;

/// Longer side of embedded images, in pixels.
const IMAGE_SIDE: u32 = 448;

/// Template, style and script of the page.
const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Inputs of a page.
#[derive(Debug, Clone, Copy)]
pub struct PageInputs<'a> {
    /// Source of captions and images.
    pub study: &'a Study,
    /// HITs to ask.
    pub hits: &'a [Hit],
    /// Whether to ask about shortcomings of a pair that is partly or mostly not relevant.
    pub follow_up: bool,
}

/// A page, and its numbers of images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HtmlPage {
    /// The HTML.
    pub html: String,
    /// Number of images whose file was not found.
    pub without_file: usize,
    /// Number of images.
    pub images: usize,
}

/// Makes a page that asks for a judgment of every pair of the HITs.
///
/// # Errors
/// HITs with images or captions not in the study.
pub fn make_page(inputs: PageInputs<'_>) -> Result<HtmlPage> {
    let PageInputs { study, hits, follow_up } = inputs;
    let (mut captions, mut images) = (BTreeMap::new(), BTreeMap::new());
    for item in hits.iter().flat_map(|hit| &hit.items) {
        let pair = Pair::find(&study.gallery, &item.image, &item.caption);
        let pair = pair.ok_or_else(|| missing_pair(item))?;
        captions.insert(item.caption.raw(), json!(study.gallery.caption(pair.caption.get())));
        images.insert(item.image.raw(), pair.image.get());
    }
    let sources = images.values().map(|&image| (image, study.image_file(image)));
    let files = FigureImages::decode(sources, IMAGE_SIDE);
    let image = |(id, &image): (&String, &usize)| {
        let uri = files.uri(image, IMAGE_SIDE, IMAGE_SIDE);
        let shown = uri.map_or_else(|| name_and_captions(study, image), |uri| json!({"uri": uri}));
        (id.clone(), shown)
    };
    let data = json!({
        "format": answers::FORMAT,
        "name": storage_key(hits),
        "followUp": follow_up,
        "shortcomings": answers::SHORTCOMINGS.map(|(key, text)| json!([key, text])),
        "hits": hits.iter().map(hit_json).collect::<Vec<_>>(),
        "captions": captions,
        "images": images.iter().map(image).collect::<BTreeMap<_, _>>(),
    });
    let html = PAGE
        .replace("{{nonce}}", &storage_key(hits))
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT)
        .replace("{{data}}", &html_safe_json(&data));
    Ok(HtmlPage { html, without_file: files.missing().count(), images: images.len() })
}

/// Key of the responses to these HITs in browser storage: a hash of names and pairs.
fn storage_key(hits: &[Hit]) -> String {
    let mut hasher = FxHasher::default();
    for hit in hits {
        hit.hit.hash(&mut hasher);
        for item in &hit.items {
            (&item.image, &item.caption).hash(&mut hasher);
        }
    }
    format!("{:016x}", hasher.finish())
}

/// JSON of a HIT: ids as text, which JavaScript does not round; golden items are not marked.
fn hit_json(hit: &Hit) -> Value {
    let item = |item: &HitItem| json!([item.image.raw(), item.caption.raw()]);
    json!({
        "hit": hit.hit, "direction": hit.direction.key(), "query": hit.query.raw(),
        "items": hit.items.iter().map(item).collect::<Vec<_>>(),
    })
}

/// JSON that is safe in HTML: captions cannot close an element.
fn html_safe_json(data: &Value) -> String {
    let text = data.to_string();
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// JSON that the page shows instead of an image without file: the image's name and captions.
fn name_and_captions(study: &Study, image: usize) -> Value {
    let own = study.original_items(Direction::I2t, image);
    let captions = own.iter().map(|caption| study.gallery.caption(caption as usize));
    json!({"name": study.gallery.image(image), "captions": captions.collect::<Vec<_>>()})
}

/// Error for a pair of a HIT that the study does not have.
fn missing_pair(item: &HitItem) -> Error {
    let found = format!(
        "image {} and caption {}, which the files do not both have",
        item.image, item.caption
    );
    Error::new("the HITs", found).expected("the files that the pool was made of")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::text::Text;
    use crate::study::demo;
    use crate::truth::judgment::Judgment;

    const HOSTILE: &str = "</script><script>alert(1)</script><!-- \u{2028} {{script}} \"";

    /// A page with one caption, whose text closes elements, and two images.
    fn hostile(has_files: bool) -> (Study, Vec<Hit>) {
        let mut study = demo::open().unwrap();
        study.gallery.texts[7] = Text::new(HOSTILE);
        if !has_files {
            study.image_files = None;
        }
        let item = |image: usize, golden| HitItem {
            image: study.gallery.images[image].clone(),
            caption: study.gallery.captions[7].clone(),
            golden,
        };
        let hit = Hit {
            hit: "t2i-1-1".into(),
            direction: Direction::T2i,
            query: study.gallery.captions[7].clone(),
            items: vec![item(0, None), item(1, Some(Judgment::Yes))],
        };
        (study, vec![hit])
    }

    fn data(html: &str) -> Value {
        let (_, rest) = html.split_once("id=\"data\">").unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn no_caption_ends_the_element_that_it_stands_in() {
        let (study, hits) = hostile(true);
        let sheet = PageInputs { study: &study, hits: &hits, follow_up: false };
        let made = make_page(sheet).unwrap();
        assert_eq!(made.html.matches("</script").count(), 2);
        let data = data(&made.html);
        let id = study.gallery.captions[7].raw();
        assert_eq!(data["captions"][&id], study.gallery.texts[7].shown());
        assert_eq!((made.images, made.without_file), (2, 0));
        let uri = data["images"][study.gallery.images[0].raw()]["uri"].as_str().unwrap();
        assert!(uri.starts_with("data:image/"), "{uri:.40}");
    }

    #[test]
    fn a_page_does_not_mark_golden_items_and_loads_nothing() {
        let (study, hits) = hostile(true);
        let sheet = PageInputs { study: &study, hits: &hits, follow_up: true };
        let html = make_page(sheet).unwrap().html;
        assert!(!html.contains("golden") && !html.contains("http:") && !html.contains("https:"));
        assert!(html.contains("default-src 'none'"));
    }

    #[test]
    fn an_image_without_file_is_shown_as_its_captions() {
        let (study, hits) = hostile(false);
        let sheet = PageInputs { study: &study, hits: &hits, follow_up: false };
        let made = make_page(sheet).unwrap();
        assert_eq!(made.without_file, 2);
        let shown = &data(&made.html)["images"][study.gallery.images[0].raw()];
        let own = study.original_items(Direction::I2t, 0).iter().count();
        assert_eq!(shown["captions"].as_array().unwrap().len(), own);
    }

    #[test]
    fn other_hits_have_another_storage_key() {
        let (_, hits) = hostile(false);
        let mut others = hits.clone();
        others[0].items.pop();
        assert_ne!(storage_key(&hits), storage_key(&others));
    }
}
