//! Figures: every format read by a strict parser, and what is drawn stays in its place.

use crate::common;

use std::path::Path;
use std::process::Command;

use common::{assert_error, demo_file, latex_of, printed, run, stderr, stdout, svg_words, words};
use itm_explore::data::index::ModelIx;
use itm_explore::data::text::Text;
use itm_explore::data::{Direction, id::Id};
use itm_explore::figure::Sign;
use itm_explore::figure::page::{Area, Mark};
use itm_explore::figure::scene::FigureItem;
use itm_explore::figure::selection::QuerySelection;
use itm_explore::figure::{
    FORMATS, Figure, FigureQuery, Layout, Options, Preview, Scene, export, find_query, preview,
};
use itm_explore::session::Session;
use itm_explore::study::{Study, demo};
use itm_explore::truth::judgment::{Judgment, Judgments, Pair};
use itm_explore::truth::standing::{Badge, Standing};
use resvg::usvg::roxmltree::{Document, ParsingOptions};
use serde_json::Value;

const QUERIES: &str = "55293,62026,79135";

/// Signs of every format's own, a word without an end, letters that no bundled font has.
const NASTY: [&str; 4] = [
    r#"100% of _all_ <b>{dogs}</b> & "cats" cost $5 #1 ~ ^ \\ | `x` *y* [z](w) -- it's ''so''"#,
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "狗 a dog 😀 and a كلب run\u{F8D7}",
    "“Zoë’s café” – naïve Škoda… ½ × 3 ≥ 1°",
];

fn nasty() -> Study {
    let mut study = demo::open().unwrap();
    for (at, text) in study.gallery.texts.iter_mut().enumerate() {
        *text = Text::new(NASTY[at % NASTY.len()]);
    }
    study
}

fn wanted(study: &Study, direction: Direction, queries: &[usize]) -> Vec<FigureQuery> {
    let one = |&query: &usize| FigureQuery {
        direction,
        query,
        models: [0, 2].map(ModelIx::new).to_vec(),
        truth: study.richest().unwrap(),
        depth: 5,
        note: "a note of 100 % & more".into(),
        heading: ["", "Kites & more", "Kites & more", ""][query % 4].into(),
        selection: QuerySelection::Named,
    };
    queries.iter().map(one).collect()
}

fn figure(study: &Study, direction: Direction, options: Options) -> Figure {
    let scene =
        Scene::new(study, &wanted(study, direction, &[0, 1, 2, 3]), &Judgments::default()).unwrap();
    Figure::new(study, scene, options).unwrap()
}

