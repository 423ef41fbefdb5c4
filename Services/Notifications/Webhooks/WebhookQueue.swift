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
/// can detect a repeated one. Any number of processes may run it. Each business has a share of what is under way, so that nobody
/// waits for another one's endpoint that does not answer. Log lines contain no bodies.
struct WebhookQueue: Service {
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
                group.addTask {
                    await LaneLoop<DueWebhook>(
                        pool: pool, poll: Self.poll, lane: \.account.text, claim: { await claim($0, except: $1) },
                        send: { await send($0) }
                    ).run()
                }
                group.addTask {
                    await pool.again(every: Self.purgeInterval, "webhooks not purged", logger) {
                        try await pool.executeInBatches(of: Self.purgeBatch, PurgeWebhooks(limit: Self.purgeBatch))
                    }
                }
            }
        }
    }

    /// None if the database is away; it is asked again after the pause.
    private func claim(_ limit: Int, except full: [String]) async -> [DueWebhook] {
        let owners = full.compactMap { UUID(uuidString: $0) }
        do {
            return try await pool.query(ClaimWebhooks(limit: limit, leaseSeconds: Self.leaseSeconds, except: owners))
        } catch {
            if !Task.isCancelled { logger.warning("webhooks not sent", metadata: ["error": "\(error)"]) }
            return []
        }
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
