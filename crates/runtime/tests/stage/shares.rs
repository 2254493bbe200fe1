//! Threads that are shown to whoever has a link.

use forestage_runtime::now;
use forestage_store::{NewAudit, Share};

use crate::support::*;

fn share(number: u8, thread: &str, expires_at: Option<i64>) -> Share {
    Share {
        id: number.to_string(),
        thread_id: thread.into(),
        hash: [number; 32],
        by: OWNER.to_owned(),
        at: 1,
        expires_at,
    }
}

fn shared(thread: &str) -> NewAudit {
    NewAudit {
        at: 1,
        kind: "shared".to_owned(),
        actor: OWNER.to_owned(),
        origin: "test".to_owned(),
        owner: OWNER.to_owned(),
        thread_id: Some(thread.into()),
        interrupt_id: None,
        json: "{}".into(),
    }
}

#[tokio::test]
async fn a_share_opens_its_own_thread_until_it_is_over() {
    let stage = stage(echo).await;
    for thread in ["t1", "t2"] {
        run(&stage, input(thread, &format!("{thread}-r"), vec![user("m1", "hello")])).await;
    }
    let (past, future) = (now() - 1000, now() + 60_000);
    for share in [share(1, "t1", None), share(2, "t1", Some(future)), share(3, "t1", Some(past))] {
        assert!(stage.store().put_share(share, shared("t1")).await.unwrap());
    }
    for (number, thread, opens) in [
        (1, "t1", true),
        (2, "t1", true),
        (3, "t1", false),
        (1, "t2", false),
        (2, "t2", false),
        (9, "t1", false),
    ] {
        let opened = stage.shared_thread([number; 32], &thread.into()).await;
        assert_eq!(opened.is_ok(), opens, "{number} {thread}");
        match opened {
            Ok((found, share)) => assert_eq!((found.id, share.hash), (thread.into(), [number; 32])),
            Err(refusal) => {
                assert_eq!(refusal.code, start_of_nothing(&stage).await, "as if it did not exist")
            }
        }
    }
}

/// How a thread that does not exist is refused.
async fn start_of_nothing(stage: &forestage_runtime::Stage) -> &'static str {
    stage.thread(OWNER, &"nowhere".into()).await.unwrap_err().code
}