fn drawn(args: &[&str], file: &Path) -> String {
    let out = file.to_str().unwrap();
    let output = run(&[&["figure", "--demo", "-q", "-o", out], args].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stderr(&output)
}

/// Where a mark ends at the right and below.
fn ends(mark: &Mark) -> [f32; 4] {
    let of = |area: &Area| [area.x, area.y, area.x + area.width, area.y + area.height];
    match mark {
        Mark::Text { x, y, line, look } => {
            [*x, y - look.ascent(), x + line.width, y + look.size * 0.25]
        }
        Mark::Ground(area, _) | Mark::Frame(area, _) | Mark::Image { area, .. } => of(area),
        Mark::Line { points, line } => {
            let edge = |axis: usize, of: fn(f32, f32) -> f32| {
                points.iter().map(|point| point[axis]).reduce(of).unwrap()
            };
            let half = line.width / 2.0;
            [
                edge(0, f32::min) - half,
                edge(1, f32::min) - half,
                edge(0, f32::max) + half,
                edge(1, f32::max) + half,
            ]
        }
        Mark::Dot { x, y, radius, .. } => [x - radius, y - radius, x + radius, y + radius],
        Mark::Sign { x, y, half, .. } => [x - half, y - half, x + half, y + half],
    }
}

#[test]
fn nothing_leaves_the_page_in_any_layout() {
    let with = nasty();
    let without = Study { image_files: None, ..nasty() };
    for (study, direction) in
        [(&with, Direction::T2i), (&with, Direction::I2t), (&without, Direction::T2i)]
    {
        for layout in Layout::ALL.map(|(_, layout)| Some(layout)) {
            for (width, text) in [(40.0, 5.0), (83.3, 7.0), (122.0, 8.0), (175.0, 11.0)] {
                let options = Options { layout, width, text, dpi: 30, ..Options::default() };
                let page = figure(study, direction, options).drawing.page;
                for mark in &page.marks {
                    let [left, top, right, bottom] = ends(mark);
                    assert!(
                        left >= 0.0 && top >= 0.0 && right <= page.width && bottom <= page.height,
                        "{layout:?} {width}: {mark:?}"
                    );
                }
                overlaps(&page.marks, &format!("{layout:?} {direction} {width}"));
            }
        }
    }
}

/// No two lines of text share a place, and none crosses a frame but to lie within it.
fn overlaps(marks: &[Mark], at: &str) {
    let texts: Vec<_> = marks.iter().filter(|mark| matches!(mark, Mark::Text { .. })).collect();
    for (place, one) in texts.iter().enumerate() {
        let [left, top, right, bottom] = ends(one);
        // Accents and tails of lines below each other may touch.
        let slack = (bottom - top) * 0.3;
        for other in &texts[place + 1..] {
            let [x, y, end, foot] = ends(other);
            let apart = right <= x + 0.01
                || end <= left + 0.01
                || bottom - slack <= y
                || foot - slack <= top;
            assert!(apart, "{at}: {one:?} {other:?}");
        }
    }
}

#[test]
fn every_format_is_read_by_a_strict_parser() {
    let folder = tempfile::tempdir().unwrap();
    let file = |format: &str| folder.path().join(format!("fig.{format}"));
    for format in FORMATS {
        let args = ["--query", QUERIES, "--model", "careful,naive", "--columns", "2"];
        assert!(drawn(&args, &file(format.key)).contains("wrote "));
    }
    let read = |format: &str| std::fs::read(file(format)).unwrap();
    let text = |format: &str| String::from_utf8(read(format)).unwrap();
    svg(&text("svg"));
    png(&read("png"));
    pdf(&read("pdf"));
    latex(&text("tex"), folder.path());
    let html = text("html");
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let page = Document::parse_with_options(&html, options).unwrap();
    assert_eq!(page.descendants().filter(|node| node.has_tag_name("image")).count(), 30);
    assert!(svg_words(&text("svg")).contains("3 queries chosen by hand."));
    let study = demo::open().unwrap();
    let query = find_query(&study, Direction::T2i, &Id::Number(62026)).unwrap();
    let wanted = wanted(&study, Direction::T2i, &[query]);
    let scene = Scene::new(&study, &wanted, &Judgments::default()).unwrap();
    assert_eq!(scene.queries[0].rows[1].items[2].sign(), Sign::Standing(Badge::NonGt));
    let query = find_query(&study, Direction::I2t, &Id::Number(629)).unwrap();
    assert_eq!(study.gallery.images[query], Id::Number(629));
}

fn svg(text: &str) {
    let document = Document::parse(text).unwrap();
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!(count("image"), 30);
    let mut tree_options = resvg::usvg::Options::default();
    tree_options.fontdb_mut().load_font_data(
        include_bytes!("../../src/figure/fonts/LiberationSans-Regular.ttf").to_vec(),
    );
    let tree = resvg::usvg::Tree::from_str(text, &tree_options).unwrap();
    // 83.3 mm at 96 pixels to the inch.
    assert!((tree.size().width() - 314.8).abs() < 0.1);
    assert!(text.contains(">careful</text>") && !text.contains("<script"));
}

fn png(bytes: &[u8]) {
    let image = image::load_from_memory(bytes).unwrap().to_rgb8();
    // 83.3 mm at 300 dots to the inch.
    assert_eq!(image.width(), 984);
    assert_eq!(image.get_pixel(0, 0).0, [255; 3]);
    let green = image.pixels().filter(|pixel| pixel.0 == [0, 0x9e, 0x73]).count();
    assert!(green > 1000, "the frame of an original item: {green}");
    let phys = bytes.windows(4).position(|chunk| chunk == b"pHYs").unwrap();
    assert_eq!(bytes[phys + 4..phys + 8], 11811_u32.to_be_bytes());
}

fn pdf(bytes: &[u8]) {
    let document = lopdf::Document::load_mem(bytes).unwrap();
    let pages = document.get_pages();
    assert_eq!(pages.len(), 1);
    let fonts = document.get_page_fonts(pages[&1]).unwrap();
    assert_eq!(fonts.len(), 2, "regular and bold");
    for font in fonts.values() {
        // Without it, text could be seen but neither searched nor copied.
        assert!(font.has(b"ToUnicode"));
    }
    let mut pdftotext = Command::new("pdftotext");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fig.pdf");
    std::fs::write(&file, bytes).unwrap();
    if let Ok(output) = pdftotext.arg(&file).arg("-").output() {
        let text = stdout(&output);
        assert!(text.contains("first positive at rank 50 (rich)"), "{text}");
    }
}

/// Groups and environments close in the order in which they open, and the drawing is there.
fn latex(text: &str, folder: &Path) {
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '\\', '%']) {
        let (sign, after) = rest[at..].split_at(1);
        rest = after;
        match sign {
            "{" => open.push("{".to_owned()),
            "}" => assert_eq!(open.pop().as_deref(), Some("{")),
            "%" => rest = rest.split_once('\n').map_or("", |(_, rest)| rest),
            _ => {
                let name =
                    |word: &str| Some(rest.strip_prefix(word)?.split_once('}')?.0.to_owned());
                if let Some(name) = name("begin{") {
                    rest = &rest["begin{".len() + name.len() + 1..];
                    open.push(name);
                } else if let Some(name) = name("end{") {
                    rest = &rest["end{".len() + name.len() + 1..];
                    assert_eq!(open.pop(), Some(name));
                } else {
                    let first = rest.chars().next().map_or(0, char::len_utf8);
                    rest = &rest[first..];
                }
            }
        }
    }
    assert_eq!(open, Vec::<String>::new());
    let (_, drawing) = text.split_once("\\includegraphics{").unwrap();
    let file = folder.join(drawing.split('}').next().unwrap());
    assert!(std::fs::read(&file).unwrap().starts_with(b"%PDF"), "{}", file.display());
    if let Some(log) = latex_of(text, "graphicx", folder) {
        assert!(!log.contains("Overfull"), "{log}");
    }
}

