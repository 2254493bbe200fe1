//! Legal arguments and answers of every component, made of a number.

use serde_json::{Value, json};

/// Arguments, an answer to them, and values that make the answer wrong, each with its place.
pub(crate) struct Made {
    pub(crate) arguments: Value,
    pub(crate) answer: Value,
    pub(crate) spoils: Vec<(String, Value)>,
}

/// Numbers that follow from a number.
struct Dice(u64);

impl Dice {
    /// A number below this one.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Some of these, in order.
    fn some(&mut self, ids: &[String]) -> Vec<String> {
        ids.iter().filter(|_| self.coin()).cloned().collect()
    }

    fn one(&mut self, ids: &[String]) -> String {
        let at = self.below(ids.len() as u64);
        ids[usize::try_from(at).unwrap_or_default()].clone()
    }

    /// Between two and six ids.
    fn ids(&mut self, kind: &str) -> Vec<String> {
        (0..2 + self.below(5)).map(|at| format!("{kind}-{at}")).collect()
    }

    /// A day of September 2024 from this one on, such as `2024-09-07`.
    fn day(&mut self, from: u64) -> (u64, String) {
        let day = from + self.below(31 - from);
        (day, format!("2024-09-{day:02}"))
    }
}

fn list(ids: &[String], make: impl Fn(&String) -> Value) -> Value {
    ids.iter().map(make).collect()
}

/// A component of this name.
pub(crate) fn made(name: &str, seed: u64) -> Made {
    let dice = &mut Dice(seed);
    match name {
        "learning_track_carousel" => carousel(dice),
        "skill_slider" => slider(dice),
        "topic_buttons" => buttons(dice),
        "goal_selector" => goals(dice),
        "code_assessment" => assessment(dice),
        "skill_mapper" => mapper(dice),
        "time_selector" => time(dice),
        "preference_cards" => cards(dice),
        "interactive_code_editor" => editor(dice),
        "diagram_viewer" => diagram(dice),
        "dnd_exercise" => exercise(dice),
        "progress_visualizer" => progress(dice),
        "quick_quiz" => quiz(dice),
        other => panic!("how is {other} made?"),
    }
}

fn spoil<const N: usize>(places: [(&str, Value); N]) -> Vec<(String, Value)> {
    places.into_iter().map(|(path, value)| (path.to_owned(), value)).collect()
}

fn carousel(dice: &mut Dice) -> Made {
    let ids = dice.ids("track");
    let track = |id: &String| json!({ "track_id": id, "title": id, "description": "", "tags": [id] });
    Made {
        arguments: json!({ "tracks": list(&ids, track) }),
        answer: json!({ "selected_track_id": dice.one(&ids) }),
        spoils: spoil([("/selected_track_id", json!("none"))]),
    }
}

fn slider(dice: &mut Dice) -> Made {
    let min = i64::try_from(dice.below(200)).unwrap_or_default() - 100;
    let (step, steps) = (1 + dice.below(7).cast_signed(), 1 + dice.below(20).cast_signed());
    let max = min + step * steps;
    let value = min + step * i64::try_from(dice.below(steps.unsigned_abs() + 1)).unwrap_or_default();
    let mut spoils = spoil([
        ("/selected_value", json!(max + 1)),
        ("/selected_value", json!(min - 1)),
        ("/skill_id", json!("other")),
    ]);
    if step > 1 {
        spoils.push(("/selected_value".to_owned(), json!(min + 1)));
    }
    let arguments = json!({
        "skill_id": "s", "skill_name": "S", "prompt_text": "?", "min_value": min, "max_value": max, "step": step,
    });
    Made { arguments, answer: json!({ "skill_id": "s", "selected_value": value }), spoils }
}

fn buttons(dice: &mut Dice) -> Made {
    let ids = dice.ids("button");
    let button =
        |id: &String| json!({ "button_id": id, "label": id, "topic_id_payload": format!("topic of {id}") });
    let pressed = dice.one(&ids);
    Made {
        arguments: json!({ "buttons": list(&ids, button) }),
        answer: json!({ "button_id_clicked": pressed, "topic_id_payload": format!("topic of {pressed}") }),
        spoils: spoil([("/button_id_clicked", json!("none")), ("/topic_id_payload", json!("topic of none"))]),
    }
}

fn goals(dice: &mut Dice) -> Made {
    let ids = dice.ids("goal");
    let several = dice.coin();
    let mut chosen = if several { dice.some(&ids) } else { Vec::new() };
    if chosen.is_empty() {
        chosen.push(dice.one(&ids));
    }
    let mut spoils = spoil([("/selected_goal_ids/0", json!("none")), ("/selected_goal_ids", json!([]))]);
    if !several {
        spoils.push(("/selected_goal_ids".to_owned(), json!(ids)));
    }
    let goal = |id: &String| json!({ "goal_id": id, "description": id });
    let arguments =
        json!({ "prompt_text": "?", "goals": list(&ids, goal), "allow_multiple_selection": several });
    Made { arguments, answer: json!({ "selected_goal_ids": chosen }), spoils }
}

