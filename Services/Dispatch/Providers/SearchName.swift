import ServiceKit

/// A name as it is searched for, and as it is kept beside the name.
enum SearchName {
    static func folded(_ name: String) -> String { SearchText.folded(name) }
}
