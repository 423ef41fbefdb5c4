public import Foundation
public import Messaging
public import Postgres

/// A service that is a list of features. ``ServiceAssembly`` makes the rest.
public protocol FeatureService: SeraiService {
    /// The shared parts of the features: their rules' settings, clients, caches.
    associatedtype Parts: Sendable

    /// The service's own migrations.
    static var ownMigrations: [Migration] { get }
    /// Those of shared layers that it uses beside messaging, idempotency and ended sessions.
    static var layerMigrations: [Migration] { get }
    static var openAPI: [UInt8] { get }

    /// How its consumer of events works.
    static var consuming: ConsumerRunner.Configuration { get }
    /// How its outbox is sent; nil for a service that publishes nothing.
    static var relaying: Relay.Configuration? { get }
    static func role(_ configuration: ServiceConfiguration) throws -> ServiceRole

    static func parts(_ base: ServiceBase) async throws -> Parts
    static func features(_ parts: Parts) throws -> [Feature]
    /// The lists that show many people's data, by the template of the route, with the name that the audit log gives them.
    static var recordedReads: [String: String] { get }
    /// Publishes or stores that an admin has read a list of many people's data (P9), before it is sent.
    static func record(_ read: RecordedRead, at now: Date, in transaction: PostgresTransaction) throws
    /// Publishes or stores what a master admin did to dead messages (P9), in the transaction that does it.
    static func record(_ act: OperatorAct, at now: Date, in transaction: PostgresTransaction) throws
}

extension FeatureService {
    public static var migrations: [Migration] {
        MessagingMigrations.all + IdempotencyStore.migrations + EndedSessions.migrations + layerMigrations
            + ownMigrations
    }
    public static var layerMigrations: [Migration] { [] }
    public static var consuming: ConsumerRunner.Configuration { .init() }
    public static var relaying: Relay.Configuration? { .init() }
    public static func role(_ configuration: ServiceConfiguration) throws -> ServiceRole { .all }
    public static var recordedReads: [String: String] { [:] }
    public static func record(_ read: RecordedRead, at now: Date, in transaction: PostgresTransaction) throws {}
    public static func record(_ act: OperatorAct, at now: Date, in transaction: PostgresTransaction) throws {}

    public static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        try await ServiceAssembly<Self>(bootstrap).components
    }
}

/// The role of a service's process. Any number of each may run.
public enum ServiceRole: String, CaseIterable, Sendable, ConfigurationValue {
    /// Serves HTTP.
    case api
    /// Handles messages and deadlines, and works in the background. Serves only its health and its metrics.
    case worker
    case all

    public var servesHTTP: Bool { self != .worker }
    public var runsWorkers: Bool { self != .api }
}

/// The parts that every feature of a service may use. Made once in a process.
public struct ServiceBase: Sendable {
    public let bootstrap: ServiceBootstrap
    public let pool: PostgresPool
    public let ended: EndedSessions
    public let idempotency: IdempotencyStore
    public let cursors: CursorSealer
    public let clock: @Sendable () -> Date
}
