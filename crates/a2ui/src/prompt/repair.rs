//! What a model hears when its payload could not be drawn.

use std::fmt::Write;

use forestage_protocol::Fault;

/// So many faults are told one by one.
const MAX_FAULTS: usize = 20;

/// Tells what is wrong and what to do about it. `left` is how often it may be tried again.
///
/// ```
/// use forestage_a2ui::{Fault, prompt::repair};
///
/// let fault = Fault::new("no_root", "/0/createSurface", "no component has the id `root`");
/// let told = repair(&[fault], 1);
/// assert!(told.contains("1. no_root at /0/createSurface: no component has the id `root`"));
/// ```
#[must_use]
pub fn repair(faults: &[Fault], left: u32) -> String {
    let count = if faults.len() == 1 { "one fault".to_owned() } else { format!("{} faults", faults.len()) };
    let mut told = format!("The surface was not drawn: {count}.\n");
    for (index, fault) in faults.iter().take(MAX_FAULTS).enumerate() {
        let place = if fault.path.is_empty() { String::new() } else { format!(" at {}", fault.path) };
        // Writing to a text cannot fail.
        let _ = writeln!(told, "{}. {}{place}: {}", index + 1, fault.code, fault.message);
    }
    if faults.len() > MAX_FAULTS {
        let _ = writeln!(told, "… and {} more of the kind.", faults.len() - MAX_FAULTS);
    }
    told.push_str(&match left {
        0 => "Do not try again. Tell the person in words what you wanted to show.".to_owned(),
        1 => format!("{AGAIN} This is the last attempt."),
        left => format!("{AGAIN} There are {left} attempts left."),
    });
    told
}

const AGAIN: &str =
    "Correct all of them, keep everything else as it was, and send the whole list of messages again.";
