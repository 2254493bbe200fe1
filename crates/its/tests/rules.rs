//! What schemas cannot say, one component after another.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use forestage_its::{Faults, Grade, GradedPart, Unknown, find};
use serde_json::{Value, json};

/// The example of a component, with some members changed.
fn shown(name: &str, at: usize, changes: &[(&str, Value)]) -> Value {
    changed(find(name).unwrap().examples()[at].arguments.clone(), changes)
}

fn answered(name: &str, at: usize, changes: &[(&str, Value)]) -> Value {
    changed(find(name).unwrap().examples()[at].answer.clone(), changes)
}

/// Null takes a member away.
fn changed(mut value: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, change) in changes {
        let (object, member) = pointer.rsplit_once('/').unwrap();
        let target = value.pointer_mut(object).unwrap_or_else(|| panic!("{object}"));
        match target {
            Value::Object(members) if change.is_null() => drop(members.remove(member)),
            Value::Object(members) => drop(members.insert(member.to_owned(), change.clone())),
            Value::Array(items) => items[member.parse::<usize>().unwrap()] = change.clone(),
            other => panic!("{other}"),
        }
    }
    value
}

fn told(result: Result<(), Faults>) -> Vec<(&'static str, String)> {
    let faults = result.err().map(|faults| faults.to_vec()).unwrap_or_default();
    assert!(faults.iter().all(|fault| !fault.message.is_empty()));
    faults.into_iter().map(|fault| (fault.code, fault.path)).collect()
}

/// Arguments with these changes have exactly these faults, and are not shown if there are any.
#[track_caller]
fn refuses(name: &str, at: usize, changes: &[(&str, Value)], expected: &[(&str, &str)]) {
    let (entry, arguments) = (find(name).unwrap(), shown(name, at, changes));
    let found = told(entry.check(&arguments));
    assert_eq!(told(entry.check_text(&arguments.to_string())), found, "a text is judged like what it says");
    let found: Vec<_> = found.iter().map(|(code, path)| (*code, path.as_str())).collect();
    assert_eq!(found, expected);
    assert!(entry.warnings(&arguments).is_empty(), "what is refused is not warned of as well");
}

/// Arguments with these changes are shown, with exactly these warnings to the agent.
#[track_caller]
fn warns(name: &str, at: usize, changes: &[(&str, Value)], expected: &[(&str, &str)]) {
    let (entry, arguments) = (find(name).unwrap(), shown(name, at, changes));
    assert_eq!(told(entry.check(&arguments)), [], "the schema of the contract decides");
    assert_eq!(told(entry.check_text(&arguments.to_string())), []);
    let found = told(Err(entry.warnings(&arguments)));
    let found: Vec<_> = found.iter().map(|(code, path)| (*code, path.as_str())).collect();
    assert_eq!(found, expected);
}

/// An answer with these changes, to the example, has exactly these faults.
#[track_caller]
fn refuses_answer(name: &str, at: usize, changes: &[(&str, Value)], expected: &[(&str, &str)]) {
    refuses_answer_to(name, at, &[], changes, expected);
}

/// The same for arguments that have changed, too.
#[track_caller]
fn refuses_answer_to(
    name: &str,
    at: usize,
    shown_changes: &[(&str, Value)],
    changes: &[(&str, Value)],
    expected: &[(&str, &str)],
) {
    let (shown, answered) = (shown(name, at, shown_changes), answered(name, at, changes));
    let found = told(find(name).unwrap().check_answer(&shown, &answered).map(drop));
    let found: Vec<_> = found.iter().map(|(code, path)| (*code, path.as_str())).collect();
    assert_eq!(found, expected);
}

fn grade(name: &str, at: usize, changes: &[(&str, Value)]) -> Option<Grade> {
    let entry = find(name).unwrap();
    entry.check_answer(&shown(name, at, &[]), &answered(name, at, changes)).unwrap()
}

#[test]
fn a_carousel_offers_tracks_and_takes_one_of_them() {
    let name = "learning_track_carousel";
    warns(name, 0, &[("/tracks", json!([]))], &[("too_few_items", "/tracks")]);
    warns(name, 0, &[("/tracks/1/track_id", json!("track_01"))], &[("duplicate_id", "/tracks/1/track_id")]);
    refuses(
        name,
        0,
        &[("/tracks/0/image_url", json!("picture.png"))],
        &[("invalid_uri", "/tracks/0/image_url")],
    );
    refuses_answer(
        name,
        0,
        &[("/selected_track_id", json!("track_03"))],
        &[("unknown_id", "/selected_track_id")],
    );
    refuses_answer(name, 0, &[("/selected_track_id", json!(null))], &[("missing_field", "")]);
}

