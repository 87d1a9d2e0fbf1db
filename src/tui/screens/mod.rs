//! The screens: in each folder `mod` holds state and what actions do to it, `view` draws.

pub mod browse;
