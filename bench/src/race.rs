//! Contenders take turns in one process, so that a slow moment of the machine is everybody's.

use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// How many times everybody has a turn.
    rounds: usize,
    /// How long a turn lasts at least.
    turn: Duration,
}

impl Effort {
    pub(crate) const FULL: Self = Self { rounds: 101, turn: Duration::from_millis(10) };
    pub(crate) const QUICK: Self = Self { rounds: 25, turn: Duration::from_millis(6) };
    /// Files grow with every round, so there are fewer of them, and one pass makes a turn.
    pub(crate) const ON_DISK: Self = Self { rounds: 31, turn: Duration::from_millis(1) };
    pub(crate) const QUICK_ON_DISK: Self = Self { rounds: 9, turn: Duration::from_millis(1) };
}

/// Somebody who does the same work as the others.
pub(crate) struct Contender<'a> {
    pub(crate) name: &'static str,
    /// How many events a pass handles.
    pub(crate) events: usize,
    /// Does the work for all events once.
    pub(crate) pass: Box<dyn FnMut() + 'a>,
}

impl<'a> Contender<'a> {
    pub(crate) fn new(name: &'static str, events: usize, pass: impl FnMut() + 'a) -> Self {
        Self { name, events, pass: Box::new(pass) }
    }
}

/// Some work, and everybody who does it. The first contender is ours.
pub(crate) struct Task<'a> {
    pub(crate) key: &'static str,
    pub(crate) title: &'static str,
    pub(crate) contenders: Vec<Contender<'a>>,
}

/// What a contender needed: nanoseconds per event, one figure per round.
pub(crate) struct Lane {
    pub(crate) name: &'static str,
    pub(crate) events: usize,
    nanos: Vec<f64>,
}

impl Lane {
    /// Nanoseconds per event, the median of all rounds.
    pub(crate) fn nanos(&self) -> f64 {
        median(self.nanos.clone())
    }

    /// How many times as fast this is as the other: the median of the rounds' ratios, which a slow moment of the
    /// machine moves less than a ratio of medians.
    pub(crate) fn speed_over(&self, other: &Lane) -> f64 {
        let ratios = self.nanos.iter().zip(&other.nanos).map(|(mine, theirs)| theirs / mine);
        median(ratios.collect())
    }
}

/// Runs everybody in turns, after one pass each to warm up.
pub(crate) fn race(effort: Effort, mut contenders: Vec<Contender<'_>>) -> Vec<Lane> {
    let mut lanes = Vec::with_capacity(contenders.len());
    for contender in &mut contenders {
        (contender.pass)();
        lanes.push(Lane { name: contender.name, events: contender.events, nanos: Vec::new() });
    }
    for _ in 0..effort.rounds {
        for (contender, lane) in contenders.iter_mut().zip(&mut lanes) {
            let nanos = nanos_per_pass(effort.turn, &mut contender.pass);
            lane.nanos.push(nanos / contender.events as f64);
        }
    }
    lanes
}

fn nanos_per_pass(turn: Duration, pass: &mut dyn FnMut()) -> f64 {
    let begin = Instant::now();
    let mut passes = 0_u32;
    while passes == 0 || begin.elapsed() < turn {
        pass();
        passes += 1;
    }
    begin.elapsed().as_nanos() as f64 / f64::from(passes)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_compare_round_by_round() {
        let lane = |nanos: &[f64]| Lane { name: "", events: 1, nanos: nanos.to_vec() };
        let (ours, theirs) = (lane(&[1.0, 10.0, 2.0]), lane(&[3.0, 30.0, 6.0]));
        assert_eq!(ours.speed_over(&theirs), 3.0);
        assert_eq!(ours.nanos(), 2.0);
    }
}