#[test]
fn a_slider_is_put_on_a_step_between_both_ends() {
    let name = "skill_slider";
    warns(
        name,
        0,
        &[("/max_value", json!(0))],
        &[("range_order", "/max_value"), ("out_of_range", "/current_value")],
    );
    warns(name, 0, &[("/step", json!(0))], &[("out_of_range", "/step")]);
    warns(name, 0, &[("/current_value", json!(11))], &[("out_of_range", "/current_value")]);
    for value in [-1, 11, i64::MIN, i64::MAX] {
        refuses_answer(name, 0, &[("/selected_value", json!(value))], &[("out_of_range", "/selected_value")]);
    }
    refuses_answer(name, 1, &[("/selected_value", json!(30))], &[("off_step", "/selected_value")]);
    refuses_answer(name, 0, &[("/selected_value", json!(7.5))], &[("wrong_type", "/selected_value")]);
    refuses_answer(name, 0, &[("/skill_id", json!("other"))], &[("wrong_id", "/skill_id")]);
    refuses_answer(name, 0, &[("/selected_value", json!(7.0))], &[]);
    let wide =
        [("/min_value", json!(i64::MIN)), ("/max_value", json!(i64::MAX)), ("/current_value", Value::Null)];
    refuses_answer_to(name, 0, &wide, &[("/selected_value", json!(i64::MAX))], &[]);
}

#[test]
fn a_slider_moves_by_one_where_nothing_is_said() {
    refuses_answer_to("skill_slider", 1, &[("/step", Value::Null)], &[("/selected_value", json!(31))], &[]);
}

#[test]
fn a_button_comes_back_with_its_own_topic() {
    let name = "topic_buttons";
    warns(
        name,
        0,
        &[("/buttons/2/button_id", json!("btn_vars"))],
        &[("duplicate_id", "/buttons/2/button_id")],
    );
    refuses(name, 0, &[("/prompt_text", Value::Null)], &[]);
    refuses_answer(
        name,
        0,
        &[("/button_id_clicked", json!("btn_x"))],
        &[("unknown_id", "/button_id_clicked")],
    );
    refuses_answer(
        name,
        0,
        &[("/topic_id_payload", json!("topic_variables_101"))],
        &[("mismatch", "/topic_id_payload")],
    );
}

#[test]
fn goals_are_one_or_several_as_allowed() {
    let name = "goal_selector";
    let two = json!(["read", "write"]);
    refuses_answer(name, 1, &[("/selected_goal_ids", two)], &[("too_many_items", "/selected_goal_ids")]);
    refuses_answer(name, 0, &[("/selected_goal_ids", json!([]))], &[("too_few_items", "/selected_goal_ids")]);
    refuses_answer(
        name,
        0,
        &[("/selected_goal_ids/1", json!("fame"))],
        &[("unknown_id", "/selected_goal_ids/1")],
    );
    let twice = json!(["goal_project_building", "goal_project_building"]);
    refuses_answer(name, 0, &[("/selected_goal_ids", twice)], &[("duplicate_id", "/selected_goal_ids/1")]);
    warns(name, 0, &[("/goals", json!([]))], &[("too_few_items", "/goals")]);
}

#[test]
fn a_multiple_choice_about_code_takes_a_choice() {
    let name = "code_assessment";
    warns(name, 0, &[("/choices", Value::Null)], &[("missing_field", "")]);
    warns(name, 0, &[("/choices/1/id", json!("choice_array"))], &[("duplicate_id", "/choices/1/id")]);
    refuses(name, 0, &[("/assessment_type", json!("essay"))], &[("unknown_value", "/assessment_type")]);
    refuses_answer(
        name,
        0,
        &[("/submitted_answer_id", json!("x"))],
        &[("unknown_id", "/submitted_answer_id")],
    );
    refuses_answer(name, 0, &[("/submitted_answer_id", Value::Null)], &[("missing_field", "")]);
    refuses_answer(
        name,
        0,
        &[("/dropped_items_order", json!(["choice_array"]))],
        &[("unexpected_field", "/dropped_items_order")],
    );
    assert_eq!(grade(name, 0, &[]), None, "nobody knows");
}

