//! The screen of picks.

use crate::common;

use std::fs;
use std::path::Path;

use common::{Harness, printed, reopened};
use itm_explore::data::Direction;
use itm_explore::figure::Layout;
use itm_explore::session::{Lock, Pick, Session};
use itm_explore::tui::action::Action;
use itm_explore::tui::event::Event;
use itm_explore::tui::screens::picks::Picks;
use itm_explore::tui::state::export::Scope;
use itm_explore::tui::ui::hits::Target;
use tempfile::TempDir;

/// The explorer on a session that nobody else has open.
fn on(path: &Path, size: (u16, u16)) -> Harness {
    Harness::demo(size.0, size.1).on_session(reopened(path), "mk")
}

/// The explorer on a session that somebody else has open.
fn looking_on(path: &Path) -> Harness {
    let opened = Session::open(path).unwrap();
    assert!(matches!(opened.lock, Lock::Other { .. }));
    Harness::demo(120, 40).on_session(opened, "mk")
}

/// A session in a folder of its own.
fn fresh(columns: u16, rows: u16) -> (TempDir, std::path::PathBuf, Harness) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.itm.json");
    let harness = on(&path, (columns, rows));
    (folder, path, harness)
}

fn listed(harness: &Harness) -> Vec<String> {
    let picks = harness.app.model.listed_picks();
    picks.map(|pick| pick.query.to_string()).collect()
}

fn selected(harness: &Harness) -> &Pick {
    harness.app.model.selected_pick().unwrap()
}

/// Picks two queries at random.
fn drawn(path: &Path) {
    let args = ["find", "--demo", "-q", "--where", "r1 == 0", "--pick", "2", "--seed", "3"];
    printed(&[&args[..], &["--session", path.to_str().unwrap()]].concat());
}

#[test]
fn without_picks_it_says_how_to_pick() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let harness = Harness::demo(columns, rows).keys("5");
        assert_eq!(harness.app.current_tab(), Action::Picks);
        insta::assert_snapshot!(format!("none_{columns}x{rows}"), harness.screen());
        for (key, said) in [
            (" ", "no query is picked"),
            ("e", "no query is picked"),
            ("<Alt-Down>", "no query is picked"),
            ("O", "no query is picked"),
            ("y", "J begins judging"),
        ] {
            let told = Harness::demo(columns, rows).keys("5").keys(key);
            assert!(told.message().contains(said), "{key}: {}", told.message());
            assert_eq!(told.app.model.history.steps().len(), 1);
            assert!(told.app.popup.is_none());
        }
        harness.keys("+_b<Enter><Tab>jvVWLc");
    }
}

/// Without picks the key that writes a figure shows what picks are.
#[test]
fn without_picks_nothing_is_left_for_a_figure() {
    for (keys, has_pick) in
        [("1e", false), ("2e", false), ("4e", false), ("4<Tab>e", false), (" e", true)]
    {
        let told = Harness::demo(80, 24).keys(keys);
        assert_eq!(told.app.current_tab(), Action::Picks, "{keys}");
        assert_eq!(told.message().starts_with("no query is picked"), !has_pick, "{keys}");
        assert_eq!(told.app.popup.is_some(), has_pick, "{keys}");
    }
}

#[test]
fn the_figure_in_text_has_the_heading() {
    let headed = Harness::demo(120, 40).keys(" 5Oof buses<Enter>");
    let screen = headed.screen();
    assert_eq!(screen.matches("of buses").count(), 2, "{screen}");
}

#[test]
fn picked_here_and_there_with_the_models_in_sight() {
    let mut harness = Harness::demo(120, 40);
    for (keys, count, told) in [
        (" ", 1, "picked: t2i query"),
        (" ", 0, "no longer picked: t2i query"),
        (" j2 ", 2, "picked: t2i query"),
        ("4jj ", 3, "picked: t2i query"),
        (" ", 2, "no longer picked: t2i query"),
        // The next example is another query; other panes have none.
        ("j ", 3, "picked: t2i query"),
        ("<Tab> ", 3, "no query is selected"),
        ("3 ", 3, "no query is selected"),
    ] {
        harness = harness.keys(keys);
        assert!(harness.message().contains(told), "{keys}: {}", harness.message());
        assert_eq!(harness.app.model.session.picks().len(), count, "{keys}");
    }
    let picks: Vec<&Pick> = harness.app.model.listed_picks().collect();
    assert_eq!(picks[0].models.len(), 1);
    assert_eq!(picks[1].models, ["careful", "broad", "naive"]);
}