#[test]
fn signs_of_a_format_are_text_in_it() {
    let study = nasty();
    let folder = tempfile::tempdir().unwrap();
    for direction in Direction::BOTH {
        for (word, layout) in Layout::ALL {
            let options = Options {
                layout: Some(layout),
                // LaTeX's own page has room for 121 mm.
                width: 120.0,
                dpi: 60,
                ..Options::default()
            };
            let figure = figure(&study, direction, options);
            let write = |key: &str| {
                let path = folder.path().join(format!("{word}-{direction}.{key}"));
                let drawing = std::slice::from_ref(&figure.drawing);
                let warnings = export(drawing, &path, true).unwrap();
                (std::fs::read_to_string(path).unwrap(), warnings)
            };
            let (text, warnings) = write("svg");
            let document = Document::parse(&text).unwrap();
            let words: String = document.descendants().filter_map(|node| node.text()).collect();
            assert!(words.contains("<b>{dogs}</b>") || words.contains("100%"), "{words}");
            assert!(
                warnings.iter().any(|line| line.contains("U+F8D7") && line.contains("query")),
                "{warnings:?}"
            );
            let (text, _) = write("tex");
            latex(&text, folder.path());
        }
    }
}

#[test]
fn an_image_without_a_file_is_read() {
    let mut study = demo::open().unwrap();
    study.image_files = None;
    let figure = figure(&study, Direction::T2i, Options::default());
    let images = figure.drawing.page.marks.iter().filter(|mark| matches!(mark, Mark::Image { .. }));
    assert_eq!(images.count(), 0);
    let svg = figure.drawing.convert(&FORMATS[0], "").unwrap();
    let text = String::from_utf8(svg.bytes).unwrap();
    let first = &figure.scene.queries[0].rows[0].items[0].subject;
    let word = first.caption().split(' ').next().unwrap();
    assert!(text.contains(&first.id.to_string()) && text.contains(word), "{first:?}");
    assert_eq!(svg.warnings, Vec::<String>::new());
}