#[test]
fn blocks_of_code_are_put_in_order_and_graded() {
    let name = "code_assessment";
    warns(name, 1, &[("/dnd_model", Value::Null)], &[("missing_field", "")]);
    warns(
        name,
        1,
        &[("/dnd_model/correct_order/0", json!("x"))],
        &[("unknown_id", "/dnd_model/correct_order/0")],
    );
    refuses(name, 1, &[("/dnd_model/more", json!({ "of": ["anything"] }))], &[]);
    refuses_answer(
        name,
        1,
        &[("/dropped_items_order/0", json!("x"))],
        &[("unknown_id", "/dropped_items_order/0")],
    );
    refuses_answer(
        name,
        1,
        &[("/dropped_items_order/0", json!("block_1"))],
        &[("duplicate_id", "/dropped_items_order/1")],
    );
    refuses_answer(
        name,
        1,
        &[("/dropped_items_order", json!([]))],
        &[("too_few_items", "/dropped_items_order")],
    );
    refuses_answer_to(
        name,
        1,
        &[("/dnd_model", json!({ "free": true }))],
        &[("/dropped_items_order", json!(["anything", "else"]))],
        &[],
    );
    assert_eq!(grade(name, 1, &[]), Some(Grade::whole(true)));
    let other = json!(["block_1", "block_2", "block_3"]);
    assert_eq!(grade(name, 1, &[("/dropped_items_order", other)]), Some(Grade::whole(false)));
}

#[test]
fn blanks_in_code_are_graded_one_by_one() {
    let name = "code_assessment";
    warns(name, 2, &[("/blank_fields", Value::Null)], &[("missing_field", "")]);
    warns(name, 2, &[("/blank_fields", json!([]))], &[("too_few_items", "/blank_fields")]);
    let path = "/filled_blanks/1/blank_id";
    refuses_answer(name, 2, &[(path, json!("blank_9"))], &[("unknown_id", path)]);
    refuses_answer(name, 2, &[(path, json!("blank_1"))], &[("duplicate_id", path)]);
    refuses_answer(
        name,
        2,
        &[("/assessment_id", json!("code_assess_mcq_01"))],
        &[("wrong_id", "/assessment_id")],
    );
    let wrong = grade(name, 2, &[("/filled_blanks/0/user_input", json!("thing"))]).unwrap();
    let part = |id: &str, correct| GradedPart { id: id.to_owned(), correct };
    assert_eq!((wrong.correct, wrong.right, wrong.total), (false, 1, 2));
    assert_eq!(wrong.parts, [part("blank_1", false), part("blank_2", true)]);
    assert!(grade(name, 2, &[("/filled_blanks/0/user_input", json!(" binding "))]).unwrap().correct);
    let only = json!([{ "blank_id": "blank_2", "user_input": "let" }]);
    let left_out = grade(name, 2, &[("/filled_blanks", only)]).unwrap();
    assert_eq!(
        (left_out.correct, left_out.right, left_out.total),
        (false, 1, 2),
        "what is left out is wrong"
    );
    assert_eq!(left_out.parts, [part("blank_1", false), part("blank_2", true)]);
    let none = grade(name, 2, &[("/filled_blanks", json!([]))]).unwrap();
    assert_eq!((none.correct, none.right, none.total), (false, 0, 2));
}

#[test]
fn ratings_stay_on_the_scale_of_their_skill() {
    let name = "skill_mapper";
    warns(
        name,
        0,
        &[("/skills/0/current_rating", json!(6))],
        &[("out_of_range", "/skills/0/current_rating")],
    );
    warns(
        name,
        0,
        &[("/skills/2/max_rating", json!(0))],
        &[("out_of_range", "/skills/2/max_rating"), ("out_of_range", "/skills/2/current_rating")],
    );
    let path = "/updated_skills/0/new_rating";
    for rating in [-1, 6] {
        refuses_answer(name, 0, &[(path, json!(rating))], &[("out_of_range", path)]);
    }
    let path = "/updated_skills/0/skill_id";
    refuses_answer(name, 0, &[(path, json!("cobol"))], &[("unknown_id", path)]);
    refuses_answer(name, 0, &[("/mapper_id", json!("x"))], &[("wrong_id", "/mapper_id")]);
    refuses_answer(name, 0, &[("/updated_skills", json!([]))], &[]);
}

