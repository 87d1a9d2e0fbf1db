//! Matrices as text: nested JSON lists, `[[0.1, 0.2], [0.3, 0.4]]`, or CSV, with or without the ids of rows and
//! columns.

use std::collections::HashSet;

use super::id::Id;
use super::json;
use super::npy::Npy;
use super::source::Source;
use super::text::{grouped, shell_word};
use crate::error::{Error, Result};

/// Headers of a column of row ids.
const CORNERS: [&str; 8] =
    ["", "id", "index", "image", "caption", "image_id", "caption_id", "text_id"];
/// Columns of ranked lists, which are no matrix.
const LIST_COLUMNS: [&str; 7] = ["query", "query_id", "qid", "item", "item_id", "rank", "score"];

/// A matrix, and the ids of its rows and columns where the file has them.
pub struct LabelledMatrix {
    /// The numbers, as `f8`.
    pub npy: Npy,
    /// The id of each row; `None` if the file has none, or only 0, 1, 2, ..
    pub rows: Option<Vec<Id>>,
    /// The id of each column; `None` if the file has none, or only 0, 1, 2, ..
    pub columns: Option<Vec<Id>>,
}

/// Layout of the numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    /// Between cells; `None` for blanks.
    separator: Option<char>,
    /// Whether the first line has ids of columns.
    has_header: bool,
    /// Whether the first cell of each row is an id.
    has_row_ids: bool,
}

impl Layout {
    /// Finds the layout by the first two lines; `None` if these are no rows of a matrix.
    fn find(source: &Source) -> Option<Self> {
        let mut lines = lines(source);
        let (_, first) = lines.next()?.ok()?;
        let second = lines.next().transpose().ok()?.map_or(first, |(_, line)| line);
        let separator = [',', ';', '\t'].into_iter().find(|&sign| first.contains(sign));
        let [first, second] =
            [first, second].map(|line| cells(line, separator).collect::<Vec<_>>());
        let lower: Vec<String> = first.iter().map(|cell| cell.to_lowercase()).collect();
        if second.len() < 2 || lower.iter().any(|cell| LIST_COLUMNS.contains(&cell.as_str())) {
            return None;
        }
        let is_number = |cell: &&str| cell.parse::<f64>().is_ok();
        let is_integer = |cell: &&str| cell.parse::<i64>().is_ok();
        if !second[1..].iter().all(is_number) {
            return None;
        }
        let has_text = !is_number(&second[0]);
        let is_index = first.iter().enumerate().all(|(at, cell)| *cell == at.to_string());
        let is_corner = CORNERS.contains(&lower[0].as_str());
        // Scores may be integers, too, but hardly all different ones.
        let are_ids = |cells: &[&str], others: &[&str]| {
            let all: HashSet<&&str> = cells.iter().collect();
            let is_each_once = cells.len() > 1 && all.len() == cells.len();
            is_each_once && cells.iter().all(is_integer) && !others.iter().all(is_integer)
        };
        let (has_header, has_row_ids) = if first.len() + 1 == second.len() {
            (true, true)
        } else if first.len() != second.len() {
            return None;
        } else if is_corner {
            (true, true)
        } else if first[1..].iter().all(is_number) {
            let is_corner = !is_number(&first[0]);
            let from = usize::from(is_corner);
            let is_header = are_ids(&first[from..], &second[from..]) || first.len() > 2 && is_index;
            (is_header, has_text || is_header && is_corner)
        } else {
            (true, has_text)
        };
        Some(Layout { separator, has_header, has_row_ids })
    }
}

/// Whether the first lines of a file are rows of a matrix as text.
pub fn is_matrix(source: &Source) -> bool {
    Layout::find(source).is_some()
}

