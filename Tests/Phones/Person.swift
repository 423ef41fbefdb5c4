import Foundation

/// Somebody who registers. Mail and mobile are nobody else's.
public struct Person: Sendable {
    public var name: String
    public var email: String
    public var mobile: String
    public var password: String
    public var gender: String?
    public var language: String
    /// Of a provider.
    public var title: String?

    public init(_ name: String, title: String? = nil, gender: String? = nil, language: String = "en") {
        let id = UUID()
        self.name = name
        email = "\(id.uuidString.lowercased())@phones.example"
        // Fourteen digits, which is what E.164 allows and no country uses.
        mobile = "+9665\(Int.random(in: 1_000_000_000...9_999_999_999))"
        password = "Serai-\(id.uuidString)-42"
        self.gender = gender
        self.language = language
        self.title = title
    }
}