#[test]
fn a_selection_of_time_has_the_members_of_its_kind() {
    let name = "time_selector";
    let kinds = ["date_range", "datetime", "date", "time", "time_range"];
    let selections: Vec<Value> = (0..5).map(|at| answered(name, at, &[])["selection"].clone()).collect();
    for (at, kind) in kinds.iter().enumerate() {
        assert_eq!(shown(name, at, &[])["selection_type"], *kind);
        for (other, selection) in selections.iter().enumerate() {
            let answer = answered(name, at, &[("/selection", selection.clone())]);
            let result = find(name).unwrap().check_answer(&shown(name, at, &[]), &answer);
            assert_eq!(result.is_ok(), at == other, "{kind}: {selection}");
        }
    }
    refuses_answer(name, 3, &[("/selection", json!({}))], &[("missing_field", "/selection")]);
    refuses_answer(name, 0, &[("/selector_id", json!("x"))], &[("wrong_id", "/selector_id")]);
}

#[test]
fn a_selection_of_time_keeps_to_the_bounds() {
    let name = "time_selector";
    let end = "/selection/end_date";
    refuses_answer(name, 0, &[(end, json!("2024-09-08"))], &[("out_of_range", end)]);
    refuses_answer(name, 0, &[(end, json!("2024-09-07"))], &[]);
    refuses_answer(name, 0, &[(end, json!("2024-09-01"))], &[("range_order", end)]);
    refuses_answer(name, 0, &[(end, json!("2024-09-31"))], &[("invalid_date", end)]);
    let moment = "/selection/selected_datetime";
    refuses_answer(name, 1, &[(moment, json!("2024-09-08T00:00:00+02:00"))], &[]);
    refuses_answer(name, 1, &[(moment, json!("2024-09-08T00:00:00Z"))], &[("out_of_range", moment)]);
    refuses_answer(name, 1, &[(moment, json!("2024-08-31T23:59:59Z"))], &[("out_of_range", moment)]);
    refuses_answer(name, 1, &[(moment, json!("2024-09-02T10:00:00.250Z"))], &[]);
    refuses_answer(name, 1, &[(moment, json!("2024-09-02T10:00"))], &[("invalid_datetime", moment)]);
    let day = "/selection/selected_date";
    refuses_answer(name, 2, &[(day, json!("2024-08-31"))], &[("out_of_range", day)]);
    let time = "/selection/selected_time";
    refuses_answer(name, 3, &[(time, json!("7:30"))], &[("invalid_time", time)]);
    let end = "/selection/end_time";
    refuses_answer(name, 4, &[(end, json!("20:01"))], &[("out_of_range", end)]);
    refuses_answer(name, 4, &[(end, json!("09:00"))], &[("range_order", end)]);
    let start = "/selection/start_time";
    refuses_answer(name, 4, &[(start, json!("07:59"))], &[("out_of_range", start)]);
    refuses_answer(name, 4, &[(start, json!("08:00"))], &[]);
    let night =
        [("/min_datetime", json!("2024-09-01T22:00:00Z")), ("/max_datetime", json!("2024-09-02T06:00:00Z"))];
    refuses_answer_to(name, 4, &night, &[], &[]);
}

#[test]
fn bounds_are_iso_8601_and_in_order() {
    let name = "time_selector";
    refuses(name, 0, &[("/min_datetime", json!("2024-09-01T00:00:00.000Z"))], &[]);
    refuses(name, 0, &[("/min_datetime", json!("tomorrow"))], &[("invalid_datetime", "/min_datetime")]);
    refuses(name, 0, &[("/min_datetime", json!(1_725_148_800))], &[("wrong_type", "/min_datetime")]);
    warns(name, 0, &[("/max_datetime", json!("2024-08-01T00:00:00Z"))], &[("range_order", "/max_datetime")]);
}

