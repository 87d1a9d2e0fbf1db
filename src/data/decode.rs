//! Decodes bytes to numbers, many at once.

use multiversion::multiversion;

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

/// Replaces the content of `buffer` by the cells of `raw`, `N` bytes each. `decode` gets little-endian bytes;
/// `big_endian` is the order of `raw`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn decode_cells<T, const N: usize, F: Fn([u8; N]) -> T>(
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

/// The bytes of one cell, least significant first; `big_endian` is their order in the file.
pub fn to_little_endian<const N: usize>(mut bytes: [u8; N], big_endian: bool) -> [u8; N] {
    if big_endian {
        bytes.reverse();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_is_decoded_exactly() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (f16_to_f32(bits), half::f16::from_bits(bits).to_f32());
            let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
            assert!(same, "{bits:#06x}: {ours} for {theirs}");
        }
    }

    #[test]
    fn every_bfloat16_is_decoded_exactly() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (bf16_to_f32(bits), half::bf16::from_bits(bits).to_f32());
            let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
            assert!(same, "{bits:#06x}: {ours} for {theirs}");
        }
    }

    #[test]
    fn both_byte_orders_give_the_same_numbers() {
        let (mut little, mut big) = (Vec::new(), Vec::new());
        decode_cells(&mut little, &[1, 2, 3, 4], u16::from_le_bytes, false);
        decode_cells(&mut big, &[2, 1, 4, 3], u16::from_le_bytes, true);
        assert_eq!(little, [0x201, 0x403]);
        assert_eq!(little, big);
    }
}
