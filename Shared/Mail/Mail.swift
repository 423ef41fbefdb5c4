public import Foundation

/// A mail to one person.
public struct Mail: Sendable {
    public let id: UUID
    public let from: MailAddress
    public let replyTo: MailAddress?
    public let to: MailAddress
    public let subject: String
    public let text: String
    /// Of the text, such as `ar`.
    public let language: String
    public let date: Date
    /// An https address that ends mails of this kind when it is posted to (RFC 8058); nil for what is always sent.
    public let unsubscribe: String?

    /// - Parameters:
    ///   - id: the same for each try, so that a repeat is the same mail to whoever compares.
    ///   - date: when the mail was asked for, the same for each try.
    public init(
        id: UUID, from: MailAddress, replyTo: MailAddress? = nil, to: MailAddress, subject: String, text: String,
        language: String, date: Date, unsubscribe: String? = nil
    ) {
        (self.id, self.from, self.replyTo, self.to) = (id, from, replyTo, to)
        (self.subject, self.text, self.language, self.date) = (subject, text, language, date)
        self.unsubscribe = unsubscribe
    }
}

/// A mailbox, with or without the name of its owner.
public struct MailAddress: Sendable, Equatable {
    public let address: String
    public let name: String?

    /// - Returns: nil for what is no address, or could end a header's line or a command: it must be ASCII without spaces,
    ///   brackets, quotes, commas and control characters, with one `@`.
    public init?(_ address: String, name: String? = nil) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), address.utf8.count <= 254,
            address.utf8.allSatisfy(Self.isAllowed), !address.hasPrefix("-")
        else { return nil }
        self.address = address
        self.name = name
    }

    /// Reads `a@example.com` and `Serai <a@example.com>`.
    public init?(written text: String) {
        guard text.hasSuffix(">"), let start = text.lastIndex(of: "<") else {
            self.init(text)
            return
        }
        let name = text[..<start].trimmingCharacters(in: .whitespaces)
        self.init(String(text[text.index(after: start)...].dropLast()), name: name.isEmpty ? nil : name)
    }

    var domain: String { String(address.drop { $0 != "@" }.dropFirst()) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !#"<>()[]\,;:""#.utf8.contains(byte)
    }
}
