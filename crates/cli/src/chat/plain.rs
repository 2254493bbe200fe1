//! The chat in lines: reads standard input, prints what is said. For pipes, tests and plain terminals.

use std::{
    io::{self, BufRead, IsTerminal, Write},
    thread,
};

use anyhow::Context;
use forestage_client::ClientError;
use forestage_protocol::apply::RunEnd;
use tokio::sync::mpsc;

use super::{
    command::{HELP, Typed},
    question::{Form, Progress},
    room::{News, Room},
};
use crate::{
    exit::{Answer, Verdict},
    output::{self, Screen, safe, style::DIM},
    remote::Remote,
    tell::{Echo, Teller},
};

/// Chats until the end of the input. Says no if the last run failed.
pub(super) async fn run(room: Room, remote: &Remote) -> Answer {
    let is_person = io::stdin().is_terminal();
    let teller = Teller::new(output::screen(), Echo::Agent);
    let mut chat = Plain { room, teller, remote, form: None, lines: lines(), is_person, has_quit: false };
    chat.tell_history()?;
    while !chat.has_quit {
        chat.turn().await?;
    }
    chat.teller.flush()?;
    let failed = matches!(chat.room.view().end(), Some(RunEnd::Error { .. }));
    Ok(Verdict::of(!failed))
}

struct Plain<'r> {
    room: Room,
    teller: Teller<Screen>,
    remote: &'r Remote,
    form: Option<Form>,
    lines: mpsc::Receiver<io::Result<String>>,
    is_person: bool,
    has_quit: bool,
}

impl Plain<'_> {
    /// One thing: something that happens, or a line when it is the person's turn.
    async fn turn(&mut self) -> anyhow::Result<()> {
        self.teller.flush()?;
        if self.room.run().is_some() {
            return tokio::select! {
                news = self.room.next() => self.tell(news),
                _ = tokio::signal::ctrl_c() => self.cancel().await,
            };
        }
        if self.form.is_none() {
            self.form = self.room.form();
            self.ask()?;
        }
        self.prompt()?;
        tokio::select! {
            line = self.lines.recv() => match line {
                Some(line) => self.take(&line.context("cannot read standard input")?).await,
                None => self.quit(),
            },
            news = self.room.next() => self.tell(news),
            _ = tokio::signal::ctrl_c() => self.quit(),
        }
    }

    async fn take(&mut self, line: &str) -> anyhow::Result<()> {
        let typed = Typed::from(line);
        match (typed, &mut self.form) {
            (Typed::Say(_) | Typed::Nothing | Typed::Cancel, Some(form)) => match form.take(line) {
                Ok(Progress::More) => self.ask(),
                Ok(Progress::Done(reply)) => {
                    self.form = None;
                    let result = self.room.answer(reply).await;
                    self.report(result)
                }
                Err(message) => Ok(self.teller.aside(&safe(&message))?),
            },
            (Typed::Nothing | Typed::Cancel, None) => Ok(()),
            (Typed::Say(text), None) => {
                let result = self.room.say(&text).await;
                self.report(result)
            }
            (typed, _) => self.obey(typed).await,
        }
    }

    async fn obey(&mut self, typed: Typed) -> anyhow::Result<()> {
        self.form = None;
        match typed {
            Typed::New => self.room.leave(),
            Typed::Thread(id) => {
                self.room.enter(&id).await?;
                self.tell_history()?;
            }
            Typed::Agent(Some(name)) => {
                if let Err(error) = self.room.change_agent(name).await {
                    self.teller.aside(&self.remote.explain(error).to_string())?;
                }
            }
            Typed::Agent(None) => {
                for agent in self.room.client().agents().await? {
                    let about = agent.description().unwrap_or_default();
                    self.teller.aside(&format!(
                        "{} {}",
                        safe(agent.name().unwrap_or_default()),
                        safe(about)
                    ))?;
                }
            }
            Typed::Threads => {
                let page = self.room.client().threads(&Default::default()).await?;
                for thread in page.items {
                    let id = thread.thread_id().map(|id| safe(&id)).unwrap_or_default();
                    self.teller.aside(&format!("{id} {}", safe(thread.title().unwrap_or_default())))?;
                }
            }
            Typed::Help => HELP.lines().try_for_each(|line| self.teller.aside(line))?,
            Typed::Wrong(message) => self.teller.aside(&safe(&message))?,
            Typed::Quit => self.quit()?,
            Typed::Nothing | Typed::Say(_) | Typed::Cancel => {}
        }
        Ok(())
    }

    fn tell(&mut self, news: News) -> anyhow::Result<()> {
        match news {
            News::Event(event) => Ok(self.teller.tell(&event)?),
            News::Lost(reason) => Ok(self.teller.aside(&format!("reconnecting: {}", safe(&reason)))?),
            News::Back => Ok(self.teller.aside("connected again")?),
            News::Over(error) => Err(error.into()),
        }
    }

    /// A refusal is said, and the conversation goes on; in a pipe nobody could react to it, so there it ends.
    fn report(&mut self, result: Result<(), ClientError>) -> anyhow::Result<()> {
        match result {
            Err(error) if self.is_person => Ok(self.teller.aside(&self.remote.sentence(&error))?),
            result => Ok(result?),
        }
    }

    async fn cancel(&mut self) -> anyhow::Result<()> {
        let result = self.room.cancel().await;
        self.report(result)
    }

    fn ask(&mut self) -> anyhow::Result<()> {
        let Some(form) = &self.form else { return Ok(()) };
        if form.is_first_field() {
            self.teller.question(&form.question())?;
        }
        Ok(self.teller.aside(&safe(&form.prompt()))?)
    }

    fn prompt(&mut self) -> anyhow::Result<()> {
        self.teller.flush()?;
        if self.is_person {
            let mut err = io::stderr().lock();
            write!(err, "{}> ", self.room.agent())?;
            err.flush()?;
        }
        Ok(())
    }

    /// A conversation that is loaded is told from its beginning.
    fn tell_history(&mut self) -> anyhow::Result<()> {
        self.teller.history(self.room.view().messages())?;
        if self.is_person {
            writeln!(io::stderr(), "{DIM}thread {}{DIM:#}", safe(self.room.thread_id()))?;
        }
        Ok(self.teller.flush()?)
    }

    fn quit(&mut self) -> anyhow::Result<()> {
        self.has_quit = true;
        Ok(())
    }
}

/// The lines of standard input. The thread that reads them may wait for ever, and nobody waits for it.
fn lines() -> mpsc::Receiver<io::Result<String>> {
    let (sender, lines) = mpsc::channel(1);
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let is_last = line.is_err();
            if sender.blocking_send(line).is_err() || is_last {
                return;
            }
        }
    });
    lines
}
