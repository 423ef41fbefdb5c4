import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import ServiceKit

/// Asks for a feed. Each address on the way, of a redirect too, is one of the public Internet and of `https`.
struct FeedClient: Sendable {
    static let privateKey = ConfigurationKey<Bool>(
        "feeds.private.allowed",
        "Whether news may be imported from private addresses and by http: for local runs and tests alone.",
        default: false)
    static let maximumBytes = 2 << 20
    static let maximumRedirects = 3

    struct Answer: Sendable {
        /// Nil where nothing has changed since it was asked for.
        let bytes: [UInt8]?
        let charset: String?
        let tag: String?
        let modified: String?
    }

    private enum Step: Sendable {
        case done(Answer)
        case onward(String)
    }

    let address: OutgoingAddress
    /// Of each step: until the head of the answer, and until its last byte.
    var timeLimit: Duration = .seconds(15)

    /// - Parameters:
    ///   - tag: `ETag` of the last answer.
    ///   - modified: `Last-Modified` of the last answer.
    func answer(_ text: String, tag: String? = nil, modified: String? = nil) async throws(FeedFault) -> Answer {
        var next = text
        for _ in 0...Self.maximumRedirects {
            guard let url = address.url(next) else { throw .address }
            var request = HTTPClientRequest(url: next)
            request.headers.add(
                name: "accept", value: "application/rss+xml, application/atom+xml, text/xml;q=0.9, */*;q=0.1")
            request.headers.add(name: "user-agent", value: "Serai-Feeds/1")
            if let tag { request.headers.add(name: "if-none-match", value: tag) }
            if let modified { request.headers.add(name: "if-modified-since", value: modified) }
            switch try await step(request, url) {
            case .done(let answer): return answer
            case .onward(let location):
                guard let target = URL(string: location, relativeTo: url) else { throw .address }
                next = target.absoluteString
            }
        }
        throw .status
    }

    private func step(_ request: HTTPClientRequest, _ url: URL) async throws(FeedFault) -> Step {
        do {
            return try await address.withClient(for: url) { client in
                let response = try await client.execute(request, timeout: TimeAmount(timeLimit))
                if response.status == .notModified {
                    return .done(Answer(bytes: nil, charset: nil, tag: nil, modified: nil))
                }
                if (301...308).contains(response.status.code), let place = response.headers.first(name: "location") {
                    return .onward(place)
                }
                guard response.status == .ok else { throw FeedFault.status }
                return .done(try await read(response))
            }
        } catch let fault as FeedFault {
            throw fault
        } catch is OutgoingAddress.NotReachable {
            throw .address
        } catch {
            throw .unreachable
        }
    }

    private func read(_ response: HTTPClientResponse) async throws -> Answer {
        let body: ByteBuffer
        do {
            body = try await response.wholeBody(until: .now + timeLimit, upTo: Self.maximumBytes)
        } catch is NIOTooManyBytesError {
            throw FeedFault.tooLarge
        }
        let type = response.headers.first(name: "content-type") ?? ""
        let charset = type.firstMatch(of: /(?i)charset\s*=\s*"?([A-Za-z0-9._-]+)/).map { String($0.1) }
        return Answer(
            bytes: Array(buffer: body), charset: charset, tag: Self.kept(response, "etag"),
            modified: Self.kept(response, "last-modified"))
    }

    private static func kept(_ response: HTTPClientResponse, _ name: String) -> String? {
        response.headers.first(name: name).flatMap { $0.utf8.count <= 200 ? $0 : nil }
    }
}
