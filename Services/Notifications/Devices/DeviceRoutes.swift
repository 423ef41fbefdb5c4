import Contracts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// `/notifications/v1/devices`: the caller's own browsers and phones that push messages go to (N2).
struct DeviceRoutes: Sendable {
    let pool: PostgresPool
    let address: OutgoingAddress
    let seal: DeliverySeal
    /// The public key that browsers subscribe with; nil where none is set.
    let pushKey: String?
    /// What can be registered: what there is a gateway for.
    let kinds: Set<DeviceAddress.Kind>
    let clock: @Sendable () -> Date

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("push-key") { _, _ in PushKeyView(key: pushKey) }
        group.get("devices") { _, context in
            let rows = try await pool.query(ListDevices(account: context.caller.accountID))
            return DeviceListView(items: rows.map { DeviceView($0, current: context.caller.sessionID) })
        }
        group.put("devices/{id}") { try await register($0, $1) }
        group.delete("devices/{id}") { _, context in
            let delete = DeleteDevice(account: context.caller.accountID, id: try context.uuid("id"))
            // What is gone already is gone: whoever logs out asks twice.
            _ = try await pool.execute(delete)
            return HTTPResponse.Status.noContent
        }
    }

    private func register(_ request: Request, _ context: AuthenticatedContext) async throws -> DeviceView {
        let (id, account) = (try context.uuid("id"), context.caller.accountID)
        // Without a session there is no log-out with which the device would go.
        guard let session = context.caller.sessionID else { throw Problem.forbidden }
        let form = try await request.form(context: context)
        let market = form.string("market", length: 1...100)
        if let market, Market.named(market) == nil {
            form.reject("market", "not-a-choice", ["choices": Market.all.map(\.id).joined(separator: ", ")])
        }
        let found = deviceAddress(form)
        guard let market, let found, form.isValid else { throw form.problem }
        let host = try await host(of: found, form)
        let sealed = try seal.seal(.init(to: found.unique, arguments: found.arguments), delivery: id)
        let fingerprint = SHA256.hash(data: Data("\(found.kind.rawValue) \(found.unique)".utf8))
        let text = Base64URL.encode(Data(fingerprint))
        let now = clock()
        let stored = try await pool.withTransaction { transaction in
            _ = try await transaction.query(LockOwnRows(account: account))
            transaction.send(TakeDevice(fingerprint: text, account: account, id: id))
            let stored = try await transaction.first(
                StoreDevice(
                    account: account, id: id, session: session, market: market, kind: found.kind.rawValue, host: host,
                    fingerprint: text, sealed: sealed, now: now))
            transaction.send(DeleteOldestDevices(account: account))
            return stored
        }
        guard let stored else { throw Problem.forbidden }
        return DeviceView(stored, current: session)
    }

    private func deviceAddress(_ form: Form) -> DeviceAddress? {
        guard let name = form.string("kind", length: 1...10) else { return nil }
        guard let kind = DeviceAddress.Kind(rawValue: name), kinds.contains(kind) else {
            form.reject("kind", "not-a-choice", ["choices": kinds.map(\.rawValue).sorted().joined(separator: ", ")])
            return nil
        }
        switch kind {
        case .web: return browser(form)
        case .fcm: return form.string("token", length: 20...1_000, Self.token).map { .fcm(token: $0) }
        case .apns:
            let token = form.string(
                "token", length: 64...200, .pattern(code: "not-a-device-token") { $0.allSatisfy(\.isHexDigit) })
            let topic = form.string(
                "topic", length: 3...200,
                .pattern(code: "not-a-bundle-id") { $0.wholeMatch(of: /[A-Za-z0-9.\-]+/) != nil })
            guard let token, let topic else { return nil }
            return .apns(token: token.lowercased(), topic: topic)
        }
    }

    private func browser(_ form: Form) -> DeviceAddress? {
        let endpoint = form.string("endpoint", length: 1...2_000)
        let (point, auth) = (form.string("p256dh", length: 80...100), form.string("auth", length: 20...30))
        if let endpoint, address.url(endpoint) == nil { form.reject("endpoint", "not-a-push-endpoint") }
        guard let endpoint, let point, let auth else { return nil }
        do {
            _ = try WebPushCipher(p256dh: point, auth: auth)
        } catch {
            form.reject("p256dh", "not-a-push-key")
            return nil
        }
        return .web(endpoint: endpoint, p256dh: point, auth: auth)
    }

    /// - Throws: a 422 for an endpoint within our own network. It is looked at again whenever something is sent.
    private func host(of device: DeviceAddress, _ form: Form) async throws -> String {
        guard case .web(let endpoint, _, _) = device else { return device.kind.rawValue }
        // No browser's service has a name of one part.
        guard let url = address.url(endpoint), let host = url.host, host.contains(where: { ".:".contains($0) }) else {
            form.reject("endpoint", "not-a-push-endpoint")
            throw form.problem
        }
        do {
            _ = try await address.resolved(host, port: url.port ?? 443)
        } catch {
            form.reject("endpoint", "not-a-push-endpoint")
            throw form.problem
        }
        return host.lowercased() + (url.port.map { ":\($0)" } ?? "")
    }

    private static let token = TextRule.pattern(code: "not-a-device-token") {
        $0.wholeMatch(of: /[A-Za-z0-9_:.\-]+/) != nil
    }
}

/// The key that browsers subscribe with; none where push messages to browsers are not set up.
struct PushKeyView: ResponseEncodable, Encodable, Sendable {
    let key: String?
}

struct DeviceView: ResponseEncodable, Encodable, Sendable {
    let device: String
    let kind: String
    let market: String
    /// Whether it was registered by the caller's own session.
    let current: Bool
    let createdAt: Date
    let seenAt: Date

    init(_ device: Device, current session: UUID?) {
        self.device = device.id.text
        kind = device.kind
        market = device.market
        current = device.session == session
        createdAt = device.createdAt
        seenAt = device.seenAt
    }
}

struct DeviceListView: ResponseEncodable, Encodable, Sendable {
    let items: [DeviceView]
}
