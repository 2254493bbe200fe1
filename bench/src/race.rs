//! Contenders take turns in one process, so that a slow moment of the machine is everybody's.

use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// How many times everybody has a turn.
    pub(crate) rounds: usize,
    /// How long a turn lasts at least.
    pub(crate) turn: Duration,
}

impl Effort {
    pub(crate) const FULL: Self = Self {
        rounds: 31,
        turn: Duration::from_millis(30),
    };
    pub(crate) const QUICK: Self = Self {
        rounds: 9,
        turn: Duration::from_millis(15),
    };
}

/// Somebody who does the same work as the others.
pub(crate) struct Contender<'a> {
    pub(crate) name: &'static str,
    /// Does the work for all events once.
    pub(crate) pass: Box<dyn FnMut() + 'a>,
}

impl<'a> Contender<'a> {
    pub(crate) fn new(name: &'static str, pass: impl FnMut() + 'a) -> Self {
        Self {
            name,
            pass: Box::new(pass),
        }
    }
}

/// What a contender needed: nanoseconds per event, one figure per round.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    pub(crate) name: &'static str,
    nanos: Vec<f64>,
}

impl Lane {
    /// Nanoseconds per event, the median of all rounds.
    pub(crate) fn nanos(&self) -> f64 {
        median(self.nanos.clone())
    }

    /// How many times faster this is than the other: the median of the rounds' ratios, which a slow moment of the
    /// machine moves less than a ratio of medians.
    pub(crate) fn speed_over(&self, other: &Lane) -> f64 {
        let ratios = self.nanos.iter().zip(&other.nanos).map(|(mine, theirs)| theirs / mine);
        median(ratios.collect())
    }
}

/// Runs everybody in turns.
pub(crate) fn race(effort: Effort, events: usize, mut contenders: Vec<Contender<'_>>) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = contenders
        .iter_mut()
        .map(|contender| {
            (contender.pass)();
            Lane {
                name: contender.name,
                nanos: Vec::with_capacity(effort.rounds),
            }
        })
        .collect();
    for _ in 0..effort.rounds {
        for (contender, lane) in contenders.iter_mut().zip(&mut lanes) {
            lane.nanos.push(turn(effort.turn, &mut contender.pass) / events as f64);
        }
    }
    lanes
}

/// Nanoseconds per pass, over as many passes as fit.
fn turn(duration: Duration, pass: &mut dyn FnMut()) -> f64 {
    let begin = Instant::now();
    let mut passes = 0_u32;
    while passes == 0 || begin.elapsed() < duration {
        pass();
        passes += 1;
    }
    begin.elapsed().as_nanos() as f64 / f64::from(passes)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
