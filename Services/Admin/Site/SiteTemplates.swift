import Foundation
import Mustache

/// The website's pages as Mustache templates, which are read once.
enum SiteTemplates {
    /// The templates of the program; a fault in them is one of the program, and each test of the website meets it.
    private static let library: Result<MustacheLibrary, any Error> = Result {
        MustacheContentTypes.register(PageText(), named: PageText.name)
        var library = MustacheLibrary()
        for (name, bytes) in [
            "page": PackageResources.page_mustache, "line": PackageResources.line_mustache,
            "sitemap": PackageResources.sitemap_mustache,
        ] {
            let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
            try library.register(text, named: name)
        }
        return library
    }

    static func page(_ page: SitePage) throws -> String { try render(page, "page") }
    static func map(_ map: SiteMap) throws -> String { try render(map, "sitemap") }

    private static func render(_ value: some Sendable, _ name: String) throws -> String {
        guard let text = try library.get().render(value, withTemplate: name) else { throw NoTemplate(name: name) }
        return text.trimmingCharacters(in: .newlines) + "\n"
    }

    struct NoTemplate: Error { let name: String }
}

/// Text and values of attributes in HTML and XML. The library's own escapes whole characters, and so passes over a quote
/// or a bracket that an accent follows: to a browser it is a quote still.
struct PageText: MustacheContentType {
    static let name = "PAGE"

    func escapeText(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // No control character is one of XML's.
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}": continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
