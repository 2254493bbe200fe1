//! The basic catalog of 0.8.

use super::{
    Component,
    Literal::{Count, Flag, Number, Text, Texts},
    Shape::{Bound, BoundWord, Child, ListedChildren, NamedAction, Plain},
    icons::{ICONS_0_8, ICONS_0_9, names},
    shape::{list, needs, object, takes, words},
};

const HINTS: [&str; 7] = ["h1", "h2", "h3", "h4", "h5", "caption", "body"];
const FITS: [&str; 5] = ["contain", "cover", "fill", "none", "scale-down"];
const SIZES: [&str; 6] = ["icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header"];
const SPREADS: [&str; 6] = ["center", "end", "spaceAround", "spaceBetween", "spaceEvenly", "start"];
const SIDES: [&str; 4] = ["start", "center", "end", "stretch"];
const FIELDS: [&str; 5] = ["date", "longText", "number", "shortText", "obscured"];

pub(super) fn components() -> Vec<Component> {
    let mut components = shown();
    components.extend(arranged());
    components.extend(asked());
    components
}

fn shown() -> Vec<Component> {
    vec![
        Component::new("Text", vec![needs("text", Bound(Text)), takes("usageHint", words(&HINTS))]),
        Component::new(
            "Image",
            vec![
                needs("url", Bound(Text)),
                takes("altText", Bound(Text)),
                takes("fit", words(&FITS)),
                takes("usageHint", words(&SIZES)),
            ],
        ),
        Component::new("Icon", vec![needs("name", icon())]),
        Component::new("Video", vec![needs("url", Bound(Text))]),
        Component::new("AudioPlayer", vec![needs("url", Bound(Text)), takes("description", Bound(Text))]),
        Component::new("Divider", vec![takes("axis", words(&["horizontal", "vertical"]))]),
    ]
}

fn icon() -> super::Shape {
    BoundWord { words: names(&[ICONS_0_8]), later: names(&[ICONS_0_9]) }
}

fn arranged() -> Vec<Component> {
    let line = |name| {
        let children = needs("children", ListedChildren);
        let (spread, side) = (takes("distribution", words(&SPREADS)), takes("alignment", words(&SIDES)));
        Component::new(name, vec![children, spread, side])
    };
    let tab = object(vec![needs("title", Bound(Text)), needs("child", Child)]);
    vec![
        line("Row"),
        line("Column"),
        Component::new(
            "List",
            vec![
                needs("children", ListedChildren),
                takes("direction", words(&["vertical", "horizontal"])),
                takes("alignment", words(&SIDES)),
            ],
        ),
        Component::new("Card", vec![needs("child", Child)]),
        Component::new("Tabs", vec![needs("tabItems", list(tab, 0))]),
        Component::new("Modal", vec![needs("entryPointChild", Child), needs("contentChild", Child)]),
    ]
}

fn asked() -> Vec<Component> {
    let choice = object(vec![needs("label", Bound(Text)), needs("value", Plain(Text))]);
    vec![
        Component::new(
            "Button",
            vec![needs("child", Child), needs("action", NamedAction), takes("primary", Plain(Flag))],
        ),
        Component::new("CheckBox", vec![needs("label", Bound(Text)), needs("value", Bound(Flag))]),
        Component::new(
            "TextField",
            vec![
                needs("label", Bound(Text)),
                takes("text", Bound(Text)),
                takes("textFieldType", words(&FIELDS)),
                takes("validationRegexp", Plain(Text)),
            ],
        ),
        Component::new(
            "DateTimeInput",
            vec![
                needs("value", Bound(Text)),
                takes("enableDate", Plain(Flag)),
                takes("enableTime", Plain(Flag)),
                takes("outputFormat", Plain(Text)),
            ],
        ),
        Component::new(
            "MultipleChoice",
            vec![
                needs("selections", Bound(Texts)),
                needs("options", list(choice, 0)),
                takes("maxAllowedSelections", Plain(Count)),
                takes("variant", words(&["checkbox", "chips"])),
                takes("filterable", Plain(Flag)),
            ],
        ),
        Component::new(
            "Slider",
            vec![
                needs("value", Bound(Number)),
                takes("label", Bound(Text)),
                takes("minValue", Plain(Number)),
                takes("maxValue", Plain(Number)),
            ],
        ),
    ]
}
