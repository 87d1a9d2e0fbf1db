//! The headers of a column's pages, looked at before the crate believes them.
//!
//! The crate allocates what a page header claims. So the headers are walked first: each page must lie in
//! the file and unpack to no more than any writer makes of it. They are Thrift structs in the compact
//! protocol: <https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift>,
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>.

use super::varint;

/// Most bytes that a page decodes to: writers aim at one megabyte.
pub(super) const PAGE_LIMIT: u64 = 128 << 20;
/// Bytes that one value of a dictionary takes once it is decoded, beside its own.
const ENTRY_BYTES: u64 = 40;
/// Structs in structs: a page header has three levels.
const DEEPEST: usize = 8;

/// How many of the bytes of a column belong to pages that hold so many values, all of them checked; else
/// what is wrong.
pub(super) fn checked(column: &[u8], values: u64) -> Result<usize, String> {
    let (mut rest, mut seen) = (column, 0);
    while seen < values && !rest.is_empty() {
        let header = Header::read(&mut rest).ok_or("a page header that cannot be read")?;
        let decoded = header.unpacked + ENTRY_BYTES * header.entries;
        if decoded > PAGE_LIMIT {
            return Err(format!("a page of {decoded} bytes, more than 128 MiB"));
        }
        rest = usize::try_from(header.packed)
            .ok()
            .and_then(|packed| rest.get(packed..))
            .ok_or("a page that ends behind its column")?;
        seen += header.values;
    }
    Ok(column.len() - rest.len())
}

/// What a page header claims.
#[derive(Debug, Default, PartialEq, Eq)]
struct Header {
    unpacked: u64,
    packed: u64,
    /// Values of a page of data.
    values: u64,
    /// Values of a dictionary.
    entries: u64,
}

impl Header {
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut header = Header::default();
        fields(bytes, |bytes, id, kind| match (id, kind) {
            (2, Kind::INTEGER) => count(bytes).map(|bytes| header.unpacked = bytes),
            (3, Kind::INTEGER) => count(bytes).map(|bytes| header.packed = bytes),
            (5 | 8, Kind::STRUCT) => first_count(bytes).map(|values| header.values = values),
            (7, Kind::STRUCT) => first_count(bytes).map(|values| header.entries = values),
            _ => skip(bytes, kind, DEEPEST),
        })?;
        Some(header)
    }
}

/// The first field of a struct, a count: that of the values of a page.
fn first_count(bytes: &mut &[u8]) -> Option<u64> {
    let mut values = 0;
    fields(bytes, |bytes, id, kind| match (id, kind) {
        (1, Kind::INTEGER) => count(bytes).map(|count| values = count),
        _ => skip(bytes, kind, DEEPEST),
    })?;
    Some(values)
}

/// Types of the compact protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind(u8);

impl Kind {
    const TRUE: Kind = Kind(1);
    const FALSE: Kind = Kind(2);
    const BYTE: Kind = Kind(3);
    const SHORT: Kind = Kind(4);
    const INTEGER: Kind = Kind(5);
    const LONG: Kind = Kind(6);
    const DOUBLE: Kind = Kind(7);
    const BINARY: Kind = Kind(8);
    const LIST: Kind = Kind(9);
    const SET: Kind = Kind(10);
    const STRUCT: Kind = Kind(12);
}

/// Calls `each` with every field of a struct, which passes over its value.
fn fields(
    bytes: &mut &[u8],
    mut each: impl FnMut(&mut &[u8], i64, Kind) -> Option<()>,
) -> Option<()> {
    let mut id = 0;
    loop {
        let &byte = bytes.split_off_first()?;
        if byte == 0 {
            return Some(());
        }
        id = match byte >> 4 {
            0 => varint::signed(bytes)?,
            step => id + i64::from(step),
        };
        each(bytes, id, Kind(byte & 15))?;
    }
}

/// A number that counts something.
fn count(bytes: &mut &[u8]) -> Option<u64> {
    let count = i32::try_from(varint::signed(bytes)?).ok()?;
    u64::try_from(count).ok()
}

fn skip(bytes: &mut &[u8], kind: Kind, deepest: usize) -> Option<()> {
    let deeper = deepest.checked_sub(1)?;
    match kind {
        Kind::TRUE | Kind::FALSE => {}
        Kind::BYTE => _ = bytes.split_off_first()?,
        Kind::SHORT | Kind::INTEGER | Kind::LONG => _ = varint::unsigned(bytes)?,
        Kind::DOUBLE => _ = bytes.split_off(..8)?,
        Kind::BINARY => {
            let len = usize::try_from(varint::unsigned(bytes)?).ok()?;
            bytes.split_off(..len)?;
        }
        Kind::LIST | Kind::SET => {
            let &head = bytes.split_off_first()?;
            let len = match head >> 4 {
                15 => varint::unsigned(bytes)?,
                len => len.into(),
            };
            // In a list, truth values take a byte: every element takes one at least.
            let of = match Kind(head & 15) {
                Kind::TRUE | Kind::FALSE => Kind::BYTE,
                of => of,
            };
            for _ in 0..len {
                skip(bytes, of, deeper)?;
            }
        }
        Kind::STRUCT => fields(bytes, |bytes, _, kind| skip(bytes, kind, deeper))?,
        // Page headers hold no maps.
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of data: its type, sizes, and the values, encodings and statistics of its own header.
    fn page(unpacked: u32, packed: u32, values: u32) -> Vec<u8> {
        let mut header = vec![0x15, 0];
        for number in [unpacked, packed] {
            header.push(0x15);
            header.extend(number_bytes(number));
        }
        header.extend([0x2c, 0x15]);
        header.extend(number_bytes(values));
        header.extend([0x15, 0, 0x1c, 0x18, 2, b'a', b'b', 0, 0, 0]);
        header
    }

    fn number_bytes(number: u32) -> Vec<u8> {
        let mut left = u64::from(number) << 1;
        let mut bytes = Vec::new();
        while left >= 128 {
            bytes.push(left as u8 | 128);
            left >>= 7;
        }
        bytes.push(left as u8);
        bytes
    }

    #[test]
    fn a_column_ends_with_the_page_of_its_last_value() {
        let mut column = page(40, 3, 10);
        column.extend([7; 3]);
        let first = column.len();
        column.extend(page(40, 2, 10));
        column.extend([7; 2]);
        assert_eq!(checked(&column, 10), Ok(first));
        assert_eq!(checked(&column, 11), Ok(column.len()));
        assert!(checked(&column[..column.len() - 1], 11).is_err());
        assert_eq!(checked(&[], 5), Ok(0));
    }

    #[test]
    fn claims_that_no_file_can_keep_are_refused() {
        let huge = checked(&page(i32::MAX as u32, 0, 1), 1).unwrap_err();
        assert!(huge.contains("more than 128 MiB"), "{huge}");
        let behind = checked(&page(8, 9, 1), 1).unwrap_err();
        assert!(behind.contains("behind its column"), "{behind}");
        let lists = [vec![0x19], vec![0xf9; 4], [vec![0x1c; 40], vec![0; 40]].concat()];
        let long_text = vec![0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
        for broken in lists.into_iter().chain([long_text, vec![0x1b, 0], vec![0x15]]) {
            assert!(checked(&broken, 1).unwrap_err().contains("cannot be read"));
        }
    }
}
