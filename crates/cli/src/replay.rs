//! `forestage replay`: a recording or a stored thread, played as it happened.

use std::{
    io::{self, Cursor, Write},
    path::Path,
    str::FromStr,
    thread,
    time::Duration,
};

use anyhow::bail;
use clap::{Args, ValueEnum};
use forestage_client::Settings;
use forestage_protocol::{
    codec::{jsonl, sse},
    event::Event,
    pipeline::Reader,
};
use serde_json::{Value, to_value};

use crate::{
    exit::Answer,
    export,
    input::{FormatName, Frames, Source},
    output::{self, Aside},
    remote::Remote,
    short_id,
    stream::{Item, Stop, Walker, read, walk},
    tell::{Echo, Teller},
};

/// No pause is longer than this, whatever the recording waited for.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// Play a recording, or a thread of a server, with its own timing
///
/// The events' timestamps set the timing; no pause is longer than three seconds.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  forestage replay demo
  forestage replay recording.agui.jsonl --speed 10
  forestage replay recording.sse --speed max --format jsonl | jq .type")]
pub(crate) struct Replay {
    /// A file, - for standard input, or a thread of the server: its id, its beginning, or its number in the list
    #[arg(value_name = "FILE|THREAD")]
    what: String,
    /// The format of a file; detected from the first bytes by default
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<FormatName>,
    /// How many times faster: 1, 10, 0.5, or `max` for no pauses at all
    #[arg(long, default_value = "1")]
    speed: Speed,
    /// What to print
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Print the error and the warnings as one JSON object on standard error
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    remote: Remote,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// What a person would have seen
    Text,
    /// One event per line
    Jsonl,
    /// Server-sent events
    Sse,
}

/// How much faster than it was.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Speed {
    Times(f64),
    Max,
}

impl FromStr for Speed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            _ if text == "max" => Ok(Self::Max),
            Ok(times) if times.is_finite() && times > 0.0 => Ok(Self::Times(times)),
            _ => Err("expected a number above 0, or `max`".to_owned()),
        }
    }
}

impl Speed {
    /// How long to wait between two times in milliseconds.
    fn pause(self, before: Option<i64>, now: Option<i64>) -> Duration {
        let (Self::Times(times), Some(before), Some(now)) = (self, before, now) else {
            return Duration::ZERO;
        };
        let milliseconds = (now - before).max(0) as f64 / times;
        Duration::from_secs_f64(milliseconds / 1000.0).min(LONGEST_PAUSE)
    }
}

impl Replay {
    pub(crate) fn run(&self) -> Answer {
        let mut frames = self.open()?;
        let mut player = Player {
            reader: Reader::default(),
            speed: self.speed,
            last: None,
            out: Out::new(self.format),
            aside: Aside::new(self.json),
        };
        let error = walk(&mut frames, &mut player)?;
        player.out.flush()?;
        player.aside.close(error)
    }

    /// A file where there is one, else a thread.
    fn open(&self) -> anyhow::Result<Frames> {
        if self.what == "-" || Path::new(&self.what).exists() {
            return Frames::open(&Source::from(self.what.as_str()), self.from.map(Into::into));
        }
        if self.what.contains(['/', '\\']) || self.from.is_some() {
            bail!("cannot read {}: there is no such file", self.what);
        }
        let client = self.remote.client(Settings::default())?;
        let lines = self.remote.block_on(async {
            let thread = client.thread(short_id::listed_thread(&client, &self.what).await?);
            export::read(&thread).await
        })?;
        let name = format!("the thread {}", self.what);
        Frames::of(Box::new(Cursor::new(lines)), name, Some(FormatName::Jsonl.into()))
    }
}

/// Where the events go.
enum Out {
    Text(Teller<output::Screen>),
    Lines(Form, output::Plain),
}

impl Out {
    fn new(form: Form) -> Self {
        match form {
            Form::Text => Self::Text(Teller::new(output::screen(), Echo::Everybody)),
            form => Self::Lines(form, output::plain()),
        }
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        match self {
            Self::Text(teller) => teller.tell(event),
            Self::Lines(form, out) => {
                let (data, mut bytes) = (event.to_json(), Vec::new());
                match form {
                    Form::Sse => sse::encode(data.as_bytes(), None, &mut bytes),
                    Form::Text | Form::Jsonl => jsonl::encode(data.as_bytes(), &mut bytes),
                }
                out.write_all(&bytes)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Text(teller) => teller.flush(),
            Self::Lines(_, out) => out.flush(),
        }
    }
}

struct Player {
    reader: Reader,
    speed: Speed,
    /// The time of the event before.
    last: Option<i64>,
    out: Out,
    aside: Aside,
}

impl Player {
    fn play(&mut self, event: &Event) -> io::Result<()> {
        let time = to_value(event).ok().and_then(|event| event.get("timestamp").and_then(Value::as_i64));
        let pause = self.speed.pause(self.last, time);
        if !pause.is_zero() {
            self.out.flush()?;
            thread::sleep(pause);
        }
        self.last = time.or(self.last);
        self.out.event(event)
    }
}

impl Walker for Player {
    fn take(&mut self, item: Item<'_>) -> Result<(), Stop> {
        let mut events = Vec::new();
        let result = read(&mut self.reader, &item.payload, |event| events.push(event));
        events.iter().try_for_each(|event| self.play(event))?;
        self.aside.warn(self.reader.take_warnings())?;
        Ok(result?)
    }

    fn rest(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn finish(&mut self) -> Result<(), Stop> {
        Ok(self.reader.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_divided_by_the_speed_and_cut() {
        for (speed, before, now, expected) in [
            ("1", Some(1000), Some(1500), 500),
            ("10", Some(1000), Some(1500), 50),
            ("0.5", Some(1000), Some(1500), 1000),
            ("1", Some(0), Some(60_000), 3000),
            ("max", Some(0), Some(60_000), 0),
            ("1", None, Some(5), 0),
            ("1", Some(9), Some(5), 0),
        ] {
            let speed: Speed = speed.parse().unwrap();
            assert_eq!(speed.pause(before, now), Duration::from_millis(expected));
        }
        assert!("0".parse::<Speed>().is_err() && "fast".parse::<Speed>().is_err());
    }
}