/// The query of the example is noted as it is picked.
#[test]
fn the_example_of_an_error_type_is_noted() {
    let noted = Harness::demo(120, 40).keys("4jodim light<Enter>");
    noted.shows("note    dim light");
    let picked = noted.keys(" ");
    let query = selected(&picked).query.clone();
    let browsed = picked.keys(&format!("1#{query}<Enter>"));
    browsed.shows("dim light");
    let hubs = browsed.keys("4<Tab>o");
    assert!(hubs.app.popup.is_none());
    assert!(hubs.message().contains("no query is selected"));
}

#[test]
fn moved_edited_removed_undone_and_kept() {
    let (_folder, path, harness) = fresh(120, 40);
    let picked = harness.keys(" j j j 5");
    let before = listed(&picked);
    assert_eq!(before.len(), 4);
    let moved = picked.keys("j<Alt-Down>");
    let swapped = [0, 2, 1, 3].map(|at| before[at].clone());
    assert_eq!(listed(&moved), swapped);
    assert_eq!(selected(&moved).query.to_string(), before[1]);
    let up = moved.keys("<Alt-Up>");
    assert_eq!(listed(&up), before);
    let edge = up.keys("k<Alt-Up>");
    assert_eq!(listed(&edge), before);

    let edited = edge.keys("oa dog, not a cat<Enter>+++_");
    assert_eq!(selected(&edited).note, "a dog, not a cat");
    assert_eq!(selected(&edited).depth, 7);
    let models = edited.keys("b");
    assert_eq!(selected(&models).models.len(), 3);
    let left = models;

    let removed = left.keys("<Backspace>");
    assert_eq!(listed(&removed), before[1..]);
    let all_gone = removed.keys("   ");
    assert!(all_gone.app.model.session.picks().is_empty());
    assert!(all_gone.screen().contains("No query is picked yet"));
    let back = all_gone.keys("uuuu");
    assert_eq!(listed(&back), before);
    assert_eq!(selected(&back).note, "a dog, not a cat");
    let saved = Session::read(&path).unwrap().0;
    assert_eq!(saved.picks, back.app.model.session.picks());
    let start = back.keys("uuuuuuuuuuuuuuuuuuuuuuuuuuuu");
    assert!(start.app.model.session.picks().is_empty());
}

#[test]
fn groups_stay_together() {
    let (_folder, path, first) = fresh(120, 40);
    drop(first.keys(" j "));
    drawn(&path);
    let harness = on(&path, (120, 40)).keys("5");
    let all = listed(&harness);
    assert_eq!(all.len(), 4);
    harness.shows("picked by hand").shows("at random, seed 3: r1 == 0");
    // At the edge of its group a pick takes the group with it.
    let swapped = harness.keys("j<Alt-Down>");
    assert_eq!(listed(&swapped), [2, 3, 0, 1].map(|at| all[at].clone()));
    assert_eq!(selected(&swapped).query.to_string(), all[1]);
    let within = swapped.keys("<Alt-Up>");
    assert_eq!(listed(&within), [2, 3, 1, 0].map(|at| all[at].clone()));
    // A heading makes a group of its own.
    let headed = within.keys("Owaves<Enter>");
    assert_eq!(selected(&headed).group.as_deref(), Some("waves"));
    assert_eq!(selected(&headed).query.to_string(), all[1]);
    headed.shows(" waves");
    let of = |scope| headed.app.model.scoped_picks(scope).len();
    assert_eq!([Scope::Pick, Scope::Group, Scope::All].map(of), [1, 1, 4]);
    drop(headed);
    let again = on(&path, (120, 40)).keys("5");
    let groups: Vec<Option<&str>> =
        again.app.model.listed_picks().map(|pick| pick.group.as_deref()).collect();
    assert_eq!(groups, [None, None, Some("waves"), None]);
    let none = again.keys("jjO<Ctrl-u><Enter>");
    assert!(none.app.model.listed_picks().all(|pick| pick.group.is_none()));
}

