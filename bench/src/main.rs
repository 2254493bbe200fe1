mod mix; mod floor; mod race;
use std::hint::black_box;
use race::*;
use forestage_protocol as fp;
use fp::codec::{Framer, Encoded};
fn main() {
    let n = 4000;
    let texts = mix::stream(n);
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("mean {}", bytes / n);
    if std::env::args().any(|a| a=="dump") { for t in &texts { println!("{t}"); } return; }
    let effort = if std::env::args().any(|a| a=="--quick") {Effort::QUICK} else {Effort::FULL};
    let ours: Vec<fp::event::Event> = texts.iter().map(|t| fp::event::Event::from_json(t).unwrap()).collect();
    let theirs: Vec<ag_ui::Event> = texts.iter().map(|t| serde_json::from_str(t).unwrap()).collect();
    let floor: Vec<floor::one_pass::raw::Event> = texts.iter().map(|t| serde_json::from_str(t).unwrap()).collect();
    let proto: Vec<Vec<u8>> = ours.iter().map(|e| {let mut o=vec![]; fp::codec::proto::encode(e,&mut o);o}).collect();
    let sse = mix::event_stream(&texts);
    // roundtrip
    for (t, (o,(c,f))) in texts.iter().zip(ours.iter().zip(theirs.iter().zip(&floor))) {
        if o.to_json() != *t { println!("ours: {t}\n      {}", o.to_json()); }
        let c = serde_json::to_string(c).unwrap(); if c != *t { println!("crate: {t}\n      {c}"); break; }
        let f = serde_json::to_string(f).unwrap(); if f != *t { println!("floor: {t}\n      {f}"); break;}
    }
    if let Ok(only) = std::env::var("ONLY") {
        let passes = 20;
        println!("sizes {} {} {}", size_of::<fp::event::Event>(), size_of::<ag_ui::Event>(), size_of::<floor::one_pass::raw::Event>());
        let floorp: Vec<floor::one_pass::parsed::Event> = texts.iter().map(|t| serde_json::from_str(t).unwrap()).collect();
        let mut a = vec![];
        for _ in 0..passes { match only.as_str() {
            "decode" => for t in &texts { let _ = black_box(fp::event::Event::from_json(t)); },
            "decodefloor" => for t in &texts { let _ = black_box(serde_json::from_str::<floor::one_pass::raw::Event>(t)); },
            "decodecrate" => for t in &texts { let _ = black_box(serde_json::from_str::<ag_ui::Event>(t)); },
            "reader" => {let mut r = fp::pipeline::Reader::default(); for t in &texts { r.read_json(t, |e| {black_box(e);}).unwrap(); }},
            "proto" => for t in &proto { let _ = black_box(fp::codec::proto::decode(t)); },
            "encode" => for e in &ours { a.clear(); e.write_json(&mut a); black_box(&a); },
            "encodefloor" => for e in &floor { a.clear(); serde_json::to_writer(&mut a, e).unwrap(); black_box(&a); },
            "encodecrate" => for e in &theirs { a.clear(); serde_json::to_writer(&mut a, e).unwrap(); black_box(&a); },
            "protoenc" => for e in &ours { a.clear(); fp::codec::proto::encode(e, &mut a); black_box(&a); },
            "fold" => { let mut v = fp::verify::Verifier::default(); let mut t = fp::apply::ThreadView::default(); for e in &ours { v.check(e).unwrap(); black_box(t.apply(e)); } },
            "foldfloor" => { let mut v = floor::fold::View::default(); for e in &floorp { v.apply(e); } black_box(v.size()); },
            "sse" => { let mut d = fp::codec::sse::SseDecoder::new(); for chunk in sse.chunks(16384) { d.push(chunk); while let Some(f) = d.next().unwrap() { let _ = black_box(f); } } },
            _ => {}
        }}
        return;
    }
    let show = |lanes: Vec<Lane>| { for l in &lanes { println!("{:30} {:9.1} ns {:8.2}M/s  ours/this {:.2}", l.name, l.nanos(), 1e3/l.nanos(), lanes[0].speed_over(l)); } println!(); };
    show(race(effort, n, vec![
        Contender::new("ours from_json", || for t in &texts { black_box(fp::event::Event::from_json(t).is_ok()); }),
        Contender::new("ours from_json keep", || for t in &texts { let _ = black_box(fp::event::Event::from_json(t)); }),
        Contender::new("ours serde", || for t in &texts { let _ = black_box(serde_json::from_str::<fp::event::Event>(t)); }),
        Contender::new("ours Reader", || {let mut r = fp::pipeline::Reader::default(); for t in &texts { r.read_json(t, |e| {black_box(e);}).unwrap(); }}),
        Contender::new("crate", || for t in &texts { let _ = black_box(serde_json::from_str::<ag_ui::Event>(t)); }),
        Contender::new("floor A", || for t in &texts { let _ = black_box(serde_json::from_str::<floor::one_pass::raw::Event>(t)); }),
        Contender::new("floor A parsed", || for t in &texts { let _ = black_box(serde_json::from_str::<floor::one_pass::parsed::Event>(t)); }),
        Contender::new("floor B", || for t in &texts { let _ = black_box(serde_json::from_str::<floor::derived::Event>(t)); }),
        Contender::new("ours proto", || for t in &proto { let _ = black_box(fp::codec::proto::decode(t)); }),
    ]));
    let mut a = vec![]; let mut b = vec![]; let mut c = vec![]; let mut d = vec![];
    show(race(effort, n, vec![
        Contender::new("ours write_json", || for e in &ours { a.clear(); e.write_json(&mut a); black_box(&a); }),
        Contender::new("crate", || for e in &theirs { b.clear(); serde_json::to_writer(&mut b, e).unwrap(); black_box(&b); }),
        Contender::new("floor", || for e in &floor { c.clear(); serde_json::to_writer(&mut c, e).unwrap(); black_box(&c); }),
        Contender::new("ours proto", || for e in &ours { d.clear(); fp::codec::proto::encode(e, &mut d); black_box(&d); }),
    ]));
    show(race(effort, n, vec![
        Contender::new("ours Encoded", || for e in &ours { black_box(Encoded::new(e)); }),
        Contender::new("crate to_vec", || for e in &theirs { black_box(bytes::Bytes::from(serde_json::to_vec(e).unwrap())); }),
        Contender::new("floor to_vec", || for e in &floor { black_box(bytes::Bytes::from(serde_json::to_vec(e).unwrap())); }),
    ]));
    show(race(effort, n, vec![
        Contender::new("ours sse", || { let mut d = fp::codec::sse::SseDecoder::new(); let mut r = fp::pipeline::Reader::default();
            for chunk in sse.chunks(16384) { d.push(chunk); while let Some(f) = d.next().unwrap() { r.read_json(std::str::from_utf8(&f.data).unwrap(), |e| {black_box(e);}).unwrap(); } } }),
        Contender::new("ours sse strict", || { let mut d = fp::codec::sse::SseDecoder::new();
            for chunk in sse.chunks(16384) { d.push(chunk); while let Some(f) = d.next().unwrap() { let _ = black_box(fp::event::Event::from_json(std::str::from_utf8(&f.data).unwrap())); } } }),
        Contender::new("crate sse", || { let mut d = ag_ui::client::transport::SseDecoder::new();
            for chunk in sse.chunks(16384) { d.push(chunk).unwrap(); while let Some(f) = d.next_frame().unwrap() { let _ = black_box(f.into_event()); } } }),
    ]));
    for n in [1000, 10000, 100000] {
        let texts = mix::stream(n);
        let ours: Vec<fp::event::Event> = texts.iter().map(|t| fp::event::Event::from_json(t).unwrap()).collect();
        let theirs: Vec<ag_ui::Event> = texts.iter().map(|t| serde_json::from_str(t).unwrap()).collect();
        let floor: Vec<floor::one_pass::parsed::Event> = texts.iter().map(|t| serde_json::from_str(t).unwrap()).collect();
        show(race(effort, n, vec![
            Contender::new("ours fold", || { let mut v = fp::verify::Verifier::default(); let mut t = fp::apply::ThreadView::default(); for e in &ours { v.check(e).unwrap(); black_box(t.apply(e)); } }),
            Contender::new("ours verify", || { let mut v = fp::verify::Verifier::default(); for e in &ours { v.check(e).unwrap(); } }),
            Contender::new("ours apply", || { let mut t = fp::apply::ThreadView::default(); for e in &ours { black_box(t.apply(e)); } }),
            Contender::new("crate fold", || { let mut v = ag_ui::client::Verifier::new(); let mut t = ag_ui::client::Applier::new(); for e in &theirs { if matches!(e, ag_ui::Event::RunStarted(_)) { v = ag_ui::client::Verifier::new(); } v.verify(e).unwrap(); let _ = black_box(t.apply(e).unwrap()); } }),
            Contender::new("floor fold", || { let mut v = floor::fold::View::default(); for e in &floor { v.apply(e); } black_box(v.size()); }),
        ]));
    }
}
