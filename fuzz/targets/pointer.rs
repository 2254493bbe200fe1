#![no_main]
libfuzzer_sys::fuzz_target!(|text: &str| { let _ = forestage_protocol::patch::Pointer::parse(text); });
