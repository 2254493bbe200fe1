//! What was measured, for people ([`table`](crate::table)) and for programs (`--json`).

use serde::Serialize;

use crate::{race::Lane, serve::Figure};

/// Everything one call measured.
#[derive(Default, Serialize)]
pub(crate) struct Report {
    pub(crate) bench: &'static str,
    /// What the contenders read.
    pub(crate) about: String,
    pub(crate) sections: Vec<Section>,
    /// What the sections do not show.
    pub(crate) notes: Vec<String>,
    pub(crate) aims: Vec<Aim>,
    /// What could not be measured, and why.
    pub(crate) skipped: Vec<String>,
}

/// Contenders that did the same work. The first row is ours.
#[derive(Serialize)]
pub(crate) struct Section {
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) events_per_second: f64,
    pub(crate) nanos_per_event: f64,
    /// How many times as fast ours is.
    pub(crate) ours_over_this: f64,
    /// Where the figure needs a word.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) note: String,
    /// What is said of a server beside its rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) serving: Option<Figure>,
}

impl Section {
    pub(crate) fn new(key: impl Into<String>, title: impl Into<String>, lanes: &[&Lane]) -> Self {
        let row = |lane: &&Lane| Row {
            name: lane.name.to_owned(),
            events_per_second: 1e9 / lane.nanos(),
            nanos_per_event: lane.nanos(),
            ours_over_this: lanes[0].speed_over(lane),
            note: String::new(),
            serving: None,
        };
        Self { key: key.into(), title: title.into(), rows: lanes.iter().map(row).collect() }
    }

    /// Adds somebody who ran in a process of their own.
    pub(crate) fn add(&mut self, name: String, nanos_per_event: f64, note: String) {
        let ours = self.rows.first().map_or(nanos_per_event, |row| row.nanos_per_event);
        self.rows.push(Row {
            name,
            events_per_second: 1e9 / nanos_per_event,
            nanos_per_event,
            ours_over_this: nanos_per_event / ours,
            note,
            serving: None,
        });
    }

    /// How many times as fast ours is as the contender with this name.
    pub(crate) fn ours_over(&self, name: &str) -> Option<f64> {
        self.rows.iter().find(|row| row.name == name).map(|row| row.ours_over_this)
    }
}

/// A ratio to reach, from the project's performance page.
#[derive(Serialize)]
pub(crate) struct Aim {
    pub(crate) what: String,
    pub(crate) wanted: f64,
    pub(crate) bound: Bound,
    /// Nothing where it was not measured.
    pub(crate) found: Option<f64>,
    pub(crate) met: Option<bool>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Bound {
    AtLeast,
    AtMost,
}

impl Aim {
    pub(crate) fn at_least(wanted: f64, what: impl Into<String>, found: Option<f64>) -> Self {
        let met = found.map(|found| found >= wanted);
        Self { what: what.into(), wanted, bound: Bound::AtLeast, found, met }
    }

    pub(crate) fn at_most(wanted: f64, what: impl Into<String>, found: Option<f64>) -> Self {
        let met = found.map(|found| found <= wanted);
        Self { what: what.into(), wanted, bound: Bound::AtMost, found, met }
    }
}
