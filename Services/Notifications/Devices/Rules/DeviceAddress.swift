/// Where push messages to a device go, with what its service asks for.
enum DeviceAddress: Sendable, Equatable {
    /// A browser's subscription (RFC 8030, 8291).
    case web(endpoint: String, p256dh: String, auth: String)
    /// A registration token of Firebase Cloud Messaging.
    case fcm(token: String)
    /// A device token of Apple's service, and the app's bundle id.
    case apns(token: String, topic: String)

    enum Kind: String, Sendable, CaseIterable { case web, fcm, apns }

    var kind: Kind {
        switch self {
        case .web: .web
        case .fcm: .fcm
        case .apns: .apns
        }
    }

    /// What no two devices have.
    var unique: String {
        switch self {
        case .web(let endpoint, _, _): endpoint
        case .fcm(let token), .apns(let token, _): token
        }
    }

    /// As it is sealed.
    var arguments: [String: String] {
        switch self {
        case .web(_, let p256dh, let auth): ["p256dh": p256dh, "auth": auth]
        case .fcm: [:]
        case .apns(_, let topic): ["topic": topic]
        }
    }

    /// Nil for what a newer version has sealed.
    init?(_ kind: String, unique: String, _ arguments: [String: String]) {
        switch (kind, arguments["p256dh"], arguments["auth"], arguments["topic"]) {
        case ("web", let p256dh?, let auth?, _): self = .web(endpoint: unique, p256dh: p256dh, auth: auth)
        case ("fcm", _, _, _): self = .fcm(token: unique)
        case ("apns", _, _, let topic?): self = .apns(token: unique, topic: topic)
        default: return nil
        }
    }
}
