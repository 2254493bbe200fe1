//! What can go wrong between us and the server, and what it means for the work at hand.

use std::{error::Error as _, time::Duration};

use tokio_postgres::error::SqlState;

use crate::StoreError;

#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The driver or the server says no.
    #[error("{}", told(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// Nothing came in time.
    #[error("{what} took longer than {} seconds", after.as_secs())]
    Late { what: &'static str, after: Duration },
    /// A row does not hold what we have written.
    #[error("the events of a row are damaged")]
    Damaged,
}

impl Failure {
    /// Whether the connection is of no more use, and another one may do better.
    pub(super) fn is_lost(&self) -> bool {
        match self {
            Self::Postgres(error) => match error.code() {
                // The last one is what statements say that were prepared before another process changed a table.
                Some(code) => {
                    let class = &code.code()[..2];
                    ["08", "57"].contains(&class) || *code == SqlState::FEATURE_NOT_SUPPORTED
                }
                None => !is_ours(error),
            },
            Self::Late { .. } => true,
            Self::Damaged => false,
        }
    }

    /// Whether others were in the way, who may be gone the next time.
    pub(super) fn may_pass(&self) -> bool {
        let Self::Postgres(error) = self else { return false };
        let passing = [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE];
        error.code().is_some_and(|code| passing.contains(code))
    }

    /// Whether it is the values that no server would take, such as an id that no index can hold.
    fn is_unfit(&self) -> bool {
        let Self::Postgres(error) = self else { return false };
        let code = error.code().map(|code| code.code().get(..2).unwrap_or_default());
        code.is_some_and(|class| ["22", "23", "54"].contains(&class))
    }

    /// The same for each of those who waited for it.
    pub(super) fn tell(&self) -> StoreError {
        match self.is_unfit() {
            true => StoreError::Unfit(self.to_string().into()),
            false => StoreError::Database(self.to_string().into()),
        }
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        failure.tell()
    }
}

/// Whether what we sent, or what we made of the answer, is wrong; the connection is as good as before.
fn is_ours(error: &tokio_postgres::Error) -> bool {
    let text = error.to_string();
    ["serializing", "column", "parameters", "rows"].iter().any(|word| text.contains(word))
}

/// The driver names the kind and leaves the reason to its source.
fn told(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => format!("{} ({})", said.message(), said.code().code()),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}

/// Waits for something that may never come.
pub(super) async fn in_time<T, E>(
    what: &'static str,
    after: Duration,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, Failure>
where
    Failure: From<E>,
{
    match tokio::time::timeout(after, work).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(Failure::Late { what, after }),
    }
}
