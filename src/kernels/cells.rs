//! Decodes bytes to numbers, many at once.

use super::{Number, vectorized};

/// Half precision to single, exactly.
///
/// Shifted into place, the bits are the number times 2^-112, subnormal ones included. A multiplication fixes that
/// without a branch, so that the loop around it vectorises on any machine.
pub fn f16_to_f32(bits: u16) -> f32 {
    /// 2^112.
    const SCALE: f32 = f32::from_bits((127 + 112) << 23);
    /// Magnitudes from here on are infinity and NaN.
    const INFINITE: u32 = 0x7c00;
    let magnitude = u32::from(bits & 0x7fff);
    let sign = u32::from(bits & 0x8000) << 16;
    let scaled = (f32::from_bits(magnitude << 13) * SCALE).to_bits();
    let special = if magnitude >= INFINITE { f32::INFINITY.to_bits() } else { 0 };
    f32::from_bits(scaled | special | sign)
}

/// bfloat16 to single precision, exactly.
pub fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The bytes of one cell, least significant first; `big_endian` is their order in the file.
#[inline]
pub fn to_little_endian<const N: usize>(mut bytes: [u8; N], big_endian: bool) -> [u8; N] {
    if big_endian {
        bytes.reverse();
    }
    bytes
}

macro_rules! decoders {
    ($($name:ident: $cell:ident => $decode:expr;)*) => {$(
        pub fn $name<T: Number>(buffer: &mut Vec<T>, raw: &[u8], big_endian: bool) {
            decode_cells(buffer, raw, |bytes| $decode($cell::from_le_bytes(bytes)), big_endian);
        }
    )*};
}

decoders! {
    decode_f16: u16 => |bits| T::from(f16_to_f32(bits));
    decode_bf16: u16 => |bits| T::from(bf16_to_f32(bits));
    decode_f32: f32 => T::from;
    decode_f64: f64 => T::narrow;
}

vectorized! {
    fn decode_cells<T, const N: usize, F: Fn([u8; N]) -> T>(
        buffer: &mut Vec<T>,
        raw: &[u8],
        decode: F,
        big_endian: bool,
    ) {
        buffer.clear();
        let cells = raw.as_chunks::<N>().0.iter();
        if big_endian {
            buffer.extend(cells.map(|&bytes| decode(to_little_endian(bytes, true))));
        } else {
            buffer.extend(cells.map(|&bytes| decode(bytes)));
        }
    }
}
