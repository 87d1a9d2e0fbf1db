//! Good files of every form, over one small gallery: 6 images, 30 captions.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use itm_explore::study::{self, Inputs};

use super::common::npy;
use super::hostile::Seed;

const IMAGES: usize = 6;
const CAPTIONS: usize = 30;

fn score(image: usize, caption: usize) -> f64 {
    let own = if caption / 5 == image { 9.0 } else { 0.0 };
    ((image * 31 + caption * 17) % 23) as f64 / 2.0 + own - 4.0
}

fn cells() -> impl Iterator<Item = f64> {
    (0..IMAGES).flat_map(|image| (0..CAPTIONS).map(move |caption| score(image, caption)))
}

fn seed(name: &str, content: impl Into<Vec<u8>>) -> Seed {
    (name.to_owned(), content.into())
}

/// Writes what every study needs: positives, and the order of the captions.
pub fn gallery(folder: &Path) {
    let write = |(name, content): Seed| fs::write(folder.join(name), content).unwrap();
    write(of_images("own_image_to_caption.json"));
    write(of_captions("own_caption_to_image.json"));
    write(seed("order.txt", listed((100..130).map(|id| id.to_string()))));
    write(matrix("plain.npy"));
}

fn listed(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

fn of_images(name: &str) -> Seed {
    let pair = |i: usize| format!("\"{i}\": {:?}", (5 * i + 100..5 * i + 105).collect::<Vec<_>>());
    let pairs: Vec<String> = (0..IMAGES).map(pair).collect();
    seed(name, format!("{{{}}}", pairs.join(", ")))
}

fn of_captions(name: &str) -> Seed {
    let pairs: Vec<String> =
        (0..CAPTIONS).map(|c| format!("\"{}\": [{}]", c + 100, c / 5)).collect();
    seed(name, format!("{{{}}}", pairs.join(", ")))
}

fn matrix(name: &str) -> Seed {
    let data: Vec<u8> = cells().flat_map(|cell| (cell as f32).to_le_bytes()).collect();
    seed(name, npy("'<f4'", false, "(6, 30)", &data))
}

/// Matrices of every type.
pub fn matrices(folder: &Path) -> Vec<Seed> {
    gallery(folder);
    let wide: Vec<u8> = cells().flat_map(f64::to_be_bytes).collect();
    let half: Vec<u8> = cells().flat_map(|cell| half::f16::from_f64(cell).to_le_bytes()).collect();
    vec![
        matrix("case.npy"),
        seed("case.npy", npy("'>f8'", false, "(6, 30)", &wide)),
        seed("case.npy", npy("'<f2'", true, "(30, 6)", &half)),
        seed("case.npy", npy("[('a', '<f4')]", false, "(180,)", &[0; 720])),
        // What hung and overflowed parsers that nest.
        seed("case.npy", npy("'<f4'", false, &"[".repeat(40), &[0; 720])),
        seed(
            "case.npy",
            npy("'<f4'", false, &format!("{}1{}", "{".repeat(20), "}".repeat(20)), &[]),
        ),
        seed(
            "case.npy",
            npy("'<f4'", false, &format!("{}1,{}", "(".repeat(9_000), ")".repeat(9_000)), &[]),
        ),
        seed("case.npy", npy(&"[".repeat(20_000), false, "(6, 30)", &[0; 720])),
    ]
}

/// Archives of matrices, stored and compressed.
pub fn archives(folder: &Path) -> Vec<Seed> {
    gallery(folder);
    let archive = |method| {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        for name in ["ours", "theirs"] {
            zip.start_file(format!("{name}.npy"), options).unwrap();
            zip.write_all(&matrix("").1).unwrap();
        }
        seed("case.npz", zip.finish().unwrap().into_inner())
    };
    let methods = [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated];
    let mut all: Vec<Seed> = methods.map(archive).into();
    all.push(seed("case.npz", shared_member()));
    all
}

/// An archive that lists one packed array of 20 MB under 60 names.
fn shared_member() -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let options = options.compression_method(zip::CompressionMethod::Deflated);
    for name in 0..60 {
        zip.start_file(format!("{name:02}.npy"), options).unwrap();
        let cells = if name == 0 { 5_000_000 } else { 4 };
        let file = npy("'<f4'", false, &format!("(1, {cells})"), &vec![0; 4 * cells]);
        zip.write_all(&file).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    let is_entry = |at: &usize| bytes[*at..].starts_with(b"PK\x01\x02");
    let entries: Vec<usize> = (0..bytes.len()).filter(is_entry).collect();
    let first = bytes[entries[0]..entries[1]].to_vec();
    for &at in &entries[1..] {
        // Checksum and sizes, and where the member is.
        bytes[at + 16..at + 28].copy_from_slice(&first[16..28]);
        bytes[at + 42..at + 46].copy_from_slice(&first[42..46]);
    }
    bytes
}

/// Lists of ids.
pub fn ids(folder: &Path) -> Vec<Seed> {
    gallery(folder);
    let numbers: Vec<u8> = (100_i64..130).flat_map(i64::to_le_bytes).collect();
    let texts: Vec<u8> = (100..130).flat_map(|id| id.to_string().into_bytes()).collect();
    vec![
        seed("case.npy", npy("'<i8'", false, "(30,)", &numbers)),
        seed("case.npy", npy("'|S3'", false, "(30,)", &texts)),
        seed("case.txt", listed((100..130).map(|id| id.to_string()))),
        seed("case.json", format!("{:?}", (100..130).collect::<Vec<_>>())),
    ]
}

/// JSON of every form.
pub fn json(folder: &Path) -> Vec<Seed> {
    gallery(folder);
    let inputs = Inputs {
        files: ["plain.npy", "own_image_to_caption.json", "own_caption_to_image.json"]
            .map(|name| folder.join(name))
            .into(),
        caption_ids: Some(folder.join("order.txt")),
        ..Inputs::default()
    };
    let bundle = folder.join("bundle.json");
    study::write_truths(&inputs, &[], (study::Export::Bundle, &bundle)).unwrap();
    let rows: Vec<Vec<f64>> = cells().collect::<Vec<_>>().chunks(30).map(<[f64]>::to_vec).collect();
    let grades = r#"{"0": {"100": 2, "101": 1, "102": 0}, "1": {"105": 1}}"#;
    let karpathy: Vec<String> = (0..IMAGES)
        .map(|i| {
            let sentences: Vec<String> = (5 * i..5 * i + 5)
                .map(|c| format!(r#"{{"raw": "a dog {c}", "sentid": {}, "imgid": {i}}}"#, c + 100))
                .collect();
            format!(
                r#"{{"filename": "{i}.jpg", "cocoid": {i}, "imgid": {i}, "split": "test", "sentids": [], "sentences": [{}]}}"#,
                sentences.join(", ")
            )
        })
        .collect();
    let annotations: Vec<String> = (0..CAPTIONS)
        .map(|c| {
            let (id, image, category) = (c + 100, c / 5, c % 7);
            format!(r#"{{"id": {id}, "image_id": {image}, "category_id": {category}, "caption": "a cat {c}"}}"#)
        })
        .collect();
    let images: Vec<String> =
        (0..IMAGES).map(|i| format!(r#"{{"id": {i}, "file_name": "{i}.jpg"}}"#)).collect();
    let (images, annotations) = (images.join(", "), annotations.join(", "));
    let coco = format!(r#"{{"images": [{images}], "annotations": [{annotations}]}}"#);
    vec![
        of_images("case_image_to_caption.json"),
        of_captions("case_caption_to_image.json"),
        seed("case.json", fs::read(&bundle).unwrap()),
        seed("case.json", format!("{rows:?}")),
        seed("case_i2t.json", grades),
        seed("case.json", format!(r#"{{"dataset": "coco", "images": [{}]}}"#, karpathy.join(", "))),
        seed("case.json", coco.clone()),
        seed("case_instances.json", coco),
        seed("case_i2t.json", r#"{"0": {"100": 2.5, "101": 1, "102": 0}, "1": {"105": 1e300}}"#),
        seed("case.json", r#"{"i2t": {"0": [100, 101], "1": [105]}, "t2i": {"100": [0, 1]}}"#),
    ]
}

/// Lines of text: runs, judgments, ratings, captions.
pub fn text(folder: &Path) -> Vec<Seed> {
    gallery(folder);
    let lines = |line: &dyn Fn(usize, usize) -> String| {
        let pairs = (0..IMAGES).flat_map(|i| (0..CAPTIONS).map(move |c| (i, c)));
        listed(pairs.map(|(i, c)| line(i, c + 100))) + "\n"
    };
    let run = lines(&|i, c| format!("{i} Q0 {c} {} {} ours", c - 99, 200 - c));
    let judged = lines(&|i, c| format!("{i} 0 {c} {}", u8::from((c - 100) / 5 == i)));
    let ratings = lines(&|i, c| format!("{c},{i},{}.5,c2i_original", (i + c) % 5));
    vec![
        seed("case.run", run),
        seed(
            "case_i2t.csv",
            format!("query,item,score\n{}", lines(&|i, c| format!("{i},{c},{}.5", 200 - c))),
        ),
        seed(
            "case_i2t.tsv",
            format!(
                "query-id\tcorpus-id\tscore\n{}",
                lines(&|i, c| format!("{i}\t{c}\t{}", c % 3))
            ),
        ),
        seed("case.token", lines(&|i, c| format!("{i}.jpg#{c}\ta dog"))),
        seed("case_i2t.qrels", judged),
        seed("case.csv", format!("caption,image,agg_score,sampling_method\n{ratings}")),
        seed("case.txt", listed((0..CAPTIONS).map(|c| format!("a dog runs {c}")))),
    ]
}

/// A study's description.
pub fn description(folder: &Path) -> Vec<Seed> {
    gallery(folder);
    let text = r#"
files = ["own_image_to_caption.json"]
caption_ids = "order.txt"
pm_zeta = 1

[[models]]
name = "ours"
scores = "plain.npy"

[[models]]
name = "mixed"
i2t = "plain.npy"
t2i = "plain.npy"

[truths]
rich = "own_image_to_caption.json"
"#;
    vec![seed("case.toml", text)]
}

/// Tables, packed and encoded in every way that is read.
pub fn tables(folder: &Path) -> Vec<Seed> {
    use super::parquet_file::{Cells, encoded, parquet_bytes};
    use parquet::basic::{Compression, Encoding};

    gallery(folder);
    let rows = || (0..IMAGES).flat_map(|i| (0..CAPTIONS).map(move |c| (i, c)));
    let numbers = |of: &dyn Fn(usize, usize) -> i64| rows().map(|(i, c)| of(i, c)).collect();
    let columns = |as_text: bool| {
        let item: Vec<i64> = numbers(&|_, c| c as i64 + 100);
        let item = if as_text {
            Cells::Texts(item.iter().map(ToString::to_string).collect())
        } else {
            Cells::DenseRanks(item)
        };
        [
            ("image_id", Cells::DenseRanks(numbers(&|i, _| i as i64))),
            ("caption_id", item),
            ("score", Cells::Double(rows().map(|(i, c)| score(i, c)).collect())),
        ]
    };
    let encodings =
        [Encoding::PLAIN, Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY];
    let packed = [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW];
    let texts = encodings.map(|encoding| encoded(&columns(true), "caption_id", encoding));
    let numbers = packed.map(|packed| parquet_bytes(&columns(false), packed));
    // A count of texts that no memory holds, as the first page of differences tells it.
    let counted = texts.clone().into_iter().skip(1).map(|mut bytes| {
        let mut windows = bytes.windows(3);
        let head = windows.position(|window| window == [0x80, 1, 4]).unwrap();
        bytes[head + 3..head + 8].copy_from_slice(b"\xff\xff\xff\xff\x0f");
        bytes
    });
    let all = texts.iter().cloned().chain(numbers).chain(counted);
    all.map(|bytes| seed("case.parquet", bytes)).collect()
}

/// Indices and values, as FAISS returns them.
pub fn neighbours(folder: &Path) -> Vec<Seed> {
    gallery(folder);
    let places = |image: usize| (0..10_i64).map(move |at| (at * 3 + image as i64) % 30);
    let indices: Vec<u8> = (0..IMAGES).flat_map(places).flat_map(i64::to_le_bytes).collect();
    let mut beyond = indices.clone();
    beyond[8..16].copy_from_slice(&i64::MAX.to_le_bytes());
    [indices, beyond]
        .map(|indices| seed("case.npy", npy("'<i8'", false, "(6, 10)", &indices)))
        .into()
}

/// A session with a judgment, a pick and a note.
pub fn sessions(folder: &Path) -> Vec<Seed> {
    gallery(folder);
    let text = r#"{"format": "itm-explore-session/1", "saved": "2026-01-01T00:00:00Z",
 "study": {"files": ["plain.npy"], "images": 6, "captions": 30, "image_ids": "0a", "caption_ids": "0b"},
 "verdicts": [{"image": 0, "caption": 107, "verdict": "yes", "at": "2026-01-01T00:00:00Z", "by": "ann"}],
 "picks": [{"query": 0, "direction": "i2t", "note": "a note"}],
 "notes": [{"query": 100, "direction": "t2i", "text": "odd", "at": "2026-01-01T00:00:00Z", "by": "ann"}],
 "view": {"model": "plain", "direction": "i2t"}}"#;
    vec![seed("case.itm.json", text)]
}

/// Lists of the images or captions of a pool.
pub fn pools(folder: &Path) -> Vec<Seed> {
    gallery(folder);
    vec![seed("case.txt", "0\n1\n2\n"), seed("case.json", "[100, 101, 105]")]
}

/// An image in every format.
pub fn image_files(_: &Path) -> Vec<Seed> {
    use image::ImageFormat as Format;

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo/images");
    let mut drawn: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    drawn.sort();
    let pixels = image::open(&drawn[0]).unwrap().to_rgb8();
    let formats =
        [(Format::Png, "png"), (Format::Jpeg, "jpg"), (Format::Gif, "gif"), (Format::WebP, "webp")];
    let encoded = formats.map(|(format, ending)| {
        let mut bytes = Cursor::new(Vec::new());
        pixels.write_to(&mut bytes, format).unwrap();
        seed(&format!("case.{ending}"), bytes.into_inner())
    });
    encoded.into()
}

/// Conditions of every kind.
pub fn expressions(_: &Path) -> Vec<Seed> {
    let texts = [
        "r1 == 0 and map_at_r > 50%",
        "not (careful.r1 and broad.rank <= 5) or text ~ \"dog\"",
        "non_gt_in_top(5) >= 2 and rich.r1 - original.r1 > 0",
        "-rank * 2 + 1.5e3 / words",
        "((((r1 == 1))))",
    ];
    texts.map(|text| seed("case.txt", text)).into()
}

/// Keys, as terminals send them.
pub fn keys(_: &Path) -> Vec<Seed> {
    let texts = [
        "jjkkGg\tdmM][yn uuU\r\x1b12345s/red kite\r\x1b",
        "fr1 == 0\r:next\r?\x1b=\x1bI\x1bHjj\r\x1bxX+-<>{}",
        "wnoted\rpPvVbBcCoOzZaAeEhHlLqQ%T\tN\x1b",
    ];
    texts.map(|text| seed("case.txt", text)).into()
}

/// The sentences and the annotation of one image, as Flickr30k Entities writes them.
const SENTENCES: &str = "[/EN#1/people Two men] throw [/EN#0/notvisual it] to [/EN#2/animals a dog] in [/EN#3/scene the park] .\n\
                         [/EN#1/people/other A man] beside [/EN#4/other a kite] .\n";
const ANNOTATION: &str = "<annotation><filename>5.jpg</filename><size><width>100</width><height>80</height></size>\n\
     <object><name>1</name><name>4</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>20</xmax><ymax>20</ymax></bndbox></object>\n\
     <object><name>2</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>100</xmax><ymax>80</ymax></bndbox></object>\n\
     <object><name>3</name><scene>1</scene><nobndbox>1</nobndbox></object></annotation>";

fn entities(folder: &Path) {
    for (name, text) in [("Sentences/5.txt", SENTENCES), ("Annotations/5.xml", ANNOTATION)] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Sentences with phrases, and lists of captions that say nothing of their image.
pub fn sentences(folder: &Path) -> Vec<Seed> {
    entities(folder);
    vec![
        seed("Sentences/6.txt", SENTENCES),
        seed(
            "Sentences/6.txt",
            "[/EN#1/people a [/EN#2 b] ]]\n[/EN#/x y]\n[/EN#99999999999/people z]\n",
        ),
        seed("UNRELATED_CAPTIONS", "# format: <imageID> <sentence number>\n5 2\n5 9\n77 0\n"),
    ]
}

/// Annotations of boxes.
pub fn annotations(folder: &Path) -> Vec<Seed> {
    entities(folder);
    let odd = ANNOTATION.replace("<size><width>100</width><height>80</height></size>", "");
    let beyond = ANNOTATION.replace("<xmax>20", "<xmax>2147483647");
    [ANNOTATION, &odd, &beyond].map(|text| seed("Annotations/5.xml", text)).into()
}

/// Predicted boxes, a phrase a line and as lists.
pub fn predictions(folder: &Path) -> Vec<Seed> {
    entities(folder);
    let line = r#"{"image": "5.jpg", "sentence": 0, "phrase": 0, "boxes": [[1, 2, 30.5, 40], [1, 1, 9, 9]], "scores": [0.9, 0.4]}"#;
    let chain = r#"{"image": 5, "sentence": 1, "chain": 4, "boxes": [[9, 9, 1, 1], [1, 1, 2, 2]]}"#;
    let list = r#"[{"image_id": 5, "sentence_id": 0, "boxes": [[[1, 2, 3, 4]], [], [[1e308, 0, 1e300, -1]]]}]"#;
    vec![seed("case.jsonl", format!("{line}\n{chain}\n")), seed("case.json", list)]
}

/// Scores of right and wrong texts.
pub fn text_pairs(_: &Path) -> Vec<Seed> {
    let line = |kind: &str, right: &str| {
        format!(
            r#"{{"image": "a.jpg", "right": {right}, "wrong": 0.27, "kind": {kind}, "caption": "a red bus", "negative_caption": "a blue bus"}}"#
        )
    };
    let good = format!("{}\n{}\n", line("\"colour\"", "0.3"), line("null", "-1e9"));
    let odd = format!("{}\n{}\n", line("7", "\"0.3\""), line("[]", "NaN"));
    [good, odd].map(|text| seed("case.jsonl", text)).into()
}

/// Tensors in every container.
pub fn tensors(folder: &Path) -> Vec<Seed> {
    use super::tensor_files::{Tensor, dictionary, pickle, safetensors, torch};

    gallery(folder);
    let singles: Vec<u8> = cells().flat_map(|cell| (cell as f32).to_le_bytes()).collect();
    let halves: Vec<u8> =
        cells().flat_map(|cell| half::bf16::from_f64(cell).to_le_bytes()).collect();
    let shape = [IMAGES, CAPTIONS];
    let plain = Tensor::whole("FloatStorage", "0", shape);
    let stepped =
        Tensor { shape: vec![CAPTIONS / 2, IMAGES], strides: vec![2, CAPTIONS], ..plain.clone() };
    let expanded = Tensor { shape: vec![32_768, 32_768], strides: vec![0, 0], ..plain.clone() };
    let whole = |value: &[u8]| torch(&pickle(value), "little", &[("0", &singles)]);
    let short = Tensor::whole("BFloat16Storage", "0", shape);
    let entries = [("a", plain.pickled()), ("b", stepped.pickled())];
    // Lists in lists, deeper than any stack.
    let nested = [vec![b']'; 200_000], vec![b'a'; 199_999]].concat();
    let tensors: [(&str, &str, &[usize], &[u8]); 2] =
        [("scores", "F32", &shape, &singles), ("half", "BF16", &shape, &halves)];
    let all = vec![
        seed("case.safetensors", safetensors(&tensors, 0)),
        seed("case.safetensors", safetensors(&tensors[..1], 1)),
        seed("case.pt", whole(&plain.pickled())),
        seed("case.pt", whole(&dictionary(&entries))),
        seed("case.pt", whole(&stepped.pickled())),
        seed("case.pt", whole(&expanded.pickled())),
        seed("case.pt", whole(&nested)),
        seed("case.pt", torch(&pickle(&short.pickled()), "little", &[("0", &halves)])),
    ];
    let layouts = ["earliest", "latest", "other"].map(|name| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/forms/hdf5");
        seed("case.h5", fs::read(format!("{folder}/{name}.h5")).unwrap())
    });
    all.into_iter().chain(layouts).collect()
}
