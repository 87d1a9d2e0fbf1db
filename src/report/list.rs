//! A list of records and its columns, each defined once: a table for people, rows for data frames, objects for
//! programs.

use indexmap::IndexSet;
use serde_json::{Map, Value};

use super::cell::Cell;
use super::{Json, Report, Table};

/// Records of one kind, and their columns.
pub(super) struct List<'a, R> {
    key: &'static str,
    title: String,
    records: Vec<R>,
    columns: Vec<Column<'a, R>>,
}

struct Column<'a, R> {
    /// The heading for people; `None` if only programs get the column.
    title: Option<String>,
    /// The key for programs; `None` if only people get the column.
    key: Option<String>,
    cell: Box<dyn Fn(&R) -> Cell + 'a>,
}

/// A list whose cells are computed.
pub(super) struct Section {
    key: &'static str,
    title: String,
    titles: Vec<Option<String>>,
    keys: Vec<Option<String>>,
    rows: Vec<Vec<Cell>>,
    /// Maximum number of rows for people.
    max_rows: usize,
}

impl<'a, R> List<'a, R> {
    /// A list without columns, of these records: `key` is its field in the JSON, `title` stands above it for people.
    pub(super) fn new(
        key: &'static str,
        title: impl Into<String>,
        records: impl IntoIterator<Item = R>,
    ) -> Self {
        let records = records.into_iter().collect();
        List { key, title: title.into(), records, columns: Vec::new() }
    }

    /// Adds a column for people and programs.
    #[must_use]
    pub(super) fn column<C: Into<Cell>>(
        self,
        key: impl Into<String>,
        title: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        self.push(Some(title.into()), Some(key.into()), cell)
    }

    /// Adds a column for people only.
    #[must_use]
    pub(super) fn display<C: Into<Cell>>(
        self,
        title: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        self.push(Some(title.into()), None, cell)
    }

    /// Adds a column for programs only.
    #[must_use]
    pub(super) fn data<C: Into<Cell>>(
        self,
        key: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        self.push(None, Some(key.into()), cell)
    }

    /// Adds an interval: one column for people, and a column for each end for programs. `ends` returns the interval of
    /// a record, empty if `None`; `end` makes the cell of an end.
    #[must_use]
    pub(super) fn interval(
        self,
        keys: [impl Into<String>; 2],
        title: impl Into<String>,
        ends: impl Fn(&R) -> Option<[f64; 2]> + Clone + 'a,
        end: impl Fn(f64) -> Cell + Clone + 'a,
    ) -> Self {
        self.interval_cells(keys, title, move |one| ends(one).map(|ends| ends.map(&end)))
    }

    /// Adds an interval, like [`List::interval`], with ends that are cells.
    #[must_use]
    pub(super) fn interval_cells(
        self,
        [low, high]: [impl Into<String>; 2],
        title: impl Into<String>,
        ends: impl Fn(&R) -> Option<[Cell; 2]> + Clone + 'a,
    ) -> Self {
        let [low_end, high_end] = [ends.clone(), ends.clone()];
        self.display(title, move |one| ends(one).map(|ends| Cell::Interval(Box::new(ends))))
            .data(low, move |one| low_end(one).map(|[low, _]| low))
            .data(high, move |one| high_end(one).map(|[_, high]| high))
    }

    /// Adds a column with a title for people and a key for programs; `None` hides the column from them.
    fn push<C: Into<Cell>>(
        mut self,
        title: Option<String>,
        key: Option<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        let cell = Box::new(move |record: &R| cell(record).into());
        self.columns.push(Column { title, key, cell });
        self
    }

    /// Computes all cells, row by row.
    pub(super) fn section(self) -> Section {
        let cells = |record| self.columns.iter().map(|column| (column.cell)(record)).collect();
        let rows = self.records.iter().map(cells).collect();
        let (titles, keys) =
            self.columns.into_iter().map(|column| (column.title, column.key)).unzip();
        Section { key: self.key, title: self.title, titles, keys, rows, max_rows: usize::MAX }
    }
}

impl Section {
    /// Removes the table for people, so that only programs get the list.
    pub(super) fn for_programs(mut self) -> Self {
        self.titles.fill(None);
        self
    }

    /// Limits tables to the first `max_rows` rows, and says so in the title. JSON and CSV keep all rows.
    pub(super) fn limit(mut self, max_rows: usize) -> Self {
        self.max_rows = max_rows;
        if self.rows.len() > max_rows {
            self.title = format!("{}, the first {max_rows}", self.title);
        }
        self
    }

    /// The headings that are not `None`, and the rows with only the cells under these headings.
    fn cells_under(&self, heads: &[Option<String>]) -> (Vec<String>, Vec<Vec<Cell>>) {
        let places = || (0..heads.len()).filter(|&at| heads[at].is_some());
        let cells = |row: &Vec<Cell>| places().map(|at| row[at].clone()).collect();
        (heads.iter().flatten().cloned().collect(), self.rows.iter().map(cells).collect())
    }

    /// The table for people. Intervals and lists are optional.
    pub(super) fn table<'a>(&self) -> Table<'a> {
        let (head, mut rows) = self.cells_under(&self.titles);
        rows.truncate(self.max_rows);
        let is_number = number_columns(&rows, head.len());
        let is_optional = |cell: &Cell| matches!(cell, Cell::Interval(_) | Cell::List(_));
        let optional = (0..head.len()).filter(|&at| rows.iter().any(|row| is_optional(&row[at])));
        let optional = optional.map(|at| vec![at]).collect();
        Table { is_number, optional, ..Table::new(self.title.clone(), head, 0, rows) }
    }

