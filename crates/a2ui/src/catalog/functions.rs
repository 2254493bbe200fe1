//! The functions of the basic and the minimal catalog.

use super::{
    Function,
    Literal::{Count, Flag, Number, Text, Value},
    Property,
    Shape::{Any, Dynamic, Plain},
    shape::{list, needs, takes},
};

pub(super) fn basic() -> Vec<Function> {
    let mut functions = judging();
    functions.extend(formatting());
    functions.extend(computing());
    functions.push(Function::new("openUrl", vec![needs("url", Dynamic(Text))]));
    functions
}

pub(super) fn minimal() -> Vec<Function> {
    vec![Function::new("capitalize", vec![needs("value", Dynamic(Text))])]
}

fn judging() -> Vec<Function> {
    let value = |shape| needs("value", shape);
    let several = || vec![needs("values", list(Dynamic(Flag), 2))];
    let within = |name, value: Property, bound: fn() -> super::Shape| {
        let arguments = vec![value, takes("min", bound()), takes("max", bound())];
        Function { any_of: vec!["min".to_owned(), "max".to_owned()], ..Function::new(name, arguments) }
    };
    vec![
        Function::new("required", vec![value(Any)]),
        Function::new("regex", vec![value(Dynamic(Text)), needs("pattern", Plain(Text))]),
        within("length", value(Dynamic(Text)), || Plain(Count)),
        within("numeric", value(Dynamic(Number)), || Plain(Number)),
        Function::new("email", vec![value(Dynamic(Text))]),
        Function::new("and", several()),
        Function::new("or", several()),
        Function::new("not", vec![value(Dynamic(Flag))]),
    ]
}

fn formatting() -> Vec<Function> {
    let number = || {
        vec![
            needs("value", Dynamic(Number)),
            takes("decimals", Dynamic(Number)),
            takes("grouping", Dynamic(Flag)),
        ]
    };
    let mut currency = number();
    currency.insert(1, needs("currency", Dynamic(Text)));
    let forms = ["zero", "one", "two", "few", "many"].map(|form| takes(form, Dynamic(Text)));
    let mut plural = vec![needs("value", Dynamic(Number))];
    plural.extend(forms);
    plural.push(needs("other", Dynamic(Text)));
    vec![
        Function::new("formatString", vec![needs("value", Dynamic(Text))]),
        Function::new("formatNumber", number()),
        Function::new("formatCurrency", currency),
        Function::new("formatDate", vec![needs("value", Dynamic(Value)), needs("format", Dynamic(Text))]),
        Function::new("pluralize", plural),
    ]
}

/// Functions that the published renderers have although the basic catalog does not name them.
fn computing() -> Vec<Function> {
    let pair = |shape: fn() -> super::Shape| {
        move |name: &&str| Function::new(name, vec![needs("a", shape()), needs("b", shape())])
    };
    let numbers = ["add", "subtract", "multiply", "divide", "greater_than", "less_than"];
    let texts = [("contains", "substring"), ("starts_with", "prefix"), ("ends_with", "suffix")];
    let mut functions: Vec<_> = numbers.iter().map(pair(|| Dynamic(Number))).collect();
    functions.extend(["equals", "not_equals"].iter().map(pair(|| Any)));
    functions.extend(texts.iter().map(|(name, part)| {
        Function::new(name, vec![needs("string", Dynamic(Text)), needs(part, Dynamic(Text))])
    }));
    functions
}
