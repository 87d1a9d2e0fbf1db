//! Lengths of texts that a page stores as differences, looked at before the crate believes them.
//!
//! The crate allocates as many lengths as the page claims, and each text whole though the page has only
//! what differs from the one before. Source of the encodings:
//! <https://parquet.apache.org/docs/file-format/data-pages/encodings/>.

use parquet::basic::Encoding;

use super::varint;

/// Values of a block, at most: writers take 128 to some thousands.
const LARGEST_BLOCK: u64 = 1 << 20;

/// How many bytes the texts of a page take once they are decoded, beside those of the page itself; `None`
/// for lengths that are more than the values, negative, or cut.
pub(super) fn text_bytes(encoding: Encoding, mut values: &[u8], count: usize) -> Option<u64> {
    match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => {
            sum(&mut values, count)?;
            Some(0)
        }
        Encoding::DELTA_BYTE_ARRAY => {
            let prefixes = sum(&mut values, count)?;
            Some(prefixes + sum(&mut values, count)?)
        }
        _ => Some(0),
    }
}

/// The sum of at most `most` lengths at the start of `bytes`, which keep what follows.
fn sum(bytes: &mut &[u8], most: usize) -> Option<u64> {
    let (block, minis) = (varint::unsigned(bytes)?, varint::unsigned(bytes)?);
    let mut left = usize::try_from(varint::unsigned(bytes)?).ok()?;
    let mut value = i32::try_from(varint::signed(bytes)?).ok()?;
    let is_block = (128..=LARGEST_BLOCK).contains(&block) && minis > 0 && block % minis == 0;
    if left > most || !is_block {
        return None;
    }
    let (minis, each) = (minis as usize, (block / minis) as usize);
    let mut sum = 0;
    if left > 0 {
        sum = u64::try_from(value).ok()?;
        left -= 1;
    }
    while left > 0 {
        let least = i32::try_from(varint::signed(bytes)?).ok()?;
        for &width in bytes.split_off(..minis)? {
            let here = left.min(each);
            if here == 0 {
                break;
            }
            let width = usize::from(width);
            let packed = bytes.split_off(..(width * each / 8).min(bytes.len()))?;
            for at in 0..here {
                let step = bits(packed, at * width, width)?;
                value = value.wrapping_add(least).wrapping_add(step as i32);
                sum += u64::try_from(value).ok()?;
            }
            left -= here;
        }
    }
    Some(sum)
}

/// Up to 32 bits, the least significant first.
fn bits(packed: &[u8], start: usize, width: usize) -> Option<u32> {
    if width == 0 {
        return Some(0);
    }
    let bytes = packed.get(start / 8..(start + width).div_ceil(8))?;
    if width > 32 {
        return None;
    }
    let all = bytes.iter().rev().fold(0_u64, |all, &byte| all << 8 | u64::from(byte));
    Some(((all >> (start % 8)) & ((1 << width) - 1)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3, 4, 6, 5: differences of 1, 2 and -1, thus 2, 3 and 0 above the least, of two bits each.
    const LENGTHS: [u8; 18] = [0x80, 1, 4, 4, 6, 1, 2, 0, 0, 0, 0b0000_1110, 0, 0, 0, 0, 0, 0, 0];

    #[test]
    fn lengths_are_summed() {
        let both = [LENGTHS, LENGTHS].concat();
        let of = |encoding, values, count| text_bytes(encoding, values, count);
        assert_eq!(of(Encoding::DELTA_BYTE_ARRAY, &both, 4), Some(36));
        assert_eq!(of(Encoding::DELTA_LENGTH_BYTE_ARRAY, &LENGTHS, 9), Some(0));
        assert_eq!(of(Encoding::PLAIN, b"any", 1), Some(0));
        assert_eq!(sum(&mut &LENGTHS[..11], 4), Some(18));
        assert_eq!(sum(&mut &[0x80, 1, 4, 1, 10][..], 1), Some(5));
        assert_eq!(sum(&mut &[0x80, 1, 4, 0, 0][..], 1), Some(0));
    }

    #[test]
    fn impossible_lengths_are_refused() {
        let of = |values: &[u8], count| text_bytes(Encoding::DELTA_BYTE_ARRAY, values, count);
        assert_eq!(of(&LENGTHS, 4), None);
        assert_eq!(sum(&mut &LENGTHS[..], 3), None);
        assert_eq!(sum(&mut &LENGTHS[..10], 4), None);
        let mut broken = LENGTHS;
        for (at, byte) in [(0, 0x81), (2, 0), (4, 7), (6, 33), (6, 65)] {
            broken = LENGTHS;
            broken[at] = byte;
            assert_eq!(sum(&mut &broken[..], 4), None, "{at}");
        }
        broken[2] = 3;
        assert_eq!(sum(&mut &broken[..], 4), None);
    }
}
