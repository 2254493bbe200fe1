//! Many runs appending at once.

use std::path::Path;

use forestage_store::Durability;

use super::{FLOOR, floor::Floor, runs::Runs};
use crate::{
    mix,
    race::{Contender, Task},
};

pub(super) const FEW: &str = "ours, 64 runs at once";
pub(super) const MANY: &str = "ours, 512 runs at once";

pub(super) fn task<'a>(folder: &Path, texts: &'a [String]) -> Task<'a> {
    let ours = |name, file: &str, durability, threads: usize| {
        let mut runs = Runs::new(&folder.join(file), durability, threads, texts);
        Contender::new(name, threads * mix::TURN, move || runs.round())
    };
    let mut floor = Floor::new(&folder.join("floor.db"));
    Task {
        key: "append",
        title: "append",
        contenders: vec![
            ours(FEW, "few.db", Durability::Process, 64),
            ours(MANY, "many.db", Durability::Process, 512),
            ours("ours, 64 runs, every append synced", "synced.db", Durability::Disk, 64),
            Contender::new(FLOOR, 64 * mix::TURN, move || floor.append(texts, 64 * mix::TURN)),
        ],
    }
}
