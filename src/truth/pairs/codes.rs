//! Short names of ids.

/// Codes in two bytes each, or in four if there are more than two bytes can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Codes {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Default for Codes {
    fn default() -> Self {
        Codes::Short(Vec::new())
    }
}

impl Codes {
    pub(super) fn push(&mut self, code: u32) {
        match (&mut *self, u16::try_from(code)) {
            (Codes::Short(codes), Ok(code)) => codes.push(code),
            (Codes::Long(codes), _) => codes.push(code),
            (Codes::Short(codes), Err(_)) => {
                let wider = codes.iter().map(|&code| code.into());
                *self = Codes::Long(wider.chain([code]).collect());
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Codes::Short(codes) => codes.len(),
            Codes::Long(codes) => codes.len(),
        }
    }

    pub(super) fn get(&self, at: usize) -> usize {
        match self {
            Codes::Short(codes) => codes[at].into(),
            Codes::Long(codes) => codes[at] as usize,
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        match self {
            Codes::Short(codes) => codes.shrink_to_fit(),
            Codes::Long(codes) => codes.shrink_to_fit(),
        }
    }
}
