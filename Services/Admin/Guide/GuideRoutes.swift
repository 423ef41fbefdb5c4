import Foundation
import Hummingbird
import PrayerTimes
import ServiceKit

/// The guide for pilgrims, open to everybody without an account (H6): cities, prayer times, weather.
struct GuideRoutes: Sendable {
    let clock: @Sendable () -> Date
    /// Nil where no weather service is configured.
    let weather: WeatherDesk?

    func add(to router: Router<SeraiRequestContext>) {
        let group = router.group("admin/v1/guide")
        group.get("cities", use: cities)
        group.get("prayer-times", use: prayerTimes)
        group.get("next-prayer", use: nextPrayer)
        group.get("weather", use: showWeather)
    }

    private func cities(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        try QueryForm(request).finish()
        return try Response.cached(
            GuideCityList(in: context.language), cache: "public, max-age=3600", language: context.language)
    }

    /// The times of a day that the question names are always the same; those of today change at midnight.
    private func prayerTimes(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let query = QueryForm(request)
        let place = query.guidePlace()
        let settings = place.map { query.prayerSettings(at: $0) }
        let days = query.guideDays()
        try query.finish(reading: ["method", "madhab", "highLatitude"])
        guard let place, let settings else { throw query.problem }
        let view = PrayerTimesView(
            place, settings, days: days ?? [CivilDay(clock(), in: place.timeZone)])
        return try Response.cached(view, cache: days == nil ? "public, max-age=60" : "public, max-age=86400")
    }

    private func nextPrayer(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let query = QueryForm(request)
        let place = query.guidePlace()
        let settings = place.map { query.prayerSettings(at: $0) }
        try query.finish(reading: ["method", "madhab", "highLatitude"])
        guard let place, let settings else { throw query.problem }
        return try Response.cached(NextPrayerView(place, settings, at: clock()), cache: "public, max-age=10")
    }

    private func showWeather(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let query = QueryForm(request)
        let city = query.choice("city", of: GuideCity.all.map(\.id)).flatMap(GuideCity.named)
        if city == nil, query["city"] == nil { query.reject("city", "required") }
        try query.finish()
        guard let city else { throw query.problem }
        let now = clock()
        guard let report = await weather?.report(of: city, at: now) else { throw Problem.weatherUnavailable }
        return try Response.cached(
            WeatherView(city, report, at: now, in: context.language), cache: "public, max-age=60",
            language: context.language)
    }
}

extension QueryForm {
    /// As ``finish()``; these parameters are known even where a fault before them kept them from being read.
    fileprivate func finish(reading names: [String]) throws(Problem) {
        for name in names { _ = self[name] }
        try finish()
    }
}

extension Problem {
    /// 503 (H2)
    static let weatherUnavailable = Problem(
        "weather-unavailable", status: .serviceUnavailable, headers: [.retryAfter: "60"])
}
