//! The chat on a full screen.
//!
//! ```text
//! keys ──> editor ──> typed ──> room          news ──> room ──> scene ──> draw
//! ```
//!
//! The terminal is put back as it was, also where something panics.

mod draw;
mod editor;
mod markdown;
mod transcript;
mod wrap;

use crossterm::{
    event::{
        DisableBracketedPaste, EnableBracketedPaste, Event as Input, EventStream, KeyCode, KeyEvent,
        KeyEventKind, KeyModifiers,
    },
    execute,
};
use forestage_client::ClientError;
use forestage_protocol::event::Event;
use futures_util::StreamExt;
use ratatui::DefaultTerminal;

use self::{
    draw::{Scene, draw},
    editor::Editor,
};
use super::{
    command::{HELP, Typed},
    question::{Form, Progress},
    room::{News, Room},
};
use crate::{
    exit::{Answer, Verdict},
    output::{brief, excerpt},
    remote::Remote,
};

/// So much of what happened is taken in before the screen is drawn anew.
const MOST_NEWS: usize = 512;

/// Chats until the person leaves.
pub(super) async fn run(room: Room, remote: &Remote) -> Answer {
    let mut terminal = ratatui::try_init()?;
    // A terminal without it pastes key by key, which works as well.
    let _ = execute!(std::io::stdout(), EnableBracketedPaste);
    let mut chat = Tui::new(room, remote);
    let result = chat.talk(&mut terminal).await;
    let _ = execute!(std::io::stdout(), DisableBracketedPaste);
    ratatui::restore();
    result?;
    println!("forestage chat --thread {}", chat.room.thread_id());
    Ok(Verdict::Yes)
}

struct Tui<'r> {
    room: Room,
    remote: &'r Remote,
    editor: Editor,
    form: Option<Form>,
    /// Lines that are no part of the conversation: help, lists, refusals.
    notes: Vec<String>,
    /// Why there is no connection, while there is none.
    lost: Option<String>,
    /// What last happened to the state.
    state_change: Option<String>,
    /// How many lines the transcript is scrolled up.
    scroll: usize,
    page: usize,
    has_quit: bool,
}

impl<'r> Tui<'r> {
    fn new(room: Room, remote: &'r Remote) -> Self {
        Self {
            room,
            remote,
            editor: Editor::default(),
            form: None,
            notes: vec!["/help lists the commands".to_owned()],
            lost: None,
            state_change: None,
            scroll: 0,
            page: 10,
            has_quit: false,
        }
    }

