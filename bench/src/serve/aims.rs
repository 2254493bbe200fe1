//! The ratios to reach.

use super::{FLOOR, OURS, crowd::Crowd, figure::Figure};
use crate::report::{Aim, Section};

/// What 512 streams of 100 events a second ask for.
const OFFERED: f64 = 51_200.0;

pub(crate) fn aims(sections: &[Section], crowd: Option<Crowd>, long: Option<f64>) -> Vec<Aim> {
    let mut aims = Vec::new();
    for streams in [64, 512] {
        aims.extend(section(sections, &format!("burst-{streams}")).map(|found| burst(found, streams)));
    }
    let mut aims: Vec<Aim> = aims.into_iter().flatten().collect();
    aims.extend(section(sections, "paced").map(paced).into_iter().flatten());
    if let Some(crowd) = crowd {
        aims.push(Aim::at_most(25.0, "idle viewers: kB each at 5,000", crowd.idle_kilobytes));
        aims.push(Aim::at_most(16.0, "50 stalled viewers: MB more than one", crowd.stalled_megabytes));
    }
    if long.is_some() {
        let text = "long thread: processor time of a run behind 1,000 others against one behind 10";
        aims.push(Aim::at_most(5.0, text, long));
    }
    aims
}

fn section<'a>(sections: &'a [Section], key: &str) -> Option<&'a Section> {
    sections.iter().find(|section| section.key == key)
}

fn burst(section: &Section, streams: usize) -> Vec<Aim> {
    let over = |name: &str| section.ours_over(name);
    let first = ratio(section, |figure| figure.first_event_p99_ms);
    vec![
        Aim::at_least(0.5, format!("burst {streams}: against axum Sse (0.7 is the aim)"), over(FLOOR)),
        Aim::at_least(2.5, format!("burst {streams}: against Node"), over(super::NODE)),
        Aim::at_least(20.0, format!("burst {streams}: against CopilotKit"), over(super::COPILOTKIT)),
        Aim::at_most(3.0, format!("burst {streams}: first event p99 against axum Sse"), first),
    ]
}

fn paced(section: &Section) -> Vec<Aim> {
    let held = section.rows.iter().find(|row| row.name == OURS).map(|row| row.events_per_second / OFFERED);
    let first = figure(section, OURS).map(|figure| figure.first_event_p99_ms);
    vec![
        Aim::at_least(0.98, "paced: part of the rate that is held", held),
        Aim::at_most(
            2.0,
            "paced: processor time against axum Sse",
            ratio(section, |figure| figure.cpu_micros_per_event),
        ),
        Aim::at_most(30.0, "paced: first event p99 in milliseconds", first),
        Aim::at_most(
            10.0,
            "paced: first event p99 against axum Sse",
            ratio(section, |figure| figure.first_event_p99_ms),
        ),
    ]
}

fn figure(section: &Section, name: &str) -> Option<Figure> {
    section.rows.iter().find(|row| row.name == name).and_then(|row| row.serving)
}

fn ratio(section: &Section, of: fn(&Figure) -> f64) -> Option<f64> {
    Some(of(&figure(section, OURS)?) / of(&figure(section, FLOOR)?))
}