#[test]
fn the_preview_tells_what_is_there() {
    let study = demo::open().unwrap();
    let mut figure = figure(&study, Direction::I2t, Options::default());
    figure.scene.queries[0].note = "a remark".into();
    let Preview { lines, starts } = preview(&figure, 1);
    assert_eq!(starts.len(), 4);
    assert!(starts.iter().all(|&start| lines[start - 1].is_empty()));
    assert!(starts.iter().all(|&start| !lines[start].starts_with(' ')));
    assert_eq!(lines[3], "  a remark");
    assert!(lines[0].starts_with("121 x "), "{lines:?}");
    assert!(lines[2].starts_with("captions: query, image "), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("    ● ")), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "4 queries chosen by hand.");
}

#[test]
fn queries_in_a_row_under_one_heading_have_it_once() {
    let study = nasty();
    let figure = figure(&study, Direction::T2i, Options::default());
    let headings = figure.scene.queries.iter();
    let headings: Vec<&str> = headings.map(|asked| asked.heading.as_str()).collect();
    assert_eq!(headings, ["", "Kites & more", "", "Other queries"]);
    let output = figure.drawing.convert(&FORMATS[0], "figure").unwrap();
    let text = String::from_utf8(output.bytes).unwrap();
    assert_eq!(text.matches("Kites &amp; more").count(), 1);
}

/// The heading and the items follow the ground truth with judgments.
#[test]
fn judgments_are_shown_as_what_a_person_said() {
    let study = demo::open().unwrap();
    let rich = &study.require_truth("rich").unwrap().relevance;
    let query = rich[Direction::T2i].as_ref().unwrap().queries()[2] as usize;
    let wanted = wanted(&study, Direction::T2i, &[query]);
    let scene = |judgments: &Judgments| Scene::new(&study, &wanted, judgments).unwrap();
    let before = scene(&Judgments::default()).queries.remove(0);
    let row = &before.rows[0];
    let place = |badge: Badge| row.items.iter().position(|item| item.badge == badge).unwrap();
    let first = row.first.unwrap() as usize;
    let mut judgments = Judgments::default();
    let mut say = |at: usize, judgment| {
        let item = row.items[at].subject.index;
        judgments.set(Pair::from_query(Direction::T2i, query.into(), item.into()), Some(judgment));
    };
    let unlisted = place(Badge::Unjudged);
    say(unlisted, Judgment::Partial);
    say(first - 1, Judgment::No);
    let shown = scene(&judgments);
    let after = &shown.queries[0];
    assert_eq!((before.truth.as_str(), after.truth.as_str()), ("rich", "rich+mine"));
    assert_eq!(after.positives, before.positives);
    let items = &after.rows[0].items;
    assert_eq!(items[unlisted].sign(), Sign::MyYes);
    assert_eq!(items[unlisted].badge, Badge::Unjudged);
    assert_eq!(items[first - 1].sign(), Sign::MyNo);
    // What an annotation says otherwise stands beside the judgment.
    let against = format!(" no ({})", items[first - 1].badge.key());
    assert!(items[first - 1].score_and_judgment().ends_with(&against), "{against}");
    assert!(items[unlisted].score_and_judgment().ends_with(" partial"));
    let right = |item: &&FigureItem| item.standing == Standing::Positive;
    let next = items.iter().find(right).map(|item| item.rank);
    assert_eq!(after.rows[0].first, next);
    assert_ne!(after.rows[0].first, before.rows[0].first);
    // The legend tells them apart.
    let figure = Figure::new(&study, shown, Options::default()).unwrap();
    let text = String::from_utf8(figure.drawing.convert(&FORMATS[0], "f").unwrap().bytes).unwrap();
    for words in ["judgment: relevant", "judgment: not relevant", "rich+mine"] {
        assert!(text.contains(words), "{words}");
    }
    // A judgment that says what an annotation says changes neither.
    let mut same = Judgments::default();
    let item = row.items[first - 1].subject.index;
    same.set(Pair::from_query(Direction::T2i, query.into(), item.into()), Some(Judgment::Yes));
    let told = scene(&same).queries.remove(0);
    assert_eq!(told.truth, "rich");
    assert!(matches!(told.rows[0].items[first - 1].sign(), Sign::Standing(_)));
}

