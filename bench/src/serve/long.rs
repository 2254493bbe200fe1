//! A thread that has become long: what one more run on it costs.

use super::{
    OURS,
    contender::{Contender, Times},
    load::{Loaded, Mode},
};

/// So many runs are before the measured ones.
const SHORT: usize = 10;
const LONG: usize = 1_000;

/// How much more a run on a long thread costs than on a short one.
pub(crate) fn measure(
    contenders: &[Contender],
    notes: &mut Vec<String>,
    skipped: &mut Vec<String>,
) -> Option<f64> {
    let ours = contenders.iter().find(|contender| contender.name == OURS)?;
    let mut after = |runs: usize| {
        eprintln!("{:?}, behind {runs} runs: {}", Mode::Long, ours.name);
        let measured = ours.measure(Mode::Long, runs, Times { warm_up: 0, window: 0 });
        measured.map_err(|reason| skipped.push(reason)).ok()
    };
    let (short, long) = (after(SHORT)?, after(LONG)?);
    notes.push(format!(
        "a run behind {LONG} others on its thread: {:.1} ms, {:.1} of them processor time; behind {SHORT}: {:.1} and {:.1} ms",
        wall(&long),
        cpu(&long),
        wall(&short),
        cpu(&short)
    ));
    Some(cpu(&long) / cpu(&short))
}

fn wall(loaded: &Loaded) -> f64 {
    loaded.seconds * 1e3 / loaded.runs
}

fn cpu(loaded: &Loaded) -> f64 {
    loaded.cpu * 1e3 / loaded.runs
}
