import Foundation
import Logging
import ServiceKit

/// A provider's discovery document and keys, fetched when they are needed and cached for an hour. If the provider does
/// not answer then, the cached values stay in use.
///
/// Keys change without notice: a token with an unknown key causes another fetch, but at most one in each interval, so
/// that invented key ids cause no load.
actor IssuerCache {
    private struct Kept<Value: Sendable>: Sendable {
        let value: Value
        let until: ContinuousClock.Instant
    }

    private let settings: OpenIDSettings
    private let requests: OpenIDRequests
    private let logger: Logger
    private var document: Kept<IssuerDocument>?
    private var keys: Kept<IDTokenKeys>?
    private var loadingDocument: Task<IssuerDocument, any Error>?
    private var loadingKeys: Task<IDTokenKeys, any Error>?
    private var lastRefetch: ContinuousClock.Instant?

    init(settings: OpenIDSettings, requests: OpenIDRequests, logger: Logger) {
        self.settings = settings
        self.requests = requests
        self.logger = logger
    }

    /// - Throws: ``OpenIDRequests/Unanswered``.
    func currentDocument() async throws -> IssuerDocument {
        if let document, document.until > .now { return document.value }
        let task =
            loadingDocument
            ?? Task { [settings, requests] in
                let url = settings.issuer + "/.well-known/openid-configuration"
                return try IssuerDocument(try await requests.get(url), issuer: settings.issuer)
            }
        loadingDocument = task
        defer { loadingDocument = nil }
        do {
            let value = try await task.value
            document = Kept(value: value, until: .now + settings.cacheLifetime)
            return value
        } catch {
            let known = try believe(document?.value, "document", error)
            document = Kept(value: known, until: .now + settings.refetchInterval)
            return known
        }
    }

    /// Nil when the provider does not have the key.
    ///
    /// - Throws: ``OpenIDRequests/Unanswered``.
    func key(_ id: String) async throws -> IDTokenKeys.Key? {
        if let keys, keys.until > .now, let key = keys.value[id] { return key }
        let isFresh = keys.map { $0.until > .now } ?? false
        if isFresh, loadingKeys == nil {
            if let lastRefetch, lastRefetch + settings.refetchInterval > .now { return nil }
            lastRefetch = .now
        }
        return try await loadKeys()[id]
    }

    /// Concurrent callers share one request.
    private func loadKeys() async throws -> IDTokenKeys {
        let url = try await currentDocument().keysEndpoint
        let task =
            loadingKeys
            ?? Task { [requests] in
                guard let keys = IDTokenKeys(try await requests.get(url)) else {
                    throw OpenIDRequests.Unanswered(description: "no usable key")
                }
                return keys
            }
        loadingKeys = task
        defer { loadingKeys = nil }
        do {
            let value = try await task.value
            keys = Kept(value: value, until: .now + settings.cacheLifetime)
            return value
        } catch {
            let known = try believe(keys?.value, "keys", error)
            keys = Kept(value: known, until: .now + settings.refetchInterval)
            return known
        }
    }

    private func believe<Value>(_ known: Value?, _ what: String, _ error: any Error) throws -> Value {
        logger.warning(
            "identity provider does not answer", metadata: ["what": "\(what)", LogKeys.error: "\(error)"])
        guard let known else { throw OpenIDRequests.Unanswered(description: "\(what): \(error)") }
        return known
    }
}
