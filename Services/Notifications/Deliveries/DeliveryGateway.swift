import AsyncHTTPClient
import Foundation
import NIOCore
import ServiceKit

/// Hands mails or SMS to whoever brings them to people.
protocol DeliveryGateway: Sendable {
    /// - Parameter deadline: of the whole try.
    func send(_ message: DeliveryMessage, until deadline: ContinuousClock.Instant) async -> DeliveryOutcome
}

struct DeliveryMessage: Sendable {
    /// The delivery's, the same for each try.
    let id: UUID
    let to: String
    let subject: String?
    let text: String
    let language: String
    let requestedAt: Date
    /// For a mail of a kind that the account can switch off.
    let unsubscribe: String?
}

enum DeliveryOutcome: Sendable, Equatable {
    case taken
    /// It will never be taken. - Parameter cause: without addresses and words, for the log.
    case refused(cause: String)
    /// The result is unknown, or it cannot be taken now.
    /// - Parameter afterSeconds: how long the gateway wants to be left alone, if it said so.
    case later(cause: String, afterSeconds: Double? = nil)
}

enum DeliveryClient {
    static func make() -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.tlsConfiguration = OutgoingTLS.configuration()
        configuration.timeout = .init(connect: .seconds(3), read: .seconds(10))
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}