    async fn talk(&mut self, terminal: &mut DefaultTerminal) -> anyhow::Result<()> {
        let mut keys = EventStream::new();
        while !self.has_quit {
            if self.form.is_none() {
                self.form = self.room.form();
            }
            self.draw(terminal)?;
            tokio::select! {
                input = keys.next() => match input {
                    Some(input) => self.input(input?).await?,
                    None => self.has_quit = true,
                },
                news = self.room.next() => {
                    self.note(news)?;
                    for _ in 0..MOST_NEWS {
                        let Some(news) = self.room.try_next() else { break };
                        self.note(news)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn draw(&mut self, terminal: &mut DefaultTerminal) -> anyhow::Result<()> {
        let scene = Scene {
            agent: self.room.agent(),
            thread: self.room.thread_id(),
            view: self.room.view(),
            is_running: self.room.run().is_some(),
            steps: self.room.steps(),
            lost: self.lost.as_deref(),
            state_change: self.state_change.as_deref(),
            form: self.form.as_ref(),
            notes: &self.notes,
            editor: &self.editor,
            scroll: self.scroll,
        };
        let mut drawn = None;
        terminal.draw(|frame| drawn = Some(draw(&scene, frame)))?;
        if let Some(drawn) = drawn {
            (self.page, self.scroll) = (drawn.page, drawn.scroll);
        }
        Ok(())
    }

    fn note(&mut self, news: News) -> anyhow::Result<()> {
        match news {
            News::Event(event) => self.note_event(&event),
            News::Lost(reason) => self.lost = Some(reason),
            News::Back => self.lost = None,
            News::Over(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn note_event(&mut self, event: &Event) {
        match event {
            Event::StateDelta(delta) => {
                let patch = serde_json::to_value(&delta.delta).unwrap_or_default();
                self.state_change = Some(brief(&patch));
            }
            Event::StateSnapshot(_) => self.state_change = Some("snapshot".to_owned()),
            // Somebody else may have answered, so the questions are looked at anew.
            Event::RunStarted(_) => self.form = None,
            _ => {}
        }
    }

    async fn input(&mut self, input: Input) -> anyhow::Result<()> {
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.key(key).await,
            Input::Paste(text) => {
                self.editor.insert(&text);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    async fn key(&mut self, key: KeyEvent) -> anyhow::Result<()> {
        let has = |modifier| key.modifiers.contains(modifier);
        match key.code {
            KeyCode::Char('c') if has(KeyModifiers::CONTROL) => return self.interrupt().await,
            KeyCode::Char('d') if has(KeyModifiers::CONTROL) && self.editor.is_empty() => {
                self.has_quit = true
            }
            KeyCode::Enter if has(KeyModifiers::ALT) || has(KeyModifiers::SHIFT) => self.editor.insert("\n"),
            KeyCode::Enter => return self.submit().await,
            KeyCode::PageUp => self.scroll += self.page,
            KeyCode::PageDown => self.scroll = self.scroll.saturating_sub(self.page),
            KeyCode::Esc => self.scroll = 0,
            _ => self.editor.key(key),
        }
        Ok(())
    }

    /// Ctrl-C: the run first, the chat when there is none.
    async fn interrupt(&mut self) -> anyhow::Result<()> {
        if self.room.run().is_none() {
            self.has_quit = true;
            return Ok(());
        }
        let result = self.room.cancel().await;
        self.report(result);
        Ok(())
    }

    async fn submit(&mut self) -> anyhow::Result<()> {
        let line = self.editor.take();
        self.notes.clear();
        self.scroll = 0;
        match (Typed::from(line.as_str()), &mut self.form) {
            (Typed::Say(_) | Typed::Nothing | Typed::Cancel, Some(form)) => match form.take(&line) {
                Ok(Progress::More) => {}
                Ok(Progress::Done(reply)) => {
                    let result = self.room.answer(reply).await;
                    self.form = None;
                    self.report(result);
                }
                Err(message) => self.notes.push(message),
            },
            (Typed::Say(text), None) => {
                let result = self.room.say(&text).await;
                if result.is_err() {
                    // What was said is not lost because it was not heard.
                    self.editor.insert(&line);
                }
                self.report(result);
            }
            (Typed::Cancel, None) => {
                let result = self.room.cancel().await;
                self.report(result);
            }
            (typed, _) => {
                if let Err(error) = self.obey(typed).await {
                    self.notes.push(self.remote.explain(error).to_string());
                }
            }
        }
        Ok(())
    }

    async fn obey(&mut self, typed: Typed) -> anyhow::Result<()> {
        match typed {
            Typed::New => {
                self.room.leave();
                self.begin();
            }
            Typed::Thread(id) => {
                self.room.enter(&id).await?;
                self.begin();
            }
            Typed::Agent(Some(name)) => self.room.change_agent(name).await?,
            Typed::Agent(None) => {
                for agent in self.room.client().agents().await? {
                    let about = agent.description().unwrap_or_default();
                    self.notes.push(format!("{:14} {about}", agent.name().unwrap_or_default()));
                }
            }
            Typed::Threads => {
                for thread in self.room.client().threads(&Default::default()).await?.items {
                    let id = thread.thread_id().unwrap_or_else(|| "".into());
                    let (status, title) =
                        (thread.status().unwrap_or_default(), thread.title().unwrap_or_default());
                    self.notes.push(format!("{id}  {status:8} {}", excerpt(title)));
                }
            }
            Typed::Help => self.notes.extend(HELP.lines().map(str::to_owned)),
            Typed::Wrong(message) => self.notes.push(message),
            Typed::Quit => self.has_quit = true,
            Typed::Nothing | Typed::Say(_) | Typed::Cancel => {}
        }
        Ok(())
    }

    fn begin(&mut self) {
        self.form = None;
        self.lost = None;
        self.state_change = None;
    }

    fn report(&mut self, result: Result<(), ClientError>) {
        if let Err(error) = result {
            self.notes.push(self.remote.sentence(&error));
        }
    }
}
