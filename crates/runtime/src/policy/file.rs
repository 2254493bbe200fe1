//! The format: what a file says about tools.
//!
//! The documentation of these types is what editors show, by way of the schema.

use std::fmt;

use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};

use super::{
    Action, Judgement, OnExpiry, Policy, Risk,
    judge::Rule,
    predicate::{Condition, Predicate},
};
use crate::script::{
    error::Place,
    value::{Glob, Time},
    yaml::{List, Placed},
};

/// A rule about some tools. The first that fits a call decides.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ToolRule")]
pub(crate) struct RuleFile {
    /// What the rule is called, for people and for the record.
    #[serde(default)]
    name: Option<String>,
    /// The tools, as patterns for their whole names: * is any text, ? any character, case does not matter.
    #[schemars(with = "Vec<String>")]
    tools: Placed<List<Placed<Glob>>>,
    /// What has to hold for the arguments, by name or path: `amount`, `order.total`, `items.0.price` or `/order/total`.
    #[serde(default)]
    when: Conditions,
    /// What happens with a call.
    action: Action,
    /// How much harm it can do; low where absent.
    #[serde(default)]
    risk: Risk,
    /// Who has to agree; the owner of the thread where absent.
    #[serde(default)]
    by: Option<Placed<By>>,
    /// How long there is to decide.
    #[serde(default)]
    timeout: Option<Placed<Time>>,
    /// What becomes of a question that nobody answers in time; reject where absent.
    #[serde(default)]
    on_expiry: Option<Placed<OnExpiry>>,
    /// Why, for people. `{{args.amount}}` is an argument of the call.
    #[serde(default)]
    reason: Option<String>,
}

/// What happens with calls that no rule fits.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Otherwise")]
pub(crate) struct OtherwiseFile {
    /// What happens with a call.
    action: Action,
    /// How much harm it can do; low where absent.
    #[serde(default)]
    risk: Risk,
    /// Who has to agree; the owner of the thread where absent.
    #[serde(default)]
    by: Option<Placed<By>>,
    /// How long there is to decide.
    #[serde(default)]
    timeout: Option<Placed<Time>>,
    /// What becomes of a question that nobody answers in time; reject where absent.
    #[serde(default)]
    on_expiry: Option<Placed<OnExpiry>>,
    /// Why, for people. `{{args.amount}}` is an argument of the call.
    #[serde(default)]
    reason: Option<String>,
}

/// Who has to agree.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct By {
    /// Whoever has this role, and nobody else; the owner of the thread where absent.
    #[serde(default)]
    role: Option<Placed<String>>,
    /// How many different people; one where absent.
    #[serde(default)]
    #[schemars(with = "Option<std::num::NonZeroU32>")]
    people: Option<Placed<u32>>,
}

#[derive(Clone, Debug, Default)]
struct Conditions(Vec<(String, Placed<Predicate>)>);

impl<'de> Deserialize<'de> for Conditions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AllConditions)
    }
}

struct AllConditions;

impl<'de> Visitor<'de> for AllConditions {
    type Value = Conditions;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Conditions, A::Error> {
        let mut conditions = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            conditions.push(entry);
        }
        Ok(Conditions(conditions))
    }
}

impl JsonSchema for Conditions {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Conditions".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let predicate = generator.subschema_for::<Predicate>();
        schemars::json_schema!({ "type": "object", "additionalProperties": predicate })
    }
}

/// Mistakes that only show when everything is read.
pub(crate) type Faults = Vec<(Place, String)>;

/// Makes a policy of what was read.
pub(crate) fn build(rules: &[RuleFile], otherwise: Option<&OtherwiseFile>, faults: &mut Faults) -> Policy {
    let rules = rules.iter().map(|rule| rule.build(faults)).collect();
    let otherwise = otherwise.map(|otherwise| otherwise.build(faults)).unwrap_or_default();
    Policy { rules, otherwise }
}

impl RuleFile {
    fn build(&self, faults: &mut Faults) -> Rule {
        let Self { name, tools, when, action, risk, by, timeout, on_expiry, reason } = self;
        if tools.value.is_empty() {
            faults.push((tools.place.clone(), "no tool is named; `\"*\"` is any".to_owned()));
        }
        for glob in tools.value.iter().filter(|glob| glob.value.fits("")) {
            if !glob.value.fits("x") {
                faults.push((glob.place.clone(), "an empty pattern fits no tool; `\"*\"` is any".to_owned()));
            }
        }
        let place = || tools.place.path.trim_end_matches(".tools").to_owned();
        let rule = Some(name.clone().unwrap_or_else(place));
        let terms = Terms { action, risk, by, timeout, on_expiry, reason };
        Rule {
            tools: tools.value.iter().map(|glob| glob.value.clone()).collect(),
            when: when.0.iter().filter_map(|(path, predicate)| condition(path, predicate, faults)).collect(),
            judgement: Judgement { rule, ..terms.build(faults) },
        }
    }
}

