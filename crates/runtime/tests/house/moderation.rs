//! Moderation by rules from a file, and reviews.

use std::time::Duration;

use forestage_runtime::{
    house::Review,
    moderation::{Moderator, Refused},
    policy::OnExpiry,
};

use crate::house;

#[test]
fn each_direction_has_its_own_rules_and_sentences() {
    let rules = house(
        "
moderation:
  input:
    patterns:
      - { pattern: 'b[ao]mb', name: weapons, message: We do not talk about that. }
      - { pattern: Secret, case_sensitive: true }
  output: { max_length: 3, not_empty: true }
",
    );
    let rules = rules.moderation.unwrap();
    let refused = rules.check_input("a BOMB").unwrap_err();
    assert_eq!(refused, Refused::new("weapons", "We do not talk about that."));
    assert_eq!(refused.to_string(), "We do not talk about that.");
    let refused = rules.check_input("a Secret").unwrap_err();
    assert_eq!(refused, Refused::new("Secret", "the message breaks a rule of this service"));
    assert_eq!(rules.check_input("a secret"), Ok(()));
    assert_eq!(rules.check_input(""), Ok(()));
    assert_eq!(rules.check_output("äöü"), Ok(()), "characters are counted, not bytes");
    let refused = rules.check_output("abcd").unwrap_err();
    assert_eq!(refused, Refused::new("max_length", "the message is longer than 3 characters"));
    assert_eq!(rules.check_output("\t").unwrap_err(), Refused::new("not_empty", "the message is empty"));
    assert_eq!(rules.check_output("bomb").unwrap_err().rule, "max_length");
}

#[test]
fn a_review_says_who_when_and_what_then() {
    let review = house("review: { role: coach, timeout: 2h, on_expiry: approve }").review;
    let expected = Review {
        role: Some("coach".to_owned()),
        timeout: Some(Duration::from_secs(7200)),
        on_expiry: OnExpiry::Approve,
    };
    assert_eq!(review, Some(expected));
    assert_eq!(house("review: {}").review, Some(Review::default()));
    let nothing = house("{}");
    assert!(nothing.review.is_none() && nothing.moderation.is_none());
}
