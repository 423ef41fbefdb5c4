import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Synchronization

/// A phone with somebody's session on it. It speaks HTTP and the stream, and nothing else.
///
/// A call that got no answer, or one of a gateway whose service is away, is sent again with the same Idempotency-Key,
/// for half a minute at most. An access token that has expired is replaced once.
public final class Phone: Sendable {
    public let network: PhoneNetwork
    /// What the person reads: `en`, `ar`.
    public let language: String
    private let session = SessionKeeper()

    public init(_ network: PhoneNetwork, language: String = "en") {
        self.network = network
        self.language = language
    }

    // MARK: Session

    func signIn(_ tokens: SessionView) async { await session.take(tokens) }

    /// The account that is signed in.
    public var account: UUID? {
        get async { await session.current?.account }
    }

    /// Holds the caller's rights: never print it.
    public var accessToken: String? {
        get async { await session.current?.accessToken }
    }

    private func refreshed(insteadOf stale: String) async throws -> String {
        try await session.refreshed(insteadOf: stale) { refreshToken in
            let call = try Call.post("/identity/v1/sessions/refresh", ["refreshToken": refreshToken]).anonymous()
            return try await self.exchange(call, token: nil).decode(SessionView.self)
        }
    }

    // MARK: Calls

    /// - Throws: ``Refusal`` for an answer that is not 2xx; the last error when there was none in time.
    @discardableResult
    public func send(_ call: Call) async throws -> Answer {
        guard !call.isAnonymous, let token = await session.current?.accessToken else {
            return try await exchange(call, token: nil)
        }
        do {
            return try await exchange(call, token: token)
        } catch let refusal as Refusal where refusal.status == 401 {
            return try await exchange(call, token: try await refreshed(insteadOf: token))
        }
    }

    /// Sends it once, as it is: no token but this one, no repeats.
    public func sendOnce(_ call: Call, token: String?) async throws -> Answer {
        let request = try request(call, token: token, turn: network.nextTurn())
        let response = try await network.client.execute(request, timeout: Self.answerLimit)
        let body = Data(buffer: try await response.body.collect(upTo: Self.bodyLimitBytes))
        let status = Int(response.status.code)
        network.watch(
            AnsweredCall(
                call: call, status: status, contentType: response.headers.first(name: "content-type"), body: body,
                location: response.headers.first(name: "location")))
        let asked = "\(call.method) \(call.path.split(separator: "?").first ?? "")"
        network.traffic.answered(status, "\(asked): \(String(decoding: body.prefix(300), as: UTF8.self))")
        guard (200..<300).contains(status) else { throw Refusal(status: status, body: body, request: asked) }
        return Answer(status: status, headers: response.headers, body: body)
    }

    private static let answerLimit = TimeAmount.seconds(20)
    private static let bodyLimitBytes = 4 << 20
    private static let patience: Duration = .seconds(100)

    private func exchange(_ call: Call, token: String?) async throws -> Answer {
        let end = ContinuousClock.now + Self.patience
        var pause = Duration.milliseconds(50)
        while true {
            do {
                return try await sendOnce(call, token: token)
            } catch let refusal as Refusal {
                guard Self.passes(refusal), ContinuousClock.now + pause < end else { throw refusal }
            } catch let error as CancellationError {
                throw error
            } catch {
                network.traffic.broke()
                guard !Task.isCancelled, ContinuousClock.now + pause < end else { throw error }
            }
            try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
            pause = min(pause * 2, .seconds(1))
        }
    }

    /// Whether the same request may be answered otherwise in a moment: a gateway without its service, a service that is
    /// leaving, too many requests, or an earlier one with the same key that is still under way.
    private static func passes(_ refusal: Refusal) -> Bool {
        [502, 503, 504, 429].contains(refusal.status) || refusal.slug == "idempotency-key-in-use"
    }

    private func request(_ call: Call, token: String?, turn: Int) throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: try network.endpoints.url(call.path, turn: turn))
        request.method = call.method
        request.headers.add(name: "accept-language", value: language)
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        if let key = call.rackKey { request.headers.add(name: "rack-key", value: key) }
        if let key = call.idempotencyKey { request.headers.add(name: "idempotency-key", value: key) }
        if let body = call.body {
            request.headers.add(name: "content-type", value: call.contentType)
            request.body = .bytes(ByteBuffer(data: body))
        }
        return request
    }

    // MARK: Stream

    /// Opens the account's stream; `body` gets its bytes as they come, until it throws or the stream ends.
    func listen(after lastEventID: String?, _ body: (ByteBuffer, ContinuousClock.Instant) throws -> Void) async throws {
        guard let token = await session.current?.accessToken else { throw NotSignedIn() }
        var request = try request(.get("/notifications/v1/stream"), token: token, turn: network.nextTurn())
        request.headers.add(name: "accept", value: "text/event-stream")
        if let lastEventID { request.headers.add(name: "last-event-id", value: lastEventID) }
        let response = try await network.client.execute(request, deadline: .distantFuture)
        guard response.status == .ok else {
            let status = Int(response.status.code)
            let text = Data(buffer: try await response.body.collect(upTo: Self.bodyLimitBytes))
            network.traffic.answered(status, "GET /notifications/v1/stream")
            // The next attempt has a fresh token.
            if status == 401 { _ = try await refreshed(insteadOf: token) }
            throw Refusal(status: status, body: text, request: "GET /notifications/v1/stream")
        }
        network.traffic.answered(200, "")
        for try await bytes in response.body { try body(bytes, .now) }
    }

    public struct NotSignedIn: Error {}
}

extension Phone {
    /// Something asked for again and again did not come true.
    public struct Impatience: Error, CustomStringConvertible {
        public let what: String
        public let limit: Duration
        public var description: String { "not within \(limit): \(what)" }

        public init(what: String, limit: Duration) {
            self.what = what
            self.limit = limit
        }
    }

    /// Asks again until the answer is yes, as people do who pull down a list. For what other services hear by messages.
    public func until(
        _ what: String, within limit: Duration = .seconds(20), _ isSo: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try await !isSo() {
            guard ContinuousClock.now < end else { throw Impatience(what: what, limit: limit) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
