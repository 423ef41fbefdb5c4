import Foundation
import ServiceKit

/// The keys of this service beside the common ones.
enum WalletConfiguration {
    static let all: [AnyConfigurationKey] = [
        providerURL.erased, providerKey.erased, webhookSecret.erased, tokenSeconds.erased, chargeSeconds.erased,
        concurrency.erased, tries.erased, authorisationHours.erased, stuckMinutes.erased, returnURL.erased,
        ledgerWorkers.erased, ledgerBatch.erased, applePayMerchant.erased, applePayDomain.erased,
        applePayCertificate.erased, applePayKey.erased, applePayGateway.erased,
    ]

    static let providerURL = ConfigurationKey<String>(
        "payment.provider.url", "The payment provider's address (Stripe's API), without a path.",
        range: "https://…, or http://… on this machine",
        isAllowed: { url in
            guard let parts = URLComponents(string: url), let host = parts.host, parts.path.isEmpty, parts.query == nil
            else { return false }
            // Cards go there: in the open only where nobody can listen, and to names inside of a deployment.
            return parts.scheme == "https" || (parts.scheme == "http" && isNear(host))
        })
    /// This machine, or a name without a domain, as containers of one network have. No other address however it is
    /// written: a number alone, or one of IPv6, may be anywhere.
    private static func isNear(_ host: String) -> Bool {
        if ["127.0.0.1", "localhost", "[::1]", "::1"].contains(host) { return true }
        let bytes = Array(host.utf8)
        let isLetter = { (byte: UInt8) in (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) }
        // `0x7f000001` is a number too.
        return bytes.contains(where: isLetter) && bytes.first.map(isLetter) == true
            && bytes.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }

    static let providerKey = ConfigurationKey<Redacted<String>>(
        "payment.provider.key", "The secret key that the payment provider knows us by.")
    static let returnURL = ConfigurationKey<String>(
        "payment.return.url",
        "Where customers come back to from their bank or from PayPal; what they have paid is added as a parameter.",
        range: "https://…, or http://… on this machine",
        isAllowed: { url in
            guard let parts = URLComponents(string: url), let host = parts.host, parts.fragment == nil else {
                return false
            }
            return parts.scheme == "https"
                || (parts.scheme == "http" && ["127.0.0.1", "localhost", "[::1]", "::1"].contains(host))
        })
    static let webhookSecret = ConfigurationKey<Redacted<String>>(
        "payment.webhook.secret", "Signs the payment provider's webhooks.")
    static let tokenSeconds = ConfigurationKey<Int>(
        "payment.token.seconds", "How long a request waits for the payment provider to take a card or a CVV.",
        default: 5, in: 1...30)
    static let chargeSeconds = ConfigurationKey<Int>(
        "payment.charge.seconds", "How long a worker waits for the payment provider to answer about a charge.",
        default: 10, in: 1...60)
    static let concurrency = ConfigurationKey<Int>(
        "payment.worker.concurrency", "Charges that one process asks the payment provider about at the same time.",
        default: 16, in: 1...200)
    static let tries = ConfigurationKey<Int>(
        "payment.tries", "Tries without an answer after which a customer may pay otherwise.", default: 6, in: 1...10)
    static let authorisationHours = ConfigurationKey<Int>(
        "payment.authorisation.hours",
        "How long the payment provider keeps an authorisation. It is captured when six sevenths of that are over.",
        default: 168, in: 1...744)
    static let stuckMinutes = ConfigurationKey<Int>(
        "payment.stuck.minutes", "After which time without a step a payment is one that `wallet verify` lists.",
        default: 60, in: 1...10_080)
    static let ledgerWorkers = ConfigurationKey<Int>(
        "ledger.workers",
        "Batches of commands to the ledger that one process performs at the same time. Two large ones nearly always have"
            + " an account in common, so that more than two mostly wait for each other.",
        default: 2, in: 1...16)
    static let ledgerBatch = ConfigurationKey<Int>(
        "ledger.batch", "Commands to the ledger in one transaction, at most.", default: 200, in: 1...1_000)

    static let applePayMerchant = ConfigurationKey<String>(
        "payment.apple.merchant", "The merchant's identifier at Apple; empty where there is no Apple Pay on the web.",
        default: "")
    static let applePayDomain = ConfigurationKey<String>(
        "payment.apple.domain", "The host of the site, as registered at Apple.", default: "")
    static let applePayCertificate = ConfigurationKey<String>(
        "payment.apple.certificate.file", "The merchant identity certificate of Apple, a PEM file.", default: "")
    static let applePayKey = ConfigurationKey<String>(
        "payment.apple.key.file", "The key of that certificate, a PEM file.", default: "")
    static let applePayGateway = ConfigurationKey<String>(
        "payment.apple.gateway", "The only address that plays Apple's gateway, to try it out; empty for Apple's own.",
        default: "", range: "http://… on this machine, or empty",
        isAllowed: { url in
            url.isEmpty
                || URLComponents(string: url).map {
                    $0.scheme == "http" && isNear($0.host ?? "") && $0.path.isEmpty && $0.query == nil
                } == true
        })
}
