import ArgumentParser
import Foundation
import LocalPlatform
import Synchronization

struct EnvUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Starts the servers that tests run against, those that do not run yet, and writes their URLs to .local/env.",
        discussion: """
            With SERAI_DURABLE set: others, under .local/durable, which wait for the disk at every commit. A server that the \
            environment names (SERAI_TEST_POSTGRES; SERAI_TEST_AMQP with SERAI_TEST_RABBITMQ_MANAGEMENT) is not started. Safe \
            with several callers at once. Also removes private servers of test processes that were killed.
            """)

    func run() async throws {
        try await Ending.cancelling {
            _ = try await TestEnvironment(project: .current, variables: variables).up()
        }
    }
}

struct EnvDown: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stops those servers. Their data stays.")

    @Flag(help: "Remove their data, too.")
    var remove = false

    func run() async throws {
        try await TestEnvironment(project: .current, variables: variables).down(removing: remove)
    }
}

struct WithEnv: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a command with those servers up and their URLs in its environment; exits with its code.",
        discussion: "Servers started only for this are stopped after the last of several such commands has ended.")

    @Argument(parsing: .captureForPassthrough, help: "The command.")
    var command: [String]

    func run() async throws {
        let command = command
        let child = Mutex<ChildProcess?>(nil)
        let task = Task {
            let code = try await TestEnvironment(project: .current, variables: variables).whileUp { urls in
                try Task.checkCancellation()
                let started = try ChildProcess(
                    Command(command).with(urls.variables).with(["SERAI_TEST_PROJECT": Project.current.folder]),
                    output: .inherited, session: .callers)
                child.withLock { $0 = started }
                while true {
                    // The command's end is its own: signals reach it, and this waits for it.
                    if let ending = try await started.ended(within: .seconds(86_400)) { return ending.code }
                }
            }
            return code
        }
        let signals = Signals([SIGINT, SIGTERM, SIGHUP]) { number in
            guard let started = child.withLock({ $0 }) else { return task.cancel() }
            // Ctrl-C reaches all that the terminal runs.
            if number != SIGINT { started.send(number) }
        }
        defer { signals.forget() }
        let code: Int32
        do {
            code = try await task.value
        } catch is CancellationError {
            code = 128 + (signals.first ?? SIGTERM)
        }
        if code != 0 { throw ExitCode(code) }
    }
}

struct FreePortsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "free-ports", abstract: "Prints loopback ports that nobody listens on or has just been given.")

    @Argument var count = 1

    func run() async throws {
        say(try FreePorts.take(count).map(String.init).joined(separator: " "))
    }
}
