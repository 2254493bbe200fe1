//! One WebSocket connection: text in, text out, and a sign of life now and then.

use forestage_protocol::{codec::FrameError, pipeline::PROTOCOL_VERSION};
use futures_util::{SinkExt, StreamExt};
use reqwest::{StatusCode, Url};
use tokio::{
    net::TcpStream,
    time::{Instant, timeout, timeout_at},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async_with_config,
    tungstenite::{
        Error, Message, client::IntoClientRequest, error::CapacityError, handshake::client::Request,
        protocol::WebSocketConfig,
    },
};

use crate::{
    client::Client,
    error::{ClientError, innermost},
    http,
    retry::Settings,
};

/// What stands around an event in a frame is never longer than this.
const ENVELOPE: usize = 64 * 1024;

#[derive(Debug)]
pub(super) struct Link {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    settings: Settings,
    /// When the silence becomes remarkable.
    due: Instant,
    /// The server was asked for a sign of life and has not given it yet.
    is_asked: bool,
}

impl Link {
    pub(super) async fn open(client: &Client) -> Result<Self, ClientError> {
        let settings = *client.http().settings();
        let limit = settings.max_frame.saturating_add(ENVELOPE);
        let config = WebSocketConfig::default().max_message_size(Some(limit)).max_frame_size(Some(limit));
        let connecting = connect_async_with_config(request(client)?, Some(config), true);
        let (socket, _) = http::within(settings.connect, connecting).await?.map_err(not_connected)?;
        Ok(Self { socket, settings, due: Instant::now() + settings.idle / 2, is_asked: false })
    }

    pub(super) async fn send(&mut self, text: String) -> Result<(), ClientError> {
        http::within(self.settings.idle, self.socket.send(Message::text(text))).await?.map_err(broken)
    }

    /// The next text. May be dropped before it is ready without losing anything.
    pub(super) async fn receive(&mut self) -> Result<String, ClientError> {
        loop {
            let Ok(message) = timeout_at(self.due, self.socket.next()).await else {
                self.ask().await?;
                continue;
            };
            self.due = Instant::now() + self.settings.idle / 2;
            self.is_asked = false;
            match message {
                Some(Ok(Message::Text(text))) => return Ok(text.as_str().to_owned()),
                Some(Ok(Message::Close(frame))) => return Err(closed(frame.map(|frame| frame.to_string()))),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(broken(error)),
                None => return Err(closed(None)),
            }
        }
    }

    /// Half the time of allowed silence has passed: once to ask, twice to give up.
    async fn ask(&mut self) -> Result<(), ClientError> {
        if self.is_asked {
            return Err(ClientError::Silent(self.settings.idle));
        }
        self.is_asked = true;
        self.due = Instant::now() + self.settings.idle / 2;
        http::within(self.settings.idle, self.socket.send(Message::Ping(Default::default())))
            .await?
            .map_err(broken)
    }

    pub(super) async fn close(mut self) {
        // Who leaves does not mind how the other side takes it.
        let _ = timeout(self.settings.linger, self.socket.close(None)).await;
    }
}

fn request(client: &Client) -> Result<Request, ClientError> {
    let mut url = socket_address(client.url(&["ws"])?)?;
    url.query_pairs_mut().append_pair("protocol", PROTOCOL_VERSION);
    let unusable = |error: Error| ClientError::unusable(url.as_str(), error);
    let mut request = url.as_str().into_client_request().map_err(unusable)?;
    let headers = client.http().headers().iter();
    request.headers_mut().extend(headers.map(|(name, value)| (name.clone(), value.clone())));
    Ok(request)
}

fn socket_address(mut url: Url) -> Result<Url, ClientError> {
    let scheme = if url.scheme() == "https" { "wss" } else { "ws" };
    match url.set_scheme(scheme) {
        Ok(()) => Ok(url),
        Err(()) => Err(ClientError::unusable(url.as_str(), "no socket can be opened there")),
    }
}

fn not_connected(error: Error) -> ClientError {
    match error {
        Error::Http(response) => {
            let status = StatusCode::from_u16(response.status().as_u16());
            let body = response.body().as_deref().unwrap_or_default();
            http::refused(status.unwrap_or(StatusCode::BAD_GATEWAY), body)
        }
        error => ClientError::Unreachable(innermost(&error)),
    }
}

fn broken(error: Error) -> ClientError {
    match error {
        Error::Capacity(CapacityError::MessageTooLong { max_size, .. }) => {
            ClientError::Framing(FrameError::TooLarge { offset: 0, limit: max_size })
        }
        error => ClientError::Broken(innermost(&error)),
    }
}

fn closed(reason: Option<String>) -> ClientError {
    ClientError::Broken(reason.unwrap_or_else(|| "the server closed the socket".to_owned()))
}
