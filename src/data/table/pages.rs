//! Pages of a column, unpacked within a limit.
//!
//! The crate allocates as many bytes as a page header claims. So it gets metadata without compression and returns
//! packed pages, which are unpacked here. What else it allocates by a page header is checked here, too: the entries of
//! a dictionary, and the number of values.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use ruzstd::decoding::StreamingDecoder;

/// Maximum bytes of a decoded page: writers aim at one megabyte.
const MAX_PAGE_BYTES: usize = 128 << 20;
/// Bytes of memory of a decoded dictionary entry, besides its content.
const ENTRY_BYTES: usize = 40;
/// Maximum compression ratio of LZ4.
const MAX_LZ4_RATIO: usize = 255;

/// Whether this compression is supported.
pub(super) fn is_supported(compression: Compression) -> bool {
    !matches!(compression, Compression::LZO | Compression::BROTLI(_) | Compression::LZ4)
}

/// A reader of one column of a row group.
pub(super) fn column_reader(
    bytes: &Bytes,
    group: &RowGroupMetaData,
    column: usize,
) -> Result<ColumnReader> {
    let chunk = group.column(column);
    let descriptor = chunk.column_descr_ptr();
    let raw = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
    let rows = usize::try_from(group.num_rows())?;
    let pages = Pages {
        packed: SerializedPageReader::new(Arc::new(bytes.clone()), &raw, rows, None)?,
        compression: chunk.compression(),
        values: usize::try_from(chunk.num_values())?,
    };
    Ok(get_column_reader(descriptor, Box::new(pages)))
}

fn page_error(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// Checks and unpacks the pages of another reader.
struct Pages {
    packed: SerializedPageReader<Bytes>,
    compression: Compression,
    /// Maximum values of the remaining pages together.
    values: usize,
}

impl Pages {
    /// Unpacks a page, and checks it against the limits.
    fn check_and_unpack(&mut self, mut page: Page) -> Result<Page> {
        let count = page.num_values() as usize;
        let (packed, start) = match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => (buf, Some(0)),
            // The levels before the values are never packed.
            Page::DataPageV2 {
                buf,
                is_compressed,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                (buf, Some(levels).filter(|_| *is_compressed))
            }
        };
        if let Some(start) = start
            && packed.len() > start
            && self.compression != Compression::UNCOMPRESSED
        {
            let values = unpack(self.compression, &packed[start..])
                .map_err(|error| page_error(&format!("a page that cannot be unpacked: {error}")))?;
            *packed = if start == 0 { values } else { [&packed[..start], &values].concat() }.into();
        }
        if let Page::DictionaryPage { buf, .. } = &page {
            if buf.len().saturating_add(count.saturating_mul(ENTRY_BYTES)) > MAX_PAGE_BYTES {
                return Err(page_error("a dictionary of more than 128 MiB"));
            }
        } else {
            let left = self.values.checked_sub(count);
            self.values = left.ok_or_else(|| page_error("more values than are announced"))?;
        }
        if matches!(page.encoding(), Encoding::DELTA_BYTE_ARRAY | Encoding::DELTA_LENGTH_BYTE_ARRAY)
        {
            // Each text may repeat the whole one before: a few bytes become gigabytes.
            let encoding = page.encoding();
            return Err(page_error(&format!("text encoded as {encoding}, write it without")));
        }
        Ok(page)
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
        page.map(|page| self.check_and_unpack(page)).transpose()
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
        page.map(|page| self.check_and_unpack(page)).transpose()
    }
}

/// Unpacks the content of a page.
///
/// # Errors
/// Damaged data, or more than [`MAX_PAGE_BYTES`].
fn unpack(compression: Compression, packed: &[u8]) -> io::Result<Vec<u8>> {
    let read_limited = |reader: &mut dyn Read| {
        let mut bytes = Vec::new();
        reader.take(MAX_PAGE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        check_limit(bytes.len()).map(|_| bytes)
    };
    match compression {
        Compression::SNAPPY => {
            check_limit(snap::raw::decompress_len(packed)?)?;
            Ok(snap::raw::Decoder::new().decompress_vec(packed)?)
        }
        Compression::GZIP(_) => read_limited(&mut MultiGzDecoder::new(packed)),
        Compression::ZSTD(_) => {
            read_limited(&mut StreamingDecoder::new(packed).map_err(io::Error::other)?)
        }
        // A block lacks its unpacked size.
        Compression::LZ4_RAW => {
            let max = packed.len().saturating_mul(MAX_LZ4_RATIO).min(MAX_PAGE_BYTES);
            let mut len = packed.len().saturating_mul(4);
            loop {
                len = len.min(max);
                match lz4_flex::block::decompress(packed, len) {
                    Err(lz4_flex::block::DecompressError::OutputTooSmall { .. }) if len < max => {
                        len = len.saturating_mul(4);
                    }
                    result => return result.map_err(io::Error::other),
                }
            }
        }
        _ => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// Returns `bytes`; an error if they are too many for a page.
fn check_limit(bytes: usize) -> io::Result<usize> {
    let is_within = bytes <= MAX_PAGE_BYTES;
    is_within.then_some(bytes).ok_or_else(|| io::Error::other("more than 128 MiB"))
}

#[cfg(test)]
mod tests {
    use parquet::basic::ZstdLevel;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    #[test]
    fn pages_are_unpacked_and_broken_ones_are_errors() {
        let values: Vec<u8> = (0..100_000).map(|i| (i % 7) as u8).collect();
        let block = lz4_flex::block::compress(&values);
        let zstd = compress_to_vec(values.as_slice(), CompressionLevel::Fastest);
        let snappy = snap::raw::Encoder::new().compress_vec(&values).unwrap();
        for (compression, packed) in [
            (Compression::LZ4_RAW, block),
            (Compression::ZSTD(ZstdLevel::default()), zstd),
            (Compression::SNAPPY, snappy),
        ] {
            assert_eq!(unpack(compression, &packed).unwrap(), values, "{compression}");
            assert!(unpack(compression, &packed[..packed.len() / 2]).is_err(), "{compression}");
            assert!(unpack(compression, b"nothing packed").is_err(), "{compression}");
        }
    }

    #[test]
    fn no_more_is_unpacked_than_the_limit() {
        let huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
        assert!(unpack(Compression::SNAPPY, &huge).is_err());
        let zeros = compress_to_vec(
            io::repeat(0).take(MAX_PAGE_BYTES as u64 + 1),
            CompressionLevel::Fastest,
        );
        assert!(unpack(Compression::ZSTD(ZstdLevel::default()), &zeros).is_err());
    }
}
