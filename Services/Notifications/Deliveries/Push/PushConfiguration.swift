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
        var byKind: [DeviceAddress.Kind: any PushGateway] = [:]
        var publicKey: String?
        let client = DeliveryGateways.makeClient()
        if let text = try configuration[PushConfiguration.vapidKey] {
            guard
                let key = VAPIDKey(text.revealed, subject: try configuration[PushConfiguration.vapidSubject])
            else { throw Fault(name: PushConfiguration.vapidKey.name) }
            let address = WebhookAddress(allowsPrivate: try configuration[NotificationsConfiguration.privateWebhooks])
            byKind[.web] = WebPushGateway(key: key, address: address)
            publicKey = key.publicKey
        }
        if let account = try configuration[PushConfiguration.fcmAccount] {
            guard
                let gateway = FCMGateway(
                    accountJSON: account.revealed, url: try configuration[PushConfiguration.fcmURL], client: client)
            else { throw Fault(name: PushConfiguration.fcmAccount.name) }
            byKind[.fcm] = gateway
        }
        if let key = try configuration[PushConfiguration.apnsKey] {
            guard
                let gateway = APNsGateway(
                    keyPEM: key.revealed, keyID: try configuration[PushConfiguration.apnsKeyID],
                    team: try configuration[PushConfiguration.apnsTeam],
                    url: try configuration[PushConfiguration.apnsURL], client: client)
            else { throw Fault(name: PushConfiguration.apnsKey.name) }
            byKind[.apns] = gateway
        }
        (self.byKind, self.publicKey, self.client) = (byKind, publicKey, client)
    }
}
