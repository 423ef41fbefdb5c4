import Foundation
import Logging

/// Answers what the weather is in a city (H2): from memory while that is fresh, else from the weather service, and from
/// what was told at most three hours ago while that one does not answer.
actor WeatherDesk {
    private let source: any WeatherSource
    private let logger: Logger
    private var memory = WeatherMemory()
    /// One question for each city, however many people wait for it. It ends by the source's own limit of time.
    private var asking: [String: Task<Void, Never>] = [:]

    init(source: any WeatherSource, logger: Logger) {
        self.source = source
        self.logger = logger
    }

    /// Nil if the weather cannot be told now.
    func report(of city: GuideCity, at now: Date) async -> WeatherMemory.Kept? {
        if let fresh = memory.fresh(city.id, at: now) { return fresh }
        if let question = asking[city.id] {
            await question.value
        } else if memory.mayAsk(at: now) {
            let question = Task { await ask(city, at: now) }
            asking[city.id] = question
            await question.value
        }
        return memory.known(city.id, at: now)
    }

    /// Ends the connections; called when the process ends.
    func close() async { await source.close() }

    private func ask(_ city: GuideCity, at now: Date) async {
        defer { asking[city.id] = nil }
        do {
            memory.answered(city.id, try await source.report(of: city), at: now)
        } catch {
            memory.failed(at: now)
            // The error's text could hold the address with its key.
            logger.warning("the weather service did not answer", metadata: ["error": "\(type(of: error))"])
        }
    }
}

/// A service that tells the weather.
protocol WeatherSource: Sendable {
    /// - Throws: if there is no answer in time, or none that can be read.
    func report(of city: GuideCity) async throws -> WeatherReport
    func close() async
}
