import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import LiveMarkets
import Matching
import Messaging
import ServiceKit

/// Serves ways from one place to another, to everybody (H3, H6).
struct WayRoutes: Sendable {
    let markets: LiveMarkets
    let finder: WayFinder

    func add(to router: Router<SeraiRequestContext>) {
        router.post("dispatch/v1/markets/{market}/ways") { try await way($0, $1) }
    }

    /// A POST, because addresses stand in logs and where somebody is must not.
    private func way(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        _ = try markets.market(of: context)
        let form = try await request.form(context: context)
        guard form.has("to") else { throw Problem("no-destination", status: .unprocessableContent) }
        let (from, to) = (form.coordinates("from"), form.coordinates("to"))
        let profile = form.choice("profile", of: Way.Profile.self)
        guard let from, let to, let profile, form.isValid else { throw form.problem }
        let here = GeoPoint(latitude: from.latitude, longitude: from.longitude)
        let there = GeoPoint(latitude: to.latitude, longitude: to.longitude)
        if here.metres(to: there) > Way.maximumMetres { form.reject("to", "too-far") }
        try form.finish()
        let found = await finder.way(from: here, to: there, profile, for: context.clientLimitKey)
        var answer = try Response.json(.ok, WayView(found, from: here, to: there, profile, context.language))
        answer.headers[.cacheControl] = "no-store"
        return answer
    }
}

struct WayView: Encodable, Sendable {
    struct Step: Encodable, Sendable {
        let text: String
        let turn: String
        let street: String?
        let metres: Int
        let seconds: Int
        let latitude: Double
        let longitude: Double
    }

    let profile: String
    /// Whether this is a direction alone, because no way is known.
    let straight: Bool
    /// Why it is, as a word for programs: `none` or `unavailable`.
    let reason: String?
    let metres: Int
    /// Nil for a direction.
    let seconds: Int?
    /// Degrees from true north; for a direction alone.
    let bearing: Int?
    /// Pairs of latitude and longitude.
    let line: [[Double]]
    let steps: [Step]
    /// Must be shown with a way.
    let attribution: String?

    init(
        _ answer: WayFinder.Answer, from: GeoPoint, to: GeoPoint, _ profile: Way.Profile, _ language: Language
    ) {
        self.profile = profile.rawValue
        guard case .way(let way) = answer else {
            let direction = Direction(from: from, to: to)
            straight = true
            reason = answer == .none ? "none" : "unavailable"
            (metres, seconds, bearing) = (direction.metres, nil, direction.bearing)
            line = [from, to].map { [$0.latitude, $0.longitude] }
            (steps, attribution) = ([], nil)
            return
        }
        (straight, reason) = (false, nil)
        (metres, seconds, bearing) = (way.metres, way.seconds, nil)
        line = way.line.map { [$0.latitude, $0.longitude] }
        steps = way.steps.map { step in
            Step(
                text: step.turn.text(into: step.street, in: language.rawValue), turn: step.turn.name,
                street: step.street.isEmpty ? nil : step.street, metres: step.metres, seconds: step.seconds,
                latitude: step.at.latitude, longitude: step.at.longitude)
        }
        attribution = "© OpenStreetMap contributors"
    }
}