#[test]
fn what_it_looks_like() {
    for (columns, rows) in [(80, 24), (160, 50)] {
        let (_folder, path, first) = fresh(columns, rows);
        drop(first.keys(" j2 1dj "));
        drawn(&path);
        let harness = on(&path, (columns, rows)).keys("5jothe longer one<Enter>");
        insta::assert_snapshot!(format!("picks_{columns}x{rows}"), harness.screen());
        if columns == 80 {
            insta::assert_snapshot!("figure_80x24", harness.keys("<Tab>").screen());
        }
    }
}

#[test]
fn the_figure_follows_and_its_shape_is_kept() {
    let (_folder, path, harness) = fresh(160, 50);
    let one = harness.keys(" j 5").screen();
    let next = on(&path, (160, 50)).keys("5j").screen();
    assert!(one.contains("grid: query, caption"), "{one}");
    assert_ne!(one, next);
    let shaped = on(&path, (160, 50)).keys("5LW");
    let screen = shaped.screen();
    assert_eq!(screen.matches(": query, caption").count(), 2, "{screen}");
    assert!(screen.contains(", grid, 83 x ") && screen.contains("figure of all"), "{screen}");
    assert!(screen.contains("83.3 x "), "{screen}");
    shaped.keys("L").shows("side-by-side: query");
    // Of several picks the one that is gone to is in sight.
    let first = on(&path, (80, 24)).keys("5k<Tab>");
    let of_first = selected(&first).query.to_string();
    first.shows("83.3 x ").shows(&of_first);
    let second = first.keys("<Tab>j<Tab>");
    let of_second = selected(&second).query.to_string();
    second.shows(&format!("query, caption {of_second}")).lacks(&of_first);
    drop(second);
    let again = on(&path, (160, 50)).app.model.figure;
    assert_eq!(again.scope, Scope::All);
    assert_eq!(again.layout, Some(Layout::SideBySide));
    assert_eq!(again.columns, 2);
}

#[test]
fn as_an_image_where_the_terminal_shows_images() {
    let picked = |harness: Harness| harness.keys(" 5");
    let halves = |harness: &Harness| harness.screen().matches(['▀', '▄']).count();
    let text = picked(Harness::demo(120, 40));
    assert!(text.screen().contains("grid: query, caption"));
    assert_eq!(halves(&text), 0);
    let image = picked(Harness::demo(120, 40).with_thumbnails());
    assert!(halves(&image) > 200, "{}", image.screen());
    assert!(!image.screen().contains("grid: query, caption"));
    image.shows("1 pick, grid, 121 x ");
}

#[test]
fn a_pick_is_opened_where_it_was_made() {
    let harness = Harness::demo(120, 40).keys("jjm ");
    let view = harness.app.model.view;
    let query = harness.app.model.selection.query();
    let away = harness.keys("drMfwords > 40<Enter>5");
    assert_ne!(away.app.model.view, view);
    let back = away.keys("<Enter>");
    assert_eq!(back.app.current_tab(), Action::Browse);
    assert_eq!((back.app.model.view, back.app.model.selection.query()), (view, query));
    assert_eq!(back.app.model.filter.text, "");
    let undone = back.keys("u");
    assert_eq!(undone.app.model.filter.text, "words > 40");
}

#[test]
fn picks_of_another_study_are_listed_and_left_out() {
    let (_folder, path, first) = fresh(120, 40);
    drop(first.keys(" j "));
    let text = fs::read_to_string(&path).unwrap();
    let there = Session::read(&path).unwrap().0.picks[0].query.to_string();
    let foreign = text.replacen(&format!("\"query\": {there}"), "\"query\": 987654", 1);
    assert_ne!(text, foreign);
    fs::write(&path, foreign).unwrap();
    let harness = on(&path, (120, 40)).keys("5");
    let screen = harness.screen();
    assert!(screen.contains("no caption has the id 987654"), "{screen}");
    assert!(screen.contains("1 excluded"), "{screen}");
    assert_eq!(screen.matches(": query, caption").count(), 1, "{screen}");
    let refused = harness.keys("<Enter>");
    assert!(refused.message().contains("no caption has the id 987654"));
    assert_eq!(refused.app.current_tab(), Action::Picks);
    let alone = refused.keys("V").screen();
    assert!(alone.matches("no caption has the id 987654").count() > 1, "{alone}");
    // It can be put in order all the same, and stays in the file.
    drop(on(&path, (120, 40)).keys("5<Alt-Down>"));
    let kept = Session::read(&path).unwrap().0.picks;
    assert_eq!(kept[1].query.to_string(), "987654");
}

