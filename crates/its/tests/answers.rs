//! Every answer that a component takes, and every kind that it does not, held against arguments of which no two parts look
//! alike: whoever takes one part for another is found out.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use forestage_its::{Grade, GradedPart, find};
use serde_json::{Value, json};

/// What is said of an answer: who was right, or what is wrong and where.
fn judged(name: &str, shown: &Value, answer: &Value) -> Result<Option<Grade>, Vec<(&'static str, String)>> {
    let entry = find(name).unwrap();
    entry.check(shown).unwrap_or_else(|faults| panic!("{name}: {faults}"));
    let faults = |faults: forestage_its::Faults| faults.iter().map(|it| (it.code, it.path.clone())).collect();
    entry.check_answer(shown, answer).map_err(faults)
}

#[track_caller]
fn takes(name: &str, shown: &Value, answer: Value) {
    assert_eq!(judged(name, shown, &answer), Ok(None), "{answer}");
}

#[track_caller]
fn grades(name: &str, shown: &Value, answer: Value, grade: Grade) {
    assert_eq!(judged(name, shown, &answer), Ok(Some(grade)), "{answer}");
}

#[track_caller]
fn refuses(name: &str, shown: &Value, answer: Value, expected: &[(&'static str, &str)]) {
    let expected = expected.iter().map(|(code, path)| (*code, (*path).to_owned())).collect();
    assert_eq!(judged(name, shown, &answer), Err(expected), "{answer}");
}

/// An answer without each of its members in turn is refused, and so is one in which it is of another type.
#[track_caller]
fn needs(name: &str, shown: &Value, answer: &Value, members: &[&str]) {
    for member in members {
        let mut less = answer.clone();
        less.as_object_mut().unwrap().remove(*member).unwrap();
        refuses(name, shown, less, &[("missing_field", "")]);
        let mut other = answer.clone();
        other[*member] = json!(true);
        refuses(name, shown, other, &[("wrong_type", &format!("/{member}"))]);
    }
}

#[test]
fn any_track_is_taken_and_nothing_else_that_is_shown_of_it() {
    let track =
        |id: &str| json!({ "track_id": id, "title": format!("{id}!"), "description": "d", "tags": ["easy"] });
    let shown = json!({ "tracks": [track("a"), track("b"), track("c")] });
    let name = "learning_track_carousel";
    for id in ["a", "b", "c"] {
        takes(name, &shown, json!({ "selected_track_id": id }));
    }
    for other in ["d", "A", "a!", "easy", "", "a b"] {
        refuses(name, &shown, json!({ "selected_track_id": other }), &[("unknown_id", "/selected_track_id")]);
    }
    needs(name, &shown, &json!({ "selected_track_id": "a" }), &["selected_track_id"]);
}

#[test]
fn a_slider_takes_its_steps_from_its_left_end_to_its_right_one() {
    let name = "skill_slider";
    let skill = json!({ "skill_id": "s", "skill_name": "S", "prompt_text": "?", "min_value": -4, "max_value": 12, "current_value": 2, "step": 3 });
    for value in -6..=14 {
        let answer = json!({ "skill_id": "s", "selected_value": value });
        match value {
            -4 | -1 | 2 | 5 | 8 | 11 => takes(name, &skill, answer),
            -4..=12 => refuses(name, &skill, answer, &[("off_step", "/selected_value")]),
            _ => refuses(name, &skill, answer, &[("out_of_range", "/selected_value")]),
        }
    }
    let mut by_one = skill.clone();
    by_one.as_object_mut().unwrap().remove("step");
    (-4..=12).for_each(|value| takes(name, &by_one, json!({ "skill_id": "s", "selected_value": value })));
    refuses(name, &skill, json!({ "skill_id": "S", "selected_value": 2 }), &[("wrong_id", "/skill_id")]);
    refuses(
        name,
        &skill,
        json!({ "skill_id": "s", "selected_value": 2.5 }),
        &[("wrong_type", "/selected_value")],
    );
    needs(name, &skill, &json!({ "skill_id": "s", "selected_value": 2 }), &["skill_id", "selected_value"]);
}

#[test]
fn each_button_has_its_own_topic_and_no_other() {
    let name = "topic_buttons";
    let ids = ["b1", "b2", "b3"];
    let button = |id: &&str| json!({ "button_id": id, "label": format!("label {id}"), "topic_id_payload": format!("topic {id}") });
    let shown = json!({ "buttons": ids.iter().map(button).collect::<Vec<_>>() });
    for pressed in ids {
        for topic in ids {
            let answer =
                json!({ "button_id_clicked": pressed, "topic_id_payload": format!("topic {topic}") });
            match pressed == topic {
                true => takes(name, &shown, answer),
                false => refuses(name, &shown, answer, &[("mismatch", "/topic_id_payload")]),
            }
        }
    }
    for other in ["b4", "label b1", "topic b1"] {
        let answer = json!({ "button_id_clicked": other, "topic_id_payload": "topic b1" });
        refuses(name, &shown, answer, &[("unknown_id", "/button_id_clicked")]);
    }
    let answer = json!({ "button_id_clicked": "b2", "topic_id_payload": "topic b2" });
    needs(name, &shown, &answer, &["button_id_clicked", "topic_id_payload"]);
}

#[test]
fn several_goals_are_taken_in_any_order_and_one_alone_unless_several_may_be() {
    let name = "goal_selector";
    let goal = |id: &str| json!({ "goal_id": id, "description": format!("about {id}"), "icon": "star" });
    let goals = json!([goal("a"), goal("b"), goal("c")]);
    let several = json!({ "prompt_text": "?", "goals": goals, "allow_multiple_selection": true });
    let path = "/selected_goal_ids";
    for ids in [json!(["a"]), json!(["c", "a"]), json!(["b", "c", "a"])] {
        takes(name, &several, json!({ "selected_goal_ids": ids }));
    }
    let one = json!({ "prompt_text": "?", "goals": goals, "allow_multiple_selection": false });
    let silent = json!({ "prompt_text": "?", "goals": goals });
    for shown in [&one, &silent] {
        ["a", "b", "c"].iter().for_each(|id| takes(name, shown, json!({ "selected_goal_ids": [id] })));
        refuses(name, shown, json!({ "selected_goal_ids": ["a", "b"] }), &[("too_many_items", path)]);
    }
    for shown in [&several, &one] {
        refuses(name, shown, json!({ "selected_goal_ids": [] }), &[("too_few_items", path)]);
        refuses(
            name,
            shown,
            json!({ "selected_goal_ids": ["about a"] }),
            &[("unknown_id", "/selected_goal_ids/0")],
        );
        refuses(name, shown, json!({ "selected_goal_ids": [1] }), &[("wrong_type", "/selected_goal_ids/0")]);
    }
    refuses(
        name,
        &several,
        json!({ "selected_goal_ids": ["a", "d"] }),
        &[("unknown_id", "/selected_goal_ids/1")],
    );
    refuses(
        name,
        &several,
        json!({ "selected_goal_ids": ["a", "b", "a"] }),
        &[("duplicate_id", "/selected_goal_ids/2")],
    );
    needs(name, &several, &json!({ "selected_goal_ids": ["a"] }), &["selected_goal_ids"]);
}

/// A question about code of some kind, with what all kinds need.
fn assessment(kind: &str) -> Value {
    json!({
        "assessment_id": "q",
        "assessment_type": kind,
        "problem_statement": "?",
        "choices": [{ "id": "a", "text": "A" }, { "id": "b", "text": "B" }, { "id": "c", "text": "C" }],
        "dnd_model": { "blocks": [{ "id": "x", "code": "1" }, { "id": "y", "code": "2" }, { "id": "z", "code": "3" }], "correct_order": ["z", "x", "y"] },
        "blank_fields": [
            { "blank_id": "m", "label": "first", "correct_answers": ["let", " const "] },
            { "blank_id": "n" },
            { "blank_id": "o", "correct_answers": ["42"] },
        ],
    })
}

#[test]
fn a_question_about_code_takes_the_answer_of_its_kind_and_no_other() {
    let name = "code_assessment";
    let parts = [
        ("mcq", "submitted_answer_id", json!("b")),
        ("dnd_code_blocks", "dropped_items_order", json!(["z", "x", "y"])),
        ("fill_in_the_blanks", "filled_blanks", json!([{ "blank_id": "m", "user_input": "let" }])),
    ];
    for (kind, wanted, _) in &parts {
        let shown = assessment(kind);
        for (_, member, value) in &parts {
            let answer = json!({ "assessment_id": "q", *member: value });
            match member == wanted {
                true => assert!(judged(name, &shown, &answer).is_ok(), "{kind}: {answer}"),
                false => {
                    let path = format!("/{member}");
                    let mut found = judged(name, &shown, &answer).unwrap_err();
                    found.sort_unstable();
                    assert_eq!(
                        found,
                        [("missing_field", String::new()), ("unexpected_field", path)],
                        "{kind}"
                    );
                }
            }
        }
        let whole: serde_json::Map<_, _> =
            parts.iter().map(|(_, name, value)| ((*name).to_owned(), value.clone())).collect();
        let mut all = Value::Object(whole);
        all["assessment_id"] = json!("q");
        let others =
            parts.iter().filter(|(_, member, _)| member != wanted).map(|(_, member, _)| format!("/{member}"));
        let expected: Vec<_> = others.map(|path| ("unexpected_field", path)).collect();
        assert_eq!(judged(name, &shown, &all), Err(expected), "{kind}");
        refuses(name, &shown, json!({ "assessment_id": "q" }), &[("missing_field", "")]);
        let (_, member, value) = parts.iter().find(|(_, member, _)| member == wanted).unwrap();
        refuses(
            name,
            &shown,
            json!({ "assessment_id": "p", *member: value }),
            &[("wrong_id", "/assessment_id")],
        );
        refuses(name, &shown, json!({ *member: value }), &[("missing_field", "")]);
        refuses(
            name,
            &shown,
            json!({ "assessment_id": "q", *member: 7 }),
            &[("wrong_type", &format!("/{member}"))],
        );
    }
}

#[test]
fn any_choice_about_code_is_taken_and_not_graded() {
    let (name, shown) = ("code_assessment", assessment("mcq"));
    for id in ["a", "b", "c"] {
        takes(name, &shown, json!({ "assessment_id": "q", "submitted_answer_id": id }));
    }
    for other in ["d", "A", "x", "m"] {
        let answer = json!({ "assessment_id": "q", "submitted_answer_id": other });
        refuses(name, &shown, answer, &[("unknown_id", "/submitted_answer_id")]);
    }
}

#[test]
fn the_order_of_blocks_is_right_in_one_way_however_the_model_lists_them() {
    let name = "code_assessment";
    let order = |ids: &[&str]| json!({ "assessment_id": "q", "dropped_items_order": ids });
    let models = [
        json!({ "blocks": [{ "id": "x" }, { "id": "y" }, { "id": "z" }], "correct_order": ["z", "x", "y"] }),
        json!({ "items": ["x", "y", "z"], "correct_order": ["z", "x", "y"], "hint": { "of": 1 } }),
        json!({ "draggables": [{ "id": "x", "label": "1" }, "y", { "id": "z" }], "correct_order": ["z", "x", "y"] }),
    ];
    for model in models {
        let mut shown = assessment("dnd_code_blocks");
        shown["dnd_model"] = model;
        grades(name, &shown, order(&["z", "x", "y"]), Grade::whole(true));
        for wrong in [&["x", "y", "z"][..], &["z", "y", "x"], &["y", "x", "z"], &["z", "x"], &["z"]] {
            grades(name, &shown, order(wrong), Grade::whole(false));
        }
        refuses(name, &shown, order(&["z", "x", "w"]), &[("unknown_id", "/dropped_items_order/2")]);
        refuses(name, &shown, order(&["z", "z", "y"]), &[("duplicate_id", "/dropped_items_order/1")]);
        refuses(name, &shown, order(&[]), &[("too_few_items", "/dropped_items_order")]);
        shown["dnd_model"].as_object_mut().unwrap().remove("correct_order");
        takes(name, &shown, order(&["z", "x", "y"]));
    }
    let mut free = assessment("dnd_code_blocks");
    free["dnd_model"] = json!({ "tree": { "root": [1, null, "x"] } });
    takes(name, &free, order(&["anything", "else"]));
    refuses(name, &free, order(&["one", "one"]), &[("duplicate_id", "/dropped_items_order/1")]);
    let graded = json!({ "correct_order": ["p", "q"] });
    free["dnd_model"] = graded;
    grades(name, &free, order(&["p", "q"]), Grade::whole(true));
    grades(name, &free, order(&["q", "p"]), Grade::whole(false));
}

#[test]
fn each_blank_with_a_key_is_graded_by_it_and_in_the_order_of_the_question() {
    let (name, shown) = ("code_assessment", assessment("fill_in_the_blanks"));
    let filled = |pairs: &[(&str, &str)]| {
        let blank = |(id, input): &(&str, &str)| json!({ "blank_id": id, "user_input": input });
        json!({ "assessment_id": "q", "filled_blanks": pairs.iter().map(blank).collect::<Vec<_>>() })
    };
    let grade = |first: bool, last: bool| {
        let part = |id: &str, correct| GradedPart { id: id.to_owned(), correct };
        let right = usize::from(first) + usize::from(last);
        Grade { correct: right == 2, right, total: 2, parts: vec![part("m", first), part("o", last)] }
    };
    for (pairs, first, last) in [
        (&[("m", "let"), ("n", "whatever"), ("o", "42")][..], true, true),
        (&[("o", " 42 "), ("m", "const")], true, true),
        (&[("m", "let"), ("o", "let")], true, false),
        (&[("m", "42"), ("o", "42")], false, true),
        (&[("m", "Let"), ("o", "4 2")], false, false),
        (&[("o", "42")], false, true),
        (&[("n", "let")], false, false),
        (&[], false, false),
    ] {
        grades(name, &shown, filled(pairs), grade(first, last));
    }
    let place = "/filled_blanks/1/blank_id";
    refuses(name, &shown, filled(&[("m", "let"), ("first", "x")]), &[("unknown_id", place)]);
    refuses(name, &shown, filled(&[("o", "42"), ("o", "43")]), &[("duplicate_id", place)]);
    for (member, blank) in
        [("blank_id", json!({ "user_input": "x" })), ("user_input", json!({ "blank_id": "m" }))]
    {
        let answer = json!({ "assessment_id": "q", "filled_blanks": [blank] });
        refuses(name, &shown, answer, &[("missing_field", "/filled_blanks/0")]);
        let mut wrong = json!({ "blank_id": "m", "user_input": "x" });
        wrong[member] = json!(7);
        let answer = json!({ "assessment_id": "q", "filled_blanks": [wrong] });
        refuses(name, &shown, answer, &[("wrong_type", &format!("/filled_blanks/0/{member}"))]);
    }
    let mut open = shown.clone();
    open["blank_fields"] = json!([{ "blank_id": "m" }, { "blank_id": "n", "correct_answers": [] }]);
    takes(name, &open, filled(&[("m", "let"), ("n", "x")]));
}

#[test]
fn a_rating_is_from_nothing_to_the_best_of_its_own_skill() {
    let name = "skill_mapper";
    let skill = |id: &str, max: i64| json!({ "skill_id": id, "skill_name": id.to_uppercase(), "current_rating": 1, "max_rating": max });
    let shown = json!({ "mapper_id": "map", "skills": [skill("a", 3), skill("b", 7)] });
    let rated = |pairs: &[(&str, i64)]| {
        let update = |(id, rating): &(&str, i64)| json!({ "skill_id": id, "new_rating": rating });
        json!({ "mapper_id": "map", "updated_skills": pairs.iter().map(update).collect::<Vec<_>>() })
    };
    (0..=3).for_each(|rating| takes(name, &shown, rated(&[("a", rating)])));
    (0..=7).for_each(|rating| takes(name, &shown, rated(&[("b", rating)])));
    takes(name, &shown, rated(&[]));
    takes(name, &shown, rated(&[("b", 7), ("a", 0)]));
    let (first, second) = ("/updated_skills/0/new_rating", "/updated_skills/1/new_rating");
    for (pairs, place) in [
        (&[("a", -1)][..], first),
        (&[("a", 4)], first),
        (&[("b", 8)], first),
        (&[("a", 3), ("b", -1)], second),
        (&[("b", 7), ("a", 7)], second),
    ] {
        refuses(name, &shown, rated(pairs), &[("out_of_range", place)]);
    }
    refuses(name, &shown, rated(&[("a", 1), ("c", 1)]), &[("unknown_id", "/updated_skills/1/skill_id")]);
    refuses(name, &shown, rated(&[("A", 1)]), &[("unknown_id", "/updated_skills/0/skill_id")]);
    refuses(name, &shown, rated(&[("a", 1), ("a", 2)]), &[("duplicate_id", "/updated_skills/1/skill_id")]);
    let mut other = rated(&[("a", 1)]);
    other["mapper_id"] = json!("a");
    refuses(name, &shown, other, &[("wrong_id", "/mapper_id")]);
    needs(name, &shown, &rated(&[("a", 1)]), &["mapper_id", "updated_skills"]);
    for (member, update) in
        [("skill_id", json!({ "new_rating": 1 })), ("new_rating", json!({ "skill_id": "a" }))]
    {
        let answer = json!({ "mapper_id": "map", "updated_skills": [update] });
        refuses(name, &shown, answer, &[("missing_field", "/updated_skills/0")]);
        let mut wrong = json!({ "skill_id": "a", "new_rating": 1 });
        wrong[member] = json!(1.5);
        let answer = json!({ "mapper_id": "map", "updated_skills": [wrong] });
        refuses(name, &shown, answer, &[("wrong_type", &format!("/updated_skills/0/{member}"))]);
    }
}

/// What is asked for, with bounds where there are some.
fn selector(kind: &str, min: Option<&str>, max: Option<&str>) -> Value {
    let mut shown = json!({ "selector_id": "when", "selection_type": kind, "prompt_text": "?" });
    for (name, bound) in [("min_datetime", min), ("max_datetime", max)] {
        if let Some(bound) = bound {
            shown[name] = json!(bound);
        }
    }
    shown
}

const FROM: Option<&str> = Some("2024-09-02T09:15:00Z");
const TO: Option<&str> = Some("2024-09-05T17:30:00Z");

/// One member of a selection, between both bounds or one of them: the last that is too early, the first and the last that
/// are taken, and the first that is too late.
fn bounded(kind: &str, member: &str, [early, first, last, late]: [&str; 4]) {
    let name = "time_selector";
    let chosen = |value: &str| json!({ "selector_id": "when", "selection": { member: value } });
    let place = format!("/selection/{member}");
    for (min, max) in [(FROM, TO), (FROM, None), (None, TO), (None, None)] {
        let shown = selector(kind, min, max);
        for (value, is_out) in [(early, min.is_some()), (first, false), (last, false), (late, max.is_some())]
        {
            match is_out {
                true => refuses(name, &shown, chosen(value), &[("out_of_range", &place)]),
                false => takes(name, &shown, chosen(value)),
            }
        }
    }
}

#[test]
fn a_day_a_time_or_a_moment_lies_between_the_bounds_which_belong_to_it() {
    bounded("date", "selected_date", ["2024-09-01", "2024-09-02", "2024-09-05", "2024-09-06"]);
    bounded("time", "selected_time", ["09:14", "09:15", "17:30", "17:31"]);
    bounded("time", "selected_time", ["09:14:59", "09:15:00", "17:30:00", "17:30:01"]);
    let moments = [
        "2024-09-02T09:14:59Z",
        "2024-09-02T11:15:00+02:00",
        "2024-09-05T17:30:00Z",
        "2024-09-05T17:30:00.001Z",
    ];
    bounded("datetime", "selected_datetime", moments);
    let elsewhere = [
        "2024-09-02T10:00:00+01:00",
        "2024-09-01T22:15:00-11:00",
        "2024-09-06T05:30:00+12:00",
        "2024-09-05T17:00:00-01:00",
    ];
    bounded("datetime", "selected_datetime", elsewhere);
}

#[test]
fn a_fraction_of_a_second_counts_by_its_place() {
    let shown = selector("datetime", Some("2024-09-02T09:15:00.25Z"), Some("2024-09-02T09:15:00.5Z"));
    let answer = |fraction: &str| {
        let moment = format!("2024-09-02T09:15:00{fraction}Z");
        json!({ "selector_id": "when", "selection": { "selected_datetime": moment } })
    };
    [".25", ".250", ".3", ".49999999999", ".500"]
        .iter()
        .for_each(|it| takes("time_selector", &shown, answer(it)));
    for outside in ["", ".1", ".0251", ".2499", ".6", ".50001"] {
        refuses(
            "time_selector",
            &shown,
            answer(outside),
            &[("out_of_range", "/selection/selected_datetime")],
        );
    }
}

#[test]
fn a_range_begins_before_it_ends_and_both_of_its_ends_lie_between_the_bounds() {
    let name = "time_selector";
    let days = |start: &str, end: &str| json!({ "selector_id": "when", "selection": { "start_date": start, "end_date": end } });
    let shown = selector("date_range", FROM, TO);
    for (start, end) in
        [("2024-09-02", "2024-09-05"), ("2024-09-02", "2024-09-02"), ("2024-09-04", "2024-09-05")]
    {
        takes(name, &shown, days(start, end));
    }
    refuses(name, &shown, days("2024-09-01", "2024-09-05"), &[("out_of_range", "/selection/start_date")]);
    refuses(name, &shown, days("2024-09-02", "2024-09-06"), &[("out_of_range", "/selection/end_date")]);
    refuses(name, &shown, days("2024-09-04", "2024-09-03"), &[("range_order", "/selection/end_date")]);
    refuses(name, &shown, days("2024-9-4", "2024-09-05"), &[("invalid_date", "/selection/start_date")]);
    refuses(name, &shown, days("2024-09-04", "05.09.2024"), &[("invalid_date", "/selection/end_date")]);
    let times = |start: &str, end: &str| json!({ "selector_id": "when", "selection": { "start_time": start, "end_time": end } });
    let shown = selector("time_range", FROM, TO);
    for (start, end) in [("09:15", "17:30"), ("09:15:00", "09:15:01"), ("17:29", "17:30")] {
        takes(name, &shown, times(start, end));
    }
    refuses(name, &shown, times("09:14", "17:30"), &[("out_of_range", "/selection/start_time")]);
    refuses(name, &shown, times("09:15", "17:31"), &[("out_of_range", "/selection/end_time")]);
    refuses(name, &shown, times("10:00", "09:30"), &[("range_order", "/selection/end_time")]);
    refuses(name, &shown, times("10:00", "10:00"), &[("range_order", "/selection/end_time")]);
    refuses(name, &shown, times("9:30", "10:00"), &[("invalid_time", "/selection/start_time")]);
    refuses(name, &shown, times("09:30", "24:00"), &[("invalid_time", "/selection/end_time")]);
    takes(name, &selector("time_range", None, None), times("00:00", "23:59"));
    takes(name, &selector("date_range", None, None), days("1999-12-31", "2100-01-01"));
}

#[test]
fn a_selection_is_what_was_asked_for_each_member_of_it_and_no_other() {
    let name = "time_selector";
    let kinds: [(&str, &[(&str, &str)]); 5] = [
        ("date", &[("selected_date", "2024-09-03")]),
        ("time", &[("selected_time", "10:30")]),
        ("datetime", &[("selected_datetime", "2024-09-03T10:30:00Z")]),
        ("date_range", &[("start_date", "2024-09-03"), ("end_date", "2024-09-04")]),
        ("time_range", &[("start_time", "10:30"), ("end_time", "11:30")]),
    ];
    let all: Vec<_> = kinds.iter().flat_map(|(_, members)| members.iter()).collect();
    for (kind, members) in kinds {
        let shown = selector(kind, FROM, TO);
        let selection: serde_json::Map<_, _> =
            members.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        let answer = json!({ "selector_id": "when", "selection": selection });
        takes(name, &shown, answer.clone());
        needs(name, &shown, &answer, &["selector_id", "selection"]);
        let mut other = answer.clone();
        other["selector_id"] = json!(kind);
        refuses(name, &shown, other, &[("wrong_id", "/selector_id")]);
        for (member, _) in members {
            let mut less = answer.clone();
            less["selection"].as_object_mut().unwrap().remove(*member);
            refuses(name, &shown, less, &[("missing_field", "/selection")]);
        }
        for (member, value) in all.iter().filter(|member| !members.contains(member)) {
            let mut more = answer.clone();
            more["selection"][*member] = json!(value);
            let found = judged(name, &shown, &more).unwrap_err();
            assert_eq!(found[0], ("unexpected_field", format!("/selection/{member}")), "{kind}");
        }
    }
    for no_moment in
        ["2024-09-03", "2024-09-03T10:30", "2024-09-03T10:30:00", "10:30:00Z", "2024-09-31T10:30:00Z"]
    {
        let answer = json!({ "selector_id": "when", "selection": { "selected_datetime": no_moment } });
        refuses(
            name,
            &selector("datetime", FROM, TO),
            answer,
            &[("invalid_datetime", "/selection/selected_datetime")],
        );
    }
}

#[test]
fn cards_are_taken_none_to_all_and_one_at_most_if_one_is_asked_for() {
    let name = "preference_cards";
    let card = |id: &str| json!({ "card_id": id, "title": format!("title {id}"), "description": "d", "icon": "eye" });
    let cards = json!([card("a"), card("b"), card("c")]);
    let chosen = |ids: &[&str]| json!({ "preference_set_id": "set", "selected_card_ids": ids });
    let silent = json!({ "preference_set_id": "set", "prompt_text": "?", "cards": cards });
    let several = json!({ "preference_set_id": "set", "prompt_text": "?", "cards": cards, "allow_multiple_selection": true });
    let one = json!({ "preference_set_id": "set", "prompt_text": "?", "cards": cards, "allow_multiple_selection": false });
    for shown in [&silent, &several] {
        for ids in [&[][..], &["b"], &["c", "a"], &["a", "b", "c"]] {
            takes(name, shown, chosen(ids));
        }
    }
    for ids in [&[][..], &["a"], &["b"], &["c"]] {
        takes(name, &one, chosen(ids));
    }
    refuses(name, &one, chosen(&["a", "b"]), &[("too_many_items", "/selected_card_ids")]);
    refuses(name, &several, chosen(&["a", "title b"]), &[("unknown_id", "/selected_card_ids/1")]);
    refuses(name, &several, chosen(&["c", "c"]), &[("duplicate_id", "/selected_card_ids/1")]);
    let mut other = chosen(&["a"]);
    other["preference_set_id"] = json!("a");
    refuses(name, &several, other, &[("wrong_id", "/preference_set_id")]);
    needs(name, &several, &chosen(&["a"]), &["preference_set_id", "selected_card_ids"]);
}

#[test]
fn an_editor_takes_what_its_configuration_lets_one_do() {
    let name = "interactive_code_editor";
    let answer =
        |action: &str, code: &str| json!({ "editor_id": "e", "current_code": code, "action": action });
    for (config, can_write, can_run) in [
        (json!(null), true, true),
        (json!({}), true, true),
        (json!({ "read_only": false, "show_run_button": true }), true, true),
        (json!({ "read_only": true }), false, true),
        (json!({ "show_run_button": false }), true, false),
        (json!({ "read_only": true, "show_run_button": false, "expected_output": "1" }), false, false),
    ] {
        let mut shown = json!({ "editor_id": "e", "language": "python", "initial_code": "print(1)" });
        if !config.is_null() {
            shown["config"] = config.clone();
        }
        for (action, code) in [
            ("submit_code", "print(1)"),
            ("submit_code", "print(2)"),
            ("run_code", "print(1)"),
            ("run_code", ""),
        ] {
            let written = code != "print(1)" && !can_write;
            let run = action == "run_code" && !can_run;
            let faults = [(written, ("not_offered", "/current_code")), (run, ("not_offered", "/action"))];
            let faults: Vec<_> =
                faults.into_iter().filter(|(is_there, _)| *is_there).map(|(_, fault)| fault).collect();
            match faults.is_empty() {
                true => takes(name, &shown, answer(action, code)),
                false => refuses(name, &shown, answer(action, code), &faults),
            }
        }
        refuses(name, &shown, answer("run", "print(1)"), &[("unknown_value", "/action")]);
    }
    let shown = json!({ "editor_id": "e", "language": "java" });
    let mut printed = answer("run_code", "1");
    printed["output"] = json!("1\n");
    takes(name, &shown, printed.clone());
    printed["output"] = json!(1);
    refuses(name, &shown, printed, &[("wrong_type", "/output")]);
    let mut other = answer("submit_code", "1");
    other["editor_id"] = json!("f");
    refuses(name, &shown, other, &[("wrong_id", "/editor_id")]);
    needs(name, &shown, &answer("submit_code", "1"), &["editor_id", "current_code", "action"]);
}

#[test]
fn a_part_of_a_diagram_is_chosen_where_it_is_interactive_and_there() {
    let name = "diagram_viewer";
    let click = |node: &str| json!({ "diagram_id": "d", "interaction_type": "node_click", "node_id": node });
    for (kind, data, nodes, others) in [
        (
            "mermaid",
            "graph TD; Start[Begin] --> E2(End);",
            &["Start", "E2"][..],
            &["Star", "E", "2", "F", ""][..],
        ),
        (
            "drawio_xml",
            "<mxCell id=\"n1\" value=\"A\"/><mxCell id=\"n2\"/>",
            &["n1", "n2"],
            &["n", "A", "n3", "mxCell"],
        ),
        ("image_url", "https://example.com/a.png", &["anything"], &[]),
    ] {
        let shown =
            json!({ "diagram_id": "d", "diagram_type": kind, "diagram_data": data, "interactive": true });
        nodes.iter().for_each(|node| takes(name, &shown, click(node)));
        others.iter().for_each(|node| refuses(name, &shown, click(node), &[("unknown_id", "/node_id")]));
        takes(name, &shown, json!({ "diagram_id": "d", "interaction_type": "acknowledged" }));
        refuses(name, &shown, json!({}), &[("missing_field", ""), ("missing_field", "")]);
        refuses(name, &shown, json!({ "diagram_id": "d" }), &[("missing_field", "")]);
        refuses(
            name,
            &shown,
            json!({ "interaction_type": "node_click", "node_id": nodes[0] }),
            &[("missing_field", "")],
        );
        refuses(
            name,
            &shown,
            json!({ "diagram_id": "d", "interaction_type": "node_click" }),
            &[("missing_field", "")],
        );
        let mut other = click(nodes[0]);
        other["diagram_id"] = json!("c");
        refuses(name, &shown, other, &[("wrong_id", "/diagram_id")]);
    }
    for interactive in [None, Some(false)] {
        let mut shown =
            json!({ "diagram_id": "d", "diagram_type": "mermaid", "diagram_data": "graph TD; A --> B" });
        if let Some(interactive) = interactive {
            shown["interactive"] = json!(interactive);
        }
        takes(name, &shown, json!({}));
        takes(name, &shown, json!({ "diagram_id": "d" }));
        takes(name, &shown, json!({ "diagram_id": "d", "interaction_type": "acknowledged" }));
        refuses(name, &shown, json!({ "diagram_id": "c" }), &[("wrong_id", "/diagram_id")]);
        refuses(name, &shown, json!({ "interaction_type": "zoom" }), &[("not_offered", "/interaction_type")]);
        refuses(name, &shown, json!({ "node_id": "A" }), &[("unexpected_field", "/node_id")]);
        let both = [("not_offered", "/interaction_type"), ("unexpected_field", "/node_id")];
        refuses(name, &shown, click("A"), &both);
    }
}

#[test]
fn a_thing_is_dropped_into_a_zone_that_takes_its_group() {
    let name = "dnd_exercise";
    let shown = json!({
        "exercise_id": "x",
        "prompt_text": "?",
        "draggables": [{ "id": "t1", "label": "T1", "group": "red" }, { "id": "t2", "label": "T2", "group": "blue" }, { "id": "t3", "label": "T3" }],
        "drop_zones": [{ "id": "z1", "label": "Z1", "accepts_group": "red" }, { "id": "z2", "label": "Z2", "accepts_group": "blue" }, { "id": "z3", "label": "Z3" }],
    });
    let dropped = |pairs: &[(&str, &str)]| {
        let pair = |(thing, zone): &(&str, &str)| json!({ "draggable_id": thing, "drop_zone_id": zone });
        json!({ "exercise_id": "x", "mapping": pairs.iter().map(pair).collect::<Vec<_>>() })
    };
    let fitting = [("t1", "z1"), ("t1", "z3"), ("t2", "z2"), ("t2", "z3"), ("t3", "z3")];
    for thing in ["t1", "t2", "t3"] {
        for zone in ["z1", "z2", "z3"] {
            match fitting.contains(&(thing, zone)) {
                true => takes(name, &shown, dropped(&[(thing, zone)])),
                false => refuses(
                    name,
                    &shown,
                    dropped(&[(thing, zone)]),
                    &[("mismatch", "/mapping/0/drop_zone_id")],
                ),
            }
        }
    }
    takes(name, &shown, dropped(&[("t3", "z3"), ("t1", "z3"), ("t2", "z2")]));
    refuses(name, &shown, dropped(&[("t1", "z1"), ("t2", "z1")]), &[("mismatch", "/mapping/1/drop_zone_id")]);
    refuses(
        name,
        &shown,
        dropped(&[("t1", "z1"), ("t1", "z3")]),
        &[("duplicate_id", "/mapping/1/draggable_id")],
    );
    refuses(
        name,
        &shown,
        dropped(&[("t1", "z1"), ("z2", "z3")]),
        &[("unknown_id", "/mapping/1/draggable_id")],
    );
    refuses(
        name,
        &shown,
        dropped(&[("t1", "z1"), ("t2", "t2")]),
        &[("unknown_id", "/mapping/1/drop_zone_id")],
    );
    refuses(name, &shown, dropped(&[]), &[("too_few_items", "/mapping")]);
    let mut other = dropped(&[("t1", "z1")]);
    other["exercise_id"] = json!("y");
    refuses(name, &shown, other, &[("wrong_id", "/exercise_id")]);
    needs(name, &shown, &dropped(&[("t1", "z1")]), &["exercise_id", "mapping"]);
    for member in ["draggable_id", "drop_zone_id"] {
        let mut less = dropped(&[("t1", "z1")]);
        less["mapping"][0].as_object_mut().unwrap().remove(member);
        refuses(name, &shown, less, &[("missing_field", "/mapping/0")]);
    }
}

#[test]
fn progress_takes_nothing_or_that_it_was_seen() {
    let name = "progress_visualizer";
    for kind in ["bar", "circular", "milestones"] {
        let shown =
            json!({ "visualizer_id": "v", "type": kind, "milestones": [{ "name": "m", "achieved": false }] });
        takes(name, &shown, json!({}));
        takes(name, &shown, json!({ "visualizer_id": "v", "action": "acknowledged" }));
        takes(name, &shown, json!({ "visualizer_id": "v" }));
        takes(name, &shown, json!({ "action": "acknowledged" }));
        let other = json!({ "visualizer_id": "m", "action": "acknowledged" });
        refuses(name, &shown, other, &[("wrong_id", "/visualizer_id")]);
        refuses(name, &shown, json!({ "visualizer_id": 1 }), &[("wrong_type", "/visualizer_id")]);
        refuses(name, &shown, json!({ "action": true }), &[("wrong_type", "/action")]);
    }
}

#[test]
fn a_quiz_is_graded_by_its_key_whichever_option_that_is_and_named_or_not() {
    let name = "quick_quiz";
    let options = json!([{ "id": "a", "text": "A" }, { "id": "b", "text": "B" }, { "id": "c", "text": "C" }]);
    for key in [None, Some("a"), Some("b"), Some("c")] {
        let mut shown = json!({ "quiz_id": "q", "question_text": "?", "options": options });
        if let Some(key) = key {
            shown["correct_answer_id_for_fe_feedback"] = json!(key);
        }
        for chosen in ["a", "b", "c"] {
            let answers = [
                json!({ "selected_option_id": chosen }),
                json!({ "quiz_id": "q", "selected_option_id": chosen }),
            ];
            for answer in answers {
                match key {
                    Some(key) => grades(name, &shown, answer, Grade::whole(key == chosen)),
                    None => takes(name, &shown, answer),
                }
            }
        }
        for other in ["d", "A", "q"] {
            refuses(
                name,
                &shown,
                json!({ "selected_option_id": other }),
                &[("unknown_id", "/selected_option_id")],
            );
        }
        let other = json!({ "quiz_id": "a", "selected_option_id": "a" });
        refuses(name, &shown, other, &[("wrong_id", "/quiz_id")]);
        needs(name, &shown, &json!({ "selected_option_id": "a" }), &["selected_option_id"]);
    }
    let wrong = Grade { correct: false, right: 0, total: 1, parts: Vec::new() };
    let right = Grade { correct: true, right: 1, total: 1, parts: Vec::new() };
    assert_eq!((Grade::whole(false), Grade::whole(true)), (wrong, right));
}
