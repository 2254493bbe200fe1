//! What a value looks like on the wire, as data.
//!
//! A [`Shape`] is written by the [`wire!`](crate::wire) declarations and read by three others: enforcement
//! walks it to strip, drop or fail, [`schema`](crate::schema) prints it as JSON Schema, and the documentation
//! tables come from it. So a field is described once.

/// The form of one JSON value.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Any JSON value, null included.
    Any,
    /// Any JSON value but null: what an optional [`Shape::Any`] becomes, since absence is written by omission.
    Present,
    /// An open object whose keys are data.
    Object,
    /// A string.
    Text,
    /// A JSON Pointer in string form.
    Pointer,
    /// `true` or `false`.
    Bool,
    /// A whole number between two bounds, both included.
    Integer {
        /// Smallest value allowed.
        min: i64,
        /// Largest value allowed.
        max: i64,
    },
    /// One of a closed set of strings.
    Name(&'static Names),
    /// A list with at least `min` items.
    List {
        /// The form of each item.
        item: &'static Shape,
        /// How many items there have to be.
        min: usize,
    },
    /// A string, or a list of content parts.
    TextOrParts(&'static Shape),
    /// A closed object with known fields.
    Struct(&'static Struct),
    /// One of several objects, told apart by one member.
    Union(&'static Union),
    /// A JSON Patch operation: open objects told apart by `op`.
    Operation,
}

impl Shape {
    /// The same form in an optional position, where null would mean the same as leaving it out and is refused.
    pub const fn optional(self) -> Shape {
        match self {
            Shape::Any => Shape::Present,
            other => other,
        }
    }
}

/// A closed set of strings.
#[derive(Debug)]
pub struct Names {
    /// Name of the type in schemas.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// The strings.
    pub members: &'static [&'static str],
}

impl Names {
    /// Whether a string is one that a newer version may have added, as against one that is wrong here: a
    /// constant has no newer members, and a role of another kind of message is known well enough.
    #[must_use]
    pub fn is_unknown(&self, text: &str) -> bool {
        let other_role = self.name == "TextRole" && ["tool", "activity", "reasoning"].contains(&text);
        self.members.len() > 1 && !self.members.contains(&text) && !other_role
    }
}

/// A closed object.
#[derive(Debug)]
pub struct Struct {
    /// Name of the type in schemas.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// The member that tells it from its siblings, with its value.
    pub tag: Option<(&'static str, &'static str)>,
    /// The members it declares itself.
    pub fields: &'static [Field],
    /// The members it shares with its kind (the base fields of events).
    pub shared: &'static [Field],
}

impl Struct {
    /// Every member but the tag, own ones first.
    pub fn all_fields(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().chain(self.shared)
    }

    /// The member with this wire name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.all_fields().find(|field| field.name == name)
    }
}

/// One member of a closed object.
#[derive(Debug)]
pub struct Field {
    /// Its wire name, in camel case.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Whether it has to be there.
    pub required: bool,
    /// Its form.
    pub shape: Shape,
}

/// Several objects told apart by one member.
#[derive(Debug)]
pub struct Union {
    /// Name of the type in schemas.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// The member that tells them apart.
    pub key: &'static str,
    /// The objects.
    pub members: &'static [&'static Struct],
}

impl Union {
    /// The object with this tag.
    pub fn member(&self, tag: &str) -> Option<&'static Struct> {
        self.members.iter().copied().find(|member| member.tag.is_some_and(|(_, value)| value == tag))
    }
}
