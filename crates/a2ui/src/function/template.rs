//! `formatString`: sentences with `${…}` in them.

use serde_json::{Map, Value};

use super::{
    Result,
    args::{Args, shown},
};
use crate::surface::Evaluator;

/// Expressions nest so deep in a template.
pub const MAX_TEMPLATE_DEPTH: usize = 100;

/// Why a template cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// `${` without its `}`.
    #[error("`${{` is not closed")]
    Unclosed,
    /// Something behind an expression.
    #[error("`{rest}` stands behind an expression")]
    Trailing {
        /// What it is.
        rest: String,
    },
    /// A number with two points.
    #[error("`{text}` is not a number")]
    Number {
        /// What it is.
        text: String,
    },
    /// An argument without a colon.
    #[error("a colon is missing behind the argument `{argument}` of `{function}`")]
    Colon {
        /// The function.
        function: String,
        /// The argument.
        argument: String,
    },
    /// Arguments without a closing parenthesis.
    #[error("the arguments of `{function}` are not closed")]
    Parenthesis {
        /// The function.
        function: String,
    },
    /// Deeper than [`MAX_TEMPLATE_DEPTH`].
    #[error("expressions nest deeper than {MAX_TEMPLATE_DEPTH}")]
    TooDeep,
}

#[derive(Clone, Debug, PartialEq)]
enum Expression {
    Literal(Value),
    Path(String),
    Call(String, Vec<(String, Expression)>),
}

/// Says whether a template can be read, and gives the paths in it.
pub fn parse_template(template: &str) -> std::result::Result<Vec<String>, TemplateError> {
    let mut paths = Vec::new();
    parse(template)?.iter().for_each(|part| part.collect(&mut paths));
    Ok(paths)
}

pub(super) fn format_string(args: Args<'_>, evaluator: &mut Evaluator<'_, '_>) -> Result<Value> {
    let parts = parse(&args.text("value")?)?;
    let mut out = String::new();
    for part in &parts {
        let value = part.evaluate(evaluator)?;
        let text = shown(&value.unwrap_or_default());
        evaluator.spend(text.len())?;
        out.push_str(&text);
    }
    Ok(out.into())
}

impl Expression {
    fn evaluate(&self, evaluator: &mut Evaluator<'_, '_>) -> Result {
        match self {
            Self::Literal(value) => Ok(Some(value.clone())),
            Self::Path(path) => Ok(evaluator.path(path)),
            Self::Call(name, arguments) => evaluator.nested(|evaluator| {
                let mut resolved = Map::new();
                for (name, argument) in arguments {
                    if let Some(value) = argument.evaluate(evaluator)? {
                        resolved.insert(name.clone(), value);
                    }
                }
                Ok(evaluator.invoke(name, &resolved))
            }),
        }
    }

    fn collect(&self, paths: &mut Vec<String>) {
        match self {
            Self::Literal(_) => {}
            Self::Path(path) => paths.push(path.clone()),
            Self::Call(_, arguments) => arguments.iter().for_each(|(_, argument)| argument.collect(paths)),
        }
    }
}

type Parsed<T> = std::result::Result<T, TemplateError>;

fn parse(template: &str) -> Parsed<Vec<Expression>> {
    let (mut parts, mut text, mut rest) = (Vec::new(), String::new(), template);
    while let Some(at) = rest.find("${") {
        if let Some(before) = rest[..at].strip_suffix('\\') {
            text.push_str(before);
            text.push_str("${");
            rest = &rest[at + 2..];
            continue;
        }
        text.push_str(&rest[..at]);
        parts.extend(literal(&mut text));
        let (inside, behind) = interpolation(&rest[at + 2..])?;
        parts.push(whole(inside, 1)?);
        rest = behind;
    }
    text.push_str(rest);
    parts.extend(literal(&mut text));
    Ok(parts)
}

fn literal(text: &mut String) -> Option<Expression> {
    let text = std::mem::take(text);
    (!text.is_empty()).then(|| Expression::Literal(text.into()))
}

