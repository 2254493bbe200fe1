//! TLS to the server, with the words of `sslmode` as other clients of Postgres use them.
//!
//! | `sslmode` | the connection |
//! |---|---|
//! | `disable` | is plain |
//! | `prefer` | is encrypted if the server can; whoever answers is believed |
//! | `require` | is encrypted; whoever answers is believed, unless `sslrootcert` names whom to believe |
//! | `verify-full` | is encrypted, and the certificate has to be of this host |

use std::{
    fs, io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use rustls::{
    ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Socket,
    tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream},
};
use tokio_rustls::{TlsConnector, client};

use crate::BoxFuture;

/// Whose certificates count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Anybody's.
    Anybody,
    /// Those that the system trusts.
    System,
    /// Those that a file of certificates vouches for.
    File(String),
}

/// Makes connections secret.
#[derive(Clone)]
pub(super) struct Tls(Arc<ClientConfig>);

impl Tls {
    pub(super) fn new(trust: &Trust) -> Result<Self, String> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?;
        let config = match trust {
            Trust::Anybody => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(Believer(provider)))
                .with_no_client_auth(),
            Trust::System => {
                builder.with_platform_verifier().map_err(|error| error.to_string())?.with_no_client_auth()
            }
            Trust::File(path) => builder.with_root_certificates(roots(path)?).with_no_client_auth(),
        };
        Ok(Self(Arc::new(config)))
    }
}

fn roots(path: &str) -> Result<RootCertStore, String> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot read certificates from `{path}`: {error}");
    let text = fs::read(path).map_err(|error| failed(&error))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&text) {
        let certificate = certificate.map_err(|error| failed(&error))?;
        roots.add(certificate).map_err(|error| failed(&error))?;
    }
    if roots.is_empty() {
        return Err(format!("there is no certificate in `{path}`"));
    }
    Ok(roots)
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Secret;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<Handshake> {
        // It is asked for sockets in a folder too, which have no name and no need of this.
        Ok(Handshake { connector: TlsConnector::from(self.0.clone()), domain: domain.to_owned() })
    }
}

/// A connection that is about to become secret.
pub(super) struct Handshake {
    connector: TlsConnector,
    domain: String,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Secret;
    type Error = io::Error;
    type Future = BoxFuture<'static, io::Result<Secret>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let name = ServerName::try_from(self.domain).map_err(io::Error::other)?;
            Ok(Secret(Box::new(self.connector.connect(name, socket).await?)))
        })
    }
}

/// A connection that nobody else can read.
pub(super) struct Secret(Box<client::TlsStream<Socket>>);

impl TlsStream for Secret {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Secret {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Secret {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// Believes any certificate: who listens on the wire reads nothing, but who answers may be anybody. It is what `prefer` and
/// `require` mean to every client of Postgres, whose servers make their own certificates as they are installed.
#[derive(Debug)]
struct Believer(Arc<CryptoProvider>);

impl ServerCertVerifier for Believer {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
