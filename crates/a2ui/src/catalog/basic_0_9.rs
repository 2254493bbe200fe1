//! The basic and the minimal catalog of 0.9, which 0.9.1 left as they were.

use super::{
    Component,
    Literal::{Flag, Number, Text, Texts},
    Property,
    Shape::{Action, Checks, Child, Children, Dynamic, Either, Plain, Word},
    icons::{ICONS_0_8, ICONS_0_9, names},
    shape::{list, needs, object, takes, words},
};

const VARIANTS: [&str; 7] = ["h1", "h2", "h3", "h4", "h5", "caption", "body"];
const FITS: [&str; 5] = ["contain", "cover", "fill", "none", "scaleDown"];
const SIZES: [&str; 6] = ["icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header"];
const SPREADS: [&str; 7] =
    ["center", "end", "spaceAround", "spaceBetween", "spaceEvenly", "start", "stretch"];
const SIDES: [&str; 4] = ["start", "center", "end", "stretch"];
const FIELDS: [&str; 4] = ["longText", "number", "shortText", "obscured"];

pub(super) fn components() -> Vec<Component> {
    let mut components = shown();
    components.extend(arranged());
    components.extend(asked());
    components
}

pub(super) fn minimal() -> Vec<Component> {
    let kept = ["Text", "Row", "Column", "Button", "TextField"];
    components().into_iter().filter(|component| kept.contains(&component.name.as_str())).collect()
}

/// What the candidate of 1.0 adds.
pub(super) fn candidate() -> Vec<Component> {
    let mut components = components();
    for component in &mut components {
        match component.name.as_str() {
            "Video" => component.properties.push(takes("posterUrl", Dynamic(Text))),
            "TextField" => component.properties.push(takes("placeholder", Dynamic(Text))),
            "Slider" => component.properties.push(takes("steps", Dynamic(Number))),
            _ => {}
        }
    }
    components
}

fn shown() -> Vec<Component> {
    vec![
        Component::new("Text", vec![needs("text", Dynamic(Text)), takes("variant", words(&VARIANTS))]),
        Component::new(
            "Image",
            vec![
                needs("url", Dynamic(Text)),
                takes("description", Dynamic(Text)),
                takes("fit", words(&FITS)),
                takes("variant", words(&SIZES)),
            ],
        ),
        Component::new("Icon", vec![needs("name", icon())]),
        Component::new("Video", vec![needs("url", Dynamic(Text))]),
        Component::new("AudioPlayer", vec![needs("url", Dynamic(Text)), takes("description", Dynamic(Text))]),
        Component::new("Divider", vec![takes("axis", words(&["horizontal", "vertical"]))]),
    ]
}

fn icon() -> super::Shape {
    let path = |name| object(vec![needs(name, Plain(Text))]);
    Either(vec![Word(names(&[ICONS_0_8, ICONS_0_9])), path("path"), path("svgPath")])
}

fn arranged() -> Vec<Component> {
    let line = |name| {
        let children = needs("children", Children);
        let (spread, side) = (takes("justify", words(&SPREADS)), takes("align", words(&SIDES)));
        Component::new(name, vec![children, spread, side])
    };
    let tab = object(vec![needs("title", Dynamic(Text)), needs("child", Child)]);
    vec![
        line("Row"),
        line("Column"),
        Component::new(
            "List",
            vec![
                needs("children", Children),
                takes("direction", words(&["vertical", "horizontal"])),
                takes("align", words(&SIDES)),
            ],
        ),
        Component::new("Card", vec![needs("child", Child)]),
        Component::new("Tabs", vec![needs("tabs", list(tab, 1))]),
        Component::new("Modal", vec![needs("trigger", Child), needs("content", Child)]),
    ]
}

fn asked() -> Vec<Component> {
    let choice = object(vec![needs("label", Dynamic(Text)), needs("value", Plain(Text))]);
    vec![
        input(
            "Button",
            vec![
                needs("child", Child),
                needs("action", Action),
                takes("variant", words(&["default", "primary", "borderless"])),
            ],
        ),
        input(
            "TextField",
            vec![
                needs("label", Dynamic(Text)),
                takes("value", Dynamic(Text)),
                takes("variant", words(&FIELDS)),
                takes("validationRegexp", Plain(Text)),
            ],
        ),
        input("CheckBox", vec![needs("label", Dynamic(Text)), needs("value", Dynamic(Flag))]),
        input(
            "ChoicePicker",
            vec![
                takes("label", Dynamic(Text)),
                takes("variant", words(&["multipleSelection", "mutuallyExclusive"])),
                needs("options", list(choice, 0)),
                needs("value", Dynamic(Texts)),
                takes("displayStyle", words(&["checkbox", "chips"])),
                takes("filterable", Plain(Flag)),
            ],
        ),
        input(
            "Slider",
            vec![
                takes("label", Dynamic(Text)),
                takes("min", Plain(Number)),
                needs("max", Plain(Number)),
                needs("value", Dynamic(Number)),
            ],
        ),
        input(
            "DateTimeInput",
            vec![
                needs("value", Dynamic(Text)),
                takes("enableDate", Plain(Flag)),
                takes("enableTime", Plain(Flag)),
                takes("min", Dynamic(Text)),
                takes("max", Dynamic(Text)),
                takes("label", Dynamic(Text)),
            ],
        ),
    ]
}

fn input(name: &str, mut properties: Vec<Property>) -> Component {
    properties.push(takes("checks", Checks));
    Component::new(name, properties)
}
