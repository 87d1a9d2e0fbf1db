//! Similarities of a description, as their flags name them: what flags say goes first.

use super::DescriptionPaths;
use crate::data::cider::Tokenisation;
use crate::error::{Error, Result};
use crate::study::Phis;

/// The keys of similarities.
pub(super) struct Table {
    pub phi: Vec<String>,
    pub phi_model: Vec<String>,
    pub phi_m: Option<u32>,
    pub phi_close: Option<f64>,
    pub tokens: Option<String>,
    pub drop_self: bool,
}

/// Takes what a description says of similarities, as far as no flag does.
pub(super) fn take(phis: &mut Phis, read: Table, place: &mut DescriptionPaths<'_>) -> Result<()> {
    let path = place.path;
    let wrong = |key: &str, found: String| Error::new(path.display(), format!("{key} = {found}"));
    for (at, text) in read.phi.iter().enumerate() {
        let key = format!("phi[{at}]");
        let named = Phis::named(text);
        let (name, file) =
            named.map_err(|wanted| wrong(&key, format!("{text:?}")).expected(wanted))?;
        if !phis.named.iter().any(|(known, _)| *known == name) {
            let file = place.maybe(file, &key);
            phis.named.push((name, file));
        }
    }
    phis.models.extend(read.phi_model);
    phis.models.dedup();
    if let Some(m) = read.phi_m.filter(|m| !(1..=30).contains(m)) {
        return Err(wrong("phi_m", m.to_string()).expected("1 to 30"));
    }
    if let Some(share) = read.phi_close {
        let checked = Phis::share(&share.to_string());
        checked.map_err(|wanted| wrong("phi_close", share.to_string()).expected(wanted))?;
    }
    if let Some(word) = &read.tokens {
        let known = Tokenisation::named(word);
        let words = Tokenisation::ALL.map(Tokenisation::key).join(" or ");
        let known = known.ok_or_else(|| wrong("tokens", format!("{word:?}")).expected(words))?;
        phis.tokenisation.get_or_insert(known);
    }
    phis.m = phis.m.or(read.phi_m.map(|m| m as usize));
    phis.close = phis.close.or(read.phi_close);
    phis.drop_self |= read.drop_self;
    Ok(())
}