/// Opens the prompt, whose proposed name loses its ending.
const PDF_TO: &str = "e<Backspace><Backspace><Backspace>";

#[test]
fn every_format_is_written_beside_the_session() {
    let (folder, _path, harness) = fresh(120, 40);
    let mut harness = harness.keys(" j 5");
    for format in itm_explore::figure::FORMATS {
        // The prompt proposes a PDF of all picks.
        harness = harness.keys(&format!("{PDF_TO}{}<Enter>", format.key));
        let path = folder.path().join(format!("demo-picks.{}", format.key));
        assert!(path.exists(), "{}: {}", format.key, harness.message());
        assert!(harness.message().starts_with("wrote "), "{}", harness.message());
        assert!(harness.message().contains("2 queries"), "{}", harness.message());
    }
    let prompt = harness.keys("e");
    let screen = prompt.screen();
    assert!(screen.contains(" all picks: 2 queries  .svg .png .pdf"), "{screen}");
    let one = prompt.keys("<Esc>Ve<Enter><Enter>");
    assert!(one.message().contains("demo-picks.pdf: 1 query"), "{}", one.message());
    // What the screen shows by choice is what is written.
    one.keys("Ve").shows(" its group: 2 queries");
}

/// What the program proposes is replaced by what is typed; other keys edit it. A name without an ending has that of
/// the format.
#[test]
fn names_of_files_are_typed_edited_and_completed() {
    let (folder, _path, harness) = fresh(120, 40);
    let file = |name: &str| folder.path().join(name);
    let typed = |keys: &str, name: &str| format!("{keys}{}<Enter>", file(name).display());
    let mut harness = harness.keys(" 5");
    for (keys, written) in [
        (typed("e", "fig1.svg"), "fig1.svg"),
        ("e<Left><Left><Left><Left>-two<Enter>".into(), "demo-picks-two.pdf"),
        (typed("e<Ctrl-u>", "fig"), "fig.pdf"),
    ] {
        harness = harness.keys(&keys);
        assert!(file(written).exists(), "{written}\n{}", harness.screen());
    }
    let asked = harness.keys(&typed("e<Ctrl-u>", "fig"));
    asked.shows("file exists: Enter again").shows("fig.pdf");
    fs::create_dir(file("folder")).unwrap();
    asked.keys("<Esc>").keys(&typed("e<Ctrl-u>", "folder")).shows("this is a folder");
}

#[test]
fn nothing_is_replaced_unasked() {
    let (folder, path, harness) = fresh(120, 40);
    let file = folder.path().join("mine.svg");
    fs::write(&file, "precious").unwrap();
    let name = format!("e<Ctrl-u>{}", file.display());
    let asked = harness.keys(" 5").keys(&name).keys("<Enter>");
    let screen = asked.screen();
    assert!(screen.contains("file exists: Enter again"), "{screen}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    insta::assert_snapshot!(
        "export",
        screen
            .replace(&folder.path().display().to_string(), "FOLDER")
            .lines()
            .filter(|line| !line.contains("FOLDER"))
            .collect::<Vec<_>>()
            .join("\n")
    );
    let written = asked.keys("<Enter>");
    assert!(written.message().starts_with("wrote "), "{}", written.message());
    assert!(fs::read_to_string(&file).unwrap().starts_with("<svg"));
    let own = format!("e<Ctrl-u>{}<Enter>", path.display());
    let session = written.keys(&own);
    assert!(session.screen().contains("is for sessions"));
    assert!(Session::read(&path).is_ok());
    for (name, told) in [("", "a file needs a name"), ("figure.doc", ".doc: known are .svg")] {
        let refused = Harness::demo(120, 40).keys(" 5e<Ctrl-u>").keys(name).keys("<Enter>");
        refused.shows(told);
    }
    let lost = Harness::demo(120, 40).keys(" 5e<Ctrl-u>/none/figure.svg<Enter>");
    assert!(lost.message().contains("/none"), "{}", lost.message());
    assert_eq!(lost.app.model.session.picks().len(), 1);
}

