//! `itm-explore fg pools`: fine-grained captions, enlarged pools, hard negatives.

mod pairs;
mod pools;

subcommands! {
    pub(super) FgCommand:
    /// Compare original with refined captions and enlarged pools
    Pools(Box<pools::PoolsArgs>) => pools::run;
    /// How often a model prefers the correct caption to a hard negative
    Pairs(pairs::PairsArgs) => pairs::run;
}
