import AsyncHTTPClient
import Foundation
import ServiceKit

/// The keys of the services that bring push messages to devices. Without its keys a kind of device cannot be
/// registered.
enum PushConfiguration {
    static let keys: [AnyConfigurationKey] = [
        vapidKey.erased, vapidSubject.erased, fcmAccount.erased, fcmURL.erased, apnsKey.erased, apnsKeyID.erased,
        apnsTeam.erased, apnsURL.erased,
    ]

    static let vapidKey = ConfigurationKey<Redacted<String>?>(
        "push.vapid.key",
        "The private key of P-256 by which the push services of browsers know this server: 32 bytes, base64url or "
            + "hexadecimal.",
        range: "a private key of P-256",
        isAllowed: { $0.map { VAPIDKey($0.revealed, subject: "") != nil } ?? true })
    static let vapidSubject = ConfigurationKey<String>(
        "push.vapid.subject", "Whom the operator of a push service can write to.", default: "mailto:push@example.com",
        range: "mailto: or https:", isAllowed: { $0.hasPrefix("mailto:") || $0.hasPrefix("https://") })

    static let fcmAccount = ConfigurationKey<Redacted<String>?>(
        "push.fcm.account", "The JSON of a service account that may send by Firebase Cloud Messaging.")
    static let fcmURL = ConfigurationKey<String>(
        "push.fcm.url", "Firebase Cloud Messaging.", default: "https://fcm.googleapis.com")

    static let apnsKey = ConfigurationKey<Redacted<String>?>(
        "push.apns.key", "The key of the Apple Push Notification service: the .p8 file.")
    static let apnsKeyID = ConfigurationKey<String>("push.apns.key.id", "The id of that key.", default: "")
    static let apnsTeam = ConfigurationKey<String>("push.apns.team", "The id of the developer's team.", default: "")
    static let apnsURL = ConfigurationKey<String>(
        "push.apns.url", "The Apple Push Notification service.", default: "https://api.push.apple.com")
}

/// The gateways that are set up.
struct PushGateways: Sendable {
    /// A setting that is none of its kind.
    struct Fault: Error, CustomStringConvertible {
        let name: String
        var description: String { "\(name) cannot be read" }
    }

    let byKind: [DeviceAddress.Kind: any PushGateway]
    /// For browsers that subscribe; nil without a key.
    let publicKey: String?
    /// Of the gateways of phones.
    let client: HTTPClient

    init(_ configuration: ServiceConfiguration) throws {
        let client = DeliveryClient.make()
        do {
            let browsers = try Self.browsers(configuration)
            var byKind: [DeviceAddress.Kind: any PushGateway] = [:]
            byKind[.web] = browsers?.gateway
            byKind[.fcm] = try Self.fcm(configuration, client)
            byKind[.apns] = try Self.apns(configuration, client)
            (self.byKind, publicKey, self.client) = (byKind, browsers?.publicKey, client)
        } catch {
            // try?: a client must be ended, and the setting is what is told.
            try? client.syncShutdown()
            throw error
        }
    }

    private static func browsers(
        _ configuration: ServiceConfiguration
    ) throws -> (gateway: WebPushGateway, publicKey: String)? {
        guard let text = try configuration[PushConfiguration.vapidKey] else { return nil }
        let subject = try configuration[PushConfiguration.vapidSubject]
        guard let key = VAPIDKey(text.revealed, subject: subject) else {
            throw Fault(name: PushConfiguration.vapidKey.name)
        }
        let address = OutgoingAddress(allowsPrivate: try configuration[NotificationsConfiguration.privateWebhooks])
        return (WebPushGateway(key: key, address: address), key.publicKey)
    }

    private static func fcm(_ configuration: ServiceConfiguration, _ client: HTTPClient) throws -> FCMGateway? {
        guard let account = try configuration[PushConfiguration.fcmAccount] else { return nil }
        let url = try configuration[PushConfiguration.fcmURL]
        guard let gateway = FCMGateway(accountJSON: account.revealed, url: url, client: client) else {
            throw Fault(name: PushConfiguration.fcmAccount.name)
        }
        return gateway
    }

    private static func apns(_ configuration: ServiceConfiguration, _ client: HTTPClient) throws -> APNsGateway? {
        guard let key = try configuration[PushConfiguration.apnsKey] else { return nil }
        let gateway = APNsGateway(
            keyPEM: key.revealed, keyID: try configuration[PushConfiguration.apnsKeyID],
            team: try configuration[PushConfiguration.apnsTeam], url: try configuration[PushConfiguration.apnsURL],
            client: client)
        guard let gateway else { throw Fault(name: PushConfiguration.apnsKey.name) }
        return gateway
    }
}
