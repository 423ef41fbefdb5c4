import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import SeraiJSON
import ServiceKit

/// Sends one request to a provider: without redirects and retries, with a limit of time and size for every answer.
struct OpenIDRequests: Sendable {
    /// The provider gave no valid answer. For the log, without secrets.
    struct Unanswered: Error, CustomStringConvertible {
        let description: String
    }

    static let answerLimitBytes = 262_144

    let client: HTTPClient
    let limit: Duration

    /// Redirects are not followed: requests go only to the endpoints in the provider's own documents.
    ///
    /// - Parameter authorityFile: trusted authorities (PEM); nil for the system's.
    static func makeClient(authorityFile: String? = nil) -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.tlsConfiguration = OutgoingTLS.configuration(authorityFile: authorityFile)
        configuration.timeout = .init(connect: .seconds(3), read: .seconds(5))
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func get(_ url: String, bearer: Redacted<String>? = nil) async throws(Unanswered) -> JSONValue {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "application/json")
        if let bearer { request.headers.add(name: "Authorization", value: "Bearer \(bearer.revealed)") }
        let (status, json) = try await send(request)
        guard status == 200, let json else { throw Unanswered(description: "status \(status)") }
        return json
    }

    /// - Returns: the answer's status and JSON; JSON is nil when the body is none.
    func post(
        _ url: String, _ form: [(String, String)], authorization: Redacted<String>?
    ) async throws(Unanswered) -> (status: UInt, json: JSONValue?) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if let authorization { request.headers.add(name: "Authorization", value: authorization.revealed) }
        let text = form.map { "\(Self.escape($0.0))=\(Self.escape($0.1))" }.joined(separator: "&")
        request.body = .bytes(ByteBuffer(string: text))
        return try await send(request)
    }

    private func send(_ request: HTTPClientRequest) async throws(Unanswered) -> (status: UInt, json: JSONValue?) {
        do {
            let (head, body) = try await client.whole(request, within: limit, upTo: Self.answerLimitBytes)
            // try?: a body that is no JSON is returned as nil.
            return (head.status.code, try? JSONValue(parsing: body.readableBytesView))
        } catch {
            // Only the error's type: texts of other layers may contain what was sent.
            throw Unanswered(description: "\(type(of: error))")
        }
    }

    /// Escapes all bytes except RFC 3986's unreserved characters.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }
}
