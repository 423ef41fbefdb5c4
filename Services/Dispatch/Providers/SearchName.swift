import ServiceKit

/// A name folded for searching; stored beside the name.
enum SearchName {
    static func folded(_ name: String) -> String { SearchText.folded(name) }
}
