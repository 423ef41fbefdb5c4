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
        // Numbers of the plan that has the most mobile ones, so that hardly two are the same.
        mobile = "+861\(Bool.random() ? 3 : 8)\(Int.random(in: 100_000_000...999_999_999))"
        password = "Serai-\(id.uuidString)-42"
        self.gender = gender
        self.language = language
        self.title = title
    }
}
