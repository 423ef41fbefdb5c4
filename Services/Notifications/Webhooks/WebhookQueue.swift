import Contracts
import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import SeraiJSON
import ServiceKit
import ServiceLifecycle

/// Sends waiting webhooks, with no transaction open. At least once: the message's id is the webhook's id, so that a receiver
/// can detect a repeated one. Any number of processes may run it. Log lines contain no bodies.
struct WebhookQueue: Service {
    static let batch = 32
    static let poll: Duration = .milliseconds(500)
    static let leaseSeconds: Double = 60
    static let purgeInterval: Duration = .seconds(600)
    static let purgeBatch = 1_000

    let pool: PostgresPool
    let client: WebhookClient
    let hub: StreamHub
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await again(every: Self.poll) { while try await sendDue() == Self.batch {} } }
                group.addTask {
                    await again(every: Self.purgeInterval) {
                        try await pool.executeInBatches(of: Self.purgeBatch, PurgeWebhooks(limit: Self.purgeBatch))
                    }
                }
            }
        }
    }

    private func again(every pause: Duration, _ step: () async throws -> Void) async {
        await pool.again(every: pause, "webhooks not sent", logger, step)
    }

    /// - Returns: the number of claimed deliveries.
    func sendDue() async throws -> Int {
        let due = try await pool.query(ClaimWebhooks(limit: Self.batch, leaseSeconds: Self.leaseSeconds))
        await withTaskGroup(of: Void.self) { group in
            for delivery in due { group.addTask { await send(delivery) } }
        }
        return due.count
    }

    private func send(_ due: DueWebhook) async {
        let answer = await client.send(due, at: clock())
        do {
            try await record(answer, of: due, at: clock())
        } catch {
            // After the lease it is sent again with the same id.
            logger.warning(
                "a webhook's outcome was not recorded", metadata: ["endpoint": "\(due.endpoint)", "error": "\(error)"])
        }
    }

    private func record(_ answer: WebhookClient.Answer, of due: DueWebhook, at now: Date) async throws {
        var (state, nextAt): (String, Date?) = ("sent", nil)
        switch answer.outcome {
        case .taken: break
        case .gone: state = "failed"
        case .failed(let asked):
            let pause = WebhookPlan.pause(afterTries: due.tries, askedFor: asked, chance: .random(in: 0..<1))
            (state, nextAt) = pause.map { ("waiting", now.addingTimeInterval($0)) } ?? ("failed", nil)
        }
        try await pool.withTransaction { transaction in
            let failing = try await transaction.first(
                StoreWebhookTry(
                    endpoint: due.endpoint, message: due.message, state: state, now: now, status: answer.status,
                    answer: answer.text, nextAt: nextAt))
            if answer.outcome == .gone { return try await giveUp(due.endpoint, "gone", at: now, in: transaction) }
            guard let since = failing ?? nil, now.timeIntervalSince(since) >= WebhookPlan.givenUpSeconds else { return }
            try await giveUp(due.endpoint, "failing", at: now, in: transaction)
        }
    }

    /// Switches an endpoint off and notifies its owner. Waiting webhooks are sent when it is on again.
    private func giveUp(
        _ endpoint: UUID, _ reason: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let ended = try await transaction.first(GiveUpWebhook(id: endpoint, now: now, reason: reason)) else {
            return
        }
        NoticeWriter.of(transaction, hub).tell([
            try .item(
                .webhookDisabled, ["host": .text(URL(string: ended.url)?.host ?? ended.url)], to: ended.account,
                order: nil, at: now, id: .timeOrdered())
        ])
    }
}
