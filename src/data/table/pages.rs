//! Pages of a column, unpacked: those in Zstandard here, all others by the crate.
//!
//! What the crate would allocate for them is checked before: see [`headers`] and [`delta`].

use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use ruzstd::decoding::StreamingDecoder;

use super::delta;
use super::headers::{self, PAGE_LIMIT};

/// Most bytes of texts that are decoded together, of half a million rows.
const TEXT_LIMIT: u64 = 256 << 20;

/// Whether pages packed in this way can be read.
pub(super) fn is_read(compression: Compression) -> bool {
    !matches!(compression, Compression::LZO | Compression::BROTLI(_))
}

/// A reader of one column of a row group.
///
/// # Errors
/// Metadata that point outside of the file.
pub(super) fn reader(
    bytes: &Bytes,
    group: &RowGroupMetaData,
    column: usize,
) -> Result<ColumnReader> {
    let chunk = group.column(column);
    let file = Arc::new(bytes.clone());
    let rows = usize::try_from(group.num_rows())?;
    // Of lists there are more values than rows.
    let values = u64::try_from(chunk.num_values())?;
    let (start, len) = chunk.byte_range();
    let end = start.checked_add(len).map(usize::try_from);
    let pages = end.and_then(|end| bytes.get(usize::try_from(start).ok()?..end.ok()?));
    let pages = pages.ok_or_else(|| broken("a column that ends behind the file"))?;
    let len = headers::checked(pages, values).map_err(|what| broken(&what))?;
    let descriptor = chunk.column_descr_ptr();
    // What follows the pages that were looked at is never read.
    let mut chunk = chunk.clone().into_builder().set_total_compressed_size(len as i64);
    let is_zstandard = matches!(group.column(column).compression(), Compression::ZSTD(_));
    if is_zstandard {
        // The crate is told that nothing is packed, and hands the pages out as they are.
        chunk = chunk.set_compression(Compression::UNCOMPRESSED);
    }
    let pages = Pages {
        packed: SerializedPageReader::new(file, &chunk.build()?, rows, None)?,
        is_zstandard,
        levels: [descriptor.max_rep_level(), descriptor.max_def_level()],
        text_bytes: 0,
    };
    Ok(get_column_reader(descriptor, Box::new(pages)))
}

fn broken(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// Checks the pages of another reader, and unpacks those that it does not.
struct Pages {
    packed: SerializedPageReader<Bytes>,
    is_zstandard: bool,
    /// The deepest repetition and definition: pages store levels above 0 only.
    levels: [i16; 2],
    /// What the texts of the pages so far take.
    text_bytes: u64,
}

impl Pages {
    fn ready(&mut self, page: Page) -> Result<Page> {
        let page = if self.is_zstandard { unpacked(page)? } else { page };
        let values = values(&page, self.levels).ok_or_else(|| broken("levels that are cut"))?;
        let count = page.num_values() as usize;
        let bytes = delta::text_bytes(page.encoding(), values, count)
            .ok_or_else(|| broken("impossible lengths of texts"))?;
        self.text_bytes = self.text_bytes.saturating_add(bytes);
        if self.text_bytes > TEXT_LIMIT {
            return Err(broken("texts of more than 256 MiB in half a million rows"));
        }
        Ok(page)
    }
}

/// The bytes of a page behind its levels.
fn values(page: &Page, levels: [i16; 2]) -> Option<&[u8]> {
    match page {
        Page::DictionaryPage { buf, .. } => Some(buf),
        Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
            buf.get(*def_levels_byte_len as usize + *rep_levels_byte_len as usize..)
        }
        Page::DataPage { buf, num_values, def_level_encoding, rep_level_encoding, .. } => {
            let mut rest = &buf[..];
            let encodings = [rep_level_encoding, def_level_encoding];
            for (deepest, encoding) in levels.into_iter().zip(encodings) {
                let len = match encoding {
                    _ if deepest == 0 => 0,
                    Encoding::RLE => {
                        u32::from_le_bytes(*rest.split_off(..4)?.first_chunk()?) as usize
                    }
                    _ => {
                        (*num_values as usize * (16 - deepest.leading_zeros() as usize)).div_ceil(8)
                    }
                };
                rest.split_off(..len)?;
            }
            Some(rest)
        }
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.packed.get_next_page()?;
        page.map(|page| self.ready(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.packed.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.packed.skip_next_page()
    }

    fn supports_deferred_dictionary(&self) -> bool {
        self.packed.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        let page = self.packed.take_deferred_dictionary()?;
        page.map(|page| self.ready(page)).transpose()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.packed.at_record_boundary()
    }
}

fn unpacked(mut page: Page) -> Result<Page> {
    let (packed, start) = match &mut page {
        Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => (buf, 0),
        Page::DataPageV2 { is_compressed: false, .. } => return Ok(page),
        // The levels before the values are never packed.
        Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
            (buf, *def_levels_byte_len as usize + *rep_levels_byte_len as usize)
        }
    };
    if packed.len() > start {
        *packed = plain(packed, start).map_err(|e| ParquetError::External(Box::new(e)))?;
    }
    Ok(page)
}

/// The bytes before `start`, and what those after it unpack to.
fn plain(packed: &Bytes, start: usize) -> io::Result<Bytes> {
    let mut bytes = packed[..start].to_vec();
    let frames = StreamingDecoder::new(&packed[start..]).map_err(io::Error::other)?;
    frames.take(PAGE_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > PAGE_LIMIT {
        return Err(io::Error::other("a page that unpacks to more than 128 MiB"));
    }
    Ok(bytes.into())
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    #[test]
    fn zstandard_is_unpacked_after_the_levels() {
        let values: Vec<u8> = (0..1000).map(|i| (i % 7) as u8).collect();
        let packed = compress_to_vec(values.as_slice(), CompressionLevel::Fastest);
        let bytes: Bytes = [b"lev".to_vec(), packed.clone()].concat().into();
        let found = plain(&bytes, 3).unwrap();
        assert_eq!(found, [b"lev".to_vec(), values].concat());
        assert!(plain(&packed[..packed.len() / 2].to_vec().into(), 0).is_err());
        assert!(plain(&b"nothing packed"[..].into(), 0).is_err());
    }
}
