import Foundation
import Matching
import SeraiJSON
import ServiceKit

@testable import SeraiDispatch
@testable import SeraiNotifications

extension Parser {
    static let answers = [routing, deliveries, payments, signatures, weather]

    /// OSRM's tables and ways, and places in Nominatim's form.
    static let routing = Parser(name: "routing") { bytes in
        let data = Data(bytes)
        // try?: most texts are refused.
        if let estimates = try? RoutingTimes.read(data, count: 2) {
            try require(estimates.count == 2, "\(estimates.count) estimates")
            for estimate in estimates.compactMap({ $0 }) {
                try require(estimate.seconds >= 0 && estimate.metres >= 0, "\(estimate)")
                _ = estimate.rounded
            }
        }
        if case .way(let way)? = try? WayFinder.read(data) {
            try require((2...WayFinder.maximumPoints).contains(way.line.count), "\(way.line.count) points")
            try require(way.steps.count <= WayFinder.maximumSteps, "\(way.steps.count) steps")
            try require(way.metres >= 0 && way.seconds >= 0, "\(way.metres) m, \(way.seconds) s")
        }
        // try?: a list is no single entry.
        let found = (try? JSON.wire.decode([Geocoder.Entry].self, bytes)) ?? []
        let single = (try? JSON.wire.decode(Geocoder.Entry.self, bytes)).map { [$0] } ?? []
        for place in (found + single).compactMap(\.found) {
            try require((1...300).contains(place.name.count), "a name of \(place.name.count)")
            try require(abs(place.place.latitude) <= 90 && abs(place.place.longitude) <= 180, "\(place.place)")
        }
    }

    /// The answers of those who bring mails, SMS and push messages: a number, a command or header, then the body.
    static let deliveries = Parser(name: "deliveries", maximumBytes: 4_096) { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false).map {
            text($0)
        }
        let status = UInt(parts[0]) ?? 0
        let retry = parts.count > 1 ? parts[1] : nil
        let body = parts.count > 2 ? parts[2] : ""
        for outcome in [
            APNsGateway.outcome(status, retryAfter: retry, reason: body),
            FCMGateway.outcome(status, retryAfter: retry, answer: body),
        ] {
            if case .later(let seconds?) = outcome { try require(seconds >= 0, "a pause of \(seconds) s") }
        }
        if case .later(_, let seconds?) = SMSVerdict.outcome(status: status, code: Int(body), retryAfter: retry) {
            try require((0...SMSVerdict.longestPauseSeconds).contains(seconds), "a pause of \(seconds) s")
        }
        if case .failed(let asked) = WebhookPlan.outcome(ofStatus: status, retryAfter: retry) {
            let pause = WebhookPlan.pause(afterTries: 1, askedFor: asked, chance: 0) ?? 0
            try require((0...WebhookPlan.longestAskedSeconds).contains(pause), "a pause of \(pause) s")
        }
        _ = try? JSON.wire.decode(FCMGateway.Account.self, Array(body.utf8))
    }
}
