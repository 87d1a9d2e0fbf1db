//! Everything that a user can ask for, by name: keys, palette, help and footer come from this table.

/// One row an action: variant, name in keymaps and palette, what it does, and its group in the help.
macro_rules! actions {
    ($($variant:ident $name:literal $doc:literal $group:ident;)*) => {
        /// What a user can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $(#[doc = $doc] $variant,)*
        }

        impl Action {
            /// Every action, in the order of the help.
            pub const ALL: &[Action] = &[$(Action::$variant,)*];

            /// Its name in keymaps and the palette.
            pub fn name(self) -> &'static str {
                match self { $(Action::$variant => $name,)* }
            }

            /// What it does.
            pub fn doc(self) -> &'static str {
                match self { $(Action::$variant => $doc,)* }
            }

            /// Where it stands in the help.
            pub fn group(self) -> Group {
                match self { $(Action::$variant => Group::$group,)* }
            }
        }
    };
}

actions! {
    Down "down" "next line" Move;
    Up "up" "line before" Move;
    PageDown "page-down" "one page down" Move;
    PageUp "page-up" "one page up" Move;
    First "first" "first line" Move;
    Last "last" "last line" Move;
    Left "left" "column before, or pane" Move;
    Right "right" "next column, or pane" Move;
    NextPane "next-pane" "next pane" Move;
    PreviousPane "previous-pane" "pane before" Move;
    NextPositive "next-positive" "next positive in the ranking" Move;
    PreviousPositive "previous-positive" "positive before in the ranking" Move;
    Browse "browse" "queries and their rankings" Look;
    Compare "compare" "models side by side on the same queries" Look;
    Metrics "metrics" "every metric of every truth, places among published ones" Look;
    Errors "errors" "kinds of failure, hubs, words of failures" Look;
    Picks "picks" "bookmarked queries, and the figure of them" Look;
    Direction "direction" "images ask captions, or captions ask images" Look;
    NextTruth "next-truth" "next ground truth" Look;
    PreviousTruth "previous-truth" "ground truth before" Look;
    NextModel "next-model" "next model" Look;
    PreviousModel "previous-model" "model before" Look;
    Pool "pool" "who competes: all, the 1K folds, named pools" Look;
    RandomPool "random-pool" "a random pool of the same size; again: another" Look;
    Mix "mix" "mix this model with the next one, or end the mixture" Look;
    AlphaUp "alpha-up" "more of the first model in the mixture" Look;
    AlphaDown "alpha-down" "less of the first model in the mixture" Look;
    Scaling "scaling" "mix raw, z-scored or min-max scaled scores" Look;
    DialUp "dial-up" "turn the truth's dial up: the least rating, the distance of categories; among picks, show more items" Look;
    DialDown "dial-down" "turn the truth's dial down; among picks, show fewer items" Look;
    Sort "sort" "sort the queries by the next key" Look;
    SortBy "sort-by" "sort the queries by a number of theirs, such as -rank" Look;
    Search "search" "search captions and ids" Look;
    Filter "filter" "list queries that meet a condition" Look;
    Close "close" "close what is open, end the search or the filter" Look;
    VerdictYes "verdict-yes" "the selected item is right" Judge;
    VerdictPartial "verdict-partial" "right in part" Judge;
    VerdictMostlyNo "verdict-mostly-no" "mostly not right" Judge;
    VerdictNo "verdict-no" "not right" Judge;
    VerdictClear "verdict-clear" "take the verdict back; among picks, remove the pick" Judge;
    Pick "pick" "bookmark the query, or let go of it" Judge;
    Note "note" "write a note on the query; an empty one takes it away" Judge;
    Undo "undo" "undo the last change" Judge;
    Redo "redo" "do again what was undone" Judge;
    History "history" "every change, and R@1 and mAP@R after it" Judge;
    MoveDown "move-down" "move the pick, at the end of its group the group, one down" Picks;
    MoveUp "move-up" "move the pick, at the start of its group the group, one up" Picks;
    Models "models" "the models of the pick: the one looked at, those compared, all" Picks;
    ModelsBy "models-by" "type the names of the pick's models" Picks;
    Heading "heading" "type the heading under which the pick stands" Picks;
    Scope "scope" "the figure of this pick, of its group, of all picks" Picks;
    Layout "layout" "the next layout of the figure" Picks;
    Columns "columns" "a figure for papers of one column or of two" Picks;
    Export "export" "write the figure of picks to a file" Picks;
    Pictures "pictures" "pictures on or off" Tell;
    Detail "detail" "all about the selected item, or open what is selected" Tell;
    Define "define" "metrics of this view, with definitions and ceilings" Tell;
    Study "study" "what was loaded, and warnings" Tell;
    Tests "tests" "paired tests of this model and the next: interval, p-values, wins and losses" Tell;
    Intervals "intervals" "95 % intervals of R@1 and mAP@R in the header, on or off" Tell;
    Curve "curve" "R@1 and mAP@R of the mixture at every alpha" Tell;
    WhatIf "what-if" "what if scores were rescaled by CSLS or an inverted softmax" Tell;
    Beside "beside" "beside each metric: its ceiling, or its place among published ones" Tell;
    Plot "plot" "the next chart: AP@R of queries, R@1 against mAP@R; the figure as text or as a picture" Tell;
    Copy "copy" "copy the selected line" Tell;
    Palette "palette" "every action by name" Program;
    Help "help" "keys and signs" Program;
    Theme "theme" "next theme" Program;
    Redraw "redraw" "draw the screen anew" Program;
    Suspend "suspend" "back to the shell; fg returns" Program;
    Quit "quit" "leave" Program;
}

impl Action {
    /// Whether it is about the selected query or item: on a screen without one it does nothing.
    pub(super) fn is_of_item(self) -> bool {
        use Action::{
            Note, Pick, VerdictClear, VerdictMostlyNo, VerdictNo, VerdictPartial, VerdictYes,
        };
        matches!(
            self,
            Pick | Note | VerdictYes | VerdictPartial | VerdictMostlyNo | VerdictNo | VerdictClear
        )
    }
}

/// Groups of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Getting around.
    Move,
    /// What is looked at.
    Look,
    /// What a person decides, and the way back.
    Judge,
    /// What picks and their figure look like.
    Picks,
    /// What is told about it.
    Tell,
    /// The program itself.
    Program,
}

impl Group {
    /// All groups, in the order of the help.
    pub const ALL: [Group; 6] = [
        Group::Move,
        Group::Look,
        Group::Judge,
        Group::Picks,
        Group::Tell,
        Group::Program,
    ];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Group::Move => "move",
            Group::Look => "look at",
            Group::Judge => "decide",
            Group::Picks => "picks and figures",
            Group::Tell => "tell me",
            Group::Program => "program",
        }
    }
}

impl std::str::FromStr for Action {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Action::ALL
            .iter()
            .copied()
            .find(|action| action.name() == name)
            .ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_read_back() {
        for &action in Action::ALL {
            assert_eq!(action.name().parse(), Ok(action));
            assert!(!action.doc().is_empty());
        }
    }
}
