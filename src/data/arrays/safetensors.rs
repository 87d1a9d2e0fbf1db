//! `.safetensors`: a header as JSON, and the tensors behind it, in C order and without gaps.
//! Format: <https://huggingface.co/docs/safetensors>.

use ::safetensors::{Dtype, SafeTensors};

use super::tensor::{Data, Tensor};
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Maximum bytes of the header: those of some thousand tensors take a tenth.
const MAX_HEADER_BYTES: u64 = 1 << 20;
/// Bytes of the number before the header, its length.
const LENGTH_BYTES: usize = 8;
/// Command that saves one tensor as floats.
const SAVE: &str = "python3 -c \"from safetensors.torch import load_file, save; open('scores.safetensors', \
                    'xb').write(save({'scores': load_file('FILE')['NAME'].float()}))\"";

/// Length of the header in bytes; `None` if the file is too short.
fn header_len(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|&len| u64::from_le_bytes(len))
}

/// Whether a file begins with the length of a header, and the header. The length has zero bytes, which text never has.
pub(super) fn is_safetensors(bytes: &[u8]) -> bool {
    let is_length = header_len(bytes).is_some_and(|len| u32::try_from(len).is_ok());
    is_length && bytes.get(LENGTH_BYTES) == Some(&b'{')
}

/// Lists the tensors of a file, in the order of their data.
///
/// # Errors
/// A header that is too long, or that does not fit the file.
pub(super) fn tensors(source: &Source) -> Result<Vec<Tensor>> {
    let bytes = source.bytes();
    let len = header_len(bytes).unwrap_or_default();
    if len > MAX_HEADER_BYTES {
        let found = format!("a header of {} bytes", grouped(len as usize));
        return Err(Error::new(source.display(), found)
            .expected(format!("at most {}", grouped(MAX_HEADER_BYTES as usize)))
            .fix("save the scores alone: save_file({'scores': scores}, 'scores.safetensors')"));
    }
    let (header, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| {
        Error::new(source.display(), format!("a header that cannot be: {error}"))
            .expected("a file as safetensors writes it")
            .fix("the file was cut or is still being written: save or copy it again")
    })?;
    let tensor = |name: String| {
        let info = metadata.info(&name)?;
        let (start, end) = info.data_offsets;
        let data_start = LENGTH_BYTES + header;
        Some(Tensor {
            element: element_type(info.dtype).map(str::to_owned),
            fortran: false,
            shape: info.shape.clone(),
            data: Data::Block(data_start + start..data_start + end),
            fix: SAVE,
            name,
        })
    };
    Ok(metadata.offset_keys().into_iter().filter_map(tensor).collect())
}

/// Element type as in a `.npy` header; else the name of an unsupported type.
fn element_type(dtype: Dtype) -> std::result::Result<&'static str, String> {
    Ok(match dtype {
        Dtype::F16 => "<f2",
        Dtype::BF16 => "<V2",
        Dtype::F32 => "<f4",
        Dtype::F64 => "<f8",
        Dtype::I8 => "|i1",
        Dtype::I16 => "<i2",
        Dtype::I32 => "<i4",
        Dtype::I64 => "<i8",
        Dtype::U8 => "|u1",
        Dtype::U16 => "<u2",
        Dtype::U32 => "<u4",
        Dtype::U64 => "<u8",
        other => return Err(format!("{other:?}")),
    })
}