#[test]
fn queries_drawn_are_told_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.itm.json");
    let session = path.to_str().unwrap();
    let args = words("--where 'careful.r1 == 0 and naive.r1 == 1' --pick 3 --seed 7");
    let find = |more: &[&str]| {
        let output =
            run(&[&["find", "--demo", "-q", "--format", "json"], &args[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output
    };
    let json = find(&["--session", session]);
    let told: Value = serde_json::from_slice(&json.stdout).unwrap();
    let (matched, total) = (&told["matched"], &told["total"]);
    let sentence = format!(
        "3 queries sampled at random (seed 7) from the {matched} of {total} t2i queries that meet “careful.r1 == 0 and naive.r1 == 1” (model careful, ground truth rich)."
    );
    assert_eq!(told["sampled"]["statement"], sentence);
    assert!(stderr(&json).contains(&sentence) && stderr(&json).contains("3 picks added"));
    let ids: Vec<String> =
        told["queries"].as_array().unwrap().iter().map(|one| one["id"].to_string()).collect();
    assert_eq!(ids.len(), 3);
    let again = find(&["--session", session]);
    assert!(stderr(&again).contains("0 picks added"));
    let kept = Session::read(&path).unwrap().0.picks;
    let kept_ids: Vec<String> = kept.iter().map(|pick| pick.query.to_string()).collect();
    assert_eq!(kept_ids, ids);
    assert_eq!(kept[0].models, ["careful", "naive"]);
    assert_eq!(kept[0].sampled, kept[2].sampled);

    let of_session = printed(&["figure", "--demo", "-q", "--session", session]);
    let words = svg_words(&of_session);
    assert!(words.contains(&sentence), "{words}");
    let first = words.split("query, caption ").nth(1).unwrap();
    assert!(first.starts_with(&format!("{} ", ids[0])), "{words}");
    let direct = ["figure", "--demo", "-q", "--model", "careful,naive"];
    assert_eq!(printed(&[&direct, &args[..]].concat()), of_session);
    let other = find(&["--diverse"]);
    assert_ne!(stdout(&other), stdout(&json));
}

/// Without a model of the picks they are excluded, or shown with another one.
#[test]
fn picks_of_a_model_that_is_not_there_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picked.itm.json");
    let session = path.to_str().unwrap();
    let condition = "careful.r1 == 0 and naive.r1 == 1";
    printed(&["find", "--demo", "-q", "--where", condition, "--pick", "3", "--session", session]);
    let files = ["careful.npy", "captions.json", "original_caption_to_image.json"].map(demo_file);
    let of_others = |args: &[&str]| {
        let files = files.iter().map(String::as_str);
        let common = ["figure", "-q", "--session", session];
        let args: Vec<&str> = common.into_iter().chain(files).chain(args.iter().copied()).collect();
        run(&args)
    };
    let told = stderr(&of_others(&["--truth", "original"]));
    assert!(told.contains("no model is named naive") && told.contains("--model NAME"), "{told}");
    let shown = stdout(&of_others(&["--truth", "original", "--model", "careful"]));
    assert_eq!(svg_words(&shown).matches("query, caption ").count(), 3);
}

/// A drawing stays that of the figure that it was made for.
#[test]
fn the_drawing_of_another_figure_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let figure = |name: &str, more: &[&str]| {
        let args = ["figure", "--demo", "-q", "--query", "55293", "--dpi", "40", "-o"];
        let out = file(name);
        run(&[&args[..], &[out.to_str().unwrap()], more].concat())
    };
    let done = figure("a.tex", &[]);
    assert!(done.status.success(), "{}", stderr(&done));
    let drawing = || std::fs::read(file("a-drawing.pdf")).unwrap();
    let before = drawing();
    std::fs::remove_file(file("a.tex")).unwrap();
    let refused = figure("a.tex", &["--columns", "2"]);
    assert_eq!(refused.status.code(), Some(1));
    let told = stderr(&refused);
    assert!(told.contains("a-drawing.pdf") && told.contains("with another content"), "{told}");
    assert!(!file("a.tex").exists() && drawing() == before);
    assert!(figure("a.tex", &["--columns", "2", "--force"]).status.success());
    assert!(drawing() != before);
}

