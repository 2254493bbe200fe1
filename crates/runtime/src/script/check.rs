//! What can be checked before a script is played, beyond its form: names in templates, targets, members that
//! belong together.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    error::{Place, ScriptError, meant},
    file::{Change, File, History, Op, Rule, When, WhenAnswered},
    step::{Activity, Ask, Say, Step},
    tool::ToolFile,
    value::{Fields, Name, Shape, Template},
    yaml::Placed,
};
use crate::tool::Checks;

/// The mistakes of a script among scripts of these names, beyond those that were found when it was read.
pub(super) fn check(
    file_name: &str,
    file: &File,
    known: &BTreeSet<String>,
    found: &[ScriptError],
) -> Vec<ScriptError> {
    let mut checker = Checker { file_name, file, known, found, errors: Vec::new() };
    checker.name();
    if let Some(state) = &file.state {
        checker.fields(state, Scope::default());
    }
    file.tools.iter().for_each(|tool| checker.declared(tool));
    file.rules.iter().for_each(|rule| checker.rule(rule));
    checker.errors
}

/// What names mean something at a place.
#[derive(Clone, Copy, Default)]
struct Scope {
    caught: usize,
    counts: bool,
    answered: bool,
    /// Whether an answer of the client's began the turn.
    checked: bool,
    /// Whether a question about a call is around.
    called: bool,
    /// Whether a tool gives its result, and its arguments are known.
    gives: bool,
}

struct Checker<'a> {
    file_name: &'a str,
    file: &'a File,
    known: &'a BTreeSet<String>,
    found: &'a [ScriptError],
    errors: Vec<ScriptError>,
}

