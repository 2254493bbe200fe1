//! What is said of a server beside its rate.

use std::fmt;

use serde::Serialize;

use super::load::Loaded;

/// Medians of all rounds.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Figure {
    pub(crate) runs_per_second: f64,
    /// From the request to its first event.
    pub(crate) first_event_p50_ms: f64,
    pub(crate) first_event_p99_ms: f64,
    /// Processor time of the server.
    pub(crate) cpu_micros_per_event: f64,
    pub(crate) memory_megabytes: f64,
}

impl Figure {
    pub(crate) fn of(lane: &[Loaded]) -> Self {
        let middle = |figure: fn(&Loaded) -> f64| median(lane.iter().map(figure).collect());
        Self {
            runs_per_second: middle(|loaded| loaded.runs / loaded.seconds),
            first_event_p50_ms: middle(|loaded| loaded.first_p50),
            first_event_p99_ms: middle(|loaded| loaded.first_p99),
            cpu_micros_per_event: middle(|loaded| loaded.cpu * 1e6 / loaded.events),
            memory_megabytes: middle(|loaded| loaded.memory / f64::from(1 << 20)),
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            " cpu {:6.2} µs  first {:7.2} / {:8.2} ms  {:7.0} runs/s  {:5.0} MB",
            self.cpu_micros_per_event,
            self.first_event_p50_ms,
            self.first_event_p99_ms,
            self.runs_per_second,
            self.memory_megabytes
        )
    }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
