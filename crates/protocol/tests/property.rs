//! The constants for the names of members are those that the types declare.

use std::collections::BTreeSet;

use forestage_protocol::{
    compat::net::{BinaryContent, FunctionApproval, InputRequest, Interrupt, Meta, Resume},
    property, schema,
    wire::{Shape, Wire},
};

/// Members of AGUI.Protocol that belong to events of 1.0, so no type of their own declares them.
const OF_OLDER_EVENTS: [&str; 2] = ["interrupt", "encryptedContent"];

/// Members of JSON Patch operations, which are declared by `op`.
const OF_OPERATIONS: [&str; 4] = ["op", "path", "value", "from"];

fn collect(shape: &Shape, names: &mut BTreeSet<&'static str>) {
    match shape {
        Shape::Struct(it) => {
            names.extend(it.tag.map(|(name, _)| name));
            names.extend(it.all_fields().map(|field| field.name));
        }
        Shape::Union(it) => it.members.iter().for_each(|member| collect(&Shape::Struct(member), names)),
        _ => {}
    }
}

#[test]
fn every_member_that_a_type_declares_has_a_constant_and_every_constant_a_member() {
    let mut declared = BTreeSet::from_iter(OF_OLDER_EVENTS.into_iter().chain(OF_OPERATIONS));
    for name in schema::names() {
        collect(&schema::shape(&name).expect("it is listed"), &mut declared);
    }
    let older = [
        BinaryContent::SHAPE,
        FunctionApproval::SHAPE,
        InputRequest::SHAPE,
        Interrupt::SHAPE,
        Meta::SHAPE,
        Resume::SHAPE,
    ];
    older.iter().for_each(|shape| collect(shape, &mut declared));
    assert_eq!(BTreeSet::from_iter(property::ALL.iter().copied()), declared);
    assert_eq!(property::ALL.len(), declared.len(), "none is there twice");
    assert!(property::ALL.is_sorted(), "{:?}", property::ALL);
}

#[test]
fn a_constant_is_called_as_the_member_that_it_names() {
    let source = include_str!("../src/property.rs");
    let declared =
        source.lines().filter_map(|line| line.strip_prefix("    ")?.strip_suffix("\";")?.split_once(" = \""));
    let mut count = 0;
    for (constant, name) in declared {
        let screaming = name.chars().flat_map(|letter| {
            let gap = letter.is_uppercase().then_some('_');
            gap.into_iter().chain(letter.to_uppercase())
        });
        assert_eq!(constant, screaming.collect::<String>(), "{name}");
        count += 1;
    }
    assert_eq!(count, property::ALL.len(), "all of them are looked at");
}
