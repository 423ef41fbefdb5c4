import Contracts
import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit
import ServiceLifecycle

/// Sends waiting mails and SMS, with no transaction open. At least once: a process that dies between sending and its mark
/// sends once more, a mail with the same Message-ID. Any number of processes may run it.
///
/// Each channel has its own loop, so that a gateway that hangs delays no other channel.
///
/// A delivery that is not accepted, or has no text in this version, is tried again after 1, 2, 4, … seconds, at most
/// five minutes, until it expires. A gateway that asks for a pause is left alone by all processes. What is given up is an
/// event. Log lines contain neither addresses nor texts.
struct DeliverySender: Service {
    static let batch = 16
    static let poll: Duration = .milliseconds(250)
    static let leaseSeconds: Double = 60
    /// The longest that a batch may take; what has not come to its turn by then is tried again.
    static let tryLimit: Duration = .seconds(45)
    static let purgeInterval: Duration = .seconds(600)
    static let purgeBatch = 1_000

    let pool: PostgresPool
    /// Deliveries of a channel without one wait.
    let gateways: [DeliveryRequested.Channel: any DeliveryGateway]
    let seal: DeliverySeal
    let catalogue: ProblemCatalogue
    let unsubscribing: MailUnsubscribing
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for channel in DeliveryRequested.Channel.allCases {
                    group.addTask {
                        await again(every: Self.poll) { while try await sendDue(channel) == Self.batch {} }
                    }
                }
                group.addTask {
                    await again(every: Self.purgeInterval) {
                        try await pool.executeInBatches(
                            of: Self.purgeBatch, PurgeDeliveries(limit: Self.purgeBatch))
                    }
                }
            }
        }
    }

    private func again(every pause: Duration, _ step: () async throws -> Void) async {
        await pool.again(every: pause, "deliveries not sent", logger, step)
    }

    /// - Returns: the number of claimed deliveries.
    func sendDue(_ channel: DeliveryRequested.Channel) async throws -> Int {
        let due = try await pool.query(
            ClaimDeliveries(channel: channel.rawValue, limit: Self.batch, leaseSeconds: Self.leaseSeconds))
        let deadline = ContinuousClock.now + Self.tryLimit
        await withTaskGroup(of: Void.self) { group in
            for delivery in due { group.addTask { await send(delivery, gateways[channel], until: deadline) } }
        }
        return due.count
    }

    private func send(
        _ delivery: WaitingDelivery, _ gateway: (any DeliveryGateway)?, until deadline: ContinuousClock.Instant
    ) async {
        let outcome: DeliveryOutcome
        if delivery.isExpired {
            outcome = .refused(cause: "expired")
        } else if let message = message(delivery) {
            outcome = await gateway?.send(message, until: deadline) ?? .later(cause: "no gateway")
        } else {
            outcome = .later(cause: "it cannot be opened or has no words")
        }
        do {
            // A task of its own: what was sent while the process ends is marked as sent.
            try await Task { try await record(outcome, of: delivery) }.value
        } catch {
            // After the lease it is sent again, as the same message.
            log(.warning, "a delivery's outcome was not recorded", delivery)
        }
    }

    private func record(_ outcome: DeliveryOutcome, of delivery: WaitingDelivery) async throws {
        switch outcome {
        case .taken:
            try await pool.execute(EndDelivery(id: delivery.id, isSent: true))
            DeliveryMetrics.ended(delivery.channel, "sent")
        case .refused(let cause):
            log(.error, "a delivery failed for good", delivery, cause)
            try await giveUp(delivery)
        case .later(let cause, let seconds):
            log(.warning, "a delivery was not taken", delivery, cause)
            if let seconds { try await pool.execute(PauseHost(host: delivery.channel, seconds: seconds)) }
            let pause = DeliveryPlan.pauseSeconds(afterTries: delivery.tries, chance: .random(in: 0..<1))
            try await pool.execute(PostponeDelivery(id: delivery.id, seconds: pause))
            DeliveryMetrics.postponed(delivery.channel)
        }
    }

    private func giveUp(_ delivery: WaitingDelivery) async throws {
        try await pool.withTransaction { transaction in
            guard try await transaction.execute(EndDelivery(id: delivery.id, isSent: false)) > 0,
                let channel = DeliveryFailed.Channel(rawValue: delivery.channel)
            else { return }
            try transaction.publish(
                DeliveryFailed(
                    delivery: delivery.id, account: delivery.account, channel: channel, text: delivery.text,
                    reason: delivery.isExpired ? .expired : .refused, at: clock()))
        }
        DeliveryMetrics.ended(delivery.channel, "failed")
    }

    /// Nil if the content cannot be opened or the catalogue has no text for it.
    private func message(_ delivery: WaitingDelivery) -> DeliveryMessage? {
        let contents: DeliverySeal.Contents
        do {
            contents = try seal.open(delivery.sealed, delivery: delivery.id)
        } catch {
            return nil
        }
        let language = Language(rawValue: delivery.language)
        let key = "\(delivery.channel).\(delivery.text)"
        guard let text = catalogue.text("\(key).content", in: language, contents.arguments) else { return nil }
        return DeliveryMessage(
            id: delivery.id, to: contents.to,
            subject: catalogue.text("\(key).subject", in: language, contents.arguments), text: text,
            language: delivery.language, requestedAt: delivery.requestedAt,
            unsubscribe: NoticeKind(text: delivery.text).flatMap { unsubscribing.address(delivery.account, $0) })
    }

    /// - Parameter cause: without addresses and texts.
    private func log(
        _ level: Logger.Level, _ text: Logger.Message, _ delivery: WaitingDelivery, _ cause: String? = nil
    ) {
        var metadata: Logger.Metadata = [
            "delivery.id": "\(delivery.id.text)", "channel": "\(delivery.channel)", "text": "\(delivery.text)",
            "attempt": "\(delivery.tries)",
        ]
        if let cause { metadata["cause"] = "\(cause)" }
        logger.log(level: level, text, metadata: metadata)
    }
}
