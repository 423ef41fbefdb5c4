import AsyncHTTPClient
import Foundation
import Locks
import Logging
import Matching
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import SeraiJSON
import ServiceKit

/// Searches places with an API in Nominatim's form (C9): `search` and `reverse` with `format=jsonv2`. It caches answers
/// and limits the rate and duration of requests.
final class Geocoder: PlaceSearch {
    struct Settings: Sendable {
        /// The base URL, without `search`.
        var url: String
        var timeoutMilliseconds = 2_000
        var perSecond = 1.0
        var burst = 5.0
        /// The part of the rate that one account may use, and its burst.
        var share = 0.25
        var shareAtOnce = 2
        /// How long a cached answer is valid.
        var lifetime: Duration = .seconds(3_600)
        var cached = 2_000
        /// Used if the API's answer has no attribution.
        var attribution = "© OpenStreetMap contributors"
    }

    static let maximumAnswerBytes = 262_144
    /// The API's terms of use require a name.
    static let userAgent = "serai-dispatch/1"

    private let client: HTTPClient
    private let settings: Settings
    private let logger: Logger
    private let cache: Mutex<AnswerCache<String, FoundPlaces>>
    private let rate: Mutex<TokenBucket>
    private let shares: KeyedRateLimit

    init(client: HTTPClient, settings: Settings, logger: Logger) {
        self.client = client
        self.settings = settings
        self.logger = logger
        cache = Mutex(AnswerCache(limit: settings.cached))
        rate = Mutex(TokenBucket(perSecond: settings.perSecond, burst: settings.burst))
        shares = KeyedRateLimit(
            RateLimit(perSecond: settings.perSecond * settings.share, burst: settings.shareAtOnce), maximumKeys: 20_000)
    }

    func places(
        named text: String, within box: PlaceBox, language: String, limit: Int, for account: UUID
    ) async throws(PlaceSearchFailure) -> FoundPlaces {
        // An area across the 180th meridian is asked for in two parts. Both count as requests of the account.
        var found: [FoundPlaces] = []
        for part in box.parts {
            found.append(
                try await places(named: text, inside: part, language: language, limit: limit, for: account))
        }
        return FoundPlaces(inTurn: found)
    }

    private func places(
        named text: String, inside box: PlaceBox, language: String, limit: Int, for account: UUID
    ) async throws(PlaceSearchFailure) -> FoundPlaces {
        let viewbox = [box.west, box.north, box.east, box.south].map { String($0) }.joined(separator: ",")
        let question = [
            ("q", text), ("format", "jsonv2"), ("limit", String(limit)), ("viewbox", viewbox), ("bounded", "1"),
            ("accept-language", language),
        ]
        return try await ask("search", question, for: account) { data in
            try JSON.wire.decode([Entry].self, data)
        }
    }

    func name(of place: GeoPoint, language: String, for account: UUID) async throws(PlaceSearchFailure) -> FoundPlaces {
        // Four decimals are about ten metres: small moves of the pin use the same cached answer.
        let question = [
            ("lat", String(format: "%.4f", place.latitude)), ("lon", String(format: "%.4f", place.longitude)),
            ("format", "jsonv2"), ("accept-language", language),
        ]
        return try await ask("reverse", question, for: account) { data in
            // For a place without a name the API answers with an error object.
            let entry = try JSON.wire.decode(Entry.self, data)
            return entry.error == nil ? [entry] : []
        }
    }

    private func ask(
        _ path: String, _ question: [(String, String)], for account: UUID, _ read: (Data) throws -> [Entry]
    ) async throws(PlaceSearchFailure) -> FoundPlaces {
        let url = Self.url(settings.url, path, question)
        let now = ContinuousClock.now
        if let kept = cache.withLock({ $0.value(of: url, at: now) }) { return kept }
        // The account's limit comes first, so that its refused requests do not use up the common rate. Cached answers
        // are free.
        if let seconds = shares.take(account.uuidString) { throw .shareUsed(afterSeconds: seconds) }
        guard rate.withLock({ $0.take(at: now) }) else { throw .unavailable }
        let found: FoundPlaces
        do {
            var request = HTTPClientRequest(url: url)
            request.headers.add(name: "user-agent", value: Self.userAgent)
            request.headers.add(name: "accept", value: "application/json")
            let (head, body) = try await client.whole(
                request, within: .milliseconds(settings.timeoutMilliseconds), upTo: Self.maximumAnswerBytes)
            guard head.status == .ok else { throw Unanswered(status: Int(head.status.code)) }
            let entries = try read(Data(buffer: body))
            found = FoundPlaces(
                places: entries.compactMap(\.found),
                attribution: entries.first?.licence ?? settings.attribution)
        } catch {
            logger.warning("the place search did not answer", metadata: ["error": "\(type(of: error))"])
            throw .unavailable
        }
        cache.withLock { $0.put(found, for: url, until: now + settings.lifetime) }
        return found
    }

    static func url(_ base: String, _ path: String, _ question: [(String, String)]) -> String {
        let query = question.map { "\($0)=\(escaped($1))" }.joined(separator: "&")
        return "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/\(path)?\(query)"
    }

    /// Percent-encodes all bytes except RFC 3986's unreserved characters.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }

    struct Unanswered: Error { let status: Int }

    struct Entry: Decodable {
        let lat: String?
        let lon: String?
        let display_name: String?
        let licence: String?
        let error: String?

        var found: FoundPlace? {
            guard let name = display_name, let latitude = lat.flatMap(Double.init),
                let longitude = lon.flatMap(Double.init), (-90...90).contains(latitude),
                (-180...180).contains(longitude), !name.isEmpty
            else { return nil }
            return FoundPlace(
                name: String(name.prefix(300)), place: GeoPoint(latitude: latitude, longitude: longitude))
        }
    }
}
