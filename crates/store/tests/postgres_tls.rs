//! Connections that nobody else can read: what each `sslmode` believes. A door in front of the server speaks TLS, so the
//! server need not.
#![cfg(all(unix, feature = "postgres"))]

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use forestage_store::{NewThread, OpenError, Store, conformance::postgres, postgres::PostgresStore};
use rustls::{
    ServerConfig,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream, UnixStream},
};
use tokio_rustls::TlsAcceptor;

struct Door {
    port: u16,
    /// How many have come in by it.
    guests: Arc<AtomicUsize>,
    /// A file with its certificate, which is for `localhost` and vouches for itself.
    certificate: PathBuf,
    schema: String,
    _folder: tempfile::TempDir,
}

impl Door {
    /// A door in front of the server that this run of the tests has started.
    async fn open() -> Option<Self> {
        let url = postgres::fresh()?;
        let (_, folder) = url.split_once("host=/")?;
        let socket = PathBuf::from(format!("/{}", folder.split('&').next()?)).join(".s.PGSQL.5432");
        let schema = url.rsplit_once("schema=")?.1.to_owned();
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let folder = tempfile::tempdir().expect("a folder");
        let certificate = folder.path().join("root.pem");
        std::fs::write(&certificate, made.cert.pem()).expect("writable");
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
        let config =
            ServerConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
                .with_safe_default_protocol_versions()
                .expect("there are some")
                .with_no_client_auth()
                .with_single_cert(vec![made.cert.der().clone()], key)
                .expect("they belong together");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let guests = Arc::new(AtomicUsize::new(0));
        tokio::spawn(answer(listener, TlsAcceptor::from(Arc::new(config)), socket, guests.clone()));
        Some(Self { port, guests, certificate, schema, _folder: folder })
    }

    async fn enter(&self, host: &str, settings: &str) -> Result<PostgresStore, OpenError> {
        let (port, schema) = (self.port, &self.schema);
        let url = format!("postgres://forestage@{host}:{port}/postgres?schema={schema}&{settings}");
        PostgresStore::open(&url).await
    }
}

async fn answer(listener: TcpListener, tls: TlsAcceptor, socket: PathBuf, guests: Arc<AtomicUsize>) {
    while let Ok((guest, _)) = listener.accept().await {
        tokio::spawn(let_in(guest, tls.clone(), socket.clone(), guests.clone()));
    }
}

/// What a server does: asked for TLS by eight bytes, it says yes with one.
async fn let_in(mut guest: TcpStream, tls: TlsAcceptor, socket: PathBuf, guests: Arc<AtomicUsize>) {
    let mut request = [0; 8];
    guest.read_exact(&mut request).await.expect("it asks");
    assert_eq!(request[4..], 80_877_103_u32.to_be_bytes(), "nothing is said before it is secret");
    guest.write_all(b"S").await.expect("it listens");
    // A guest who does not believe us goes away.
    let Ok(mut guest) = tls.accept(guest).await else { return };
    guests.fetch_add(1, Ordering::Relaxed);
    let mut server = UnixStream::connect(socket).await.expect("the server is there");
    let _ = copy_bidirectional(&mut guest, &mut server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_encrypted_and_believe_whom_they_are_told_to() {
    let Some(door) = Door::open().await else { return };
    let root = format!("sslrootcert={}", door.certificate.display());
    for (number, settings) in
        ["", "sslmode=prefer", "sslmode=require", &format!("sslmode=verify-full&{root}")].iter().enumerate()
    {
        let before = door.guests.load(Ordering::Relaxed);
        let store = door.enter("localhost", settings).await.expect("a good certificate");
        let thread = NewThread::new(format!("t{number}"), "ann", "hello", 1);
        store.create_thread(thread).await.expect("writable");
        assert!(door.guests.load(Ordering::Relaxed) > before, "{settings}");
    }
    let before = door.guests.load(Ordering::Relaxed);
    for (host, settings) in [
        ("localhost", "sslmode=verify-full".to_owned()),
        ("127.0.0.1", format!("sslmode=verify-full&{root}")),
        ("127.0.0.1", format!("sslmode=require&{root}")),
    ] {
        let error = door.enter(host, &settings).await.expect_err("not to be believed");
        assert!(error.to_string().contains("TLS"), "{error}");
    }
    assert_eq!(door.guests.load(Ordering::Relaxed), before, "nothing was said");
}
