//! What refers to what: is there a root, does every child exist, and does no component contain itself?

use super::{
    MAX_DEPTH, binding,
    drawn::{Drawn, Edge},
    notes::Notes,
};
use crate::{Version, surface::Surface};

/// Checks the tree of a surface. Of a surface that is only updated, the rest is known or taken for granted.
pub(super) fn check(drawn: &Drawn<'_, '_>, known: Option<&Surface>, notes: &mut Notes) {
    let is_whole = drawn.created.is_some() || known.is_some();
    let ends: Vec<_> = drawn.edges.iter().map(|edge| drawn.ids.get(&edge.child).copied()).collect();
    if is_whole {
        root(drawn, known, notes);
        children(drawn, &ends, known, notes);
    }
    cycles(drawn, &ends, notes);
    binding::check(drawn, known, notes);
}

fn root(drawn: &Drawn<'_, '_>, known: Option<&Surface>, notes: &mut Notes) {
    let Some(created) = drawn.created else { return };
    let Some(root) = drawn.root_id() else { return };
    let exists =
        drawn.ids.contains_key(root) || known.is_some_and(|surface| surface.component(root).is_some());
    if exists || drawn.version != Version::V0_8 && drawn.parts.is_empty() {
        return;
    }
    let (at, message) = match &drawn.root {
        Some((_, item)) => (*item, format!("`root` is `{root}`, and no component has that id")),
        None => (created, "no component has the id `root`; give it to the outermost one".to_owned()),
    };
    notes.fault("no_root", at, message);
}

fn children(drawn: &Drawn<'_, '_>, ends: &[Option<u32>], known: Option<&Surface>, notes: &mut Notes) {
    for part in &drawn.parts {
        let ends = &ends[part.edges.start as usize..part.edges.end as usize];
        for (Edge { child, item }, end) in drawn.edges_of(part).iter().zip(ends) {
            if end.is_none() && known.is_none_or(|surface| surface.component(child).is_none()) {
                let (kind, id) = (&part.kind, &part.id);
                let message = format!("{kind} `{id}` refers to `{child}`, and no component has that id");
                notes.fault("unresolved_child", *item, message);
            }
        }
    }
}

/// How far the walk has come with a component.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    No,
    Open,
    Done,
}

fn cycles(drawn: &Drawn<'_, '_>, ends: &[Option<u32>], notes: &mut Notes) {
    let mut seen = vec![Seen::No; drawn.parts.len()];
    // A component that a later message replaced is not drawn.
    let root = drawn.root_id().and_then(|root| drawn.ids.get(root)).copied();
    let current = (0..drawn.parts.len() as u32).filter(|&index| is_current(drawn, index));
    for start in root.into_iter().chain(current) {
        walk(drawn, ends, start, &mut seen, notes);
    }
}

fn is_current(drawn: &Drawn<'_, '_>, index: u32) -> bool {
    drawn.ids.len() == drawn.parts.len() || drawn.ids.get(&drawn.parts[index as usize].id) == Some(&index)
}

/// Walks down from a component without recursion; a surface may be deeper than a stack.
fn walk(drawn: &Drawn<'_, '_>, ends: &[Option<u32>], start: u32, seen: &mut [Seen], notes: &mut Notes) {
    if seen[start as usize] != Seen::No {
        return;
    }
    let edges = |index: u32| drawn.parts[index as usize].edges.clone();
    let mut open = vec![(start, edges(start))];
    seen[start as usize] = Seen::Open;
    while let Some((index, rest)) = open.last_mut() {
        let Some(edge) = rest.next() else {
            seen[*index as usize] = Seen::Done;
            open.pop();
            continue;
        };
        let Edge { child, item } = &drawn.edges[edge as usize];
        let Some(child_index) = ends[edge as usize] else { continue };
        match seen[child_index as usize] {
            Seen::Open => {
                let message =
                    format!("`{child}` contains itself; a component must not lie in one of its own children");
                notes.fault("child_cycle", *item, message);
            }
            Seen::No if open.len() >= MAX_DEPTH => {
                notes.fault(
                    "too_deep",
                    *item,
                    format!("components lie in each other to a depth of {MAX_DEPTH}"),
                );
                seen[child_index as usize] = Seen::Done;
            }
            Seen::No => {
                seen[child_index as usize] = Seen::Open;
                open.push((child_index, edges(child_index)));
            }
            Seen::Done => {}
        }
    }
}
