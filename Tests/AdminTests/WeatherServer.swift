import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestKit
import Testing

extension ResponseBody {
    /// Comes drop by drop, for longer than any test waits.
    static let drops = ResponseBody { writer in
        for _ in 0..<600 {
            try await writer.write(ByteBuffer(string: " "))
            try await Task.sleep(for: .milliseconds(100))
        }
        try await writer.finish(nil)
    }
}

/// A server that plays a weather service in Open-Meteo's form: what it was asked, and what it answers.
final class WeatherServer: Sendable {
    struct Reply: Sendable {
        var status = HTTPResponse.Status.ok
        var body = WeatherServer.sunny
        var delay: Duration = .zero
        /// Whether the body comes drop by drop.
        var drips = false
    }

    private let asked = Mutex<[String]>([])
    private let reply = Mutex(Reply())

    /// Noon of 28 November 2026 in Makkah, and two days.
    static let sunny = forecast(temperature: "31.4")

    static func forecast(temperature: String) -> String {
        """
        {"latitude":21.4,"longitude":39.8,"utc_offset_seconds":10800,"timezone":"Asia/Riyadh",
         "current":{"time":1795856400,"interval":900,"temperature_2m":\(temperature),"relative_humidity_2m":38,
           "apparent_temperature":32.0,"is_day":1,"weather_code":2,"wind_speed_10m":11.9},
         "daily":{"time":[1795813200,1795899600],"weather_code":[2,95],
           "temperature_2m_max":[33.1,34.0],"temperature_2m_min":[22.8,23.5]}}
        """
    }

    static func run(_ body: @escaping @Sendable (WeatherServer, _ url: String) async throws -> Void) async throws {
        let server = WeatherServer()
        let router = Router()
        router.get("**") { request, _ in
            server.asked.withLock { $0.append(request.uri.string) }
            let reply = server.reply.withLock { $0 }
            if reply.delay > .zero { try await Task.sleep(for: reply.delay) }
            return Response(
                status: reply.status, headers: [.contentType: "application/json"],
                body: reply.drips ? .drops : ResponseBody(byteBuffer: ByteBuffer(string: reply.body)))
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: TestThreads.logger)
        try await application.test(.live) { client in
            try await body(server, "http://127.0.0.1:\(try #require(client.port))")
        }
    }

    func drips() { reply.withLock { $0 = Reply(drips: true) } }

    func answers(_ body: String, status: HTTPResponse.Status = .ok, after delay: Duration = .zero) {
        reply.withLock { $0 = Reply(status: status, body: body, delay: delay) }
    }

    var questions: [String] { asked.withLock { $0 } }
}
