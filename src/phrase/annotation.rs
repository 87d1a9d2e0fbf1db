//! The boxes of an image: `Annotations/ID.xml`, in the format of PASCAL VOC.

use std::fmt::Display;

use roxmltree::{Document, Node};

use super::Chain;
use super::rect::Rect;
use crate::error::{Error, Result};

/// Boxes and chains of an image.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Annotation {
    /// Image file name; empty if missing.
    pub file_name: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Boxes of the image, in the order of the file.
    pub regions: Vec<Region>,
    /// Chains that are the whole scene.
    pub scene: Vec<Chain>,
    /// Visible chains without a box.
    pub no_box: Vec<Chain>,
}

/// A box, and its chains.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Chains that the box shows, at least one.
    pub chains: Vec<Chain>,
    /// Edges of the box in pixels, counted from 1 as in the file and inclusive: a box of one pixel at the upper left of
    /// the image is (1, 1, 1, 1).
    pub rect: Rect,
}

impl Annotation {
    /// The boxes of a chain, in the order of the file.
    pub fn boxes(&self, chain: Chain) -> impl Iterator<Item = Rect> {
        let has_chain = move |region: &&Region| region.chains.contains(&chain);
        self.regions.iter().filter(has_chain).map(|region| region.rect)
    }

    /// Whether the annotation has a chain: with a box, as scene, or without a box.
    pub fn mentions(&self, chain: Chain) -> bool {
        let is_without_box = self.scene.contains(&chain) || self.no_box.contains(&chain);
        is_without_box || self.boxes(chain).next().is_some()
    }
}

/// Maximum XML nodes of a file; files of the data set have some hundred.
const MAX_NODES: u32 = 100_000;
/// Maximum depth of nested tags: the parser recurses.
const MAX_DEPTH: usize = 32;
/// Maximum bytes of a tag: the parser compares every two attributes of a tag.
const MAX_TAG_BYTES: usize = 4_096;

/// Parses the XML of an annotation; `subject` names its file. Errors of single objects, which are skipped, are added to
/// `problems`.
///
/// # Errors
/// Broken XML, or an image without a size.
pub fn parse(text: &str, subject: &str, problems: &mut Vec<Error>) -> Result<Annotation> {
    let options = roxmltree::ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES };
    let broken = |why: &dyn Display| {
        Error::new(subject, format!("broken XML: {why}"))
            .expected("an annotation as the data set has it")
    };
    check_limits(text).map_err(|why| broken(&why))?;
    let document = Document::parse_with_options(text, options).map_err(|error| broken(&error))?;
    let root = document.root_element();
    let (width, height) = size(root, subject)?;
    let mut annotation = Annotation {
        file_name: child(root, "filename").map_or("", trimmed_text).to_owned(),
        width,
        height,
        ..Annotation::default()
    };
    for object in root.children().filter(|node| node.has_tag_name("object")) {
        let at = document.text_pos_at(object.range().start).row;
        if let Err(found) = add_object(object, &mut annotation) {
            let place = format!("{subject}, line {at}");
            problems.push(Error::new(place, found).fix("the object is excluded"));
        }
    }
    Ok(annotation)
}

/// Rejects nesting and tags that exhaust the parser's stack or time, and comments, which could hide them.
fn check_limits(text: &str) -> std::result::Result<(), String> {
    let mut depth = 0_usize;
    for tag in text.split('<').skip(1) {
        let is_empty = || tag.rsplit_once('>').is_some_and(|(tag, _)| tag.ends_with('/'));
        depth = match tag.as_bytes().first() {
            Some(b'!') => return Err("a comment or a declaration".into()),
            Some(b'/') => depth.saturating_sub(1),
            Some(b'?') => depth,
            _ => depth + usize::from(!is_empty()),
        };
        if depth > MAX_DEPTH {
            return Err(format!("tags nested more than {MAX_DEPTH} deep"));
        }
        if tag.len() > MAX_TAG_BYTES {
            return Err(format!("a tag of {} bytes, at most {MAX_TAG_BYTES} are read", tag.len()));
        }
    }
    Ok(())
}

/// Width and height of the image in pixels.
fn size(root: Node, subject: &str) -> Result<(u32, u32)> {
    let size = child(root, "size");
    let side = |name| size.and_then(|size| child_number(size, name)).filter(|side| *side > 0);
    match (side("width"), side("height")) {
        (Some(width), Some(height)) => Ok((width as u32, height as u32)),
        _ => Err(Error::new(subject, "no size of the image")
            .expected("<size><width>COLUMNS</width><height>ROWS</height>..</size>")),
    }
}

/// Adds the boxes and chains of an `<object>`; an error text if it is invalid.
fn add_object(object: Node, annotation: &mut Annotation) -> std::result::Result<(), String> {
    let names = object.children().filter(|node| node.has_tag_name("name"));
    let chains: Option<Vec<Chain>> = names.map(|name| Chain::parse(trimmed_text(name))).collect();
    let chains = chains.filter(|chains| !chains.is_empty());
    let chains = chains.ok_or("an object whose names are no numbers of chains")?;
    let Some(bounds) = child(object, "bndbox") else {
        let has_flag = |name| child_number(object, name) == Some(1);
        if !has_flag("scene") && !has_flag("nobndbox") {
            return Err("an object without box, and neither <scene> nor <nobndbox> is 1".into());
        }
        annotation.scene.extend(chains.iter().filter(|_| has_flag("scene")));
        annotation.no_box.extend(chains.iter().filter(|_| has_flag("nobndbox")));
        return Ok(());
    };
    let side = |name| {
        let side = child_number(bounds, name).map(f64::from);
        side.ok_or_else(|| format!("a box without a whole number as {name}"))
    };
    let rect = Rect([side("xmin")?, side("ymin")?, side("xmax")?, side("ymax")?]);
    let [x1, y1, x2, y2] = rect.0;
    let [width, height] = [annotation.width, annotation.height].map(f64::from);
    if !rect.is_valid() {
        return Err(format!("the box {rect} ends before it begins"));
    }
    if x2 < 1.0 || y2 < 1.0 || x1 > width || y1 > height {
        return Err(format!("the box {rect} lies outside of the image of {width} x {height}"));
    }
    annotation.regions.push(Region { chains, rect });
    Ok(())
}

