//! Many runs appending at once.

use std::path::Path;

use forestage_store::Durability;

use super::{FLOOR, floor::Floor, runs::Runs};
use crate::{
    mix,
    race::{Contender, Effort, race},
    report::Section,
};

/// All of them take turns in one race; the floor is the same for both crowds.
pub(super) fn sections(effort: Effort, folder: &Path, texts: &[String]) -> Vec<Section> {
    let ours = |name, file: &str, durability, threads: usize| {
        let mut runs = Runs::new(&folder.join(file), durability, threads, texts);
        Contender::new(name, threads * mix::TURN, move || runs.round())
    };
    let mut floor = Floor::new(&folder.join("floor.db"));
    let contenders = vec![
        ours("ours", "few.db", Durability::Process, 64),
        ours("ours, every append synced", "few-synced.db", Durability::Disk, 64),
        ours("ours", "many.db", Durability::Process, 512),
        ours("ours, every append synced", "many-synced.db", Durability::Disk, 512),
        Contender::new(FLOOR, 64 * mix::TURN, move || floor.append(texts, 64 * mix::TURN)),
    ];
    let lanes = race(effort, contenders);
    let [few, few_synced, many, many_synced, floor] = &lanes[..] else { unreachable!("as many as ran") };
    vec![
        Section::new("append-64", "append, 64 runs at once", &[few, few_synced, floor]),
        Section::new("append-512", "append, 512 runs at once", &[many, many_synced, floor]),
    ]
}
