import Foundation
import ServiceKit

/// The configuration keys of this service, in addition to ``CommonKeys``.
enum IdentityConfiguration {
    static let keys: [AnyConfigurationKey] = [
        signingKeyFile.erased, personalKeys.erased, personalKeyFile.erased, accessSeconds.erased,
        passwordThreads.erased,
        passwordQueue.erased, registerPerSecond.erased, registerBurst.erased, loginPerSecond.erased, loginBurst.erased,
        provePerSecond.erased, proveBurst.erased, askPerSecond.erased, askBurst.erased,
        DeliverySeal.key.erased, webURL.erased, smsPerNumber.erased, smsPerCountry.erased, smsPerDay.erased,
        breachedFile.erased, passwordMarkets.erased, adminsNeedSecond.erased,
    ]

    static let signingKeyFile = ConfigurationKey<String>(
        "identity.signing.key.file",
        "The private keys that access tokens are signed with, as `identity create-keys` writes them; followed when changed."
    )
    static let personalKeyFile = ConfigurationKey<String?>(
        "identity.personal.key.file",
        "The keys that personal data is encrypted with, as `identity create-keys` writes them.")
    static let personalKeys = ConfigurationKey<Redacted<String>?>(
        "identity.personal.keys", "The contents of that file. Goes before it.")
    /// The keys for a command that decrypts personal data.
    static let personal = [personalKeys.erased, personalKeyFile.erased]

    struct NoPersonalKeys: Error, CustomStringConvertible {
        let description = "neither identity.personal.keys nor identity.personal.key.file is set"
    }
    static let accessSeconds = ConfigurationKey<Int>(
        "identity.access.seconds", "How long an access token lives.", default: 600, in: 60...3_600)
    static let passwordThreads = ConfigurationKey<Int>(
        "identity.password.threads", "Password hashes computed at once; each takes a core and 19 MiB.",
        default: 2, in: 1...32)
    static let passwordQueue = ConfigurationKey<Int>(
        "identity.password.queue", "Password hashes that run or wait; what comes on top gets a 503.",
        default: 64, in: 1...10_000)
    static let registerPerSecond = ConfigurationKey<Double>(
        "identity.rate.register.per.second", "Registrations a second from one address in the long run.",
        default: 0.5, in: 0.001...100_000)
    static let registerBurst = ConfigurationKey<Int>(
        "identity.rate.register.burst", "Registrations from one address at once.", default: 20, in: 1...100_000)
    static let loginPerSecond = ConfigurationKey<Double>(
        "identity.rate.login.per.second", "Logins a second from one address in the long run.",
        default: 2, in: 0.001...100_000)
    static let loginBurst = ConfigurationKey<Int>(
        "identity.rate.login.burst", "Logins from one address at once.", default: 40, in: 1...100_000)
    static let provePerSecond = ConfigurationKey<Double>(
        "identity.rate.prove.per.second",
        "How often a second one account may give its password again, or another one, in the long run.",
        default: 0.2, in: 0.001...100_000)
    static let proveBurst = ConfigurationKey<Int>(
        "identity.rate.prove.burst", "The same at once.", default: 10, in: 1...100_000)
    static let askPerSecond = ConfigurationKey<Double>(
        "identity.rate.ask.per.second",
        "How often a second links and codes may be asked for from one address, in the long run.", default: 0.02,
        in: 0.001...100_000)
    static let askBurst = ConfigurationKey<Int>(
        "identity.rate.ask.burst", "The same at once.", default: 20, in: 1...100_000)

    static let smsPerNumber = ConfigurationKey<Int>(
        "identity.sms.per.number", "SMS to one number within 24 hours.", default: 30, in: 1...10_000)
    static let smsPerCountry = ConfigurationKey<Int>(
        "identity.sms.per.country", "SMS to the numbers of one calling code within 24 hours.", default: 5_000,
        in: 1...1_000_000)
    static let smsPerDay = ConfigurationKey<Int>(
        "identity.sms.per.day", "SMS in all within 24 hours.", default: 20_000, in: 1...1_000_000)

    static let breachedFile = ConfigurationKey<String?>(
        "identity.password.breached.file",
        "A list of breached passwords in the form of Have I Been Pwned's download, sorted by SHA-1; they cannot be chosen."
    )

    static let passwordMarkets = ConfigurationKey<[String]>(
        "identity.password.markets",
        "Markets that take passwords although their people sign in with Nafath; `*` is all. Without an issuer nobody registers in the others.",
        default: [])
    static let adminsNeedSecond = ConfigurationKey<Bool>(
        "identity.second.factor.admins",
        "Whether a session has an admin's rights only if a second factor, or Nafath, began it.", default: true)

    static let webURL = ConfigurationKey<String>(
        "identity.web.url", "The web app that links in mails open, without a slash at the end.",
        default: "https://serai.example")

    static func personalDataCipher(_ configuration: ServiceConfiguration) throws -> PersonalDataCipher {
        if let inline = try configuration[personalKeys] {
            return try PersonalDataCipher(try PersonalDataKeys(json: Data(inline.revealed.utf8)))
        }
        let json = try Data(contentsOf: URL(fileURLWithPath: try personalKeyFile(configuration)))
        return try PersonalDataCipher(try PersonalDataKeys(json: json))
    }

    static func personalKeyFile(_ configuration: ServiceConfiguration) throws -> String {
        guard let path = try configuration[personalKeyFile] else { throw NoPersonalKeys() }
        return path
    }

    /// The published key set, as other services read it.
    static func keySet(_ configuration: ServiceConfiguration) throws -> Data {
        if let inline = try configuration[CommonKeys.tokensKeys] { return Data(inline.utf8) }
        guard let path = try configuration[CommonKeys.tokensKeysFile] else { throw AccessTokens.WrongKeys() }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    static func accessTokens(_ configuration: ServiceConfiguration) async throws -> AccessTokens {
        let json = try Data(contentsOf: URL(fileURLWithPath: try configuration[signingKeyFile]))
        return AccessTokens(
            ring: try await SigningKeyRing(try TokenSigningKeys(json: json), published: try keySet(configuration)),
            issuer: try configuration[CommonKeys.tokensIssuer], audience: try configuration[CommonKeys.tokensAudience],
            lifetimeSeconds: try configuration[accessSeconds],
            adminsNeedSecondFactor: try configuration[adminsNeedSecond])
    }
}