    /// Objects for programs, one per record.
    pub(super) fn records(&self) -> Vec<Map<String, Value>> {
        let (keys, rows) = self.cells_under(&self.keys);
        let object =
            |row: Vec<Cell>| keys.iter().cloned().zip(row.iter().map(Cell::json)).collect();
        rows.into_iter().map(object).collect()
    }
}

impl<'a> Report<'a> {
    /// A report of lists. People get a table for each list with records, or an empty table of the first list. Data
    /// frames get one table, whose first column names the list if there are several. JSON has a field for each list. A
    /// list without headings is only for programs, and one without keys only for people.
    pub(super) fn from_sections(sections: Vec<Section>) -> Self {
        let has_titles = |section: &&Section| section.titles.iter().any(Option::is_some);
        let for_people = || sections.iter().filter(has_titles);
        let mut tables: Vec<Table<'a>> =
            for_people().filter(|section| !section.rows.is_empty()).map(Section::table).collect();
        if tables.is_empty() {
            tables.extend(for_people().take(1).map(Section::table));
        }
        let has_keys = |section: &Section| section.keys.iter().any(Option::is_some);
        let sections: Vec<Section> = sections.into_iter().filter(has_keys).collect();
        let data = data_table(&sections);
        let fields = move || {
            let field = |section: &Section| {
                (section.key.to_owned(), section.records().into_iter().map(Value::Object).collect())
            };
            Value::Object(sections.iter().map(field).collect())
        };
        Report::new(tables, data, Json::tree(fields))
    }

    /// Adds a field to the JSON, replacing the list of that name.
    #[must_use]
    pub(super) fn with_json(self, key: &'static str, value: Value) -> Self {
        self.with_tree(move |fields| {
            fields.insert(key.to_owned(), value);
        })
    }

    /// Adds these fields before the lists in the JSON.
    #[must_use]
    pub(super) fn with_facts(self, facts: Value) -> Self {
        self.with_tree(move |fields| {
            let lists = std::mem::take(fields);
            fields.extend(facts.as_object().cloned().unwrap_or_default());
            fields.extend(lists);
        })
    }

    /// Applies a change to the fields of the JSON tree; no effect on [`Json::Rows`].
    fn with_tree(mut self, change: impl FnOnce(&mut Map<String, Value>) + 'a) -> Self {
        if let Json::Tree(tree) = self.json {
            self.json = Json::tree(move || {
                let mut whole = tree();
                if let Some(fields) = whole.as_object_mut() {
                    change(fields);
                }
                whole
            });
        }
        self
    }
}

/// The rows of all lists in one table. With several lists, the first column names the list of a row.
fn data_table<'a>(sections: &[Section]) -> Table<'a> {
    let all_keys = sections.iter().flat_map(|section| section.keys.iter().flatten());
    let all_keys: IndexSet<&String> = all_keys.collect();
    let list = (sections.len() > 1).then(|| "list".to_owned());
    let has_names = list.is_some();
    let head: Vec<String> = list.into_iter().chain(all_keys.iter().copied().cloned()).collect();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for section in sections {
        let (keys, cells) = section.cells_under(&section.keys);
        let places: Vec<Option<usize>> =
            all_keys.iter().map(|key| keys.iter().position(|own| own == *key)).collect();
        rows.extend(cells.into_iter().map(|row| {
            let name = has_names.then(|| Cell::from(section.key));
            let cells = places.iter().map(|at| at.map_or(Cell::Empty, |at| row[at].clone()));
            name.into_iter().chain(cells).collect()
        }));
    }
    let is_number = number_columns(&rows, head.len());
    Table { is_number, ..Table::new("", head, 0, rows) }
}

/// Whether each column has only numbers.
fn number_columns(rows: &[Vec<Cell>], columns: usize) -> Vec<bool> {
    let is_number = |at: usize| {
        let mut cells =
            rows.iter().map(|row| &row[at]).filter(|cell| **cell != Cell::Empty).peekable();
        cells.peek().is_some() && cells.all(Cell::is_number)
    };
    (0..columns).map(is_number).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::metric::Unit;
    use crate::report::formats::Format;

    fn written(key: &str) -> String {
        let share = |value| Cell::Value(value, Unit::Share);
        let models =
            List::new("models", "Models", [("a", 0.5, Some([0.25, 0.75])), ("b", 1.0, None)])
                .column("model", "model", |one| one.0)
                .column("r1", "R@1", move |one| share(one.1))
                .interval(["low", "high"], "95 % CI", |one| one.2, share)
                .section();
        let counts = List::new("counts", "Counts", [3_usize])
            .column("count", "n", |count| *count)
            .data("model", |_| "c")
            .section();
        let none =
            List::new("none", "None", Vec::<usize>::new()).column("n", "n", |n| *n).section();
        let report = Report::from_sections(vec![models, counts, none]);
        String::from_utf8(Format::from_key(key).unwrap().bytes(report).unwrap()).unwrap()
    }

    #[test]
    fn one_definition_for_people_data_frames_and_programs() {
        let expected = "Models\n\n model     R@1         95 % CI\n a       50.00  25.00 to 75.00\n b      100.00               ·\n\nCounts\n\n n\n 3\n";
        assert_eq!(written("table"), expected);
        let expected = "list,model,r1,low,high,count,n\nmodels,a,0.5,0.25,0.75,,\nmodels,b,1,,,,\ncounts,c,,,,3,\n";
        assert_eq!(written("csv"), expected);
        let tree: Value = serde_json::from_str(&written("json")).unwrap();
        let expected = json!({
            "models": [
                {"model": "a", "r1": 0.5, "low": 0.25, "high": 0.75},
                {"model": "b", "r1": 1.0, "low": null, "high": null},
            ],
            "counts": [{"count": 3, "model": "c"}],
            "none": [],
        });
        assert_eq!(tree, expected);
    }
}
