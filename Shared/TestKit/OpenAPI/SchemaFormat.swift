import Foundation

/// The formats of texts that the services' documents name. They are checked, though the standard calls them notes.
enum SchemaFormat: String, Sendable {
    case uuid
    case dateTime = "date-time"
    case date
    case email
    case uri
    case uriReference = "uri-reference"
    /// Says only that the text is not to be shown.
    case password
    /// The bytes of a file.
    case binary

    func accepts(_ text: String) -> Bool {
        switch self {
        case .uuid: UUID(uuidString: text) != nil
        case .dateTime: Self.isDateTime(text)
        case .date: Self.isDate(text[...])
        case .email: text.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil
        case .uri: text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\S+/) != nil
        case .uriReference: !text.isEmpty && !text.contains(where: \.isWhitespace)
        case .password, .binary: true
        }
    }

    /// RFC 3339, with or without fractions.
    private static func isDateTime(_ text: String) -> Bool {
        let form = /(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+\-]([01]\d|2[0-3]):[0-5]\d)/
        guard let match = text.wholeMatch(of: form) else { return false }
        return isDate(match.output.1)
    }

    private static func isDate(_ text: Substring) -> Bool {
        guard text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil else { return false }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, (1...12).contains(parts[1]) else { return false }
        let (year, month, day) = (parts[0], parts[1], parts[2])
        let isLeap = (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day)
    }
}