#[test]
fn cards_are_any_number_unless_one_is_asked_for() {
    let name = "preference_cards";
    refuses_answer(name, 0, &[("/selected_card_ids", json!([]))], &[]);
    let default = [("/allow_multiple_selection", Value::Null)];
    refuses_answer_to(name, 0, &default, &[], &[]);
    let one = [("/allow_multiple_selection", json!(false))];
    refuses_answer_to(name, 0, &one, &[], &[("too_many_items", "/selected_card_ids")]);
    refuses_answer(
        name,
        0,
        &[("/selected_card_ids/0", json!("x"))],
        &[("unknown_id", "/selected_card_ids/0")],
    );
    refuses_answer(name, 0, &[("/preference_set_id", json!("x"))], &[("wrong_id", "/preference_set_id")]);
    refuses(
        name,
        0,
        &[("/cards/0/image_url", json!("javascript:x"))],
        &[("invalid_uri", "/cards/0/image_url")],
    );
}

#[test]
fn code_can_be_changed_and_run_as_the_editor_allows() {
    let name = "interactive_code_editor";
    refuses(name, 0, &[("/language", json!("cobol"))], &[("unknown_value", "/language")]);
    let empty = [("/config/read_only", json!(true)), ("/initial_code", Value::Null)];
    warns(name, 0, &empty, &[("mismatch", "/config/read_only")]);
    refuses_answer(name, 0, &[("/action", json!("run_code"))], &[]);
    refuses_answer(name, 0, &[("/action", json!("delete_code"))], &[("unknown_value", "/action")]);
    let shown = [("/config/read_only", json!(true)), ("/config/show_run_button", json!(false))];
    let run = [("/action", json!("run_code"))];
    refuses_answer_to(name, 0, &shown, &run, &[("not_offered", "/current_code"), ("not_offered", "/action")]);
    refuses_answer_to(name, 0, &[("/config", Value::Null)], &run, &[]);
    refuses_answer(name, 0, &[("/editor_id", json!("x"))], &[("wrong_id", "/editor_id")]);
}

#[test]
fn a_diagram_is_looked_at_or_clicked_on() {
    let name = "diagram_viewer";
    warns(name, 0, &[("/diagram_data", json!(" "))], &[("out_of_range", "/diagram_data")]);
    warns(name, 0, &[("/diagram_type", json!("image_url"))], &[("invalid_uri", "/diagram_data")]);
    let empty = [("/diagram_id", Value::Null), ("/interaction_type", Value::Null)];
    refuses_answer(name, 0, &empty, &[]);
    let click = [("/interaction_type", json!("node_click")), ("/node_id", json!("E"))];
    refuses_answer(
        name,
        0,
        &click,
        &[("not_offered", "/interaction_type"), ("unexpected_field", "/node_id")],
    );
    refuses_answer(name, 1, &[("/node_id", json!("Calvi"))], &[("unknown_id", "/node_id")]);
    refuses_answer(name, 1, &[("/node_id", Value::Null)], &[("missing_field", "")]);
    refuses_answer(name, 1, &[("/interaction_type", json!("zoom")), ("/node_id", Value::Null)], &[]);
    refuses_answer(name, 1, &[("/diagram_id", json!("x"))], &[("wrong_id", "/diagram_id")]);
    let drawio = [("/diagram_type", json!("drawio_xml")), ("/diagram_data", json!("<mxCell id=\"E\"/>"))];
    refuses_answer_to(name, 1, &drawio, &[], &[]);
    refuses_answer_to(name, 1, &drawio, &[("/node_id", json!("F"))], &[("unknown_id", "/node_id")]);
}

#[test]
fn things_are_dropped_once_and_where_their_group_is_taken() {
    let name = "dnd_exercise";
    warns(name, 0, &[("/drop_zones", json!([]))], &[("too_few_items", "/drop_zones")]);
    let group = "/drop_zones/0/accepts_group";
    warns(name, 0, &[(group, json!("verbs"))], &[("mismatch", group)]);
    let zone = "/mapping/0/drop_zone_id";
    refuses_answer(name, 0, &[(zone, json!("x"))], &[("unknown_id", zone)]);
    refuses_answer(name, 0, &[(zone, json!("def_block"))], &[]);
    let thing = "/mapping/1/draggable_id";
    refuses_answer(name, 0, &[(thing, json!("term_variable"))], &[("duplicate_id", thing)]);
    refuses_answer(name, 0, &[(thing, json!("x"))], &[("unknown_id", thing)]);
    refuses_answer(name, 0, &[("/mapping", json!([]))], &[("too_few_items", "/mapping")]);
    refuses_answer(name, 0, &[("/exercise_id", json!("x"))], &[("wrong_id", "/exercise_id")]);
    let other = [("/draggables/0/group", json!("verbs"))];
    refuses_answer_to(name, 0, &other, &[], &[("mismatch", zone)]);
    let any = [("/draggables/0/group", json!("verbs")), (group, Value::Null)];
    refuses_answer_to(name, 0, &any, &[], &[]);
}