fn assessment(dice: &mut Dice) -> Made {
    let ids = dice.ids("part");
    let mut arguments = json!({ "assessment_id": "a", "problem_statement": "?" });
    let mut answer = json!({ "assessment_id": "a" });
    let mut spoils = spoil([("/assessment_id", json!("b"))]);
    let mut spoil = |path: &str, value| spoils.push((path.to_owned(), value));
    match dice.below(3) {
        0 => {
            arguments["assessment_type"] = json!("mcq");
            arguments["choices"] = list(&ids, |id| json!({ "id": id, "text": id }));
            answer["submitted_answer_id"] = json!(dice.one(&ids));
            spoil("/submitted_answer_id", json!("none"));
        }
        1 => {
            let name = ["blocks", "items", "draggables"][usize::try_from(dice.below(3)).unwrap_or_default()];
            arguments["assessment_type"] = json!("dnd_code_blocks");
            arguments["dnd_model"] =
                json!({ name: list(&ids, |id| json!({ "id": id })), "correct_order": ids });
            answer["dropped_items_order"] = ids.iter().rev().cloned().collect();
            spoil("/dropped_items_order/0", json!("none"));
            spoil("/dropped_items_order/1", json!(ids.last()));
        }
        _ => {
            arguments["assessment_type"] = json!("fill_in_the_blanks");
            arguments["blank_fields"] = list(&ids, |id| json!({ "blank_id": id, "correct_answers": [id] }));
            answer["filled_blanks"] = list(&ids, |id| json!({ "blank_id": id, "user_input": "x" }));
            spoil("/filled_blanks/0/blank_id", json!("none"));
            spoil("/filled_blanks/1/blank_id", json!(ids[0]));
        }
    }
    Made { arguments, answer, spoils }
}

fn mapper(dice: &mut Dice) -> Made {
    let ids = dice.ids("skill");
    let best = 1 + dice.below(9);
    let skill = |id: &String| json!({ "skill_id": id, "skill_name": id, "max_rating": best, "tags": [] });
    let rating = dice.below(best + 1);
    Made {
        arguments: json!({ "mapper_id": "m", "skills": list(&ids, skill) }),
        answer: json!({ "mapper_id": "m", "updated_skills": list(&ids, |id| json!({ "skill_id": id, "new_rating": rating })) }),
        spoils: spoil([
            ("/mapper_id", json!("n")),
            ("/updated_skills/0/skill_id", json!("none")),
            ("/updated_skills/1/skill_id", json!(ids[0])),
            ("/updated_skills/0/new_rating", json!(best + 1)),
            ("/updated_skills/0/new_rating", json!(-1)),
        ]),
    }
}

fn time(dice: &mut Dice) -> Made {
    let (first, start) = dice.day(1);
    let (_, end) = dice.day(first);
    let hour = dice.below(12);
    let (early, late) = (format!("{hour:02}:30"), format!("{:02}:30:15.5", hour + 1 + dice.below(10)));
    let moment = format!("{start}T{late}+02:00");
    let before = json!("2024-08-31");
    let (kind, selection, spoils) = match dice.below(5) {
        0 => ("date", json!({ "selected_date": start }), spoil([("/selection/selected_date", before)])),
        1 => ("time", json!({ "selected_time": late }), spoil([("/selection/selected_time", json!("noon"))])),
        2 => {
            let spoils = spoil([("/selection/selected_datetime", json!("2024-10-02T00:00:00Z"))]);
            ("datetime", json!({ "selected_datetime": moment }), spoils)
        }
        3 => {
            let spoils =
                spoil([("/selection/start_date", before), ("/selection/end_date", json!("2024-10-02"))]);
            ("date_range", json!({ "start_date": start, "end_date": end }), spoils)
        }
        _ => {
            let spoils =
                spoil([("/selection/end_time", json!("00:00")), ("/selection/start_time", json!("24:00"))]);
            ("time_range", json!({ "start_time": early, "end_time": late }), spoils)
        }
    };
    let arguments = json!({
        "selector_id": "t", "selection_type": kind, "prompt_text": "?",
        "min_datetime": "2024-09-01T00:00:00+02:00", "max_datetime": "2024-10-01T23:59:59Z",
    });
    Made { arguments, answer: json!({ "selector_id": "t", "selection": selection }), spoils }
}

fn cards(dice: &mut Dice) -> Made {
    let ids = dice.ids("card");
    let several = dice.coin();
    let mut chosen = dice.some(&ids);
    chosen.truncate(if several { ids.len() } else { 1 });
    let mut spoils = spoil([("/preference_set_id", json!("q"))]);
    if !several {
        spoils.push(("/selected_card_ids".to_owned(), json!(ids)));
    }
    if !chosen.is_empty() {
        spoils.push(("/selected_card_ids/0".to_owned(), json!("none")));
    }
    let card = |id: &String| json!({ "card_id": id, "title": id, "description": id, "icon": id });
    Made {
        arguments: json!({
            "preference_set_id": "p", "prompt_text": "?", "cards": list(&ids, card), "allow_multiple_selection": several,
        }),
        answer: json!({ "preference_set_id": "p", "selected_card_ids": chosen }),
        spoils,
    }
}