/// Reads a matrix as text.
///
/// # Errors
/// A cell that is no number, or rows of different lengths, with their line.
pub fn read(source: &Source) -> Result<LabelledMatrix> {
    let broken = |line: usize, found: String| {
        Error::new(source.display(), format!("line {line}: {found}"))
            .expected("rows of numbers, all of one length")
    };
    let layout = Layout::find(source).ok_or_else(|| broken(1, "no row of numbers".into()))?;
    let (mut numbers, mut rows, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    let (mut count, mut width) = (0, None);
    for (at, line) in lines(source).enumerate() {
        let (number, line) = line?;
        let mut cells = cells(line, layout.separator);
        if layout.has_header && at == 0 {
            columns = cells.map(Id::parse).collect();
            continue;
        }
        if layout.has_row_ids {
            rows.extend(cells.next().map(Id::parse));
        }
        let before = numbers.len();
        for cell in cells {
            let parsed = cell.parse::<f64>();
            numbers.push(parsed.map_err(|_| broken(number, format!("{cell:?} is no number")))?);
        }
        let found = numbers.len() - before;
        let width = *width.get_or_insert(found);
        if found != width {
            let found =
                format!("{} numbers, the rows before have {}", grouped(found), grouped(width));
            return Err(broken(number, found));
        }
        count += 1;
    }
    let width = width.unwrap_or_default();
    if columns.len() > width {
        columns.remove(0);
    }
    let separator = layout.separator.unwrap_or(' ');
    let read = format!(
        "n.loadtxt(sys.argv[1], delimiter='{separator}', skiprows={})",
        u8::from(layout.has_header)
    );
    refuse_rankings(source, numbers.chunks(width.max(1)), &read)?;
    let unless_indices = |ids: Vec<Id>| {
        let is_index = (0..).zip(&ids).all(|(at, id)| *id == Id::Number(at));
        (!is_index).then_some(ids)
    };
    let path = source.path().to_string_lossy();
    Ok(LabelledMatrix {
        npy: Npy::in_memory(&path, [count, width], numbers.into_iter()),
        rows: unless_indices(rows),
        columns: unless_indices(columns),
    })
}

/// The lines that are neither blank nor a `numpy.savetxt` comment, with their numbers.
fn lines(source: &Source) -> impl Iterator<Item = Result<(usize, &str)>> {
    let lines = (1..).zip(source.bytes().split(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty() && !line.starts_with(b"#"));
    lines.map(|(number, line)| {
        let text = str::from_utf8(line).map_err(|_| {
            Error::new(source.display(), format!("line {number}: text that is no UTF-8"))
        })?;
        Ok((number, text.trim_end_matches('\r')))
    })
}

/// The cells of a line, without quotes; without a separator, blanks separate them.
fn cells(line: &str, separator: Option<char>) -> impl Iterator<Item = &str> {
    let separated = separator.map(|sign| line.split(sign));
    let blank = separator.is_none().then(|| line.split_whitespace());
    let cells = separated.into_iter().flatten().chain(blank.into_iter().flatten());
    cells.map(|cell| cell.trim().trim_matches('"'))
}

/// Whether a file starts like a JSON list of lists of numbers.
pub fn is_nested_list(source: &Source) -> bool {
    let mut start = source.bytes().iter().filter(|b| !b.is_ascii_whitespace());
    let numeric = |b: &u8| b.is_ascii_digit() || *b == b'-';
    start.next() == Some(&b'[') && start.next() == Some(&b'[') && start.next().is_some_and(numeric)
}

/// Reads a JSON list of lists as the rows of a matrix of `f8`.
///
/// # Errors
/// Broken JSON, anything but numbers, with line and column; rows of different lengths.
pub fn read_lists(source: &Source) -> Result<Npy> {
    let rows: Vec<Vec<f64>> = json::parse(source)?;
    let columns = rows.first().map_or(0, Vec::len);
    let mut lengths = rows.iter().map(Vec::len).enumerate();
    if let Some((at, len)) = lengths.find(|(_, len)| *len != columns) {
        let found = format!("row {at} has {len} numbers, the rows before have {columns}");
        return Err(Error::new(source.display(), found).expected("rows of one length"));
    }
    refuse_rankings(source, rows.iter().map(Vec::as_slice), "json.load(open(sys.argv[1]))")?;
    let path = source.path().to_string_lossy();
    Ok(Npy::in_memory(&path, [rows.len(), columns], rows.into_iter().flatten()))
}

/// Minimum number of rows that are called rankings: fewer may be scores by chance.
const MIN_RANKINGS: usize = 10;

/// Refuses rankings: rows of different whole numbers, such as item indices by `argsort`. `read` is the Python expression
/// that loads the rows.
fn refuse_rankings<'a>(
    source: &Source,
    rows: impl Iterator<Item = &'a [f64]> + Clone,
    read: &str,
) -> Result<()> {
    let is_ranking = |row: &[f64]| {
        let mut seen = HashSet::new();
        row.len() > 1 && row.iter().all(|&n| n >= 0.0 && n.fract() == 0.0 && seen.insert(n as u64))
    };
    if !rows.clone().all(is_ranking) || rows.count() < MIN_RANKINGS {
        return Ok(());
    }
    let file = source.display();
    let fix = format!(
        "python3 -c \"import sys, json, numpy as n; n.save('ranks.npy', n.array({read}, 'i8'))\" {}; then --knn i2t:ranks.npy \
         or --knn t2i:ranks.npy in its place; if they are scores, save them as floats in .npy",
        shell_word(&file)
    );
    Err(Error::new(file, "rows of different whole numbers: rankings, not scores")
        .expected("a score in each cell")
        .fix(fix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Option<(Vec<usize>, Option<usize>, Option<usize>)> {
        let source = Source::in_memory("m.csv", text.as_bytes().to_vec());
        is_matrix(&source).then(|| {
            let found = read(&source).unwrap();
            let count = |ids: Option<Vec<Id>>| ids.map(|ids| ids.len());
            (found.npy.shape, count(found.rows), count(found.columns))
        })
    }

    #[test]
    fn rankings_are_refused() {
        let with_rows = |rows: &[&str]| {
            let text = format!("[[{}]]", rows.join("], ["));
            read_lists(&Source::in_memory("m.json", text.into_bytes()))
        };
        assert!(with_rows(&["2, 0, 1"; 10]).is_err());
        let scores = [&["2, 0, 1"; 9][..], &["2, 0, 1.5"]].concat();
        assert!(with_rows(&scores).is_ok() && with_rows(&["2, 0, 2"; 10]).is_ok());
    }

    #[test]
    fn rows_of_numbers_with_and_without_ids() {
        for (text, rows, columns) in [
            ("1.5,2,3\n4,5,-6e-1\n", None, None),
            ("1 2 3\r\n4 5 6\r\n", None, None),
            ("# saved\n1.5;2;3\n\n4;5;6", None, None),
            (",0,1,2\n0,.1,.2,.3\n1,.4,.5,.6\n", None, None),
            ("0,1,2\n.1,.2,.3\n.4,.5,.6\n", None, None),
            ("image_id,50,51,52\n7,.1,.2,.3\n9,.4,.5,.6", Some(2), Some(3)),
            ("a.jpg\t.1\t.2\t.3\nb.jpg\t.4\t.5\t.6", Some(2), None),
            ("c1,c2,c3\n.1,.2,.3\n.4,.5,.6", None, Some(3)),
            ("\"c1\" \"c2\" \"c3\"\n\"a\" .1 .2 .3\n\"b\" .4 .5 .6", Some(2), Some(3)),
            ("50,51,52\n.1,.2,.3\n.4,.5,.6", None, Some(3)),
        ] {
            assert_eq!(read_text(text), Some((vec![2, 3], rows, columns)), "{text}");
        }
    }

    #[test]
    fn other_text_is_no_matrix() {
        for text in [
            "",
            "a dog, running\na cat, asleep",
            "query,item,score\n1,2,.3",
            "12\n13",
            "qid 1 2\n4 5 6",
        ] {
            assert_eq!(read_text(text), None, "{text}");
        }
    }

    #[test]
    fn broken_rows_are_told_with_their_line() {
        let error = |text: &str| {
            let source = Source::in_memory("m.csv", text.as_bytes().to_vec());
            read(&source).map(|_| ()).unwrap_err().to_string()
        };
        assert!(error("1,2\n3,4\n5\n").contains("line 3: 1 numbers"));
        assert!(error("1,2\n3,4\n5,x\n").contains("line 3: \"x\" is no number"));
    }

    fn json(text: &str) -> Source {
        Source::in_memory("m.json", text.as_bytes().to_vec())
    }

    #[test]
    fn rows_become_a_matrix() {
        let text = " [ [1, -2.5, 3e2],\n[4, 5, 6]]\n";
        assert!(is_nested_list(&json(text)));
        let npy = read_lists(&json(text)).unwrap();
        assert_eq!(npy.shape, [2, 3]);
        assert_eq!(npy.data()[8..16], (-2.5f64).to_le_bytes());
    }

    #[test]
    fn other_lists_are_not_and_uneven_rows_are_told() {
        for text in ["[1, 2]", "[]", "{\"a\": [[1]]}", "[{\"image\": 1}]", "[[\"a\"]]"] {
            assert!(!is_nested_list(&json(text)), "{text}");
        }
        for (text, what) in [
            ("[[1, 2], [3]]", "row 1 has 1 numbers"),
            ("[[1, null]]", "null"),
            ("[[1, 2]", "broken JSON at line 1"),
            ("[[1]] x", "trailing"),
        ] {
            let error = read_lists(&json(text)).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
