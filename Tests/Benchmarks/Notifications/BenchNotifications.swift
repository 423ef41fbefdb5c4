import ArgumentParser
import BenchResults
import Foundation
import TestKit

/// Measures how soon events reach streams, how fast a general notice goes out, and what a stream costs; prints a
/// table and writes it as JSON.
@main
struct BenchNotifications: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BenchNotifications",
        abstract:
            "From an event to a stream, a general notice's pace, orders' messages meanwhile, friends' places, idle streams.",
        discussion: "Nothing else may run meanwhile. The service is a process of its own, beside this program's.")

    @Option(help: "Rounds of each figure. The medians of fewer than 3 mean nothing.")
    var rounds = 5

    @Option(help: "Seconds of load in each measurement of a round.")
    var seconds = 10

    @Option(help: "Connected streams.")
    var streams = 1_000

    @Option(help: "Connected streams of the second measurement, at the same rate.")
    var many = 5_000

    @Option(help: "Events a second.")
    var rate = 200

    @Option(help: "People that a general notice goes to, in each round.")
    var crowd = 50_000

    @Option(help: "People who share where they are once a second, all of them connected.")
    var sharers = 1_000

    @Option(help: "Friends of each of them.")
    var friends = 10

    @Option(help: "Where the JSON goes.")
    var out = TestServers.projectDirectory.appending(path: ".build/bench/notifications.json")
        .path(percentEncoded: false)

    func validate() throws {
        guard (1...99).contains(rounds) else { throw ValidationError("--rounds is 1 to 99") }
        guard (1...600).contains(seconds) else { throw ValidationError("--seconds is 1 to 600") }
        guard (2...3_000).contains(streams) else { throw ValidationError("--streams is 2 to 3000") }
        guard (2...9_000).contains(many) else { throw ValidationError("--many is 2 to 9000") }
        guard (1...10_000).contains(rate) else { throw ValidationError("--rate is 1 to 10000") }
        guard (20...3_000).contains(sharers) else { throw ValidationError("--sharers is 20 to 3000") }
        guard (1..<min(sharers, 200)).contains(friends) else { throw ValidationError("--friends is 1 to 199") }
        guard (1_000...10_000_000).contains(crowd) else { throw ValidationError("--crowd is 1000 to 10000000") }
    }

    func run() async throws {
        var results = Results(rounds: rounds, secondsPerMeasurement: seconds)
        try await NotificationsProcess.withService { service in
            let atRest = try service.residentMiB
            let load = try await EventLoad(service: service, streams: streams)
            let kib = (try service.residentMiB - atRest) * 1_024 / Double(streams)
            try await measure(service, load, into: &results)
            results.add("streams_kb_each", [kib], "resident memory of the service, with \(streams) streams that wait")
            load.end()
        }
        try await NotificationsProcess.withService { service in try await measureMany(service, into: &results) }
        try await NotificationsProcess.withService { service in try await measurePlaces(service, into: &results) }
        results.end()
        print(results.table)
        try results.write(to: URL(filePath: out))
        print("\nwritten to \(out)")
    }

    /// As many streams as one process is meant to hold.
    private func measureMany(_ service: NotificationsProcess, into results: inout Results) async throws {
        let atRest = try service.residentMiB
        let load = try await EventLoad(service: service, streams: many)
        let kib = (try service.residentMiB - atRest) * 1_024 / Double(many)
        var (halves, tails): ([Double], [Double]) = ([], [])
        for round in 1...rounds {
            let waits = try await load.milliseconds(for: .seconds(seconds), perSecond: rate)
            halves.append(waits.percentile(50))
            tails.append(waits.percentile(99))
            Progress.tell("many streams, round \(round) of \(rounds): p99 \(tails.last ?? 0) ms")
        }
        load.end()
        let conditions = "\(many) connected streams of one process, \(rate) events a second, two readers of each"
        results.add("event_to_many_streams_ms_p50", halves, conditions)
        results.add("event_to_many_streams_ms_p99", tails, conditions)
        results.add("many_streams_kb_each", [kib], "resident memory of the service, with \(many) streams that wait")
    }

    /// The part of a place's way after identity has written it, which adds a tenth of a second at most and its
    /// statement.
    private func measurePlaces(_ service: NotificationsProcess, into results: inout Results) async throws {
        let load = try await PlaceLoad(service: service, people: sharers, friends: friends)
        var (halves, tails, shares): ([Double], [Double], [Double]) = ([], [], [])
        for round in 1...rounds {
            let outcome = try await load.outcome(seconds: seconds)
            halves.append(outcome.milliseconds.percentile(50))
            tails.append(outcome.milliseconds.percentile(99))
            shares.append(outcome.heardShare * 100)
            Progress.tell("places, round \(round) of \(rounds): p99 \(tails.last ?? 0) ms")
        }
        load.end()
        let conditions = "\(sharers) people with \(friends) friends each, all connected, one place a second of each"
        results.add("place_to_stream_ms_p50", halves, conditions)
        results.add("place_to_stream_ms_p99", tails, conditions)
        results.add("places_heard_percent", shares, conditions)
    }

    private func measure(
        _ service: NotificationsProcess, _ load: EventLoad, into results: inout Results
    ) async throws {
        var (halves, tails, paces, meanwhile): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for round in 1...rounds {
            let alone = try await load.milliseconds(for: .seconds(seconds), perSecond: rate)
            halves.append(alone.percentile(50))
            tails.append(alone.percentile(99))
            let fanOut = FanOut(service: service, crowd: crowd)
            try await fanOut.prepare()
            async let pace = fanOut.perSecond()
            var waits: [Double] = []
            // As long as the notice goes out, and no longer.
            repeat {
                waits += try await load.milliseconds(for: .seconds(1), perSecond: rate)
            } while try await fanOut.isGoing()
            paces.append(try await pace)
            meanwhile.append(waits.percentile(99))
            Progress.tell(
                "round \(round) of \(rounds): p99 \(tails.last ?? 0) ms, notice \(Int(paces.last ?? 0))/s")
        }
        let conditions = "\(rate) events a second to \(streams) streams, from publishing to the line in the stream"
        results.add("event_to_stream_ms_p50", halves, conditions)
        results.add("event_to_stream_ms_p99", tails, conditions)
        results.add("fanout_per_s", paces, "a general notice to \(crowd) people, without a pace, beside those events")
        results.add("event_to_stream_ms_p99_at_fanout", meanwhile, "the same events while the notice goes out")
    }
}
