public import Foundation
public import NIOHTTP1

/// One request, the same however often it is sent.
public struct Call: Sendable {
    public var method: HTTPMethod
    /// With its query.
    public var path: String
    public var body: Data?
    public var contentType = "application/json"
    /// Every POST has one: by it a service knows a repeat.
    public var idempotencyKey: String?
    /// Whether it is sent without a token.
    public var isAnonymous = false
    /// What a rack of bikes, which has no account, proves itself by.
    public var rackKey: String?

    public static func get(_ path: String, query: [(String, String?)] = []) -> Call {
        Call(method: .GET, path: path + Self.text(query))
    }

    public static func delete(_ path: String) -> Call { Call(method: .DELETE, path: path) }

    public static func put(_ path: String, _ body: some Encodable) throws -> Call {
        Call(method: .PUT, path: path, body: try PhoneJSON.encode(body))
    }

    public static func patch(_ path: String, _ body: some Encodable) throws -> Call {
        Call(method: .PATCH, path: path, body: try PhoneJSON.encode(body))
    }

    public static func post(
        _ path: String, _ body: some Encodable = Nothing(), key: String = UUID().uuidString.lowercased()
    ) throws -> Call {
        Call(method: .POST, path: path, body: try PhoneJSON.encode(body), idempotencyKey: key)
    }

    public func byRack(_ key: String) -> Call {
        var call = anonymous()
        call.rackKey = key
        return call
    }

    public func anonymous() -> Call {
        var call = self
        call.isAnonymous = true
        return call
    }

    /// `{}`.
    public struct Nothing: Encodable, Sendable {
        public init() {}
    }

    private static let unreserved = CharacterSet(charactersIn: "-._~,").union(.alphanumerics)

    /// What is nil is left out.
    private static func text(_ query: [(String, String?)]) -> String {
        let parts = query.compactMap { name, value in
            value.map { "\(name)=\($0.addingPercentEncoding(withAllowedCharacters: unreserved) ?? $0)" }
        }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }
}

/// A call and whatever came back, a refusal too.
public struct AnsweredCall: Sendable {
    public let call: Call
    public let status: Int
    /// The answer's.
    public let contentType: String?
    public let body: Data
    /// The answer's `Location`.
    public let location: String?

    public init(call: Call, status: Int, contentType: String?, body: Data, location: String? = nil) {
        self.location = location
        self.call = call
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}

/// A service's answer of 2xx.
public struct Answer: Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let body: Data

    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try PhoneJSON.decode(type, from: body)
    }
}
