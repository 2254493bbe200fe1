//! What a run used.

use crate::{number::Count, wire::wire};

wire! {
    /// Tokens used with one provider and model. Absent is not zero; the details are parts of the totals.
    plain TokenUsage {
        required {}
        optional {
            /// Who runs the model.
            1 provider: String,
            /// The model.
            2 model: String,
            /// All tokens that went in.
            3 input_tokens: Count,
            /// All tokens that came out.
            4 output_tokens: Count,
            /// Both together.
            5 total_tokens: Count,
            /// Tokens of the output that were reasoning.
            6 reasoning_tokens: Count,
            /// Tokens of the input that came from a cache.
            7 cached_input_tokens: Count,
            /// Tokens of the input that were written to a cache.
            8 cache_write_input_tokens: Count,
        }
    }
}

impl TokenUsage {
    /// Adds what was used with the same provider and model. Says whether it was the same.
    pub fn add(&mut self, other: &Self) -> bool {
        if (&self.provider, &self.model) != (&other.provider, &other.model) {
            return false;
        }
        let add = |sum: &mut Option<Count>, more: Option<Count>| {
            *sum = match (*sum, more) {
                (Some(one), Some(two)) => Count::new(one.get().saturating_add(two.get())).or(*sum),
                (one, two) => one.or(two),
            };
        };
        add(&mut self.input_tokens, other.input_tokens);
        add(&mut self.output_tokens, other.output_tokens);
        add(&mut self.total_tokens, other.total_tokens);
        add(&mut self.reasoning_tokens, other.reasoning_tokens);
        add(&mut self.cached_input_tokens, other.cached_input_tokens);
        add(&mut self.cache_write_input_tokens, other.cache_write_input_tokens);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_model_used_is_added_up_and_absent_stays_absent() {
        let count = Count::new;
        let mut usage =
            TokenUsage { model: Some("m".to_owned()), input_tokens: count(3), ..TokenUsage::new() };
        let more = TokenUsage { output_tokens: count(1), ..usage.clone() };
        assert!(usage.add(&more));
        assert_eq!((usage.input_tokens, usage.output_tokens, usage.total_tokens), (count(6), count(1), None));
        assert!(!usage.add(&TokenUsage { model: Some("n".to_owned()), ..more }));
        assert_eq!(usage.input_tokens, count(6));
    }
}
