import AMQP
import Contracts
import Foundation
import Logging
import Messaging

/// Broadcasts providers' positions to all processes. Positions that cannot be sent at once are dropped, since newer
/// ones follow.
struct PositionBroadcast: Sendable {
    /// Header with the sending process, which ignores its own broadcasts.
    static let processHeader = "process"
    static let patience: Duration = .milliseconds(500)

    let publisher: Publisher
    let process: String
    let logger: Logger

    func callAsFunction(_ positions: [ProviderPositions.Position]) async {
        guard !positions.isEmpty, publisher.isConnected, !publisher.isBlocked else { return }
        do {
            let message = OutboundMessage(
                exchange: ProviderPositions.exchange, routingKey: "",
                body: try MessageJSON.encode(ProviderPositions(positions: positions)),
                properties: MessageProperties(
                    messageID: UUID.timeOrdered().text, type: ProviderPositions.exchange, appID: "dispatch",
                    contentType: "application/json", headers: [Self.processHeader: .string(process)]),
                isMandatory: false, isPersistent: false)
            try await publisher.publish(message, deadline: .now + Self.patience)
        } catch {
            logger.debug("positions not broadcast", metadata: ["error": "\(error)"])
        }
    }
}
