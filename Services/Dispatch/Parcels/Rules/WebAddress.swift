import Foundation

/// Addresses of websites in what strangers read: on the board a name is a free advertisement to everybody.
enum WebAddress {
    /// Whether there is one: `https://…`, `www.…`, or a name and a known ending such as `shop.example.com`, however it is spelled.
    static func isIn(_ text: String) -> Bool {
        let folded = text.precomposedStringWithCompatibilityMapping.lowercased()
            .replacing(/[\u{200B}-\u{200D}\u{2060}\u{FEFF}\u{00AD}]/, with: "")
        if folded.contains(/[a-z][a-z0-9+.-]*:\/\//) || folded.contains(/\bwww\s*\./) { return true }
        if folded.contains(/\bxn--/) { return true }
        return folded.contains(
            /[\p{L}0-9][.。](com|net|org|info|biz|shop|store|online|site|link|app|dev|io|co|me|ly|gl|tk|xyz|top|club|ru|cn|de|se|no|dk|fi|uk|eu|ca|au|sa|ae|us|to|cc|tv|gg)(?![\p{L}0-9])/
        )
    }
}
