//! Where the server is, and how to talk to it: what a URL says.

use std::{str::FromStr, time::Duration};

use tokio_postgres::{Config, Connection, Socket, config::SslMode};

use super::{
    failure::{Failure, in_time},
    tls::{Secret, Tls, Trust},
};
use crate::{Durability, OpenError};

/// Who does not answer in this time is not there.
const TO_CONNECT: Duration = Duration::from_secs(10);

/// A connection that says nothing is asked after this time whether it is still there.
const QUIET: Duration = Duration::from_secs(30);

/// Settings that the driver understands.
const OF_THE_DRIVER: [&str; 17] = [
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
    "options",
    "password",
    "port",
    "sslnegotiation",
    "target_session_attrs",
    "user",
];

const KNOWN: &str = "durability=process and durability=disk, schema=, sslmode=disable, =prefer, =require and \
    =verify-full, sslrootcert=, and for postgres: those of its driver, such as connect_timeout=";

/// What a URL says.
#[derive(Clone)]
pub(super) struct Address {
    config: Config,
    tls: Tls,
    /// The schema that our tables are in.
    pub(super) schema: String,
    /// What every commit has to survive at least.
    pub(super) least: Durability,
}

impl Address {
    pub(super) fn new(url: &str) -> Result<Self, OpenError> {
        let (location, settings) = url.split_once('?').unwrap_or((url, ""));
        let (mut schema, mut least) = ("forestage".to_owned(), Durability::Process);
        let (mut mode, mut root) = ("prefer", None);
        let mut others = Vec::new();
        for setting in settings.split('&').filter(|setting| !setting.is_empty()) {
            match setting.split_once('=') {
                Some(("durability", "process")) => least = Durability::Process,
                Some(("durability", "disk")) => least = Durability::Disk,
                Some(("schema", name)) if is_plain(name) => name.clone_into(&mut schema),
                Some(("sslmode", name @ ("disable" | "prefer" | "require" | "verify-full"))) => mode = name,
                Some(("sslrootcert", path)) if !path.is_empty() => root = Some(path.to_owned()),
                Some((name, _)) if OF_THE_DRIVER.contains(&name) => others.push(setting),
                _ => return Err(OpenError::UnknownSetting { setting: setting.to_owned(), known: KNOWN }),
            }
        }
        let mut config = Config::from_str(&format!("{location}?{}", others.join("&"))).map_err(not_a_url)?;
        let trust = match (mode, root) {
            (_, Some(path)) => Trust::File(path),
            ("verify-full", None) => Trust::System,
            _ => Trust::Anybody,
        };
        config.ssl_mode(match mode {
            "disable" => SslMode::Disable,
            "prefer" => SslMode::Prefer,
            _ => SslMode::Require,
        });
        with_habits(&mut config, settings);
        let tls = Tls::new(&trust).map_err(OpenError::Address)?;
        Ok(Self { config, tls, schema, least })
    }

    pub(super) async fn connect(
        &self,
    ) -> Result<(tokio_postgres::Client, Connection<Socket, Secret>), Failure> {
        // The driver's own limit is for reaching one of several hosts, and not for what is said then.
        let each = self.config.get_connect_timeout().copied().unwrap_or(TO_CONNECT);
        let hosts = self.config.get_hosts().len().max(1) as u32;
        in_time("connecting to the server", each * hosts, self.config.connect(self.tls.clone())).await
    }
}

/// What we do unless the URL says otherwise: a machine that vanished without a word must be noticed.
fn with_habits(config: &mut Config, settings: &str) {
    let says = |name: &str| settings.split('&').any(|setting| setting.starts_with(&format!("{name}=")));
    if !says("connect_timeout") {
        config.connect_timeout(TO_CONNECT);
    }
    if !says("keepalives_idle") {
        config.keepalives_idle(QUIET);
    }
    if !says("keepalives_interval") {
        config.keepalives_interval(QUIET / 3);
    }
    if !says("keepalives_retries") {
        config.keepalives_retries(3);
    }
    if !says("application_name") {
        config.application_name("forestage");
    }
}

/// A name that needs no quotes and leaves room for what we add to it.
fn is_plain(name: &str) -> bool {
    let fits = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_';
    !name.is_empty()
        && name.len() <= 48
        && name.bytes().all(fits)
        && !name.starts_with(|letter: char| letter.is_ascii_digit())
        && !name.starts_with("pg_")
}

/// What is wrong with a URL, without the URL: it may hold a password.
fn not_a_url(error: tokio_postgres::Error) -> OpenError {
    OpenError::Address(Failure::from(error).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(settings: &str) -> String {
        let url = format!("postgres://ann:secret@localhost/app?{settings}");
        Address::new(&url).err().expect("refused").to_string()
    }

    #[test]
    fn settings_that_nobody_knows_are_named() {
        let unknown = [
            "colour=red",
            "durability=none",
            "durability",
            "schema=",
            "schema=Big",
            "schema=a-b",
            "schema=9",
            "schema=pg_x",
            "sslmode=verify-ca",
            "sslrootcert=",
        ];
        for setting in unknown {
            let error = refused(&format!("connect_timeout=3&{setting}"));
            assert!(error.contains(&format!("`{setting}`")) && error.contains("durability=disk"), "{error}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_url_is_said_without_its_password() {
        for settings in ["connect_timeout=soon", "port=high", "sslrootcert=/no/such/file"] {
            let error = refused(settings);
            let name = settings.split('=').next_back().expect("a value").trim_start_matches('/');
            let says = error.contains(settings.split('=').next().expect("a name")) || error.contains(name);
            assert!(says && !error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn what_the_url_says_comes_before_our_habits() {
        let url = "postgresql://ann@localhost:5433/app?schema=stage&durability=disk&connect_timeout=3";
        let address = Address::new(url).expect("fine");
        assert_eq!((address.schema.as_str(), address.least), ("stage", Durability::Disk));
        assert_eq!(address.config.get_connect_timeout(), Some(&Duration::from_secs(3)));
        assert_eq!(address.config.get_keepalives_idle(), QUIET);
        assert_eq!(address.config.get_application_name(), Some("forestage"));
        assert_eq!(address.config.get_ssl_mode(), SslMode::Prefer);
        let strict = Address::new("postgres://h/app?sslmode=verify-full").expect("fine");
        assert_eq!((strict.config.get_ssl_mode(), strict.schema.as_str()), (SslMode::Require, "forestage"));
    }
}
