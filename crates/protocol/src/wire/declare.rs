//! The declaration macros: [`wire!`] for structs, [`union!`] for tagged enums, [`names!`] for closed sets of
//! strings.

/// Declares a struct with a wire form. See the [module](crate::wire) for an example.
///
/// `event "TYPE" Name` adds the base fields of events, `tagged "key" "value" Name` a constant member,
/// `plain Name` neither.
macro_rules! wire {
    ($(#[doc = $doc:literal])* event $tag:literal $name:ident {
        required { $($(#[doc = $rdoc:literal])* $rnum:literal $r:ident: $rty:ty),* $(,)? }
        optional { $($(#[doc = $odoc:literal])* $onum:literal $o:ident: $oty:ty),* $(,)? }
    }) => {
        $crate::wire::wire! { @declare [$($doc)*] $name ["type" $tag] [base]
            { $([$($rdoc)*] $r: $rty;)* } { $([$($odoc)*] $o: $oty;)* } }
        $crate::wire::wire! { @proto $name [base] { $($rnum $r)* } { $($onum $o)* } }
    };

    ($(#[doc = $doc:literal])* tagged $key:literal $tag:literal $name:ident {
        required { $($(#[doc = $rdoc:literal])* $r:ident: $rty:ty),* $(,)? }
        optional { $($(#[doc = $odoc:literal])* $o:ident: $oty:ty),* $(,)? }
    }) => {
        $crate::wire::wire! { @declare [$($doc)*] $name [$key $tag] []
            { $([$($rdoc)*] $r: $rty;)* } { $([$($odoc)*] $o: $oty;)* } }
    };

    ($(#[doc = $doc:literal])* plain $name:ident {
        required { $($(#[doc = $rdoc:literal])* $rnum:literal $r:ident: $rty:ty),* $(,)? }
        optional { $($(#[doc = $odoc:literal])* $onum:literal $o:ident: $oty:ty),* $(,)? }
    }) => {
        $crate::wire::wire! { @declare [$($doc)*] $name [] []
            { $([$($rdoc)*] $r: $rty;)* } { $([$($odoc)*] $o: $oty;)* } }
        $crate::wire::wire! { @proto $name [] { $($rnum $r)* } { $($onum $o)* } }
    };

    ($(#[doc = $doc:literal])* plain $name:ident {
        required { $($(#[doc = $rdoc:literal])* $r:ident: $rty:ty),* $(,)? }
        optional { $($(#[doc = $odoc:literal])* $o:ident: $oty:ty),* $(,)? }
    }) => {
        $crate::wire::wire! { @declare [$($doc)*] $name [] []
            { $([$($rdoc)*] $r: $rty;)* } { $([$($odoc)*] $o: $oty;)* } }
    };

    (@declare [$($doc:literal)*] $name:ident [$($key:literal $tag:literal)?] [$($base:ident)?]
        { $([$($rdoc:literal)*] $r:ident: $rty:ty;)* } { $([$($odoc:literal)*] $o:ident: $oty:ty;)* }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $rdoc])* pub $r: $rty,)*
            $($(#[doc = $odoc])* pub $o: Option<$oty>,)*
            $(
                /// Timestamp, original event and metadata.
                pub $base: $crate::event::Base,
            )?
        }

        impl $name {
            /// One with the required members set and nothing else.
            #[must_use]
            #[allow(clippy::new_without_default, reason = "only some structs have nothing required")]
            pub fn new($($r: impl Into<$rty>),*) -> Self {
                Self { $($r: $r.into(),)* $($o: None,)* $($base: Default::default(),)? }
            }
        }

        impl $crate::wire::Wire for $name {
            const SHAPE: $crate::wire::Shape = $crate::wire::Shape::Struct(
                <$name as $crate::wire::Tagged>::STRUCT,
            );

            fn write_json(&self, out: &mut Vec<u8>) {
                let start = out.len();
                $(out.extend_from_slice(concat!("{\"", $key, "\":\"", $tag, "\"").as_bytes());)?
                $(
                    out.extend_from_slice($crate::wire::member!($r));
                    $crate::wire::Wire::write_json(&self.$r, out);
                )*
                $(if let Some($o) = &self.$o {
                    out.extend_from_slice($crate::wire::member!($o));
                    $crate::wire::Wire::write_json($o, out);
                })*
                $(self.$base.write_json_members(out);)?
                $crate::wire::wire!(@brace out start $($key)?);
                out.push(b'}');
            }
        }

        impl $crate::wire::Tagged for $name {
            const TAG: &'static str = concat!($($tag)?);
            const STRUCT: &'static $crate::wire::Struct = &$crate::wire::Struct {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),*),
                tag: $crate::wire::wire!(@tag $($key $tag)?),
                fields: &[
                    $($crate::wire::Field {
                        name: $crate::wire::camel!($r),
                        doc: concat!($($rdoc, "\n"),*),
                        required: true,
                        shape: <$rty as $crate::wire::Wire>::SHAPE,
                    },)*
                    $($crate::wire::Field {
                        name: $crate::wire::camel!($o),
                        doc: concat!($($odoc, "\n"),*),
                        required: false,
                        shape: <$oty as $crate::wire::Wire>::SHAPE.optional(),
                    },)*
                ],
                shared: $crate::wire::wire!(@shared $($base)?),
            };

            #[allow(unused_mut, unused_variables, reason = "a struct may have no members")]
            fn read_written(
                reader: &mut $crate::wire::Reader<'_>,
            ) -> Result<Self, $crate::wire::Refused> {
                $(let mut $r: Option<$rty> = None;)*
                $(let mut $o: Option<$oty> = None;)*
                $(let mut $base = $crate::event::Base::default();)?
                // Once for members in our order, once more for each that comes too early.
                while !reader.is_at_end() {
                    let before = reader.position();
                    $(reader.required($crate::wire::member!($r), &mut $r)?;)*
                    $(reader.optional($crate::wire::member!($o), &mut $o)?;)*
                    $($base.read_written(reader)?;)?
                    if reader.position() == before {
                        return Err($crate::wire::Refused);
                    }
                }
                Ok(Self {
                    $($r: $r.ok_or($crate::wire::Refused)?,)*
                    $($o,)*
                    $($base,)?
                })
            }

            fn read_members<'de, A>(mut map: A, tag_seen: bool) -> Result<Self, A::Error>
            where
                A: serde::de::MapAccess<'de>,
            {
                $(let mut $r: Option<$rty> = None;)*
                $(let mut $o: Option<$oty> = None;)*
                $(let mut $base = $crate::event::Base::default();)?
                #[allow(unused_mut, reason = "a struct may have no tag")]
                let mut tagged = tag_seen;
                while let Some(key) = map.next_key::<$crate::wire::Key<'de>>()? {
                    let key: &str = &key;
                    match key {
                        $(key if key == const { $crate::wire::camel!($r) } => $r = Some(map.next_value()?),)*
                        $(key if key == const { $crate::wire::camel!($o) } => {
                            $o = Some($crate::wire::present(&mut map)?);
                        })*
                        $($key => {
                            let tag = map.next_value::<$crate::wire::Key<'de>>()?;
                            if &*tag != $tag {
                                return Err($crate::wire::wrong_tag($key, $tag, &tag));
                            }
                            tagged = true;
                        })?
                        key => {
                            let known = false $(|| $base.read_member(key, &mut map)?)?;
                            if !known {
                                return Err($crate::wire::unknown_member(key, stringify!($name)));
                            }
                        }
                    }
                }
                $(if !tagged {
                    return Err(<A::Error as serde::de::Error>::missing_field($key));
                })?
                let _ = tagged;
                Ok(Self {
                    $($r: $r.ok_or_else(|| {
                        <A::Error as serde::de::Error>::missing_field(const { $crate::wire::camel!($r) })
                    })?,)*
                    $($o,)*
                    $($base,)?
                })
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct MembersVisitor;
                impl<'de> serde::de::Visitor<'de> for MembersVisitor {
                    type Value = $name;
                    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        out.write_str(concat!("an object (", stringify!($name), ")"))
                    }
                    fn visit_map<A>(self, map: A) -> Result<$name, A::Error>
                    where
                        A: serde::de::MapAccess<'de>,
                    {
                        <$name as $crate::wire::Tagged>::read_members(map, false)
                    }
                }
                deserializer.deserialize_map(MembersVisitor)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                #[allow(unused_mut, reason = "a struct may have no members")]
                let mut map = serializer.serialize_map(None)?;
                $(map.serialize_entry($key, $tag)?;)?
                $(map.serialize_entry(const { $crate::wire::camel!($r) }, &self.$r)?;)*
                $(if let Some($o) = &self.$o {
                    map.serialize_entry(const { $crate::wire::camel!($o) }, $o)?;
                })*
                $(self.$base.write_members(&mut map)?;)?
                map.end()
            }
        }
    };

    (@proto $name:ident [$($base:ident)?] { $($rnum:literal $r:ident)* } { $($onum:literal $o:ident)* }) => {
        impl $crate::codec::proto::Message for $name {
            #[allow(unused_variables, reason = "a struct may have no members")]
            fn write(&self, out: &mut Vec<u8>) {
                use $crate::codec::proto::Proto as _;
                $($crate::codec::proto::base::write(&self.$base, $crate::event::EventType::of(self), out);)?
                $(self.$r.put($rnum, out);)*
                $(if let Some($o) = &self.$o {
                    $o.put($onum, out);
                })*
            }

            #[allow(unused_variables, reason = "a struct may have no members")]
            fn read(
                fields: &mut $crate::codec::proto::Fields<'_>,
            ) -> Result<Self, $crate::codec::proto::ProtoError> {
                Ok(Self {
                    $($r: $crate::codec::proto::required(fields, $rnum, const { $crate::wire::camel!($r) })?,)*
                    $($o: $crate::codec::proto::optional(fields, $onum)?,)*
                    $($base: $crate::codec::proto::base::read(
                        fields,
                        <$crate::event::EventType as $crate::event::TypeOf<$name>>::TYPE,
                    )?,)?
                })
            }
        }
    };

    // Every member begins with a comma; where no tag comes first, the first has to begin with a brace instead.
    (@brace $out:ident $start:ident) => {
        match $out.get_mut($start) {
            Some(comma) => *comma = b'{',
            None => $out.push(b'{'),
        }
    };
    (@brace $out:ident $start:ident $key:literal) => {
        let _ = $start;
    };

    (@tag) => { None };
    (@tag $key:literal $tag:literal) => { Some(($key, $tag)) };
    (@shared) => { &[] };
    (@shared base) => { $crate::event::Base::FIELDS };
}
pub(crate) use wire;

/// Declares an enum of [`Tagged`](crate::wire::Tagged) structs, told apart by the member named after `by`.
macro_rules! union {
    ($(#[doc = $doc:literal])* enum $name:ident by $key:literal {
        $($(#[doc = $vdoc:expr])* $variant:ident($inner:ty)),* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $vdoc])* $variant($inner),)*
        }

        impl $crate::wire::Wire for $name {
            const SHAPE: $crate::wire::Shape = $crate::wire::Shape::Union(&$crate::wire::Union {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),*),
                key: $key,
                members: &[$(<$inner as $crate::wire::Tagged>::STRUCT),*],
            });

            fn write_json(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant(inner) => $crate::wire::Wire::write_json(inner, out),)*
                }
            }
        }

        $(impl From<$inner> for $name {
            fn from(inner: $inner) -> Self {
                Self::$variant(inner)
            }
        })*

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(inner) => inner.serialize(serializer),)*
                }
            }
        }

        impl $name {
            fn read_tagged<'de, A>(tag: &str, map: A) -> Result<Self, A::Error>
            where
                A: serde::de::MapAccess<'de>,
            {
                match tag {
                    $(tag if tag == <$inner as $crate::wire::Tagged>::TAG => {
                        <$inner as $crate::wire::Tagged>::read_members(map, true).map(Self::$variant)
                    })*
                    tag => Err(serde::de::Error::custom(format_args!(
                        "unknown {} `{tag}` for {}", $key, stringify!($name)
                    ))),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct UnionVisitor;
                impl<'de> serde::de::Visitor<'de> for UnionVisitor {
                    type Value = $name;
                    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        out.write_str(concat!("an object with `", $key, "` (", stringify!($name), ")"))
                    }
                    fn visit_map<A>(self, mut map: A) -> Result<$name, A::Error>
                    where
                        A: serde::de::MapAccess<'de>,
                    {
                        let Some(first) = map.next_key::<$crate::wire::Key<'de>>()? else {
                            return Err(serde::de::Error::missing_field($key));
                        };
                        if &*first == $key {
                            let tag = map.next_value::<$crate::wire::Key<'de>>()?;
                            return $name::read_tagged(&tag, map);
                        }
                        let (tag, map) = $crate::wire::LateTag::find(first, map, $key)?;
                        $name::read_tagged(&tag, map)
                    }
                }
                deserializer.deserialize_map(UnionVisitor)
            }
        }
    };
}
pub(crate) use union;

/// Declares a closed set of strings.
macro_rules! names {
    ($(#[doc = $doc:literal])* enum $name:ident {
        $($(#[doc = $vdoc:literal])* $variant:ident = $text:literal),* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $vdoc])* $variant,)*
        }

        impl $name {
            /// Its wire form.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// The member with this wire form.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.as_str())
            }
        }

        impl $crate::wire::Wire for $name {
            const SHAPE: $crate::wire::Shape = $crate::wire::Shape::Name(&$crate::wire::Names {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),*),
                members: &[$($text),*],
            });

            fn write_json(&self, out: &mut Vec<u8>) {
                $crate::wire::write::text(self.as_str(), out);
            }

            fn read_json(reader: &mut $crate::wire::Reader<'_>) -> Result<Self, $crate::wire::Refused> {
                Self::parse(&reader.string()?).ok_or($crate::wire::Refused)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = $crate::wire::Key::deserialize(deserializer)?;
                Self::parse(&text).ok_or_else(|| {
                    serde::de::Error::custom(format_args!("`{}` is not a {}", &*text, stringify!($name)))
                })
            }
        }

        impl $crate::codec::proto::Proto for $name {
            fn put(&self, number: u32, out: &mut Vec<u8>) {
                $crate::codec::proto::put_text(self.as_str(), number, out);
            }

            fn take(
                fields: &mut $crate::codec::proto::Fields<'_>,
                number: u32,
            ) -> Result<Option<Self>, $crate::codec::proto::ProtoError> {
                $crate::codec::proto::take_name(fields, number, Self::parse)
            }
        }
    };
}
pub(crate) use names;