#[test]
fn a_session_open_elsewhere_keeps_its_picks() {
    let (_folder, path, first) = fresh(120, 40);
    let first = first.keys(" j 5");
    for key in ["J", " ", "+", "b", "o", "O", "<Backspace>"] {
        let told = looking_on(&path).keys("5").keys(key);
        assert!(told.message().starts_with("read-only"), "{key}: {}", told.message());
        assert_eq!(listed(&told), listed(&first));
    }
}

#[test]
fn the_mouse_selects_and_scrolls() {
    let harness = Harness::demo(120, 24).keys(" j j 5VV");
    let mut harness = harness;
    // The first row is a heading.
    let second = harness.app.ui.hits.borrow().area(&Target::Row("picks", 2)).unwrap();
    harness.mouse(Event::Click(second.x + 4, second.y));
    assert_eq!(harness.app.model.pick, 1);
    harness.mouse(Event::Wheel(second.x, second.y, 3));
    assert_eq!(harness.app.model.pick, 2);
    let mut harness = harness.keys("kk");
    let offset = |harness: &Harness| harness.app.context::<Picks>().state.figure.offset();
    assert_eq!(offset(&harness), 0);
    harness.mouse(Event::Wheel(100, 10, 3));
    assert_eq!(offset(&harness), 3);
    let end = offset(&harness.keys("<End>"));
    assert!((4..200).contains(&end), "{end}");
}

#[test]
fn from_every_screen_to_picks() {
    for screen in ["1", "2", "3", "4"] {
        for key in ["e", "<Alt-Down>", "<Alt-Up>", "b", "O", "V", "L", "W"] {
            let harness = Harness::demo(120, 40).keys(" ").keys(screen).keys(key);
            if (screen, key) == ("3", "e") {
                // What is on that screen is a chart.
                assert_eq!(harness.app.current_tab(), Action::Metrics);
                assert!(harness.app.popup.is_some());
                continue;
            }
            assert_eq!(harness.app.current_tab(), Action::Picks, "{screen}{key}");
            assert_eq!(harness.app.popup.is_some(), key == "e");
            assert_eq!(harness.app.model.history.steps().len(), 2);
            let pick = selected(&harness);
            assert_eq!((pick.direction, pick.depth), (Direction::T2i, 5));
        }
    }
}

/// The pick has the ground truth by its name; judgments that are in force count in its figure as on the other screens.
#[test]
fn the_figure_of_a_pick_has_the_judgments_in_force() {
    let (_folder, _, fresh) = fresh(140, 40);
    let judged = fresh.keys("<Space><Tab>JUy<Esc>5");
    for words in ["5 items · rich+mine", "(rich+mine)", "⊕ 1.", "judgment: relevant"] {
        judged.shows(words);
    }
    judged.keys("u").shows("(rich)").lacks("judgment: ");
}

/// On a screen with room for one part, what changes the figure shows it.
#[test]
fn a_narrow_screen_shows_the_figure_that_changes() {
    for (columns, key) in [(80, "V"), (80, "L"), (80, "W"), (60, "L")] {
        let (_folder, _, fresh) = fresh(columns, 24);
        let list = fresh.keys("<Space>5");
        assert!(list.screen().contains("picks 1/1"));
        let changed = list.keys(key);
        let before = changed.screen();
        assert!(before.contains("figure of "), "{key}");
        assert_ne!(before, changed.keys(key).screen(), "{key}");
    }
}