/// Cuts a text behind the brace that closes an interpolation. Braces in quotes do not count.
fn interpolation(text: &str) -> Parsed<(&str, &str)> {
    let (mut open, mut quote) = (1, None);
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match (byte, quote) {
            (b'\\', Some(_)) => {
                bytes.next();
            }
            (_, Some(end)) if byte == end => quote = None,
            (_, Some(_)) => {}
            (b'\'' | b'"', None) => quote = Some(byte),
            (b'{', None) => open += 1,
            (b'}', None) if open == 1 => return Ok((&text[..at], &text[at + 1..])),
            (b'}', None) => open -= 1,
            _ => {}
        }
    }
    Err(TemplateError::Unclosed)
}

/// A text that is one expression and nothing else.
fn whole(text: &str, depth: usize) -> Parsed<Expression> {
    let mut cursor = Cursor { rest: text.trim() };
    let expression = cursor.expression(depth)?;
    match cursor.rest.is_empty() {
        true => Ok(expression),
        false => Err(TemplateError::Trailing { rest: cursor.rest.chars().take(50).collect() }),
    }
}

struct Cursor<'t> {
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    fn expression(&mut self, depth: usize) -> Parsed<Expression> {
        if depth > MAX_TEMPLATE_DEPTH {
            return Err(TemplateError::TooDeep);
        }
        self.skip_blanks();
        if let Some(inside) = self.rest.strip_prefix("${") {
            let (inside, behind) = interpolation(inside)?;
            self.rest = behind;
            return whole(inside, depth + 1);
        }
        let literal = match self.rest.bytes().next() {
            None => Value::from(""),
            Some(b'\'' | b'"') => self.quoted(),
            Some(b'0'..=b'9') => self.number()?,
            _ if self.keyword("true") => Value::from(true),
            _ if self.keyword("false") => Value::from(false),
            _ if self.keyword("null") => Value::from(""),
            _ => return self.path_or_call(depth),
        };
        Ok(Expression::Literal(literal))
    }

    fn path_or_call(&mut self, depth: usize) -> Parsed<Expression> {
        let name = self.take(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter));
        self.skip_blanks();
        match (self.rest.strip_prefix('('), name) {
            (Some(arguments), _) => {
                self.rest = arguments;
                self.arguments(name, depth)
            }
            (None, "") => Ok(Expression::Literal("".into())),
            (None, _) => Ok(Expression::Path(name.to_owned())),
        }
    }

    fn arguments(&mut self, function: &str, depth: usize) -> Parsed<Expression> {
        let mut arguments = Vec::new();
        self.skip_blanks();
        while !self.rest.is_empty() && !self.rest.starts_with(')') {
            let argument = self.take(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            self.skip_blanks();
            if !self.skip(':') {
                let (function, argument) = (function.to_owned(), argument.to_owned());
                return Err(TemplateError::Colon { function, argument });
            }
            arguments.push((argument.to_owned(), self.expression(depth + 1)?));
            self.skip_blanks();
            if self.skip(',') {
                self.skip_blanks();
            }
        }
        match self.skip(')') {
            true => Ok(Expression::Call(function.to_owned(), arguments)),
            false => Err(TemplateError::Parenthesis { function: function.to_owned() }),
        }
    }

    /// A text in quotes. It may end without its quote.
    fn quoted(&mut self) -> Value {
        let mut letters = self.rest.chars();
        let quote = letters.next();
        let mut text = String::new();
        while let Some(letter) = letters.next().filter(|letter| Some(*letter) != quote) {
            match letter {
                '\\' => text.extend(letters.next().map(unescaped)),
                _ => text.push(letter),
            }
        }
        self.rest = letters.as_str();
        text.into()
    }

    fn number(&mut self) -> Parsed<Value> {
        let text = self.take(|letter| letter.is_ascii_digit() || letter == '.');
        let number = text.parse::<f64>().ok().filter(|_| text.matches('.').count() < 2);
        let number = number.ok_or_else(|| TemplateError::Number { text: text.to_owned() })?;
        Ok(super::args::value_of(number))
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let behind = self.rest.strip_prefix(keyword);
        let behind =
            behind.filter(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_'));
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|letter| !belongs(letter)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn skip(&mut self, letter: char) -> bool {
        let behind = self.rest.strip_prefix(letter);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

fn unescaped(letter: char) -> char {
    match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        _ => letter,
    }
}
