import Contracts
import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit
import ServiceLifecycle

/// Sends waiting push messages, with no transaction open. A message that was sent when the process died is sent once
/// more, with the same name, so that the device still shows one. Any number of processes may run it.
///
/// Each kind of device has a loop of its own, a host has a share of what is under way, and one that does not answer is left
/// alone for a moment, so that none delays the others. Log lines contain neither addresses nor texts.
struct PushSender: Service {
    static let poll: Duration = .milliseconds(250)
    /// Longer than a try can take.
    static let leaseSeconds: Double = 30
    static let purgeInterval: Duration = .seconds(600)
    static let purgeBatch = 1_000

    let pool: PostgresPool
    let gateways: [DeviceAddress.Kind: any PushGateway]
    let seal: DeliverySeal
    let texts: InboxTexts
    let catalogue: ProblemCatalogue
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for (kind, gateway) in gateways {
                    group.addTask {
                        await LaneLoop<WaitingPush>(
                            pool: pool, poll: Self.poll, lane: \.host, claim: { await claim(kind, $0, except: $1) },
                            send: { await send($0, gateway) }
                        ).run()
                    }
                }
                group.addTask {
                    await pool.again(every: Self.purgeInterval, "push messages not purged", logger) {
                        try await pool.execute(PurgePausedHosts())
                        try await pool.executeInBatches(
                            of: Self.purgeBatch, PurgeUnsentPushes(limit: Self.purgeBatch))
                    }
                }
            }
        }
    }

    /// None if the database is away; it is asked again after the pause.
    private func claim(_ kind: DeviceAddress.Kind, _ limit: Int, except hosts: [String]) async -> [WaitingPush] {
        do {
            return try await pool.query(
                ClaimPushes(kind: kind, limit: limit, leaseSeconds: Self.leaseSeconds, fullHosts: hosts))
        } catch {
            if !Task.isCancelled { logger.warning("push messages not sent", metadata: ["error": "\(error)"]) }
            return []
        }
    }

    private func send(_ push: WaitingPush, _ gateway: any PushGateway) async {
        do {
            try await take(push, gateway)
        } catch {
            // After the lease it is tried again under the same name.
            log("a push message's outcome was not recorded", push)
        }
    }

    private func take(_ push: WaitingPush, _ gateway: any PushGateway) async throws {
        switch push.plan.step(at: clock(), quiet: push.quiet) {
        case .drop: try await end([push.id], .dropped)
        case .giveUp: try await giveUp(push, .expired)
        case .hold(let until): try await pool.execute(HoldPush(id: push.id, until: until))
        case .send: try await send(words(of: push), standingFor: [push.id], push, gateway)
        case .digest:
            let alike = try await pool.query(ListAlike(push: push))
            guard let digest = digest(of: push, count: alike.count) else {
                return try await send(words(of: push), standingFor: [push.id], push, gateway)
            }
            try await send(digest, standingFor: alike, push, gateway)
        }
    }

    private func send(
        _ message: PushMessage, standingFor ids: [UUID], _ push: WaitingPush, _ gateway: any PushGateway
    ) async throws {
        guard let address = address(of: push) else {
            log("a device's address cannot be opened", push)
            return try await giveUp(push, .refused)
        }
        switch await gateway.send(message, to: address, id: push.id, at: clock()) {
        case .taken: try await end(ids, .sent)
        case .gone:
            // What waits for the device goes with it.
            try await pool.execute(DeleteGoneDevice(account: push.account, id: push.device, sealed: push.sealed))
            DeliveryMetrics.ended(Self.channel, "gone")
        case .refused:
            log("a push message failed for good", push)
            try await giveUp(push, .refused)
        case .later(let seconds):
            if let seconds { try await pause(push.host, min(seconds, PushPlan.longestAskedSeconds)) }
            try await postpone(push)
        case .silent:
            try await pause(push.host, PushPlan.silentHostSeconds)
            try await postpone(push)
        }
    }

    // MARK: Outcomes

    private static let channel = "push"

    private func end(_ ids: [UUID], _ state: EndPushes.State) async throws {
        try await pool.execute(EndPushes(ids: ids, state: state))
        DeliveryMetrics.ended(Self.channel, state.rawValue, count: ids.count)
    }

    private func giveUp(_ push: WaitingPush, _ reason: DeliveryFailed.Reason) async throws {
        try await pool.withTransaction { transaction in
            guard try await transaction.execute(EndPushes(ids: [push.id], state: .failed)) > 0 else { return }
            try transaction.publish(
                DeliveryFailed(
                    delivery: push.id, account: push.account, channel: .push, text: push.item.topic, reason: reason,
                    at: clock()))
        }
        DeliveryMetrics.ended(Self.channel, EndPushes.State.failed.rawValue)
    }

    private func pause(_ host: String, _ seconds: Double) async throws {
        try await pool.execute(PauseHost(host: host, seconds: seconds))
    }

    private func postpone(_ push: WaitingPush) async throws {
        let seconds = DeliveryPlan.pauseSeconds(
            afterTries: push.tries, chance: .random(in: 0..<1), longest: PushPlan.longestPauseSeconds)
        try await pool.execute(PostponeDelivery(id: push.id, seconds: seconds))
        DeliveryMetrics.postponed(Self.channel)
    }

    // MARK: Words

    private func address(of push: WaitingPush) -> DeviceAddress? {
        do {
            let contents = try seal.open(push.sealed, delivery: push.device)
            return DeviceAddress(push.deviceKind, unique: contents.to, contents.arguments)
        } catch {
            return nil
        }
    }

    /// The item's own words, in the language that the account has now.
    private func words(of push: WaitingPush) -> PushMessage {
        let shown = texts.view(push.item, in: language(of: push))
        let page = push.item.order.map { "o/\($0.text)" } ?? "inbox"
        return message(push, title: shown.subject, body: shown.content, page: page)
    }

    /// One message for many of a kind; nil if there is no such word.
    private func digest(of push: WaitingPush, count: Int) -> PushMessage? {
        guard count > 1 else { return nil }
        let (key, language) = ("push.digest.\(push.kind)", language(of: push))
        guard let title = catalogue.text("\(key).subject", in: language, ["count": String(count)]) else { return nil }
        let body = catalogue.text("push.digest.content", in: language, [:]) ?? ""
        return message(push, title: title, body: body, page: "inbox")
    }

    private func language(of push: WaitingPush) -> Language {
        Language(rawValue: push.language.isEmpty ? "en" : push.language)
    }

    private func message(_ push: WaitingPush, title: String, body: String, page: String) -> PushMessage {
        PushMessage(
            title: title, body: body, url: "/\(push.market)/\(page)", language: language(of: push).rawValue,
            tag: push.item.id, kind: push.kind, isUrgent: push.isUrgent,
            lifetimeSeconds: max(0, Int(push.expiresAt.timeIntervalSince(clock()))))
    }

    private func log(_ text: Logger.Message, _ push: WaitingPush) {
        logger.warning(
            text, metadata: ["delivery.id": "\(push.id.text)", "kind": "\(push.kind)", "attempt": "\(push.tries)"])
    }
}
