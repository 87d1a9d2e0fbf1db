//! Going back through what was typed into a prompt.

/// How far back a prompt is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recall {
    /// How many texts back; 0 at the line itself.
    back: usize,
    /// What was typed before going back.
    own: String,
}

impl Recall {
    /// Whether a text of earlier is on the line.
    pub(in crate::tui) fn is_under_way(&self) -> bool {
        self.back > 0
    }

    /// The text that comes on the line that says `now`: the next older one of `past`, whose last is at the
    /// end, or the next younger one, at last what was typed. `None` where there is none.
    pub(in crate::tui) fn step(
        &mut self,
        now: &str,
        past: &[String],
        older: bool,
    ) -> Option<String> {
        let to = self.back.checked_add_signed(if older { 1 } else { -1 })?;
        if to > past.len() {
            return None;
        }
        if self.back == 0 {
            now.clone_into(&mut self.own);
        }
        self.back = to;
        Some(if to == 0 { std::mem::take(&mut self.own) } else { past[past.len() - to].clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_to_the_oldest_and_forth_to_what_was_typed() {
        let past = ["a", "b"].map(String::from);
        let mut recall = Recall::default();
        assert_eq!(recall.step("x", &past, false), None);
        let steps = [true, true, true, false, false, false];
        let texts = steps.map(|older| recall.step("x", &past, older));
        let wanted = [Some("b"), Some("a"), None, Some("b"), Some("x"), None];
        assert_eq!(texts, wanted.map(|text| text.map(String::from)));
        assert!(!recall.is_under_way());
    }
}
