//! ```text
//! forestage-examples APP [--listen ADDRESS] [--data FOLDER] [--model PROVIDER/NAME] [--model-url URL] [--keys NAME,…]
//! ```
//!
//! `FORESTAGE_MODEL` stands for `--model`. Without a model, the agents play by rules that are written down.

use std::{env, path::PathBuf, process::ExitCode};

use forestage::{
    Builder,
    server::{ApiKey, Keys, hash_key},
};
use forestage_examples::{
    app::{AppError, Player, Setup},
    coach, inspection, surfaces, tutor,
};

const HELP: &str = "\
Runs one of the example applications

Usage: forestage-examples APP [OPTIONS]

Applications:
  coach       gets to know people with a form and remembers them
  inspection  assists food inspectors, cites rules, asks before it writes the report
  tutor       teaches with components: quizzes, diagrams, code
  surfaces    books a table with a form that the agent draws (A2UI)

Options:
  --listen ADDRESS       The address to listen on [default: 127.0.0.1:8787]
  --data FOLDER          Where the application stores its data [default: forestage-data/APP]
  --model PROVIDER/NAME  The model that plays the agents [default: none, they follow written rules]
                         [env: FORESTAGE_MODEL]
  --model-url URL        The address of the model's provider
  --keys NAME,…          People whose keys are their names, to try who sees what
  -h, --help             Print this help

Example:
  forestage-examples coach --listen 127.0.0.1:8788";

const USAGE: &str = "usage: forestage-examples coach|inspection|tutor|surfaces \
[--listen ADDRESS] [--data FOLDER] [--model PROVIDER/NAME] [--model-url URL] [--keys NAME,…]";

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("forestage-examples: {error}");
            let reasons = std::iter::successors(error.source(), |error| error.source());
            reasons.for_each(|reason| eprintln!("  {reason}"));
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), AppError> {
    if env::args().skip(1).any(|word| matches!(word.as_str(), "--help" | "-h" | "help")) {
        println!("{HELP}");
        return Ok(());
    }
    let options = Options::read(env::args().skip(1))?;
    let mut builder = options.app()?.keys(options.keys);
    if let Some(address) = options.listen {
        builder = builder.listen(address);
    }
    Ok(builder.serve().await?)
}

struct Options {
    app: String,
    listen: Option<String>,
    data: Option<PathBuf>,
    model: Option<String>,
    model_url: Option<String>,
    keys: Keys,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, AppError> {
        let app = arguments.next().ok_or(USAGE)?;
        let model = env::var("FORESTAGE_MODEL").ok().filter(|model| !model.is_empty());
        let mut options =
            Self { app, listen: None, data: None, model, model_url: None, keys: Keys::default() };
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
            match name.as_str() {
                "--listen" => options.listen = Some(value),
                "--data" => options.data = Some(value.into()),
                "--model" => options.model = Some(value),
                "--model-url" => options.model_url = Some(value),
                "--keys" => options.keys = keys(&value)?,
                _ => return Err(format!("there is no option {name}\n{USAGE}").into()),
            }
        }
        Ok(options)
    }

    fn app(&self) -> Result<Builder, AppError> {
        let data = self.data.clone().unwrap_or_else(|| PathBuf::from("forestage-data").join(&self.app));
        let setup = Setup { data, player: self.player()? };
        match self.app.as_str() {
            "coach" => coach::server(setup),
            "inspection" => inspection::server(setup),
            "surfaces" => surfaces::server(setup),
            "tutor" => tutor::server(setup),
            other => Err(format!("there is no application `{other}`\n{USAGE}").into()),
        }
    }

    fn player(&self) -> Result<Player, AppError> {
        if self.model.is_none() && self.model_url.is_none() {
            return Ok(Player::Rules);
        }
        let name = self.model.as_deref().map(str::parse).transpose()?.map(Box::new);
        Ok(Player::Model { name, url: self.model_url.clone() })
    }
}

/// `ann,bob`: people whose keys are their names. For trying out who sees what; a real server has real keys.
fn keys(text: &str) -> Result<Keys, AppError> {
    let key = |name: &str| ApiKey { user: name.to_owned(), hash: hash_key(name), roles: Vec::new() };
    Ok(Keys::new(&text.split(',').map(key).collect::<Vec<_>>())?)
}
