import AMQP
import Contracts
import Foundation
import Logging
import Messaging

/// Tells all who listen where providers are. What cannot be sent at once is lost: newer positions follow.
struct PositionBroadcast: Sendable {
    /// Names the sending process, which need not hear itself.
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
