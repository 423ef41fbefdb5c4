import Foundation
import ServiceKit

/// An operator's settings of the OpenID Connect provider for signing in (I5).
struct OpenIDSettings: Sendable {
    /// The names of the provider's claims about a person.
    struct ClaimNames: Sendable {
        var nationalID = "national_id"
        var firstName = "given_name"
        var lastName = "family_name"
        var mobile = "phone_number"
        var gender = "gender"
        var jobTitle = "job_title"
    }

    /// The issuer as it stands in the provider's tokens, without a slash at the end.
    let issuer: String
    let clientID: String
    let clientSecret: Redacted<String>
    /// The page to which the provider sends people back; it is registered there.
    let redirectURL: String
    var scopes = ["openid", "profile", "phone"]
    var claims = ClaimNames()
    /// Time limit of one request to the provider, including its body.
    var limit: Duration = .seconds(5)
    /// How long the discovery document and the keys are cached.
    var cacheLifetime: Duration = .seconds(3_600)
    /// Shortest time between two fetches for unknown keys.
    var refetchInterval: Duration = .seconds(30)
}

/// The configuration keys of ``OpenIDSettings``. Without an issuer this way to sign in does not exist.
enum OpenIDConfiguration {
    static let keys: [AnyConfigurationKey] = [
        issuer.erased, clientID.erased, clientSecret.erased, redirectURL.erased, scopes.erased, nationalID.erased,
        firstName.erased, lastName.erased, mobile.erased, gender.erased, jobTitle.erased,
    ]

    static let issuer = ConfigurationKey<String?>(
        "nafath.issuer",
        "Nafath's issuer, or that of any OpenID Connect provider, without a slash at the end. Absent: nobody signs in so.",
        range: "https://…, or http://… on this machine", isAllowed: { $0.map(isIssuer) ?? true })
    static let clientID = ConfigurationKey<String?>("nafath.client.id", "The id that Nafath knows this platform by.")
    static let clientSecret = ConfigurationKey<Redacted<String>?>(
        "nafath.client.secret", "The secret that Nafath knows this platform by.")
    static let redirectURL = ConfigurationKey<String?>(
        "nafath.redirect.url", "The page of the web app that Nafath sends people back to, as registered there.")
    static let scopes = ConfigurationKey<[String]>(
        "nafath.scopes", "What Nafath is asked for.", default: ["openid", "profile", "phone"], range: "with openid",
        isAllowed: { $0.contains("openid") })
    static let nationalID = claim("national.id", "the national id", default: "national_id")
    static let firstName = claim("first.name", "the first name", default: "given_name")
    static let lastName = claim("last.name", "the last name", default: "family_name")
    static let mobile = claim("mobile", "the mobile number", default: "phone_number")
    static let gender = claim("gender", "the gender", default: "gender")
    static let jobTitle = claim("job.title", "the job title", default: "job_title")

    private static func claim(_ name: String, _ meaning: String, default value: String) -> ConfigurationKey<String> {
        ConfigurationKey("nafath.claim.\(name)", "The name of Nafath's claim that holds \(meaning).", default: value)
    }

    /// An issuer is set, but not the settings that it needs.
    struct Incomplete: Error, CustomStringConvertible {
        var description: String {
            "nafath.issuer needs \([clientID.name, clientSecret.name, redirectURL.name].joined(separator: ", "))"
        }
    }

    /// Nil when no issuer is set.
    ///
    /// - Throws: ``Incomplete`` when an issuer is set without the settings that it needs.
    static func settings(_ configuration: ServiceConfiguration) throws -> OpenIDSettings? {
        guard let issuer = try configuration[issuer] else { return nil }
        guard let id = try configuration[clientID], let secret = try configuration[clientSecret],
            let redirect = try configuration[redirectURL]
        else { throw Incomplete() }
        var settings = OpenIDSettings(issuer: issuer, clientID: id, clientSecret: secret, redirectURL: redirect)
        settings.scopes = try configuration[scopes]
        settings.claims = OpenIDSettings.ClaimNames(
            nationalID: try configuration[nationalID], firstName: try configuration[firstName],
            lastName: try configuration[lastName], mobile: try configuration[mobile],
            gender: try configuration[gender], jobTitle: try configuration[jobTitle])
        return settings
    }

    /// An issuer without TLS is allowed on this machine only.
    private static func isIssuer(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), let host = url.host, url.query == nil, url.fragment == nil,
            url.user == nil, url.password == nil, !text.hasSuffix("/")
        else { return false }
        return url.scheme == "https"
            || url.scheme == "http" && ["127.0.0.1", "localhost", "[::1]", "::1"].contains(host)
    }
}
