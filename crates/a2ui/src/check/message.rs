//! One message.

use std::borrow::Cow;

use super::{
    component,
    drawn::{Drawn, Write},
    members,
    payload::Run,
};
use crate::{
    Version,
    catalog::listed,
    surface::Data0_8,
    tape::{Item, Kind},
};

const KINDS_0_8: [&str; 4] = ["surfaceUpdate", "dataModelUpdate", "beginRendering", "deleteSurface"];
const KINDS_0_9: [&str; 4] = ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"];
const FROM_CLIENTS: [&str; 3] = ["userAction", "action", "error"];
const OF_1_0: [&str; 2] = ["callRendererFunction", "agentFunctionResponse"];

/// Checks a message and notes what it draws.
pub(super) fn check<'t>(run: &mut Run<'t, '_>, item: Item<'t>) {
    run.messages += 1;
    if item.kind() != Kind::Object {
        let message =
            format!("a message is an object with one of {}, not {}", listed(&KINDS_0_9), item.name());
        return run.notes.fault("wrong_type", item, message);
    }
    let Some((kind, body)) = kind_of(run, item) else { return };
    let Some(version) = version_of(run, item, &kind) else { return };
    if is_other(run.version, version) {
        let message = "messages of 0.8 and of 0.9 stand in one payload; write all of them in one version";
        return run.notes.fault("mixed_versions", item, message);
    }
    run.version = Some(version);
    members::check(&mut run.notes, version, item, "a message", &["version", &kind]);
    if body.kind() != Kind::Object {
        return run.notes.fault("wrong_type", body, format!("`{kind}` is an object, not {}", body.name()));
    }
    members::check(&mut run.notes, version, body, format_args!("`{kind}`"), members::of_body(&kind));
    let Some(id) = surface_id(run, &kind, body) else { return };
    if kind == "deleteSurface" {
        run.surfaces.remove(&id);
        run.deleted.insert(id);
        return;
    }
    let mut drawn = run.surfaces.remove(&id).unwrap_or_else(|| start(run, version, &id, body));
    drawn.message = run.messages;
    apply(run, &mut drawn, &kind, body, &id);
    run.surfaces.insert(id, drawn);
}

fn is_other(seen: Option<Version>, version: Version) -> bool {
    seen.is_some_and(|seen| (seen == Version::V0_8) != (version == Version::V0_8))
}

fn apply<'t, 'c>(run: &mut Run<'t, 'c>, drawn: &mut Drawn<'t, 'c>, kind: &str, body: Item<'t>, id: &str) {
    match kind {
        "createSurface" => create(run, drawn, body, id),
        "beginRendering" => begin(run, drawn, body),
        "updateComponents" | "surfaceUpdate" => update(run, drawn, body, id),
        "updateDataModel" => write(run, drawn, body),
        _ => contents(run, drawn, body),
    }
}

fn kind_of<'t>(run: &mut Run<'t, '_>, item: Item<'t>) -> Option<(Cow<'t, str>, Item<'t>)> {
    let known = |name: &str| KINDS_0_8.contains(&name) || KINDS_0_9.contains(&name);
    let mut kinds =
        item.members().filter_map(|(key, value)| Some((key.text()?, value))).filter(|(key, _)| known(key));
    match (kinds.next(), kinds.next()) {
        (Some(kind), None) => return Some(kind),
        (Some(_), Some((_, second))) => {
            run.notes.fault("several_messages", second, "a message says one thing; send two messages");
        }
        _ => no_kind(run, item),
    }
    None
}

fn no_kind<'t>(run: &mut Run<'t, '_>, item: Item<'t>) {
    let named = |names: &'static [&str]| names.iter().find(|name| item.get(name).is_some());
    if let Some(name) = named(&FROM_CLIENTS) {
        let message =
            format!("`{name}` is what a client sends; an agent sends one of {}", listed(&KINDS_0_9));
        return run.notes.fault("wrong_direction", item, message);
    }
    if let Some(name) = named(&OF_1_0) {
        return run.notes.warn(
            "ignored_message",
            item,
            format!("`{name}` of 1.0 draws nothing and is passed over"),
        );
    }
    let kinds = if run.version == Some(Version::V0_8) { KINDS_0_8 } else { KINDS_0_9 };
    run.notes.fault("unknown_message", item, format!("a message needs one of {}", listed(&kinds)));
}

fn version_of<'t>(run: &mut Run<'t, '_>, item: Item<'t>, kind: &str) -> Option<Version> {
    let is_08 = KINDS_0_8.contains(&kind) && (kind != "deleteSurface" || run.version == Some(Version::V0_8));
    let Some(written) = item.get("version") else {
        let is_08 = is_08 || kind == "deleteSurface" && run.version.is_none();
        if !is_08 {
            run.notes.warn("missing_version", item, "`version` is missing; \"v0.9\" is taken");
        }
        return Some(if is_08 { Version::V0_8 } else { Version::V0_9 });
    };
    if is_08 {
        run.notes.warn(
            "needless_version",
            written,
            "messages of 0.8 have no `version`; some clients refuse it",
        );
        return Some(Version::V0_8);
    }
    let version =
        written.text().as_deref().and_then(Version::read).filter(|version| *version != Version::V0_8);
    if version.is_none() {
        run.notes.fault("unknown_version", written, "`version` is \"v0.9\", \"v0.9.1\" or \"v1.0\"");
    }
    version
}

fn surface_id<'t>(run: &mut Run<'t, '_>, kind: &str, body: Item<'t>) -> Option<Cow<'t, str>> {
    let Some(id) = body.get("surfaceId") else {
        run.notes.fault(
            "missing_field",
            body,
            format!("`{kind}` needs `surfaceId`, the name of the surface"),
        );
        return None;
    };
    match id.text().filter(|text| !text.is_empty()) {
        Some(text) => Some(text),
        None => {
            run.notes.fault(
                "wrong_type",
                id,
                format!("`surfaceId` is a text that says something, not {}", id.raw()),
            );
            None
        }
    }
}

