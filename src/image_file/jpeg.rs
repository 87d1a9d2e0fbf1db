//! Detects truncated JPEGs: decoders fill the missing part with grey.

/// Second byte of the marker that starts an image.
const START: u8 = 0xD8;
/// Second byte of the marker that ends an image.
const END: u8 = 0xD9;

/// Whether the bytes are a JPEG without an end marker. Its segments are parsed as in ITU-T T.81, annex B: a thumbnail
/// inside has an end marker, too.
pub(super) fn is_cut_off(bytes: &[u8]) -> bool {
    if !bytes.starts_with(&[0xFF, START]) {
        return false;
    }
    let mut at = 2;
    loop {
        let Some((marker, next)) = next_marker(bytes, at) else {
            return true;
        };
        at = match marker {
            END => return false,
            // Without a length: restarts, a second start, a reserved byte.
            0x01 | 0xD0..=START => next,
            _ => match bytes.get(next..next + 2) {
                Some(length) => next + usize::from(u16::from_be_bytes([length[0], length[1]])),
                None => return true,
            },
        };
    }
}

/// Second byte of the next marker from index `at` on, and the index after it; `None` if there is none. Skips coded
/// pixels: in them a byte FF is followed by 00, or by a restart marker, which continues them.
fn next_marker(bytes: &[u8], mut at: usize) -> Option<(u8, usize)> {
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == 0xFF)?;
        let fill = bytes[at..].iter().take_while(|&&byte| byte == 0xFF).count();
        at += fill;
        let &marker = bytes.get(at)?;
        at += 1;
        if marker != 0 {
            return Some((marker, at));
        }
    }
}
