import Foundation

/// Hands push messages to the service that brings them to devices of one kind.
protocol PushGateway: Sendable {
    /// - Parameter id: the delivery's, the same for each try.
    func send(_ message: PushMessage, to address: DeviceAddress, id: UUID, at now: Date) async -> PushOutcome
}

/// What a device shows.
struct PushMessage: Sendable, Equatable {
    let title: String
    let body: String
    /// The page that it opens, such as `/assef/o/…`.
    let url: String
    let language: String
    /// A later message with the same name takes the place of this one on the device: the item's id.
    let tag: UUID
    /// The kind of notice, for the app.
    let kind: String
    let isUrgent: Bool
    /// How long it is worth keeping for a device that is away.
    let lifetimeSeconds: Int
}

enum PushOutcome: Sendable, Equatable {
    case taken
    /// The device wants nothing any more.
    case gone
    /// It will never take this message.
    case refused
    /// Not now. - Parameter afterSeconds: if it said when.
    case later(afterSeconds: Double?)
    /// No answer.
    case silent

    /// - Parameter retryAfter: the header's value, in seconds; dates are ignored.
    static func ofStatus(_ status: UInt, retryAfter: String?) -> PushOutcome {
        switch status {
        case 200..<300: .taken
        case 404, 410: .gone
        case 400, 413, 415, 422: .refused
        default: .later(afterSeconds: retryAfter.flatMap { Double($0) }.flatMap { $0 >= 0 ? $0 : nil })
        }
    }
}