impl OtherwiseFile {
    fn build(&self, faults: &mut Faults) -> Judgement {
        let Self { action, risk, by, timeout, on_expiry, reason } = self;
        Terms { action, risk, by, timeout, on_expiry, reason }.build(faults)
    }
}

/// What rules and the rest have in common. They are written out twice, because flattening would lose the places.
struct Terms<'a> {
    action: &'a Action,
    risk: &'a Risk,
    by: &'a Option<Placed<By>>,
    timeout: &'a Option<Placed<Time>>,
    on_expiry: &'a Option<Placed<OnExpiry>>,
    reason: &'a Option<String>,
}

impl Terms<'_> {
    fn build(self, faults: &mut Faults) -> Judgement {
        self.check(faults);
        let by = self.by.as_ref().map(|by| &by.value);
        Judgement {
            action: *self.action,
            risk: *self.risk,
            rule: None,
            reason: self.reason.clone(),
            role: by.and_then(|by| by.role.as_ref()).map(|role| role.value.clone()),
            people: by.and_then(|by| by.people.as_ref()).map_or(1, |people| people.value),
            timeout: self.timeout.as_ref().map(|timeout| timeout.value.0),
            on_expiry: self.on_expiry.as_ref().map(|on_expiry| on_expiry.value).unwrap_or_default(),
        }
    }

    fn check(&self, faults: &mut Faults) {
        let mut fault = |place: &Place, message: &str| faults.push((place.clone(), message.to_owned()));
        if let Some(Placed { value: By { role, people }, .. }) = self.by {
            if let Some(people) = people.as_ref().filter(|people| people.value == 0) {
                fault(&people.place, "at least one person has to agree");
            }
            if let Some(people) = people.as_ref().filter(|people| people.value > 1 && role.is_none()) {
                fault(
                    &people.place,
                    "without a `role` only the owner of a thread decides, so nobody else can agree",
                );
            }
            if let Some(role) = role.as_ref().filter(|role| role.value.trim().is_empty()) {
                fault(&role.place, "a role needs a name");
            }
        }
        if let Some(timeout) = self.timeout.as_ref().filter(|timeout| timeout.value.0.is_zero()) {
            fault(&timeout.place, "there has to be time to decide");
        }
        if let Some(on_expiry) = self.on_expiry
            && on_expiry.value == OnExpiry::Approve
            && *self.risk >= Risk::High
        {
            let risk = self.risk;
            fault(
                &on_expiry.place,
                &format!("what has the risk `{risk}` is never approved by silence; write reject or cancel"),
            );
        }
        if *self.action != Action::Ask {
            let by = self.by.as_ref().map(|by| (&by.place, "by"));
            let timeout = self.timeout.as_ref().map(|timeout| (&timeout.place, "timeout"));
            let on_expiry = self.on_expiry.as_ref().map(|on_expiry| (&on_expiry.place, "on_expiry"));
            for (place, member) in [by, timeout, on_expiry].into_iter().flatten() {
                fault(place, &format!("`{member}` means something with `action: ask` only"));
            }
        }
    }
}

/// A dotted path, or a JSON Pointer if it begins with a slash.
fn condition(path: &str, predicate: &Placed<Predicate>, faults: &mut Faults) -> Option<Condition> {
    let keys: Vec<_> = match path.strip_prefix('/') {
        Some(pointer) => pointer.split('/').map(|key| key.replace("~1", "/").replace("~0", "~")).collect(),
        None => path.split('.').map(str::to_owned).collect(),
    };
    if !path.starts_with('/') && keys.iter().any(String::is_empty) {
        let message = format!("`{path}` is not a path; write `order.total` or `/order/total`");
        faults.push((predicate.place.clone(), message));
        return None;
    }
    if predicate.value.is_empty() {
        let message = "nothing is said about the argument; write above, below, at_least, at_most, equals, one_of, matches or present";
        faults.push((predicate.place.clone(), message.to_owned()));
    }
    Some(Condition { path: keys, predicate: predicate.value.clone() })
}
