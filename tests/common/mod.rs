//! What several test files need.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;

use ratatui::buffer::Buffer;

/// A screen as lines of text, blanks at the end cut.
pub fn text_of(buffer: &Buffer) -> String {
    let line = |y: u16| {
        let mut line = String::new();
        let mut x = 0;
        while x < buffer.area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += unicode_width::UnicodeWidthStr::width(symbol).max(1) as u16;
        }
        line.trim_end().to_owned()
    };
    (buffer.area.top()..buffer.area.bottom())
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Data that lies beside the project where it is developed; `None`, said aloud, where it does not.
pub fn shared(path: &str) -> Option<PathBuf> {
    let place = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    if place.exists() {
        return Some(place);
    }
    eprintln!("skipped: ../shared/{path} is not here");
    None
}

/// A file of the demo study.
pub fn demo_file(name: &str) -> String {
    format!("{}/fixtures/demo/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A `.npy` file of version 1 as bytes.
pub fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(data);
    file
}
