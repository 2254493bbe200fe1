//! What a person types: something to say, or a command.

/// The help on commands.
pub(super) const HELP: &str = "\
/new          begin a new thread
/threads      list the threads
/thread ID    go to a thread
/agent NAME   talk to another agent; without a name, list them
/cancel       stop the run, or refuse a question
/help         this
/quit         leave";

/// Something typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// Nothing.
    Nothing,
    /// Something to say.
    Say(String),
    New,
    Threads,
    Thread(String),
    Agent(Option<String>),
    Cancel,
    Help,
    Quit,
    /// A command that is none, and why.
    Wrong(String),
}

impl From<&str> for Typed {
    fn from(line: &str) -> Self {
        let line = line.trim();
        // Two slashes say something that begins with one.
        if let Some(text) = line.strip_prefix("//") {
            return Self::Say(format!("/{text}"));
        }
        let Some(command) = line.strip_prefix('/') else {
            return if line.is_empty() { Self::Nothing } else { Self::Say(line.to_owned()) };
        };
        let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let rest = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
        match (name, rest) {
            ("new", None) => Self::New,
            ("threads", None) => Self::Threads,
            ("thread", Some(id)) => Self::Thread(id),
            ("thread", None) => Self::Wrong("/thread wants an id; /threads lists them".to_owned()),
            ("agent" | "agents", name) => Self::Agent(name),
            ("cancel", None) => Self::Cancel,
            ("help" | "?", _) => Self::Help,
            ("quit" | "exit" | "q", _) => Self::Quit,
            _ => Self::Wrong(format!("there is no command /{name}; /help lists them")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_said_and_commands_are_known() {
        for (line, expected) in [
            ("  ", Typed::Nothing),
            (" hi ", Typed::Say("hi".to_owned())),
            ("//etc", Typed::Say("/etc".to_owned())),
            ("/thread  t 1", Typed::Thread("t 1".to_owned())),
            ("/agent", Typed::Agent(None)),
            ("/quit", Typed::Quit),
        ] {
            assert_eq!(Typed::from(line), expected, "{line:?}");
        }
        assert!(matches!(Typed::from("/nope"), Typed::Wrong(_)));
        assert!(matches!(Typed::from("/thread"), Typed::Wrong(_)));
    }
}
