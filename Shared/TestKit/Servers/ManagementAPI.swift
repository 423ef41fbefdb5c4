import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// RabbitMQ's management HTTP API, as far as tests need it.
/// A running server documents the paths and bodies itself, at `/api/index.html` of the same port.
struct ManagementAPI: Sendable {
    /// Scheme, host and port, without credentials.
    private let base: String
    private let authorization: String
    /// The user of the credentials.
    let user: String

    /// - Parameter url: `http://user:password@host:port`.
    init(url: String) throws {
        guard var parts = URLComponents(string: url), let user = parts.user, let password = parts.password else {
            throw TestServersError(reason: "the management URL has no user and password")
        }
        parts.user = nil
        parts.password = nil
        guard let base = parts.string else { throw TestServersError(reason: "the management URL is malformed") }
        self.init(base: base.hasSuffix("/") ? String(base.dropLast()) : base, user: user, password: password)
    }

    private init(base: String, user: String, password: String) {
        self.base = base
        self.user = user
        self.authorization = "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }

    /// The same API, asked by another user.
    func by(user: String?, password: String?) -> ManagementAPI {
        guard let user, let password else { return self }
        return ManagementAPI(base: base, user: user, password: password)
    }

    /// Sends a request; the path's parts are percent-encoded here.
    /// - Returns: the body, or nil if the thing does not exist (404).
    @discardableResult
    func send(
        _ method: HTTPMethod, _ path: [String], query: String = "", body: (any Encodable)? = nil
    ) async throws -> Data? {
        let encoded = path.map(Self.percentEncoded).joined(separator: "/")
        var request = HTTPClientRequest(url: "\(base)/api/\(encoded)\(query)")
        // Lists of queues are compressed so well that the client takes them for an attack.
        request.headers.add(name: "Accept-Encoding", value: "identity")
        request.method = method
        request.headers.add(name: "authorization", value: authorization)
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(data: try JSONEncoder().encode(body)))
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let answer = Data(buffer: try await response.body.collect(upTo: 64 << 20))
        if response.status == .notFound { return nil }
        guard (200..<300).contains(response.status.code) else {
            let text = String(decoding: answer, as: UTF8.self)
            throw ManagementAPIError(request: "\(method) \(encoded)", status: Int(response.status.code), text: text)
        }
        return answer
    }

    /// Sends a GET and decodes the answer; nil on 404.
    func get<Answer: Decodable>(_ type: Answer.Type, _ path: [String], query: String = "") async throws -> Answer? {
        try await send(.GET, path, query: query).map { try JSONDecoder().decode(type, from: $0) }
    }

    /// Letters, digits, `-`, `.`, `_` and `~` stay: safe as one part of a path in any URL.
    static func percentEncoded(_ part: String) -> String {
        let unreserved = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
        return part.addingPercentEncoding(withAllowedCharacters: unreserved) ?? part
    }
}

/// The management API refused a request.
public struct ManagementAPIError: Error, CustomStringConvertible {
    /// Method and path.
    public let request: String
    /// The HTTP status code.
    public let status: Int
    /// The body of the answer.
    public let text: String

    public var description: String { "\(request): HTTP \(status): \(text)" }
}
