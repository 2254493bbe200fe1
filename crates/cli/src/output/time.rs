//! Times in a word.

/// How long ago something was.
pub(crate) fn age(then: Option<i64>) -> String {
    let Some(then) = then else { return String::new() };
    let seconds = (forestage_runtime::now() - then).max(0) / 1000;
    if seconds < 60 { "just now".to_owned() } else { span(seconds) }
}

/// How long there is until then.
pub(crate) fn left(until: Option<i64>) -> String {
    let Some(until) = until else { return String::new() };
    let seconds = (until - forestage_runtime::now()) / 1000;
    match seconds {
        ..0 => "over".to_owned(),
        0..60 => format!("{seconds} s"),
        _ => span(seconds),
    }
}

fn span(seconds: i64) -> String {
    match seconds {
        ..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}