#[test]
fn a_high_figure_is_shrunk_or_has_pages() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // So many queries fit no page, however small they are.
    let many = ["figure", "--demo", "-q", "--where", "covered", "--pick", "60"];
    assert_error(1, &many, &["at its smallest", "a .pdf, which has pages"]);
    let paged = run(&[&many[..], &["-o", &out("figure.pdf")]].concat());
    assert!(paged.status.success(), "{}", stderr(&paged));
    let document = lopdf::Document::load(out("figure.pdf")).unwrap();
    let pages = document.get_pages();
    assert!(stderr(&paged).contains(&format!("figure.pdf, {} pages", pages.len())));
    assert!(pages.len() > 1);
    for page in pages.values() {
        let page = document.get_dictionary(*page).unwrap();
        let edges = page.get(b"MediaBox").unwrap().as_array().unwrap();
        let height = edges[3].as_float().unwrap();
        assert!(height * 25.4 / 72.0 <= 193.0, "{height}");
    }
    // One that is higher by some fits when it is smaller, which is said.
    let lower = ["figure", "--demo", "-q", "--query", "55293", "--columns", "2", "-o"];
    let file = out("one.svg");
    let lower = [&lower[..], &[&file, "--force", "--max-height"]].concat();
    let said = stderr(&run(&[&lower[..], &["60", "-k", "50"]].concat()));
    assert!(said.contains("at its smallest, a page has 60 mm"), "{said}");
    let said = stderr(&run(&[&lower[..], &["40", "-k", "20"]].concat()));
    assert!(said.starts_with("shrunk to a page of 40 mm: cards to "), "{said}");
    // The caption of LaTeX stands on the page, too: at a height that the figure alone has, it is shrunk.
    let one = ["figure", "--demo", "-q", "--query", "55293"];
    let svg = stdout(&run(&one));
    let svg = Document::parse(&svg).unwrap();
    let height = svg.root_element().attribute("height").unwrap();
    let points: f32 = height.trim_end_matches("pt").parse().unwrap();
    let most = format!("{}", (points * 25.4 / 72.0).ceil());
    let at = |name: &str| run(&[&one[..], &["--max-height", &most, "-o", &out(name)]].concat());
    assert!(at("whole.svg").status.success());
    let shrunk = at("whole.tex");
    assert!(shrunk.status.success() && stderr(&shrunk).contains("shrunk to a page of "));
}

/// An image without a file is shown by a caption that is not the query.
#[test]
fn an_image_without_a_file_is_shown_by_another_caption_than_the_query() {
    let study = demo::open().unwrap();
    let mut own = 0;
    for query in 0..study.gallery.captions.len() {
        let wanted = wanted(&study, Direction::T2i, &[query]);
        let scene = Scene::new(&study, &wanted, &Judgments::default()).unwrap();
        let asked = &scene.queries[0];
        for item in &asked.rows[0].items {
            let captions = &item.subject.captions;
            if captions.contains(&asked.query.text) {
                own += 1;
                assert_eq!(captions.last(), Some(&asked.query.text));
                assert!(captions.len() == 5 && item.subject.caption() != asked.query.text);
            }
        }
    }
    assert!(own > 100, "{own}");
}

