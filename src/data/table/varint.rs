//! Whole numbers of variable length, seven bits a byte, the least significant first.

/// The next number of `bytes`, which keep what follows; `None` where they end, or past 64 bits.
pub(super) fn unsigned(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let &byte = bytes.split_off_first()?;
        let bits = u64::from(byte & 127);
        value |= bits << shift;
        if byte < 128 {
            return ((bits << shift) >> shift == bits).then_some(value);
        }
    }
    None
}

/// The same for numbers that may be negative: 0, -1, 1, -2 and so on are stored as 0, 1, 2, 3.
pub(super) fn signed(bytes: &mut &[u8]) -> Option<i64> {
    let stored = unsigned(bytes)?;
    Some((stored >> 1) as i64 ^ -((stored & 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_with_a_byte_below_128() {
        let mut bytes: &[u8] = &[0, 127, 0x80, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 9];
        let mut next = || unsigned(&mut bytes);
        let found: Vec<Option<u64>> = (0..5).map(|_| next()).collect();
        assert_eq!(found, [0, 127, 128, 0xffff_ffff, 9].map(Some));
        assert_eq!(unsigned(&mut bytes), None);
        assert_eq!(unsigned(&mut &[0xff; 11][..]), None);
        let most = [&[0xff; 9][..], &[1]].concat();
        assert_eq!(unsigned(&mut &most[..]), Some(u64::MAX));
        let past = [&[0xff; 9][..], &[2]].concat();
        assert_eq!(unsigned(&mut &past[..]), None);
    }

    #[test]
    fn signs_alternate() {
        let signed = |byte| signed(&mut &[byte][..]).unwrap();
        assert_eq!([0, 1, 2, 3].map(signed), [0, -1, 1, -2]);
    }
}