#[test]
fn progress_is_shown_and_at_most_acknowledged() {
    let name = "progress_visualizer";
    warns(name, 0, &[("/milestones", Value::Null)], &[("missing_field", "")]);
    warns(name, 0, &[("/milestones", json!([]))], &[("too_few_items", "/milestones")]);
    warns(name, 1, &[("/current_progress", json!(101))], &[("out_of_range", "/current_progress")]);
    warns(
        name,
        1,
        &[("/current_progress", json!(-0.5)), ("/total_value", Value::Null)],
        &[("out_of_range", "/current_progress")],
    );
    warns(
        name,
        1,
        &[("/total_value", json!(0)), ("/current_progress", Value::Null)],
        &[("out_of_range", "/total_value")],
    );
    refuses_answer(name, 0, &[], &[]);
    refuses_answer(name, 1, &[("/visualizer_id", json!("x"))], &[("wrong_id", "/visualizer_id")]);
}

#[test]
fn a_quiz_is_graded_by_us() {
    let name = "quick_quiz";
    assert_eq!(grade(name, 0, &[]), Some(Grade::whole(true)));
    assert_eq!(grade(name, 0, &[("/selected_option_id", json!("option_london"))]), Some(Grade::whole(false)));
    assert_eq!(grade(name, 1, &[]), None, "no key, no grade");
    let key = "/correct_answer_id_for_fe_feedback";
    warns(name, 0, &[(key, json!("option_rome"))], &[("unknown_id", key)]);
}

#[test]
fn a_quiz_may_be_named_and_then_it_is_that_one() {
    let name = "quick_quiz";
    refuses_answer(name, 0, &[("/quiz_id", Value::Null)], &[]);
    refuses_answer(name, 0, &[("/quiz_id", json!("other"))], &[("wrong_id", "/quiz_id")]);
    refuses_answer(
        name,
        0,
        &[("/selected_option_id", json!("option_rome"))],
        &[("unknown_id", "/selected_option_id")],
    );
    warns(name, 1, &[("/options", json!([{ "id": "true", "text": "True" }]))], &[("mismatch", "/options")]);
    refuses(name, 0, &[("/quiz_type", json!("essay"))], &[("unknown_value", "/quiz_type")]);
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let broken = [("/options/0/id", Value::Null), ("/question_text", json!(7)), ("/quiz_type", json!("x"))];
    refuses(
        "quick_quiz",
        0,
        &broken,
        &[("wrong_type", "/question_text"), ("missing_field", "/options/0"), ("unknown_value", "/quiz_type")],
    );
    let many: Vec<_> = (0..100).map(|_| json!({})).collect();
    let found = told(find("topic_buttons").unwrap().check(&json!({ "buttons": many })));
    assert_eq!(found.len(), 32, "and no flood");
}

/// The sentence about the only thing that is wrong.
#[track_caller]
fn sentence(result: Result<(), Faults>) -> String {
    let faults = result.unwrap_err();
    assert_eq!(faults.len(), 1, "{faults}");
    faults[0].message.clone()
}

#[test]
fn a_value_of_another_kind_is_told_with_the_one_that_is_wanted() {
    for (name, at, path, value, expected) in [
        ("interactive_code_editor", 0, "/config", json!(7), "has to be an object, not `7`"),
        ("preference_cards", 0, "/cards", json!("x"), "has to be a list, not a text"),
        ("preference_cards", 0, "/prompt_text", json!({}), "has to be a text, not an object"),
        ("skill_slider", 0, "/min_value", json!([]), "has to be a whole number, not a list"),
        (
            "skill_slider",
            0,
            "/max_value",
            json!(u64::MAX),
            "has to be a whole number, not `18446744073709551615`",
        ),
        ("preference_cards", 0, "/cards/0/title", json!(7), "has to be a text, not `7`"),
        ("progress_visualizer", 1, "/current_progress", json!("5"), "has to be a number, not a text"),
        ("preference_cards", 0, "/allow_multiple_selection", json!(1), "has to be true or false, not `1`"),
    ] {
        let arguments = shown(name, at, &[(path, value)]);
        assert_eq!(sentence(find(name).unwrap().check(&arguments)), expected, "{name}{path}");
    }
}

