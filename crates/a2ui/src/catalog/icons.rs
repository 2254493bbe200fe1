//! The names of the icons.

/// The icons of 0.8.
pub(super) const ICONS_0_8: &str = "accountCircle add arrowBack arrowForward attachFile calendarToday call camera check \
    close delete download edit event error favorite favoriteOff folder help home info locationOn lock lockOpen mail menu \
    moreVert moreHoriz notificationsOff notifications payment person phone photo print refresh search send settings share \
    shoppingCart star starHalf starOff upload visibility visibilityOff warning";

/// The icons that came with 0.9.
pub(super) const ICONS_0_9: &str = "fastForward pause play rewind skipNext skipPrevious stop volumeDown volumeMute \
    volumeOff volumeUp";

/// Names as a list.
pub(super) fn names(lists: &[&str]) -> Vec<String> {
    lists.iter().flat_map(|list| list.split_whitespace()).map(str::to_owned).collect()
}
