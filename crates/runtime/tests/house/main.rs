//! House rules through their public surface: judgements, moderation, mistakes, and the rules of AGORA.

mod agora;
mod errors;
mod judge;
mod moderation;
mod schema;

use forestage_runtime::house::HouseRules;

#[track_caller]
fn house(text: &str) -> HouseRules {
    HouseRules::parse("it", text).unwrap_or_else(|errors| panic!("{errors:#?}"))
}