#[test]
fn what_could_have_been_chosen_is_told_but_not_all_of_a_long_list() {
    for (count, expected) in [
        (0, "none"),
        (2, "`c0`, `c1`"),
        (12, "`c0`, `c1`, `c2`, `c3`, `c4`, `c5`, `c6`, `c7`, `c8`, `c9`, `c10`, `c11`"),
        (14, "`c0`, `c1`, `c2`, `c3`, `c4`, `c5`, `c6`, `c7`, `c8`, `c9`, `c10`, `c11`, 2 more"),
    ] {
        let tracks = (0..count).map(|at| {
            let mut track = shown("learning_track_carousel", 0, &[])["tracks"][0].clone();
            track["track_id"] = json!(format!("c{at}"));
            track
        });
        let arguments = shown("learning_track_carousel", 0, &[("/tracks", tracks.collect())]);
        let answer = answered("learning_track_carousel", 0, &[("/selected_track_id", json!("x"))]);
        let result = find("learning_track_carousel").unwrap().check_answer(&arguments, &answer).map(drop);
        assert_eq!(sentence(result), format!("`x` was not shown; there are {expected}"));
    }
}

#[test]
fn a_selection_that_is_out_of_bounds_is_told_the_bounds_there_are() {
    let (early, late) = ("2024-09-01T00:00:00Z", "2024-09-07T23:59:59Z");
    for (min, max, day, expected) in [
        (Some(early), Some(late), "2024-09-08", format!("is not between {early} and {late}")),
        (Some(early), None, "2024-08-31", format!("is before {early}")),
        (None, Some(late), "2024-09-08", format!("is after {late}")),
    ] {
        let arguments =
            shown("time_selector", 2, &[("/min_datetime", json!(min)), ("/max_datetime", json!(max))]);
        let answer = answered("time_selector", 2, &[("/selection/selected_date", json!(day))]);
        let result = find("time_selector").unwrap().check_answer(&arguments, &answer).map(drop);
        assert_eq!(sentence(result), expected);
    }
}

#[test]
fn a_text_that_is_no_json_is_refused() {
    for text in ["", "{", "{} {}"] {
        let found = told(find("quick_quiz").unwrap().check_text(text));
        assert_eq!(found, [("unreadable", String::new())], "{text}");
    }
}

#[test]
fn a_list_under_another_name_is_not_the_one_that_is_asked_for() {
    let other = [("/tracks", Value::Null), ("/others", json!([]))];
    refuses("learning_track_carousel", 0, &other, &[("missing_field", "")]);
    let other = [("/buttons", Value::Null), ("/prompt_text", json!([]))];
    refuses("topic_buttons", 0, &other, &[("missing_field", ""), ("wrong_type", "/prompt_text")]);
}

#[test]
fn lists_without_anything_in_them_are_shown_with_a_warning() {
    for (name, at, member) in [
        ("learning_track_carousel", 0, "/tracks"),
        ("topic_buttons", 0, "/buttons"),
        ("goal_selector", 0, "/goals"),
        ("code_assessment", 0, "/choices"),
        ("code_assessment", 2, "/blank_fields"),
        ("skill_mapper", 0, "/skills"),
        ("preference_cards", 0, "/cards"),
        ("dnd_exercise", 0, "/drop_zones"),
        ("progress_visualizer", 0, "/milestones"),
    ] {
        warns(name, at, &[(member, json!([]))], &[("too_few_items", member)]);
    }
    let groups = ["/drop_zones/0/accepts_group", "/drop_zones/1/accepts_group"];
    let nothing = [("too_few_items", "/draggables"), ("mismatch", groups[0]), ("mismatch", groups[1])];
    warns("dnd_exercise", 0, &[("/draggables", json!([]))], &nothing);
    let key = "/correct_answer_id_for_fe_feedback";
    warns("quick_quiz", 0, &[("/options", json!([]))], &[("too_few_items", "/options"), ("unknown_id", key)]);
}

