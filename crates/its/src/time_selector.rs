//! A choice of a date, a time, or a range of either.
//!
//! The contract has examples of two shapes of an answer and leaves the others open. These are ours; each kind of selection
//! has its members and no others:
//!
//! | `selection_type` | `selection` | written as |
//! |---|---|---|
//! | `date` | `selected_date` | `2024-09-02` |
//! | `time` | `selected_time` | `09:30` or `09:30:00`, on the learner's clock |
//! | `datetime` | `selected_datetime` | `2024-09-02T10:00:00Z`, with a time zone |
//! | `date_range` | `start_date`, `end_date` | two dates; both days belong to it, and they may be the same |
//! | `time_range` | `start_time`, `end_time` | two times of one day, the first before the second |
//!
//! The bounds are moments. A `datetime` has to lie between them, whatever time zones they are written in. For dates only the
//! days count that the bounds are written with, for times only their times of the day; a pair of bounds whose times of the
//! day are not in order, such as ten in the evening and eight in the morning, says nothing about times. A latest moment that
//! is before the earliest bounds nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    component::Component,
    fault::Faults,
    time::{self, Moment},
};

/// Lets learners choose a date, a time, or a range, for instance to plan when they learn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimeSelector {
    /// What the answer calls it.
    pub selector_id: String,
    /// What is chosen.
    pub selection_type: SelectionType,
    /// What to do.
    pub prompt_text: String,
    /// The earliest that can be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    pub min_datetime: Option<String>,
    /// The latest that can be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    pub max_datetime: Option<String>,
}

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SelectionType {
    /// A day.
    Date,
    /// A time of the day.
    Time,
    /// A day and a time.
    Datetime,
    /// From one day to another.
    DateRange,
    /// From one time of the day to another.
    TimeRange,
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimeSelectorAnswer {
    /// The component.
    pub selector_id: String,
    /// The members that belong to what was to be chosen.
    pub selection: Selection,
}

/// A date, a time, or a range. What is to be chosen says which members are there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Selection {
    /// For `date`: the day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date"))]
    pub selected_date: Option<String>,
    /// For `time`: the time of the day, such as `09:30`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_time: Option<String>,
    /// For `datetime`: the moment, with a time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    pub selected_datetime: Option<String>,
    /// For `date_range`: the first day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date"))]
    pub start_date: Option<String>,
    /// For `date_range`: the last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date"))]
    pub end_date: Option<String>,
    /// For `time_range`: when it begins, such as `09:30`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_time: Option<String>,
    /// For `time_range`: when it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_time: Option<String>,
}

impl Component for TimeSelector {
    const NAME: &'static str = "its:render_time_selector";
    type Answer = TimeSelectorAnswer;

    fn warn(&self, faults: &mut Faults) {
        if let (Some(min), Some(max)) = self.bounds() {
            faults.ensure(min.instant() <= max.instant(), "range_order", "/max_datetime", || {
                "is before `min_datetime`".to_owned()
            });
        }
    }

    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults) {
        faults.same(&answer.selector_id, "/selector_id", &self.selector_id);
        self.check_members(&answer.selection, faults);
        match self.selection_type {
            SelectionType::Datetime => self.check_moment(&answer.selection, faults),
            SelectionType::Date | SelectionType::DateRange => self.check_days(&answer.selection, faults),
            SelectionType::Time | SelectionType::TimeRange => self.check_times(&answer.selection, faults),
        }
    }
}

impl SelectionType {
    /// The members of its selection.
    fn members(self) -> &'static [&'static str] {
        match self {
            Self::Date => &["selected_date"],
            Self::Time => &["selected_time"],
            Self::Datetime => &["selected_datetime"],
            Self::DateRange => &["start_date", "end_date"],
            Self::TimeRange => &["start_time", "end_time"],
        }
    }
}

impl Selection {
    fn members(&self) -> [(&'static str, Option<&str>); 7] {
        [
            ("selected_date", self.selected_date.as_deref()),
            ("selected_time", self.selected_time.as_deref()),
            ("selected_datetime", self.selected_datetime.as_deref()),
            ("start_date", self.start_date.as_deref()),
            ("end_date", self.end_date.as_deref()),
            ("start_time", self.start_time.as_deref()),
            ("end_time", self.end_time.as_deref()),
        ]
    }
}

impl TimeSelector {
    fn bounds(&self) -> (Option<Moment>, Option<Moment>) {
        let read = |text: &Option<String>| text.as_deref().and_then(|text| time::datetime(text).ok());
        (read(&self.min_datetime), read(&self.max_datetime))
    }