impl Checker<'_> {
    /// Tells a mistake, unless it may follow from one beside it.
    fn fault(&mut self, place: &Place, message: impl Into<String>) {
        let beside = place.path.rsplit_once('.').map_or(&*place.path, |(beside, _)| beside);
        self.fault_unless(beside, place, message);
    }

    /// The same for one that may follow from any other of its rule, such as a question that could not be read.
    fn fault_in_rule(&mut self, place: &Place, message: impl Into<String>) {
        let rule = place.path.find(']').map_or(&*place.path, |end| &place.path[..=end]);
        self.fault_unless(rule, place, message);
    }

    fn fault_unless(&mut self, prefix: &str, place: &Place, message: impl Into<String>) {
        let is_it = |error: &ScriptError| error.file == self.file_name && error.path.starts_with(prefix);
        if !self.found.iter().any(is_it) {
            self.errors.push(ScriptError::new(self.file_name, place.clone(), message));
        }
    }

    fn name(&mut self) {
        let Some(Placed { place, value }) = &self.file.name else { return };
        if !is_name(value) {
            self.fault(
                place,
                format!("`{value}` is not a name: letters, digits, `-`, `_` and `.` are allowed"),
            );
        }
    }

    fn rule(&mut self, rule: &Rule) {
        let scope = self.when(&rule.when);
        self.steps(&rule.steps, scope);
    }

    fn when(&mut self, when: &When) -> Scope {
        let caught = self.one_text(&when.says, &when.matches, &when.contains);
        let is_answer = when.answers.is_some() || when.action.is_some();
        let is_text = when.says.is_some() || when.matches.is_some() || when.contains.is_some();
        if is_text && is_answer {
            let places = [place(&when.says), place(&when.matches), place(&when.contains)];
            let place = places.into_iter().flatten().next().cloned().unwrap_or_default();
            self.fault(&place, "a person says something or a tool `answers`: both at once never happens");
        }
        let scope = Scope { caught, answered: is_answer, checked: is_answer, ..Scope::default() };
        for fields in [&when.state, &when.check].into_iter().flatten() {
            self.fields(fields, scope);
        }
        scope
    }

    /// At most one condition on a text; how many names it catches.
    fn one_text(
        &mut self,
        says: &Option<Placed<super::value::Glob>>,
        matches: &Option<Placed<super::value::Regex>>,
        contains: &Option<Placed<String>>,
    ) -> usize {
        let places = [place(says), place(matches), place(contains)];
        if let Some(second) = places.into_iter().flatten().nth(1) {
            self.fault(second, "one of `says`, `matches` and `contains` is enough");
        }
        let caught = says.as_ref().map(|says| says.value.catches());
        caught.or(matches.as_ref().map(|matches| matches.value.catches())).unwrap_or(0)
    }

    /// An answer is known to the steps that follow the question.
    fn steps(&mut self, steps: &[Step], mut scope: Scope) {
        for step in steps {
            self.step(step, scope);
            if let Step::Ask(ask) = step {
                scope = Scope { answered: true, called: scope.called || ask.tool.is_some(), ..scope };
            }
        }
    }

    fn step(&mut self, step: &Step, scope: Scope) {
        match step {
            Step::Text(say) => self.say(say, scope),
            Step::Reasoning(think) => self.say(&think.0, scope),
            Step::Step(named) => {
                self.template(&named.name, scope);
                self.steps(&named.steps, scope);
            }
            Step::Tool(tool) => {
                self.template(&tool.name, scope);
                self.fields(&tool.args, scope);
                self.arguments(&tool.name, &tool.args);
                tool.result.iter().for_each(|result| self.shape(result, scope));
                let after = Scope { answered: true, ..scope };
                self.steps(&tool.then, after);
                self.steps(&tool.failed, after);
                for branch in &*tool.answers {
                    let scope = self.when_answered(&branch.when, after);
                    self.steps(&branch.steps, scope);
                }
            }
            Step::ToolResult(result) => {
                if !scope.called {
                    self.fault_in_rule(
                        &result.place,
                        "there is no `ask` with a `tool` before, so there is no call to answer",
                    );
                }
                self.shape(&result.value, scope);
            }
            Step::State(state) => self.fields(state, scope),
            Step::Patch(patch) => self.patch(patch, scope),
            Step::Activity(activity) => self.activity(activity, scope),
            Step::Custom(custom) => {
                self.template(&custom.name, scope);
                custom.value.iter().for_each(|value| self.shape(value, scope));
            }
            Step::Sleep(_) | Step::Usage(_) => {}
            Step::Subagent(sub) => {
                self.template(&sub.name, scope);
                self.steps(&sub.steps, scope);
                sub.fails.iter().for_each(|why| self.template(why, scope));
            }
            Step::Handoff(target) => self.handoff(target),
            Step::Ask(ask) => self.ask(ask, scope),
            Step::Repeat(repeat) => self.steps(&repeat.steps, Scope { counts: true, ..scope }),
            Step::Error(failure) => {
                failure.code.iter().for_each(|code| self.template(code, scope));
                self.template(&failure.message, scope);
            }
            Step::Result(result) => self.shape(result, scope),
            Step::Raw(event) => self.raw(event, scope),
        }
    }

    fn declared(&mut self, tool: &ToolFile) {
        let scope = Scope { gives: true, ..Scope::default() };
        tool.result.iter().for_each(|result| self.shape(result, scope));
    }

    /// Arguments of a tool that is declared have to fit its schema, those of a component its rules, as far as they are known.
    fn arguments(&mut self, name: &Template, arguments: &Fields) {
        let Some(Value::String(tool)) = name.constant() else { return };
        let Some(arguments) = arguments.0.constant() else { return };
        let tools = &self.file.built.tools;
        let checked = match tools.get(&tool) {
            Some(_) => tools.check(&tool, &arguments),
            None => Checks::default().check_call(&tool, &arguments),
        };
        if let Err(error) = checked {
            let path = name.place.path.trim_end_matches(".name").to_owned();
            self.fault(&Place { path, ..name.place.clone() }, error.message);
        }
    }

    fn say(&mut self, say: &Say, scope: Scope) {
        self.template(&say.text, scope);
    }

    fn patch(&mut self, patch: &[Change], scope: Scope) {
        for change in patch {
            self.template(&change.path, scope);
            change.from.iter().for_each(|from| self.template(from, scope));
            change.value.iter().for_each(|value| self.shape(value, scope));
            let needs_value = matches!(change.op, Op::Add | Op::Replace | Op::Test);
            let needs_from = matches!(change.op, Op::Move | Op::Copy);
            if needs_value != change.value.is_some() {
                self.fault(&change.path.place, belongs(needs_value, "value"));
            }
            if needs_from != change.from.is_some() {
                self.fault(&change.path.place, belongs(needs_from, "from"));
            }
        }
    }

    fn activity(&mut self, Placed { place, value }: &Placed<Activity>, scope: Scope) {
        [&value.kind, &value.id].into_iter().flatten().for_each(|text| self.template(text, scope));
        value.content.iter().for_each(|content| self.fields(content, scope));
        value.patch.iter().for_each(|patch| self.patch(patch, scope));
        match (&value.content, &value.patch) {
            (Some(_), None) if value.kind.is_none() => self.fault(place, "an activity needs a `type`"),
            (None, Some(_)) if value.id.is_none() => {
                self.fault(place, "the `id` of the activity to change is missing");
            }
            (Some(_), Some(_)) | (None, None) => {
                self.fault(place, "an activity has either `content`, to show it, or `patch`, to change it");
            }
            _ => {}
        }
    }

    fn handoff(&mut self, Placed { place, value }: &Placed<String>) {
        if self.known.contains(value) {
            return;
        }
        let hint = match meant(value, self.known.iter().map(String::as_str)) {
            Some(meant) => format!(", did you mean `{meant}`?"),
            None => String::new(),
        };
        self.fault(place, format!("there is no agent `{value}` to hand over to{hint}"));
    }

    fn ask(&mut self, ask: &Ask, scope: Scope) {
        if self.file.history == History::Client {
            let message = "a script with `history: client` cannot ask: the server forgets where it stood";
            self.fault(&ask.message.place, message);
        }
        let texts = [&ask.reason, &Some(ask.message.clone()), &ask.id];
        texts.into_iter().flatten().for_each(|text| self.template(text, scope));
        [&ask.schema, &ask.metadata].into_iter().flatten().for_each(|fields| self.fields(fields, scope));
        if let Some(tool) = &ask.tool {
            self.template(&tool.name, scope);
            self.fields(&tool.args, scope);
            self.arguments(&tool.name, &tool.args);
        }
        let scope = Scope { answered: true, called: scope.called || ask.tool.is_some(), ..scope };
        for branch in &*ask.answers {
            let scope = self.when_answered(&branch.when, scope);
            self.steps(&branch.steps, scope);
        }
    }

    fn when_answered(&mut self, when: &WhenAnswered, scope: Scope) -> Scope {
        when.value.iter().for_each(|value| self.shape(value, scope));
        let caught = self.one_text(&when.says, &when.matches, &when.contains);
        Scope { caught: if caught > 0 { caught } else { scope.caught }, ..scope }
    }

    fn raw(&mut self, Placed { place, value }: &Placed<Fields>, scope: Scope) {
        self.fields(value, scope);
        if let Shape::Map(entries) = &value.0
            && !entries.iter().any(|(key, _)| key == "type")
        {
            self.fault(place, "an event needs a `type`");
        }
    }

    fn fields(&mut self, fields: &Fields, scope: Scope) {
        self.shape(&fields.0, scope);
    }

    fn shape(&mut self, shape: &Shape, scope: Scope) {
        shape.each_template(&mut |template| self.template(template, scope));
    }

    fn template(&mut self, template: &Template, scope: Scope) {
        for name in template.names() {
            if let Some(message) = meaningless(name, scope) {
                self.fault_in_rule(&template.place, message);
            }
        }
    }
}

