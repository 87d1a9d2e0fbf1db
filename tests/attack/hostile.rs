//! Hostile files, made of good ones and of the attacks that were once found. A case is made of its number alone, on every machine the same.

/// A good file: its name and content.
pub type Seed = (String, Vec<u8>);

/// Random numbers: `SplitMix64`, Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195.
pub struct Random(u64);

impl Random {
    /// The numbers of a case.
    pub fn for_case(name: &str, case: usize) -> Self {
        let name =
            name.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        Random(name.wrapping_mul(1_000_003).wrapping_add(case as u64))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `len`.
    pub fn below(&mut self, len: usize) -> usize {
        (self.next() % len.max(1) as u64) as usize
    }

    /// One of several.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Bytes that readers trip over: counts, escapes, invisible and bidirectional characters, formulas,
/// links, and numbers beyond every range.
const TOKENS: [&[u8]; 38] = [
    b"\xff\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\x00\x00\x00\x00",
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
    b"\x7f",
    b"\x00",
    b"\xfe\xff",
    b"\xed\xa0\x80",
    b"\x1b]0;title\x07\x1b[2J\x1b[31m",
    b"\xc2\x9b31m",
    "\u{202e}\u{2066}\u{200b}\u{feff}".as_bytes(),
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}e\u{301}\u{301}\u{301}".as_bytes(),
    b"\r\n",
    b"\n\n\n",
    b"\t",
    b"\"",
    b"'",
    b"\\u0000",
    b"\\ud800",
    b"[",
    b"]",
    b"{",
    b"}",
    b"(",
    b",",
    b":",
    b"-",
    b"1e999",
    b"-1e999",
    b"NaN",
    b"1.7976931348623157e308",
    b"99999999999999999999999",
    b"-9223372036854775808",
    b"4294967296",
    b"=HYPERLINK(\"http://a\")",
    b"<script>alert(1)</script>[x](javascript:1)",
    b"null",
];

/// The file of a case: a seed with up to four changes.
pub fn case(name: &str, seeds: &[Seed], case: usize) -> Seed {
    let mut random = Random::for_case(name, case);
    let (file, bytes) = random.one(seeds);
    let mut bytes = bytes.clone();
    let other = &random.one(seeds).1;
    // The first cases are the seeds themselves.
    if case >= seeds.len() {
        for _ in 0..=random.below(4) {
            change(&mut bytes, other, &mut random);
        }
        if random.below(2) == 0 {
            lengthen(&mut bytes);
        }
    } else {
        bytes.clone_from(&seeds[case].1);
        return (seeds[case].0.clone(), bytes);
    }
    (file.clone(), bytes)
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = place(bytes, random);
    let rest = bytes.len() - at;
    match random.below(10) {
        0 if rest > 0 => bytes[at] ^= 1 << random.below(8),
        1 if rest > 0 => bytes[at] = *random.one(&[0, 1, 0x7f, 0x80, 0xff]),
        2 => bytes.truncate(at),
        3 => {
            let token = *random.one(&TOKENS);
            let end = at + token.len().min(rest);
            bytes.splice(at..end, token.iter().copied());
        }
        4 => {
            let token = *random.one(&TOKENS);
            bytes.splice(at..at, token.iter().copied());
        }
        // Nested, or one of many.
        5 => {
            let token = *random.one(&TOKENS);
            let times = 1 << random.below(15);
            bytes.splice(at..at, token.repeat(times));
        }
        // A number of variable length, which counts something.
        6 => {
            let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] >= 0x80).collect();
            if !places.is_empty() {
                let at = *random.one(&places) + random.below(4);
                let token = *random.one(&TOKENS[..5]);
                let end = bytes.len().min(at + token.len());
                bytes.splice(at.min(end)..end, token.iter().copied());
            }
        }
        7 => drop(bytes.drain(at..at + random.below(rest.min(64) + 1))),
        8 => {
            let part = bytes[at..at + random.below(rest.min(200) + 1)].to_vec();
            let to = place(bytes, random);
            bytes.splice(to..to, part);
        }
        _ => {
            let from = random.below(other.len() + 1);
            let part = &other[from..other.len().min(from + random.below(200))];
            bytes.splice(at..at, part.iter().copied());
        }
    }
}

/// Makes the header of a matrix as long as it says, to its first line's end: what was changed in it is read.
fn lengthen(bytes: &mut [u8]) {
    if !bytes.starts_with(b"\x93NUMPY\x01\x00") {
        return;
    }
    let end = bytes.iter().skip(10).position(|&byte| byte == b'\n');
    if let Some(length) = end.and_then(|end| u16::try_from(end + 1).ok()) {
        bytes[8..10].copy_from_slice(&length.to_le_bytes());
    }
}

/// A place in a file, as often at one of its ends as anywhere.
fn place(bytes: &[u8], random: &mut Random) -> usize {
    let ends = bytes.len().min(160);
    match random.below(4) {
        0 => random.below(ends + 1),
        1 => bytes.len() - random.below(ends + 1),
        _ => random.below(bytes.len() + 1),
    }
}