    /// The bounds of an answer. Bounds that are not in order say nothing, or nothing could be chosen.
    fn bounds_of_answer(&self) -> (Option<Moment>, Option<Moment>) {
        match self.bounds() {
            (Some(min), Some(max)) if min.instant() > max.instant() => (None, None),
            bounds => bounds,
        }
    }

    fn check_members(&self, selection: &Selection, faults: &mut Faults) {
        let wanted = self.selection_type.members();
        for (name, value) in selection.members() {
            let is_wanted = wanted.contains(&name);
            faults.ensure(value.is_some() || !is_wanted, "missing_field", "/selection", || {
                format!("`{name}` is missing")
            });
            faults.ensure(value.is_none() || is_wanted, "unexpected_field", || format!("/selection/{name}"), || {
                format!("this selection has {}", crate::fault::listed(wanted))
            });
        }
    }

    fn check_moment(&self, selection: &Selection, faults: &mut Faults) {
        let Some(moment) = selection.selected_datetime.as_deref().and_then(|text| time::datetime(text).ok()) else {
            return;
        };
        let (min, max) = self.bounds_of_answer();
        let bounds = (min.map(Moment::instant), max.map(Moment::instant));
        self.check_bounds(moment.instant(), bounds, "selected_datetime", faults);
    }

    fn check_days(&self, selection: &Selection, faults: &mut Faults) {
        let (min, max) = self.bounds_of_answer();
        let bounds = (min.map(|moment| moment.day), max.map(|moment| moment.day));
        let names = ["selected_date", "start_date", "end_date"];
        let texts = [&selection.selected_date, &selection.start_date, &selection.end_date];
        let days = texts.map(|text| text.as_deref().and_then(|text| time::date(text).ok()));
        for (name, day) in names.into_iter().zip(days) {
            day.into_iter().for_each(|day| self.check_bounds(day, bounds, name, faults));
        }
        if let [_, Some(start), Some(end)] = days {
            faults.ensure(start <= end, "range_order", "/selection/end_date", || "is before `start_date`".to_owned());
        }
    }

    fn check_times(&self, selection: &Selection, faults: &mut Faults) {
        let (min, max) = self.bounds_of_answer();
        let mut bounds = (min.map(|moment| moment.time), max.map(|moment| moment.time));
        if matches!(bounds, (Some(min), Some(max)) if min > max) {
            bounds = (None, None);
        }
        let names = ["selected_time", "start_time", "end_time"];
        let texts = [&selection.selected_time, &selection.start_time, &selection.end_time];
        let times = texts.map(|text| text.as_deref().map(time::time));
        for (name, time) in names.into_iter().zip(&times) {
            match time {
                Some(Ok(time)) => self.check_bounds(*time, bounds, name, faults),
                Some(Err(error)) => faults.add("invalid_time", format!("/selection/{name}"), error),
                None => {}
            }
        }
        if let [_, Some(Ok(start)), Some(Ok(end))] = times {
            faults.ensure(start < end, "range_order", "/selection/end_time", || "is not after `start_time`".to_owned());
        }
    }

    fn check_bounds<T: PartialOrd>(&self, value: T, bounds: (Option<T>, Option<T>), name: &str, faults: &mut Faults) {
        let is_late_enough = bounds.0.is_none_or(|min| value >= min);
        let is_early_enough = bounds.1.is_none_or(|max| value <= max);
        faults.ensure(is_late_enough && is_early_enough, "out_of_range", || format!("/selection/{name}"), || {
            let (min, max) = (self.min_datetime.as_deref(), self.max_datetime.as_deref());
            match (min, max) {
                (Some(min), Some(max)) => format!("is not between {min} and {max}"),
                (Some(min), None) => format!("is before {min}"),
                _ => format!("is after {}", max.unwrap_or_default()),
            }
        });
    }
}
