import Foundation

/// Detects addresses of websites in texts that strangers read: on the board a name would be a free advertisement.
enum WebAddress {
    /// Whether the text contains an address: `https://…`, `www.…`, or a name with a known ending such as
    /// `shop.example.com`, in any spelling.
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