/// Why a name stands for nothing here.
fn meaningless(name: &Name, scope: Scope) -> Option<String> {
    match name {
        Name::N if !scope.counts => Some("`{{n}}` is known inside `repeat` only".to_owned()),
        Name::Answer(_) if !scope.answered => {
            Some("`{{answer}}` is known in a rule with `answers` and after an `ask` only".to_owned())
        }
        Name::Check(_) if !scope.checked => {
            Some("`{{check}}` is known in a rule with `answers` only".to_owned())
        }
        Name::Args(_) if !scope.gives => {
            Some("`{{args}}` is known in the `result` of `tools` only".to_owned())
        }
        Name::User | Name::State(_) | Name::Agent | Name::Context(_) if scope.gives => {
            Some("a tool knows `{{args}}`, `{{thread}}` and `{{run}}` only".to_owned())
        }
        Name::Caught(number) | Name::CaughtNumber(number) if *number > scope.caught => {
            let count = scope.caught;
            Some(format!("`{{{{{number}}}}}` is nothing: the condition catches {count} texts"))
        }
        _ => None,
    }
}

fn belongs(is_needed: bool, member: &str) -> String {
    if is_needed {
        format!("this operation needs `{member}`")
    } else {
        format!("this operation has no `{member}`")
    }
}

fn place<T>(placed: &Option<Placed<T>>) -> Option<&Place> {
    placed.as_ref().map(|placed| &placed.place)
}

/// Whether this can be the name of an agent, which is a part of addresses.
pub(super) fn is_name(name: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    !name.is_empty() && name.chars().all(is_allowed)
}
