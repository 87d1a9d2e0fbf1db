//! `itm-explore semantic`: similarity of captions, and recall by it.

mod cider;
mod recall;

subcommands! {
    pub(super) SemanticCommand:
    /// Write CIDEr-D of every caption with every image as a matrix
    Cider(cider::CiderArgs) => cider::run;
    /// Recall of the m most similar items, for m from 1 to 30
    Recall(recall::RecallArgs) => recall::run;
}