fn editor(dice: &mut Dice) -> Made {
    let (locked, runs) = (dice.coin(), dice.coin());
    let mut spoils = spoil([("/editor_id", json!("f"))]);
    if locked {
        spoils.push(("/current_code".to_owned(), json!("two")));
    }
    if !runs {
        spoils.push(("/action".to_owned(), json!("run_code")));
    }
    Made {
        arguments: json!({
            "editor_id": "e", "language": "css", "initial_code": "one",
            "config": { "read_only": locked, "show_run_button": runs },
        }),
        answer: json!({ "editor_id": "e", "current_code": "one", "action": "submit_code" }),
        spoils,
    }
}

fn diagram(dice: &mut Dice) -> Made {
    let ids = dice.ids("node").iter().map(|id| id.replace('-', "_")).collect::<Vec<_>>();
    let node = dice.one(&ids);
    let interactive = dice.coin();
    let (kind, data) = match dice.below(2) {
        0 => ("mermaid", format!("graph TD;\n{};", ids.join(" --> "))),
        _ => ("drawio_xml", ids.iter().map(|id| format!("<mxCell id=\"{id}\"/>")).collect()),
    };
    let arguments =
        json!({ "diagram_id": "d", "diagram_data": data, "diagram_type": kind, "interactive": interactive });
    match interactive {
        true => Made {
            arguments,
            answer: json!({ "diagram_id": "d", "interaction_type": "node_click", "node_id": node }),
            spoils: spoil([("/diagram_id", json!("e")), ("/node_id", json!("node"))]),
        },
        false => Made {
            arguments,
            answer: json!({ "diagram_id": "d", "interaction_type": "acknowledged" }),
            spoils: spoil([("/diagram_id", json!("e")), ("/interaction_type", json!("node_click"))]),
        },
    }
}

fn exercise(dice: &mut Dice) -> Made {
    let (things, zones) = (dice.ids("thing"), dice.ids("zone"));
    let zone = dice.one(&zones);
    let thing = |id: &String| json!({ "id": id, "label": id, "group": "g" });
    let place = |id: &String| json!({ "id": id, "label": id, "accepts_group": "g" });
    let dropped = |id: &String| json!({ "draggable_id": id, "drop_zone_id": zone });
    let (mut draggables, mut drop_zones) = (list(&things, thing), list(&zones, place));
    if let (Value::Array(draggables), Value::Array(drop_zones)) = (&mut draggables, &mut drop_zones) {
        draggables.push(json!({ "id": "stranger", "label": "", "group": "h" }));
        drop_zones.push(json!({ "id": "elsewhere", "label": "", "accepts_group": "h" }));
    }
    Made {
        arguments: json!({
            "exercise_id": "x", "prompt_text": "?", "draggables": draggables, "drop_zones": drop_zones,
        }),
        answer: json!({ "exercise_id": "x", "mapping": list(&things, dropped) }),
        spoils: spoil([
            ("/exercise_id", json!("y")),
            ("/mapping/0/draggable_id", json!("none")),
            ("/mapping/1/draggable_id", json!(things[0])),
            ("/mapping/0/drop_zone_id", json!("none")),
            ("/mapping/0/drop_zone_id", json!("elsewhere")),
        ]),
    }
}

fn progress(dice: &mut Dice) -> Made {
    let names = dice.ids("milestone");
    let milestone = |name: &String| json!({ "name": name, "achieved": true, "target_value": 1.5 });
    let arguments = match dice.below(3) {
        0 => json!({ "visualizer_id": "v", "type": "milestones", "milestones": list(&names, milestone) }),
        1 => {
            json!({ "visualizer_id": "v", "type": "bar", "current_progress": dice.below(101), "total_value": 100 })
        }
        _ => json!({ "visualizer_id": "v", "type": "circular", "current_progress": 0.5 }),
    };
    Made {
        arguments,
        answer: json!({ "visualizer_id": "v", "action": "acknowledged" }),
        spoils: spoil([("/visualizer_id", json!("w"))]),
    }
}

fn quiz(dice: &mut Dice) -> Made {
    let mut ids = dice.ids("option");
    let kind = if dice.coin() { "true-false" } else { "single-select-mcq" };
    if kind == "true-false" {
        ids.truncate(2);
    }
    let arguments = json!({
        "quiz_id": "q", "question_text": "?", "quiz_type": kind, "correct_answer_id_for_fe_feedback": dice.one(&ids),
        "options": list(&ids, |id| json!({ "id": id, "text": id })),
    });
    Made {
        arguments,
        answer: json!({ "quiz_id": "q", "selected_option_id": dice.one(&ids) }),
        spoils: spoil([("/quiz_id", json!("r")), ("/selected_option_id", json!("none"))]),
    }
}
