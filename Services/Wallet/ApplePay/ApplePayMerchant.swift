import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import SeraiJSON
import ServiceKit

/// The deployment as a merchant of Apple Pay on the web: it proves itself to Apple before a browser shows the payment
/// sheet (Apple's "Requesting an Apple Pay Payment Session"). The payment that the customer agrees to goes from the
/// page to the payment provider, and comes here as its token.
struct ApplePayMerchant: Sendable {
    struct Settings: Sendable {
        /// As registered at Apple: `merchant.com.example`.
        let merchant: String
        /// The host of the site, registered at Apple, too.
        let domain: String
        /// The only address that is asked, without a path; nil for Apple's gateways.
        var gateway: String?
        /// The merchant identity certificate and its key, PEM; nil where the gateway is this machine's.
        var identity: (certificate: String, key: String)?
    }

    /// The browser named an address that is no gateway of Apple's.
    struct NoGateway: Error {}

    /// Apple would refuse each session of a merchant without a domain, so the service does not start.
    struct NoDomain: Error, CustomStringConvertible {
        var description: String { "\(WalletConfiguration.applePayDomain.name) has to be set beside the merchant" }
    }

    static let limit: Duration = .seconds(10)
    static let answerLimitBytes = 65_536

    let settings: Settings
    let client: HTTPClient
    let logger: Logger

    /// - Throws: when the certificate or its key cannot be read.
    static func makeClient(_ settings: Settings) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        var tls = OutgoingTLS.configuration()
        if let identity = settings.identity {
            tls.certificateChain = try NIOSSLCertificate.fromPEMFile(identity.certificate).map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem))
        }
        configuration.tlsConfiguration = tls
        configuration.timeout = .init(connect: .seconds(3), read: .seconds(10))
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// A session of the merchant, which the browser hands to Apple; good for one payment within five minutes.
    ///
    /// - Parameters:
    ///   - url: where the browser says that Apple answers. Any other host is not asked: the certificate would be shown to
    ///     it, and the request would come from inside of the deployment.
    ///   - name: shown to the customer beside the amount.
    /// - Returns: Apple's JSON object, as it is.
    /// - Throws: ``NoGateway``; ``PaymentProvider/CardError/unavailable`` when Apple gives none.
    func session(at url: String, name: String) async throws -> Data {
        guard isGateway(url) else { throw NoGateway() }
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(
            ByteBuffer(
                bytes: try JSON.answer.encode([
                    "merchantIdentifier": settings.merchant, "displayName": name, "initiative": "web",
                    "initiativeContext": settings.domain,
                ])))
        let status: UInt
        let body: Data
        do {
            let answer = try await client.whole(request, within: Self.limit, upTo: Self.answerLimitBytes)
            status = answer.head.status.code
            body = Data(answer.body.readableBytesView)
        } catch {
            logger.warning("Apple Pay gave no session", metadata: ["error": "\(error)"])
            throw PaymentProvider.CardError.unavailable
        }
        // try?: what is no object is no session.
        guard status == 200, case .object? = try? JSONValue(parsing: body) else {
            logger.warning("Apple Pay gave no session", metadata: ["status": "\(status)"])
            throw PaymentProvider.CardError.unavailable
        }
        return body
    }

    /// Apple names the host of each request to the browser, out of a list that grows; all are hosts of its own domain.
    func isGateway(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url), let host = parts.host, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil, parts.path.hasPrefix("/paymentservices/")
        else { return false }
        if let gateway = settings.gateway { return url.hasPrefix(gateway + "/") }
        return parts.scheme == "https" && [nil, 443].contains(parts.port)
            && host.wholeMatch(of: /(?:cn-)?apple-pay-gateway(?:-[a-z0-9-]{1,40})?\.apple\.com/) != nil
    }
}

extension ApplePayMerchant {
    /// Nil without a merchant in the configuration.
    ///
    /// - Throws: when something of it is missing or cannot be read.
    init?(_ configuration: ServiceConfiguration, logger: Logger) throws {
        let merchant = try configuration[WalletConfiguration.applePayMerchant]
        guard !merchant.isEmpty else { return nil }
        var settings = Settings(merchant: merchant, domain: try configuration[WalletConfiguration.applePayDomain])
        guard !settings.domain.isEmpty else { throw NoDomain() }
        let gateway = try configuration[WalletConfiguration.applePayGateway]
        if gateway.isEmpty {
            settings.identity = (
                try configuration[WalletConfiguration.applePayCertificate],
                try configuration[WalletConfiguration.applePayKey]
            )
        } else {
            settings.gateway = gateway
        }
        self.init(settings: settings, client: try Self.makeClient(settings), logger: logger)
    }
}
