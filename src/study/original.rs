//! The original pairing out of a captions file.

use rustc_hash::FxHashMap;

use crate::data::Direction;
use crate::data::captions::CaptionFile;
use crate::data::id::Id;
use crate::truth::Listed;

/// The original pairing, where only a captions file tells it.
pub(super) fn of(file: &str, captions: &CaptionFile) -> [Listed; 2] {
    let mut by_image: Lists = Lists::default();
    let with_image = captions.captions.iter().filter_map(|caption| {
        let image = caption.image.as_ref()?;
        Some((&caption.id, image))
    });
    for (caption, image) in with_image.clone() {
        by_image.push(image, caption);
    }
    let t2i = with_image.map(|(caption, image)| (caption.clone(), [image.clone()]));
    let listed = |direction, pairs| Listed {
        name: "original".into(),
        direction: Some(direction),
        pairs,
        file: file.to_owned(),
    };
    [
        listed(Direction::I2t, by_image.lists.into_iter().collect()),
        listed(Direction::T2i, t2i.collect()),
    ]
}

/// Lists by key, keys in the order of their first item.
#[derive(Default)]
struct Lists {
    place: FxHashMap<Id, usize>,
    lists: Vec<(Id, Vec<Id>)>,
}

impl Lists {
    fn push(&mut self, key: &Id, item: &Id) {
        let place = *self.place.entry(key.clone()).or_insert_with(|| {
            self.lists.push((key.clone(), Vec::new()));
            self.lists.len() - 1
        });
        self.lists[place].1.push(item.clone());
    }
}
