import BenchResults
import Foundation
import Matching

/// The same question to PostgreSQL with PostGIS: its KNN search over a GiST index, timed inside the server, so without
/// the way there and back.
enum PostGISBenchmark {
    private static let queries = 300

    static func measure(into results: inout Results) throws {
        guard let url = ProcessInfo.processInfo.environment["SERAI_TEST_POSTGRES"] else {
            Progress.tell("nearest_vs_postgis: left out, SERAI_TEST_POSTGRES names no server")
            return
        }
        var town = Town()
        var index = PlaceIndex()
        for (id, place) in zip(town.ids, town.places) { index.put(id, Fix(place: place, at: Town.start)) }
        let places = (0..<queries).map { _ in town.point() }
        let (theirs, latency) = try ask(url, town, places)
        let (ours, same) = try compare(theirs, index, town, places)
        let times = theirs.map(\.microseconds)
        results.add(
            "nearest_vs_postgis", [latency / ours.mean],
            "times faster by means; \(same) of \(queries) answers are the same to the place")
        results.add("nearest_vs_postgis_in_server", [times.median / ours.median], "by medians, without the way there")
        results.add(
            "postgis_us_mean", [latency], "µs, pgbench -M prepared, one client: geography <-> over GiST of the free")
        results.add("postgis_in_server_us_p50", [times.median], "µs")
    }

    /// - Returns: our microseconds for each question, and how many answers are the same to the place.
    private static func compare(
        _ theirs: [Answer], _ index: PlaceIndex, _ town: Town, _ places: [GeoPoint]
    ) throws -> (ours: [Double], same: Int) {
        var ours: [Double] = []
        var same = 0
        for (place, answer) in zip(places, theirs) {
            var found: [PlaceIndex.Found] = []
            let took = ContinuousClock().measure {
                found = index.nearest(20, to: place, within: 50_000, since: Town.start) { !town.busy.contains($0) }
            }
            ours.append(took.microseconds)
            let numbers = found.map { Int($0.id.uuid.13) << 16 | Int($0.id.uuid.14) << 8 | Int($0.id.uuid.15) }
            if numbers == answer.ids { same += 1 }
            // Where it differs, it is by the earth's shape, which is half a percent at most.
            let metres = answer.ids.map { town.places[$0].metres(to: place) }
            guard metres.count == found.count, zip(metres, found).allSatisfy({ $0 <= $1.metres * 1.011 }) else {
                throw BenchmarkError(description: "PostGIS finds others near \(place): \(answer.ids), not \(numbers)")
            }
        }
        return (ours, same)
    }

    private struct Answer {
        let microseconds: Double
        let ids: [Int]
    }

    /// - Returns: each answer with its time inside the server, and a client's mean microseconds.
    private static func ask(_ url: String, _ town: Town, _ places: [GeoPoint]) throws -> ([Answer], Double) {
        let database = "bench_dispatch_\(ProcessInfo.processInfo.processIdentifier)"
        guard var components = URLComponents(string: url) else { throw BenchmarkError(description: "no URL: \(url)") }
        components.path = "/" + database
        guard let own = components.string else { throw BenchmarkError(description: "no URL: \(url)") }
        _ = try psql(url, "CREATE DATABASE \(database);\n")
        defer {
            do { _ = try psql(url, "DROP DATABASE \(database);\n") } catch { Progress.tell("\(error)") }
        }
        let output = try psql(own, script(town, places))
        let answers = output.split(separator: "\n").compactMap { line -> Answer? in
            let fields = line.split(separator: "|")
            guard fields.count == 2, let microseconds = Double(fields[0]) else { return nil }
            return Answer(microseconds: microseconds, ids: fields[1].split(separator: ",").compactMap { Int($0) })
        }
        return (answers, try latency(own))
    }

    /// What a client waits for the same question, prepared, over the loopback: microseconds.
    private static func latency(_ url: String) throws -> Double {
        let versions = URL(filePath: "/usr/lib/postgresql")
        // Debian's own pgbench is a script. Where there is no such folder, the one of the path will do.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions.path())) ?? []
        let newest = names.compactMap { Int($0) }.max().map { versions.appending(path: "\($0)/bin/pgbench").path() }
        let script = """
            \\set longitude random(46300000, 47140000)
            \\set latitude random(24300000, 25060000)
            SELECT id FROM place WHERE free ORDER BY spot <->
              ST_SetSRID(ST_MakePoint(:longitude / 1000000.0, :latitude / 1000000.0), 4326)::geography LIMIT 20;

            """
        // Counted, not timed: the alarm that ends a timed run is blocked in what this program starts.
        let output = try run(
            [newest ?? "pgbench", "-n", "-M", "prepared", "-c", "1", "-t", "3000"], scriptAs: "-f", script, last: url)
        for line in output.split(separator: "\n") where line.hasPrefix("latency average") {
            if let milliseconds = line.split(separator: " ").compactMap({ Double($0) }).first {
                return milliseconds * 1_000
            }
        }
        throw BenchmarkError(description: "pgbench tells no latency: \(output)")
    }

    private static func script(_ town: Town, _ places: [GeoPoint]) -> String {
        var script = """
            CREATE EXTENSION postgis;
            CREATE TABLE place (id int, free bool, spot geography(Point, 4326));
            COPY place FROM STDIN;

            """
        for (number, place) in town.places.enumerated() {
            let isFree = !town.busy.contains(town.ids[number])
            script += "\(number)\t\(isFree ? "t" : "f")\tSRID=4326;POINT(\(place.longitude) \(place.latitude))\n"
        }
        script += """
            \\.
            CREATE INDEX ON place USING gist (spot) WHERE free;
            VACUUM ANALYZE place;
            CREATE TABLE question (id int, spot geography(Point, 4326));
            COPY question FROM STDIN;

            """
        for (number, place) in places.enumerated() {
            script += "\(number)\tSRID=4326;POINT(\(place.longitude) \(place.latitude))\n"
        }
        script += """
            \\.
            CREATE TABLE answer (question int, microseconds float8, ids text);
            DO $$
            DECLARE asked record; began timestamptz; found text;
            BEGIN
              FOR pass IN 1..2 LOOP
                DELETE FROM answer;
                FOR asked IN SELECT * FROM question ORDER BY id LOOP
                  began := clock_timestamp();
                  SELECT string_agg(id::text, ',' ORDER BY n) INTO found FROM (
                    SELECT id, row_number() OVER () AS n FROM (
                      SELECT id FROM place WHERE free ORDER BY spot <-> asked.spot LIMIT 20) AS nearest) AS numbered;
                  INSERT INTO answer
                  VALUES (asked.id, extract(epoch FROM clock_timestamp() - began) * 1e6, found);
                END LOOP;
              END LOOP;
            END $$;
            SELECT microseconds, ids FROM answer ORDER BY question;

            """
        return script
    }

    private static func psql(_ url: String, _ script: String) throws -> String {
        try run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url], scriptAs: "-f", script)
    }

    private static func run(
        _ command: [String], scriptAs option: String, _ script: String, last: String? = nil
    ) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sql")
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }  // Left over, it harms nobody.
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command + [option, file.path(percentEncoded: false)] + (last.map { [$0] } ?? [])
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(description: "\(command[0]) ended with \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
