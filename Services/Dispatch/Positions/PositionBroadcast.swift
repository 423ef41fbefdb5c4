import AMQP
import Contracts
import Foundation
import Logging
import Messaging
import SeraiJSON

/// Broadcasts providers' positions to all processes. A position that cannot be sent at once is sent with the next ones:
/// a provider at rest may send no newer one for minutes, and other processes would not know of the last.
struct PositionBroadcast: Sendable {
    /// Header with the sending process, which ignores its own broadcasts.
    static let processHeader = "process"
    static let patience: Duration = .milliseconds(500)

    let publisher: Publisher
    let process: String
    let logger: Logger
    private let missed = UnsentPositions()

    init(publisher: Publisher, process: String, logger: Logger) {
        self.publisher = publisher
        self.process = process
        self.logger = logger
    }

    func callAsFunction(_ positions: [ProviderPositions.Position]) async {
        guard !positions.isEmpty else { return }
        guard publisher.isConnected, !publisher.isBlocked else { return missed.put(positions) }
        let all = missed.takeAll(beside: positions) + positions
        do {
            let message = OutboundMessage(
                exchange: ProviderPositions.exchange, routingKey: "",
                body: try JSON.wire.encode(ProviderPositions(positions: all)),
                properties: MessageProperties(
                    messageID: UUID.timeOrdered().text, type: ProviderPositions.exchange, appID: "dispatch",
                    contentType: "application/json", headers: [Self.processHeader: .string(process)]),
                isMandatory: false, isPersistent: false)
            try await publisher.publish(message, deadline: .now + Self.patience)
        } catch {
            missed.put(all)
            logger.debug("positions not broadcast", metadata: ["error": "\(error)"])
        }
    }

    /// Sends what could not be sent, without newer positions.
    func repeatMissed() async {
        guard publisher.isConnected, !publisher.isBlocked else { return }
        await self(missed.takeAll(beside: []))
    }
}
