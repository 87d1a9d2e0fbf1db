//! Two images with phrases and boxes, small enough to check numbers by hand.

use super::Targets;
use crate::data::id::Id;
use crate::phrase::Entities;

const SEVEN: &str = "[/EN#1/people Two men] throw [/EN#0/notvisual it] to [/EN#2/animals a dog] in [/EN#3/scene the park] .\n\
                     [/EN#1/people A man] beside [/EN#1/people another] .\n";
const EIGHT: &str = "[/EN#5/people/vehicles A rider]\n";

/// The files: chain 1 has two boxes of 10 x 10 pixels, the box around them has 40 x 10; chain 2 has one of 10 x
/// 10, chain 5 one of 100 x 50.
fn files() -> [(&'static str, String); 4] {
    let seven = [
        object(1, [11, 11, 20, 20]),
        object(1, [41, 11, 50, 20]),
        object(2, [11, 41, 20, 50]),
        "<object><name>3</name><scene>1</scene><nobndbox>1</nobndbox></object>".to_owned(),
    ];
    [
        ("Sentences/7.txt", SEVEN.to_owned()),
        ("Annotations/7.xml", annotation(&seven.concat())),
        ("Sentences/8.txt", EIGHT.to_owned()),
        ("Annotations/8.xml", annotation(&object(5, [1, 1, 100, 50]))),
    ]
}

fn annotation(objects: &str) -> String {
    format!("<annotation><size><width>100</width><height>80</height></size>{objects}</annotation>")
}

fn object(chain: u32, [x1, y1, x2, y2]: [u32; 4]) -> String {
    format!(
        "<object><name>{chain}</name><bndbox><xmin>{x1}</xmin><ymin>{y1}</ymin><xmax>{x2}</xmax><ymax>{y2}</ymax>\
         </bndbox></object>"
    )
}

pub fn entities() -> Entities {
    let files = files();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    Entities::built_in(&files)
}

/// Five phrases: three of chain 1, one of chain 2, and one of chain 5 in the second image.
pub fn targets() -> Targets {
    Targets::for_images(&entities(), &[7, 8].map(Id::Number))
}
