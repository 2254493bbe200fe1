//! The rules, in sentences. What a catalog decides is not in here.

use crate::{Version, catalog::Catalog};

/// How a surface is drawn for the first time, and what holds for every drawing.
pub(super) fn opening(catalog: &Catalog) -> String {
    let (order, root, flat) = match catalog.version {
        Version::V0_8 => (ORDER_0_8, ROOT_0_8, FLAT_0_8),
        _ => (ORDER_0_9, ROOT_0_9, FLAT_0_9),
    };
    let id = &catalog.id;
    let name = catalog.version.name();
    let order = order.replace("{catalog}", id);
    format!("{}{order}\n\n### Rules\n\n{root}\n{flat}\n{RULES}", OPENING.replace("{version}", name))
}

const OPENING: &str = "\
## Drawing user interfaces (A2UI {version})

You can show people forms, cards and lists instead of describing them. To draw, call the tool \
`send_a2ui_json_to_client`; its argument `a2ui_json` is a list of messages. A surface is one drawing, with an id of \
your choice.

";

const ORDER_0_8: &str = "\
### The first drawing of a surface

Send everything in ONE call, in this order:

1. `surfaceUpdate`: all components of the surface. Required.
2. `dataModelUpdate`: the values that components are bound to. Only if there are any.
3. `beginRendering`: the id of the outermost component, as `root`. Required.

Without `beginRendering` the components are kept and NEVER shown. `surfaceUpdate` and `beginRendering` belong into the \
same list of the same call; spread over two calls, nothing appears.";

const ORDER_0_9: &str = "\
### The first drawing of a surface

Send everything in ONE call, in this order. Every message has `\"version\": \"v0.9\"`:

1. `createSurface`: the id, and `\"catalogId\": \"{catalog}\"`. Required.
2. `updateComponents`: all components of the surface; the outermost has the id `root`. Required.
3. `updateDataModel`: the values that components are bound to. Only if there are any.

Without a component `root` nothing is shown. A surface is created once; to begin anew, send `deleteSurface` first.

There is a shorter way for one surface: the tool `render_a2ui` with `surfaceId`, `components` and, if there are values, \
`data`. It creates the surface if need be.";

const ROOT_0_8: &str = "\
- Always send `beginRendering` with a first drawing.
- `root` of `beginRendering` is the id of a component in the `surfaceUpdate`.";

const ROOT_0_9: &str = "- Exactly one component has the id `root`; everything else hangs below it.";

const FLAT_0_8: &str = "\
- Components are a flat list. A component names its children by their ids and never contains them.
- Text stands apart: buttons, cards and the like name a `Text` component for what is written on them.
- `Modal` shows its `entryPointChild` alone until somebody clicks it. An alert or a confirmation that should be seen at \
once is a `Card` or `Column`, not a `Modal`.";

const FLAT_0_9: &str = "\
- Components are a flat list. A component names its children by their ids and never contains them.
- Text stands apart: buttons, cards and the like name a `Text` component for what is written on them.
- `Modal` shows its `trigger` alone until somebody clicks it. An alert or a confirmation that should be seen at once is \
a `Card` or `Column`, not a `Modal`.";

const RULES: &str = "\
- Every surface has an id of its own, and so has every component of a surface.
- What you draw is shown to real people: complete, finished, and working. No stand-ins, no buttons without a purpose.
- No placeholder images. Never invent an address such as `https://example.com/image.jpg`. Without a real one, leave the \
image out or use an `Icon`.
- The outermost component is a layout such as `Column`, `Row` or `Card`. A `Modal`, `Button` or `Text` goes inside of one.
- Use the components and properties that are listed below, and no others.";

/// How a surface changes.
pub(super) fn updates(version: Version) -> String {
    let (begin, components, data) = match version {
        Version::V0_8 => ("beginRendering", "surfaceUpdate", "dataModelUpdate"),
        _ => ("createSurface", "updateComponents", "updateDataModel"),
    };
    let deletes = match version {
        Version::V0_8 => "",
        _ => " Without `value`, what stands at the path is deleted.",
    };
    format!(
        "### Changing a surface later\n\nA surface that was drawn is changed by messages with its `surfaceId`, without \
         another `{begin}`:\n\n- `{components}`: a component with an id that is there replaces the old one; a new id adds \
         one.\n- `{data}`: what is bound to the data changes by itself. Send only what changed.{deletes}\n- \
         `deleteSurface` takes a surface away.\n\nWhat people have typed stays unless you write to that very path."
    )
}

/// How people's input comes back.
pub(super) fn forms(version: Version) -> String {
    let (bind, send, begin) = match version {
        Version::V0_8 => (
            "a `TextField` with `\"text\": {\"path\": \"/form/name\"}` writes what is typed to that path",
            "`\"action\": {\"name\": \"submit\", \"context\": [{\"key\": \"userName\", \"value\": {\"path\": \"/form/name\"}}]}`",
            "a `dataModelUpdate`",
        ),
        _ => (
            "a `TextField` with `\"value\": {\"path\": \"/form/name\"}` writes what is typed to that path",
            "`\"action\": {\"event\": {\"name\": \"submit\", \"context\": {\"userName\": {\"path\": \"/form/name\"}}}}`",
            "an `updateDataModel`",
        ),
    };
    format!(
        "### Forms\n\n1. Fields are bound to the data: {bind}.\n2. Give every field a value to begin with by {begin}, be it \
         empty.\n3. A button says what it sends along: {send}.\n4. When somebody clicks it, you get the values as they are \
         then, such as `Context: {{\"userName\": \"Alice\"}}`."
    )
}

/// What a model does with a click.
pub(super) const ACTIONS: &str = "\
### When somebody acts

A click or a sent form appears in the conversation as a call of the tool `log_a2ui_event` and its result. You did not \
make that call; it stands for something that a person has just done. If the conversation ends with it, answer to it at \
once:

1. The person has JUST done what the result says.
2. Acknowledge it and respond.
3. The name of the action tells what they did.
4. Take the next step that follows from it.
5. Do not describe which buttons there are; respond to the one that was clicked.";

/// What a model does when it was wrong.
pub(super) const MISTAKES: &str = "\
### When a drawing is refused

The result of your call then has `error` with all `faults`, each with a code, a path into your messages and a sentence. \
Correct every one of them and send the whole list again. After three attempts in a row nothing more is drawn; then say \
in words what you wanted to show.";