#[test]
fn wrong_arguments_say_what_is_wanted() {
    for (args, parts) in [
        ("--query 1", &["no caption has the id 1", "the id of a query"][..]),
        ("--query 8434 --direction t2i", &["no caption has the id 8434", "--direction i2t"]),
        ("--query 55293 --model nobody", &["no model is named nobody", "careful"]),
        ("--query 55293 --truth mine", &["no ground truth is named mine"]),
        ("--query 55293 -k 0", &["--k: 0 items", "1 to 100"]),
        ("--query 55293 -o fig.doc", &["no format has the extension .doc", ".svg, .png"]),
        ("--query 55293 --width 9", &["--width: 9 mm", "40 to 600"]),
        ("--query 55293 --font 'No Such'", &["no font family is named No Such"]),
        ("--session none.itm.json", &["none.itm.json", "no such file"]),
        ("--where 'words == 77' --pick 2", &["--pick: 0 of 120 queries meet words == 77"]),
        ("--where 'zzz == 7' --pick 2", &["--where", "zzz"]),
        ("", &["no query to show", "--query"]),
        ("--query 55293 -o no/such/folder/fig.svg", &["no/such/folder"]),
        ("--query 55293 --dpi 2400 --width 600 -o big.png", &["pixels", "lower --dpi"]),
    ] {
        assert_error(1, &words(&format!("figure --demo -q {args}")), parts);
    }
    let both = words("figure --demo -q --query 1 --where r1 --pick 2");
    assert_error(2, &both, &["cannot be used with"]);
    assert_error(2, &["find", "--demo", "--pick", "2"], &["--where"]);
    assert!(!Path::new("big.png").exists());
}

/// Without image files, cards and columns are as wide as their longest word, and a query image is read whole.
#[test]
fn no_word_is_broken_in_figures_without_image_files() {
    let files = ["broad.npy", "careful.npy", "captions.json"].map(common::demo_file);
    let words = |args: &[&str], width: &str| -> Vec<String> {
        let start = ["figure", "-q", "--model", "broad,careful", "--no-ids", "--width", width];
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let words = svg_words(&printed(&[&start[..], args, &files].concat()));
        words.split_whitespace().map(str::to_owned).collect()
    };
    for layout in ["grid", "side-by-side", "captions"] {
        for (query, direction) in [("55293", "t2i"), ("6879", "i2t")] {
            let args =
                ["--query", query, "--direction", direction, "--layout", layout, "--columns", "2"];
            let whole = words(&args, "600");
            for word in words(&args, "83.3") {
                assert!(whole.contains(&word), "{layout} {direction}: {word}");
            }
        }
    }
}

/// Picks of another study are told as such; of a session that fits in part what is there is shown.
#[test]
fn picks_that_the_gallery_lacks_are_told_as_find_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.itm.json");
    let pick = |query: u32| {
        format!(
            r#"{{"query": {query}, "direction": "t2i", "models": [], "truth": "rich", "depth": 5,
                "at": "2026-01-01T00:00:00Z", "by": "mk"}}"#
        )
    };
    let write = |picks: &[String]| {
        let picks = picks.join(",");
        let text = format!(r#"{{"format": "itm-explore-session/1", "picks": [{picks}]}}"#);
        std::fs::write(&path, text).unwrap();
    };
    let args = ["figure", "--demo", "-q", "--session", path.to_str().unwrap()];
    write(&[pick(812_564), pick(812_565)]);
    assert_error(1, &args, &["none of its 2 picks is of this gallery", "t2i query 812564"]);
    write(&[pick(812_564), pick(55_293)]);
    let output = run(&args);
    assert!(output.status.success());
    let said = stderr(&output);
    assert!(said.contains("1 of 2 picks excluded: no caption has the id 812564"), "{said}");
}
