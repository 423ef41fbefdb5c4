import Foundation

/// The C program on librabbitmq that the AMQP layer is measured against; built as a product of this package.
enum RawAMQP {
    private struct Result: Decodable {
        let count: Int
        let seconds: Double
    }

    /// Declares the quorum queue and publishes to it with confirms.
    static func publish(
        _ url: String, _ queue: String, count: Int, bodyBytes: Int, window: Int
    ) async throws -> Sample {
        try await run(["publish", url, queue, "\(count)", "\(bodyBytes)", "\(window)"])
    }

    static func consume(
        _ url: String, _ queue: String, count: Int, prefetch: Int, ackEvery: Int
    ) async throws -> Sample {
        try await run(["consume", url, queue, "\(count)", "\(prefetch)", "\(ackEvery)"])
    }

    private static func run(_ arguments: [String]) async throws -> Sample {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "RawAMQP")
        guard FileManager.default.isExecutableFile(atPath: program.path()) else {
            throw Child.Failure(program: "RawAMQP", text: "not built: swift build -c release --product RawAMQP")
        }
        let answer = try await Child.run(program, arguments, within: .seconds(300))
        let result = try JSONDecoder().decode(Result.self, from: Data(answer.output.utf8))
        return Sample(count: result.count, duration: .seconds(result.seconds), clientCPU: answer.cpu)
    }
}