/// The first child element with this name.
fn child<'a>(node: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|child| child.has_tag_name(name))
}

/// The text of an element, trimmed; empty if it has none.
fn trimmed_text<'a>(node: Node<'a, 'a>) -> &'a str {
    node.text().unwrap_or_default().trim()
}

/// The text of a child element as an integer; `None` if it is missing or no integer.
fn child_number(node: Node, name: &str) -> Option<i32> {
    child(node, name).and_then(|child| trimmed_text(child).parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: &str = "<size><width>333</width><height>500</height><depth>3</depth></size>";

    fn read(objects: &str) -> (Annotation, Vec<String>) {
        let mut problems = Vec::new();
        let text = format!("<annotation><filename>1.jpg</filename>{SIZE}\n{objects}</annotation>");
        let read = parse(&text, "1.xml", &mut problems).unwrap();
        (read, problems.iter().map(Error::to_string).collect())
    }

    fn with_box(name: u32, [x_min, y_min, x_max, y_max]: [i32; 4]) -> String {
        format!(
            "<object><name>{name}</name><bndbox><xmin>{x_min}</xmin><ymin>{y_min}</ymin>\
             <xmax>{x_max}</xmax><ymax>{y_max}</ymax></bndbox></object>\n"
        )
    }

    #[test]
    fn nesting_and_tags_are_bounded() {
        let refused = |objects: &str| {
            let text = format!("<annotation>{SIZE}{objects}</annotation>");
            parse(&text, "1.xml", &mut Vec::new()).unwrap_err().to_string()
        };
        let deep = refused(&("<a>".repeat(40_000) + &"</a>".repeat(40_000)));
        assert!(deep.contains("nested"), "{deep}");
        let attributes: String = " a='>'".repeat(100_000);
        let wide = refused(&format!("<a{attributes}/>"));
        assert!(wide.contains("a tag of"), "{wide}");
        assert_eq!(check_limits(&"<?xml?><a x='/>'>1 > 0<b/></a>".repeat(100)), Ok(()));
        assert!(check_limits("<a><!-- <b> --></a>").unwrap_err().contains("a comment"));
        assert!(check_limits(&"<a x='/>'>".repeat(100)).is_err());
    }

    #[test]
    fn boxes_belong_to_chains_and_chains_have_boxes() {
        let two = with_box(1, [12, 3, 90, 200]).replace("</name>", "</name><name>7</name>");
        let rest = with_box(7, [1, 1, 333, 500]);
        let scene = "<object><name>3</name><scene>1</scene><nobndbox>1</nobndbox></object>
            <object><name>4</name><scene>0</scene><nobndbox>1</nobndbox></object>";
        let (read, problems) = read(&format!("{two}{rest}{scene}"));
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!((read.width, read.height), (333, 500));
        assert_eq!(read.file_name, "1.jpg");
        let first = Rect([12.0, 3.0, 90.0, 200.0]);
        assert_eq!(read.boxes(Chain(1)).collect::<Vec<_>>(), [first]);
        assert_eq!(read.boxes(Chain(7)).count(), 2);
        assert_eq!((read.scene, read.no_box), (vec![Chain(3)], vec![Chain(3), Chain(4)]));
    }

    #[test]
    fn what_is_wrong_with_an_object_is_told_with_its_line_and_the_rest_is_read() {
        let objects = [
            with_box(1, [334, 1, 400, 20]),
            with_box(2, [0, 1, 20, 20]),
            with_box(3, [20, 1, 10, 20]),
            "<object><name>4</name></object>\n".to_owned(),
            "<object><name>x</name><scene>1</scene></object>\n".to_owned(),
            with_box(5, [1, 1, 20, 20]).replace("<xmin>1</xmin>", "<xmin>1.5</xmin>"),
            with_box(6, [1, 1, 20, 20]),
        ];
        let (read, problems) = read(&objects.concat());
        let kept: Vec<u32> = read.regions.iter().map(|region| region.chains[0].0).collect();
        assert_eq!(kept, [2, 6]);
        for (problem, told) in problems.iter().zip([
            "1.xml, line 2: the box 334 1 400 20 lies outside of the image of 333 x 500\n  fix: the object is excluded",
            "1.xml, line 4: the box 20 1 10 20 ends before it begins",
            "1.xml, line 5: an object without box, and neither <scene> nor <nobndbox> is 1",
            "1.xml, line 6: an object whose names are no numbers of chains",
            "1.xml, line 7: a box without a whole number as xmin",
        ]) {
            assert!(problem.starts_with(told), "{problem}");
        }
        assert_eq!(problems.len(), 5);
    }

    #[test]
    fn an_annotation_without_size_and_broken_xml_are_errors() {
        for (text, found) in [
            ("<annotation><object/></annotation>", "1.xml: no size of the image"),
            ("<annotation><size><width>0</width><height>5</height></size></annotation>", "no size"),
            ("<annotation>", "1.xml: broken XML"),
            ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "broken XML"),
        ] {
            let error = parse(text, "1.xml", &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains(found), "{error}");
        }
    }
}
