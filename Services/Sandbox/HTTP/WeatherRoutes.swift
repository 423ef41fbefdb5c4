import Foundation
import Hummingbird

/// `/weather/v1/forecast`: a weather service in Open-Meteo's form. It answers what the platform asks, and refuses a question
/// for anything else, as the original does.
struct WeatherRoutes {
    private struct Refusal: Encodable {
        let error = true
        let reason: String
    }

    func add(to router: Router<SandboxContext>) {
        router.get("weather/v1/forecast") { request, _ in
            let query = request.uri.queryParameters
            guard let latitude = query["latitude"].flatMap({ Double($0) }), (-90...90).contains(latitude),
                let longitude = query["longitude"].flatMap({ Double($0) }), (-180...180).contains(longitude)
            else { return try Self.refused("Parameter 'latitude' and 'longitude' must be degrees") }
            guard let zone = TimeZone(identifier: query["timezone"].map(String.init) ?? "GMT") else {
                return try Self.refused("Invalid timezone")
            }
            guard query["timeformat"] == "unixtime" else {
                return try Self.refused("Only timeformat=unixtime is played")
            }
            let days = query["forecast_days"].flatMap { Int($0) } ?? 7
            guard (1...SandboxWeather.maximumDays).contains(days) else {
                return try Self.refused("Forecast days is invalid. Allowed range 1 to 16.")
            }
            let forecast = SandboxWeather.forecast(
                latitude: latitude, longitude: longitude, zone: zone, days: days, at: Date())
            return Response(json: try JSONEncoder().encode(forecast))
        }
    }

    private static func refused(_ reason: String) throws -> Response {
        Response(status: .badRequest, json: try JSONEncoder().encode(Refusal(reason: reason)))
    }
}