#[test]
fn an_id_that_comes_again_is_noticed_however_long_the_list_is() {
    let cards = |first: usize, again: usize| -> Vec<Value> {
        let ids = (0..60).map(|at| if at == again { first } else { at });
        ids.map(|id| json!({ "card_id": format!("c{id}"), "title": "a card", "description": "of many" }))
            .collect()
    };
    for (first, again) in
        [(0, 23), (0, 24), (0, 25), (22, 23), (23, 24), (23, 59), (24, 25), (24, 59), (25, 59)]
    {
        let path = format!("/cards/{again}/card_id");
        warns("preference_cards", 0, &[("/cards", json!(cards(first, again)))], &[("duplicate_id", &path)]);
    }
}

#[test]
fn where_there_is_nothing_to_choose_nothing_is_an_answer() {
    let (goals, none) = ([("/goals", json!([]))], [("/selected_goal_ids", json!([]))]);
    refuses_answer_to("goal_selector", 0, &goals, &none, &[]);
    for list in ["/draggables", "/drop_zones"] {
        refuses_answer_to("dnd_exercise", 0, &[(list, json!([]))], &[("/mapping", json!([]))], &[]);
    }
    let (model, none) = ([("/dnd_model", json!({ "blocks": [] }))], [("/dropped_items_order", json!([]))]);
    refuses_answer_to("code_assessment", 1, &model, &none, &[]);
}

#[test]
fn an_id_that_is_there_twice_is_either_of_them() {
    let button = ("/buttons/2/button_id", json!("btn_loops"));
    for (topic, faults) in [
        ("topic_loops_101", &[][..]),
        ("topic_functions_101", &[]),
        ("topic_variables_101", &[("mismatch", "/topic_id_payload")]),
    ] {
        let answer = [("/topic_id_payload", json!(topic))];
        refuses_answer_to("topic_buttons", 0, std::slice::from_ref(&button), &answer, faults);
    }
    let zones = [
        ("/drop_zones/0/accepts_group", json!("verbs")),
        ("/drop_zones/1/id", json!("def_storage")),
        ("/draggables/1/group", json!("verbs")),
    ];
    let mapping = [("/mapping/1/drop_zone_id", json!("def_storage"))];
    refuses_answer_to("dnd_exercise", 0, &zones, &mapping, &[]);
}

#[test]
fn ends_and_bounds_in_the_wrong_order_are_no_trap() {
    let ends = [("/min_value", json!(10)), ("/max_value", json!(0)), ("/step", json!(-2))];
    let warnings = [("range_order", "/max_value"), ("out_of_range", "/step")];
    warns("skill_slider", 0, &ends, &warnings);
    refuses_answer_to("skill_slider", 0, &ends, &[("/selected_value", json!(7))], &[]);
    let outside = [("/selected_value", json!(11))];
    refuses_answer_to("skill_slider", 0, &ends, &outside, &[("out_of_range", "/selected_value")]);
    let bounds = [("/max_datetime", json!("2024-08-01T00:00:00Z"))];
    refuses_answer_to("time_selector", 0, &bounds, &[], &[]);
    refuses_answer_to("time_selector", 1, &bounds, &[], &[]);
}

#[test]
fn a_key_that_names_what_was_not_shown_grades_nothing() {
    let key = [("/correct_answer_id_for_fe_feedback", json!("option_rome"))];
    let quiz = find("quick_quiz").unwrap();
    let graded = quiz.check_answer(&shown("quick_quiz", 0, &key), &answered("quick_quiz", 0, &[])).unwrap();
    assert_eq!(graded, None);
    let order = [("/dnd_model/correct_order/0", json!("x"))];
    let (blocks, answer) = (shown("code_assessment", 1, &order), answered("code_assessment", 1, &[]));
    assert_eq!(find("code_assessment").unwrap().check_answer(&blocks, &answer).unwrap(), None);
    let blanks = shown("code_assessment", 2, &[("/blank_fields", json!([]))]);
    let answer = answered("code_assessment", 2, &[("/filled_blanks", json!([]))]);
    assert_eq!(find("code_assessment").unwrap().check_answer(&blanks, &answer).unwrap(), None);
}

#[test]
fn what_nobody_knows_keeps_what_it_says() {
    let arguments = json!({ "beam": 1, "prompt_text": "Look through it." });
    let unknown = Unknown::of("its:render_hologram", &arguments).unwrap();
    assert_eq!(unknown.text.as_deref(), Some("Look through it."));
    assert_eq!(Value::Object(unknown.arguments), arguments);
    assert_eq!(Unknown::of("its:render_hologram", &json!([1])), None);
}
