import AsyncHTTPClient
import Foundation
import Locks
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import ServiceKit

/// A routing engine that speaks OSRM's HTTP API (C7, H3). It answers in time or not at all, and after a failure it is left in
/// peace for a while, so that nobody waits for a map.
///
/// A program of OSRM's knows one profile, whatever the address says, so each profile has an engine of its own.
final class RoutingEngine: Sendable {
    /// The pause after a failed request.
    static let pause: Duration = .seconds(5)

    private let client: HTTPClient
    private let url: String
    private let timeLimit: Duration
    private let logger: Logger
    private let pausedUntil = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameters:
    ///   - url: for example `http://osrm:5000`, without a path.
    ///   - timeout: until the last byte of an answer, in milliseconds.
    init(client: HTTPClient, url: String, timeout: Int, logger: Logger) {
        self.client = client
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        timeLimit = .milliseconds(timeout)
        self.logger = logger
    }

    /// Asks for a path such as `/table/v1/driving/…`. It names positions, so neither it nor an error's text is logged.
    ///
    /// - Parameters:
    ///   - statuses: those that `read` understands. OSRM says with 400 that no street leads there.
    ///   - read: throws for an answer that it does not understand.
    /// - Returns: nil if there is no answer now.
    func ask<Answer>(
        _ path: String, maximumBytes: Int, statuses: Set<Int> = [200], _ read: (Data) throws -> Answer
    ) async -> Answer? {
        if let until = pausedUntil.withLock({ $0 }), ContinuousClock.now < until { return nil }
        do {
            let (head, body) = try await client.whole(
                HTTPClientRequest(url: url + path), within: timeLimit, upTo: maximumBytes)
            guard statuses.contains(Int(head.status.code)) else { throw Unanswered(status: Int(head.status.code)) }
            return try read(Data(buffer: body))
        } catch {
            if Task.isCancelled { return nil }
            pausedUntil.withLock { $0 = .now + Self.pause }
            logger.warning("the routing engine did not answer", metadata: ["error": "\(type(of: error))"])
            return nil
        }
    }

    struct Unanswered: Error { let status: Int }
}
