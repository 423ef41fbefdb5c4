import AsyncHTTPClient
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import SeraiJSON
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

/// A server with everything around it, and what it logs.
struct ServerFixture {
    let registry = PrometheusRegistry()
    let logs = LogCapture()
    let health: Health
    let logger: Logger
    let server: HTTPServer

    init(
        _ settings: HTTPSettings = HTTPSettings(), verifier: TokenVerifier? = nil,
        routes: (Router<SeraiRequestContext>) -> Void = { _ in }
    ) throws {
        let logs = logs
        logger = Logger(label: "test") { _ in
            ServiceLogHandler(service: "test", level: .debug, format: .json, sink: logs.sink)
        }
        health = Health(logger: logger)
        server = HTTPServer(
            settings: settings, health: health, registry: registry, catalogue: try .common(), verifier: verifier,
            logger: logger, routes: routes)
    }

    /// Answers requests without sockets.
    func test(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        try await server.testApplication.test(.router, body)
    }

    /// Listens on a free port while `body` runs, then shuts down gracefully.
    func listen(_ body: @escaping @Sendable (HTTPServer.Addresses, ServiceGroup) async throws -> Void) async throws {
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let addresses = try await server.addresses()
            do {
                try await body(addresses, group)
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

/// Log lines of one logger, in memory behind a pipe.
final class LogCapture: Sendable {
    private let pipe = Pipe()
    private let text = Mutex("")
    let sink: LogSink

    init() {
        sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.text.withLock { $0 += String(decoding: data, as: UTF8.self) }
        }
    }

    var lines: [[String: String]] {
        text.withLock { $0 }.split(separator: "\n").compactMap {
            // A line that is still being written is not there yet.
            try? JSONDecoder().decode([String: String].self, from: Data($0.utf8))
        }
    }

    func line(
        _ message: String, where isWanted: ([String: String]) -> Bool = { _ in true }
    ) async throws -> [String: String] {
        try await eventually("a log line \"\(message)\"") {
            lines.contains { $0["message"] == message && isWanted($0) }
        }
        return try #require(lines.first { $0["message"] == message && isWanted($0) })
    }
}

/// A problem as a client reads it.
struct ProblemAnswer: Decodable, Equatable {
    struct Field: Decodable, Equatable {
        let field: String
        let code: String
        let detail: String
    }
    let type: String
    let title: String
    let status: Int
    let detail: String?
    let instance: String
    let errors: [Field]?

    init(_ response: TestResponse) throws {
        #expect(response.headers[.contentType] == "application/problem+json")
        self = try JSONDecoder().decode(ProblemAnswer.self, from: Data(response.body.readableBytesView))
        #expect(status == response.status.code)
    }

    var slug: String { String(type.dropFirst("urn:serai:problem:".count)) }
    var codes: [String: String] { Dictionary((errors ?? []).map { ($0.field, $0.code) }) { first, _ in first } }
}

extension TestResponse {
    var text: String { String(buffer: body) }
}