fn start<'t, 'c>(run: &mut Run<'t, 'c>, version: Version, id: &str, body: Item<'t>) -> Drawn<'t, 'c> {
    if let Some(known) = run.known(id) {
        let catalog = known.catalog_id.as_deref().and_then(|id| run.checker.catalogs.find(id));
        return Drawn::new(version, catalog.map(|it| &**it).or_else(|| preferred(run, version)));
    }
    if version != Version::V0_8 && run.checker.surfaces.is_some() && body.get("catalogId").is_none() {
        let message = format!("there is no surface `{id}`; send `createSurface` first");
        run.notes.fault("unknown_surface", body, message);
    }
    Drawn::new(version, preferred(run, version))
}

fn preferred<'c>(run: &Run<'_, 'c>, version: Version) -> Option<&'c crate::catalog::Catalog> {
    run.checker.catalogs.preferred(version).map(|catalog| &**catalog)
}

fn create<'t, 'c>(run: &mut Run<'t, 'c>, drawn: &mut Drawn<'t, 'c>, body: Item<'t>, id: &str) {
    if run.known(id).is_some() || drawn.created.is_some() {
        let message = format!("there is a surface `{id}` already; update it, or send `deleteSurface` first");
        run.notes.fault("surface_exists", body, message);
    }
    drawn.created = Some(body);
    catalog(run, drawn, body);
    if let Some(colour) = body.get("theme").and_then(|theme| theme.get("primaryColor"))
        && !members::is_colour(colour)
    {
        let message = format!("`primaryColor` is a colour such as \"#00BFFF\", not `{}`", colour.raw());
        run.notes.warn("invalid_style", colour, message);
    }
    if let Some(components) = body.get("components") {
        component::check_all(run, drawn, components);
    }
    if let Some(model) = body.get("dataModel") {
        drawn.has_data = true;
        drawn.writes.push(Write { path: "".into(), value: Some(model), is_entered: false });
    }
}

fn catalog<'t, 'c>(run: &mut Run<'t, 'c>, drawn: &mut Drawn<'t, 'c>, body: Item<'t>) {
    let Some(written) = body.get("catalogId") else {
        if drawn.version == Version::V0_9 {
            let ids = listed(&run.checker.catalogs.ids());
            run.notes.fault(
                "missing_field",
                body,
                format!("`createSurface` needs `catalogId`, one of {ids}"),
            );
        }
        return;
    };
    let found = written.text().and_then(|id| run.checker.catalogs.find(&id));
    drawn.catalog = found.map(|catalog| &**catalog);
    if drawn.catalog.is_none() {
        let ids = listed(&run.checker.catalogs.ids());
        run.notes.fault("unknown_catalog", written, format!("the client has no such catalog; it has {ids}"));
    }
}

fn begin<'t, 'c>(run: &mut Run<'t, 'c>, drawn: &mut Drawn<'t, 'c>, body: Item<'t>) {
    if drawn.parts.is_empty() && drawn.created.is_none() {
        drawn.unordered = Some(body);
    }
    if drawn.created.is_some() {
        let message = "`beginRendering` comes twice; it is needed once, and changes need none";
        run.notes.warn("begun_again", body, message);
    }
    drawn.created = Some(body);
    if body.get("catalogId").is_some() {
        catalog(run, drawn, body);
    }
    if let Some(styles) = body.get("styles") {
        members::styles(&mut run.notes, styles);
    }
    match body.get("root").and_then(|root| Some((root.text()?, root))) {
        Some(root) => drawn.root = Some(root),
        None => {
            run.notes.fault("missing_field", body, "`beginRendering` needs `root`, the id of a component")
        }
    }
}

fn update<'t>(run: &mut Run<'t, '_>, drawn: &mut Drawn<'t, '_>, body: Item<'t>, id: &str) {
    match body.get("components") {
        Some(components) => component::check_all(run, drawn, components),
        None => {
            let message = format!("`components` is missing; list the components of `{id}`");
            run.notes.fault("empty_components", body, message);
        }
    }
}

fn write<'t>(run: &mut Run<'t, '_>, drawn: &mut Drawn<'t, '_>, body: Item<'t>) {
    let path = body.get("path");
    if let Some(path) = path.filter(|path| !path.is_text()) {
        return run.notes.fault(
            "wrong_type",
            path,
            format!("`path` is a text such as \"/user/name\", not {}", path.name()),
        );
    }
    drawn.has_data = true;
    let path = path.and_then(Item::text).unwrap_or_default();
    drawn.writes.push(Write { path, value: body.get("value"), is_entered: false });
}

fn contents<'t>(run: &mut Run<'t, '_>, drawn: &mut Drawn<'t, '_>, body: Item<'t>) {
    drawn.has_data = true;
    let Some(contents) = body.get("contents").filter(|contents| contents.kind() == Kind::List) else {
        let message = "`dataModelUpdate` needs `contents`, a list of {\"key\": …, \"valueString\": …}";
        return run.notes.fault("missing_field", body, message);
    };
    if let Some(path) = body.get("path").filter(|path| !path.is_text()) {
        let message = format!("`path` is a text such as \"/user/name\", not {}", path.name());
        return run.notes.fault("wrong_type", path, message);
    }
    let path = body.get("path").and_then(Item::text).unwrap_or_default();
    // Who names the root means all of it.
    if path == "/" || run.checker.data_0_8 == Data0_8::Replace {
        drawn.replace(&path);
    }
    super::binding::check_contents(&mut run.notes, drawn, &path, contents, 1);
}