/// A figure for paper that is higher than its page at its smallest is refused, and a PDF has pages.
#[test]
fn a_figure_higher_than_a_page_has_pages() {
    let (folder, _path, harness) = fresh(120, 40);
    let picked = harness.keys(&" j".repeat(60)).keys("5VV");
    let refused = picked.keys(&format!("{PDF_TO}svg<Enter>"));
    let said = refused.message();
    assert!(said.contains("at its smallest, a page has 193 mm"), "{said}");
    assert!(!folder.path().join("demo-picks.svg").exists());
    // The prompt is still there, with the whole reason.
    refused.shows(" write to ");
    let screen = refused.screen();
    let words: String = screen.split(['│', '\n', '┃']).map(str::trim).collect::<Vec<_>>().join(" ");
    assert!(words.contains("which has pages"), "{screen}");
    let paged = refused.keys("<Esc>e<Enter>");
    assert!(paged.message().ends_with(" pages"), "{}", paged.message());
    assert!(paged.app.popup.is_none());
    assert!(folder.path().join("demo-picks.pdf").exists());
}

/// The list that the figure hides stays where it was.
#[test]
fn a_list_that_comes_back_begins_at_its_top() {
    let (_folder, _, harness) = fresh(80, 24);
    harness.keys(" j j 5<Tab>jj<Tab>G").shows("picked by hand").shows("3 t2i");
}

#[test]
fn a_pick_of_several_models_is_opened_beside_them() {
    let (_folder, _, harness) = fresh(120, 40);
    let opened = harness.keys("2 5<Enter>");
    opened.shows("this query, ground truth rich");
}

/// A condition over ranks is asked only once these are counted.
#[test]
fn a_session_left_under_a_condition_opens_on_its_query() {
    let (_folder, path, harness) = fresh(120, 40);
    let left = harness.keys("fr1 == 0<Enter>jj ");
    let before = left.app.model.selection.query();
    drop(left.keys("q"));
    let again = on(&path, (120, 40)).keys("");
    assert_eq!(again.app.model.selection.query(), before);
}

/// Its data may have changed: a session does not open on an empty list.
#[test]
fn a_condition_that_no_query_meets_any_more_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    for (at, condition) in ["words > 900", "r1 == 0 and words > 900"].into_iter().enumerate() {
        let mut opened = Session::open(&folder.path().join(format!("{at}.itm.json"))).unwrap();
        opened.session.view.insert("filter".into(), condition.into());
        let harness = Harness::demo(120, 40).on_session(opened, "mk");
        let model = &harness.app.model;
        assert_eq!((&*model.filter.text, model.selection.queries.len()), ("", 120));
        assert!(harness.screen().contains("no query meets the filter of the session any more"));
        // One that is written now stays.
        let written = harness.keys(&format!("f{condition}<Enter>"));
        assert_eq!(written.app.model.filter.text, condition);
    }
}

/// A search leaves queries out of the list, and none out of those that meet the condition.
#[test]
fn what_was_judged_meets_the_condition_after_a_search_too() {
    let (_folder, path, harness) = fresh(120, 40);
    let filtered = harness.keys("JUy<Esc>fwords > 0<Enter>");
    let met = |harness: &Harness| harness.app.model.filtered_queries().map(<[u32]>::len);
    let before = met(&filtered);
    let searched = filtered.keys("/no such words<Enter>");
    assert!(searched.app.model.selection.queries.is_empty());
    drop(searched.keys("q"));
    let again = on(&path, (120, 40)).keys("");
    assert_eq!(met(&again), before);
    let all = again.keys("<Esc>");
    assert_eq!(Some(all.app.model.selection.queries.len()), before);
}

#[test]
fn the_figure_is_text_where_thumbnails_are_off() {
    let off = Harness::demo(120, 40).with_thumbnails().keys("i 5");
    off.shows("grid: query, caption");
    let mut study = itm_explore::study::demo::open().unwrap();
    study.image_files = None;
    let none = Harness::new(study, 120, 40).with_thumbnails().keys(" 5");
    none.shows("grid: query, caption");
}

/// A name of one's own is given after the picks were made: these are found by the model's own name, and what is left
/// out of a file is said.
#[test]
fn picks_made_before_take_names_given_later() {
    let (folder, path, harness) = fresh(120, 40);
    drop(harness.keys(" "));
    let out = folder.path().join("own.svg");
    let [path, file] = [&path, &out].map(|path| path.to_str().unwrap());
    let name = "careful=Ours (full)";
    printed(&["figure", "--demo", "--session", path, "--name", name, "-o", file]);
    assert!(fs::read_to_string(&out).unwrap().contains("Ours (full)"));
}
