//! Pages of a column, unpacked: those in Zstandard here, all others by the crate.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use ruzstd::decoding::StreamingDecoder;

/// Most bytes that a page unpacks to: writers aim at one megabyte.
const PAGE_LIMIT: u64 = 1 << 30;

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
    let pages: Box<dyn PageReader> = if matches!(chunk.compression(), Compression::ZSTD(_)) {
        // The crate is told that nothing is packed, and hands the pages out as they are.
        let as_is = chunk.clone().into_builder();
        let as_is = as_is.set_compression(Compression::UNCOMPRESSED).build()?;
        Box::new(Zstandard(SerializedPageReader::new(
            file, &as_is, rows, None,
        )?))
    } else {
        Box::new(SerializedPageReader::new(file, chunk, rows, None)?)
    };
    Ok(get_column_reader(chunk.column_descr_ptr(), pages))
}

/// Unpacks the pages of another reader.
struct Zstandard(SerializedPageReader<Bytes>);

impl Iterator for Zstandard {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Zstandard {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.0.get_next_page()?.map(unpacked).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.0.skip_next_page()
    }

    fn supports_deferred_dictionary(&self) -> bool {
        self.0.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        self.0.take_deferred_dictionary()?.map(unpacked).transpose()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.0.at_record_boundary()
    }
}

fn unpacked(mut page: Page) -> Result<Page> {
    let (packed, start) = match &mut page {
        Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => (buf, 0),
        Page::DataPageV2 {
            is_compressed: false,
            ..
        } => return Ok(page),
        // The levels before the values are never packed.
        Page::DataPageV2 {
            buf,
            def_levels_byte_len,
            rep_levels_byte_len,
            ..
        } => (
            buf,
            *def_levels_byte_len as usize + *rep_levels_byte_len as usize,
        ),
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
        return Err(io::Error::other("a page that unpacks to more than 1 GiB"));
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
