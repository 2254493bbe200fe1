//! Work that is done once, however often a run comes by.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use forestage_protocol::{event::Event, interrupt::RunOutcome};
use forestage_runtime::{AgentError, Answer, Question, RunContext};
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn what_was_done_before_a_question_is_not_done_again_behind_it() {
    let done = Arc::new(AtomicUsize::new(0));
    let counted = done.clone();
    let stage = stage(move |ctx: RunContext| {
        let counted = counted.clone();
        async move {
            let count = async || Ok::<_, AgentError>(counted.fetch_add(1, Ordering::SeqCst) + 1);
            // Each of two with the same name has a result of its own.
            let (first, second): (usize, usize) =
                (ctx.once("roll", count).await?, ctx.once("roll", count).await?);
            let Answer::Resolved(answer) = ctx.ask(Question::new("input_required", "And?")).await? else {
                return Err(AgentError::new("refused", "no answer"));
            };
            let third: usize = ctx.once("roll", count).await?;
            ctx.say(format!("{first} {second} {third} {}", answer.get())).await?;
            Ok(())
        }
    })
    .await;
    let events = run(&stage, input("t", "r1", vec![user("u", "go")])).await;
    let Some(Event::RunFinished(end)) = events.last() else { panic!("{:?}", types(&events)) };
    let Some(RunOutcome::Interrupt(outcome)) = &end.outcome else { panic!("{end:?}") };
    assert_eq!(done.load(Ordering::SeqCst), 2);

    let mut again = input("t", "r2", vec![]);
    again.resume = Some(vec![answer(&outcome.interrupts.as_slice()[0].id, json!("yes"))]);
    run(&stage, again).await;
    assert_eq!(conversation(&stage, "t").await.last(), Some(&pair("assistant", "1 2 3 \"yes\"")));
    assert_eq!(done.load(Ordering::SeqCst), 3);
}
