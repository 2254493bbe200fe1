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
