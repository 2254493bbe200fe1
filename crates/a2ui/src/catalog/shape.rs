//! What a property takes.

/// A property of a component, or an argument of a function.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub shape: Shape,
    /// Whether it has to be there.
    pub is_required: bool,
}

/// What a value may be.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Anything.
    Any,
    /// A value that stands for itself.
    Plain(Literal),
    /// One of a few words.
    Word(Vec<String>),
    /// 0.9: a literal, `{path}`, or a function call. With a word list, a literal has to be one of them.
    Dynamic(Literal),
    /// 0.8: an object with one of `literalString` and its like, or `path`, or both.
    Bound(Literal),
    /// 0.8: like [`Shape::Bound`] with a text that is one of a few words.
    BoundWord {
        /// The words.
        words: Vec<String>,
        /// Words that came with a later version. They can be drawn, and clients of 0.8 may refuse them.
        later: Vec<String>,
    },
    /// The id of a component.
    Child,
    /// 0.9: a list of ids, or `{componentId, path}`.
    Children,
    /// 0.8: `{explicitList}` or `{template: {componentId, dataBinding}}`.
    ListedChildren,
    /// 0.9: `{event: {name, context}}` or `{functionCall}`.
    Action,
    /// 0.8: `{name, context: [{key, value}]}`.
    NamedAction,
    /// 0.9: a list of `{condition, message}`.
    Checks,
    /// An object with these members and, unless it is open, no others.
    Object {
        /// The members.
        members: Vec<Property>,
        /// Whether other members are taken, too.
        is_open: bool,
    },
    /// A list.
    List {
        /// What is in it.
        item: Box<Shape>,
        /// How many there are at least.
        at_least: usize,
    },
    /// What fits one of these.
    Either(Vec<Shape>),
}

/// The kinds of literal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A text.
    Text,
    /// A number.
    Number,
    /// A whole number that is not negative.
    Count,
    /// True or false.
    Flag,
    /// A list of texts.
    Texts,
    /// A text, number, flag or list.
    Value,
}

impl Literal {
    /// What it is, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Count => "a whole number",
            Self::Flag => "true or false",
            Self::Texts => "a list of texts",
            Self::Value => "a text, a number, true or false, or a list",
        }
    }

    /// The member that carries it in 0.8.
    #[must_use]
    pub fn member(self) -> &'static str {
        match self {
            Self::Text => "literalString",
            Self::Number | Self::Count => "literalNumber",
            Self::Flag => "literalBoolean",
            Self::Texts => "literalArray",
            Self::Value => "literal",
        }
    }
}

impl Shape {
    /// What fits, as a model can write it.
    #[must_use]
    pub fn wanted(&self) -> String {
        match self {
            Self::Any => "any value".to_owned(),
            Self::Plain(literal) => literal.name().to_owned(),
            Self::Word(words) => format!("one of {}", listed(words)),
            Self::Dynamic(literal) => {
                format!("{}, {{\"path\": \"/…\"}} or {{\"call\": …, \"args\": …}}", literal.name())
            }
            Self::Bound(literal) => format!("{{\"{}\": …}} or {{\"path\": \"/…\"}}", literal.member()),
            Self::BoundWord { words, .. } => {
                format!("{{\"literalString\": one of {}}} or {{\"path\": \"/…\"}}", listed(words))
            }
            Self::Child => "the id of a component".to_owned(),
            Self::Children => "a list of ids, or {\"componentId\": …, \"path\": …}".to_owned(),
            Self::ListedChildren => {
                "{\"explicitList\": [ids]} or {\"template\": {\"componentId\": …, \"dataBinding\": …}}"
                    .to_owned()
            }
            Self::Action => {
                "{\"event\": {\"name\": …, \"context\": {…}}} or {\"functionCall\": {\"call\": …}}".to_owned()
            }
            Self::NamedAction => {
                "{\"name\": …, \"context\": [{\"key\": …, \"value\": {\"path\": \"/…\"}}]}".to_owned()
            }
            Self::Checks => {
                "a list of {\"condition\": {\"call\": …, \"args\": …}, \"message\": …}".to_owned()
            }
            Self::Object { members, .. } => {
                let names: Vec<_> =
                    members.iter().filter(|it| it.is_required).map(|it| it.name.clone()).collect();
                if names.is_empty() {
                    "an object".to_owned()
                } else {
                    format!("an object with {}", listed(&names))
                }
            }
            Self::List { item, .. } => format!("a list, each item {}", item.wanted()),
            Self::Either(shapes) => shapes.iter().map(Self::wanted).collect::<Vec<_>>().join(", or "),
        }
    }
}

/// Names in a sentence.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    names.join(", ")
}

pub(super) fn needs(name: &str, shape: Shape) -> Property {
    Property { name: name.to_owned(), shape, is_required: true }
}

pub(super) fn takes(name: &str, shape: Shape) -> Property {
    Property { name: name.to_owned(), shape, is_required: false }
}

pub(super) fn words(words: &[&str]) -> Shape {
    Shape::Word(words.iter().map(|&word| word.to_owned()).collect())
}

pub(super) fn object(members: Vec<Property>) -> Shape {
    Shape::Object { members, is_open: false }
}

pub(super) fn list(item: Shape, at_least: usize) -> Shape {
    Shape::List { item: Box::new(item), at_least }
}
