public import ArgumentParser
import Foundation

extension SeraiService {
    /// The program of the service: `serve` (what it does when nothing is said), `migrate` and `config`.
    ///
    /// ```swift
    /// @main
    /// enum Dispatch {
    ///     static func main() async { await DispatchService.main() }
    /// }
    /// ```
    /// Exit codes: 0 after a clean shutdown, 1 after a failure, 3 when `migrate --check` misses something, 64 for a wrong
    /// command, 78 (EX_CONFIG) for a wrong configuration.
    ///
    /// The process ends without what libraries do at exit. Threads of the pool may run still, and OpenSSL and Kerberos
    /// free under them what they use.
    public static func main() async {
        var code = ExitCode.success
        do {
            var command = try ServiceCommand<Self>.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            code = ServiceCommand<Self>.exitCode(for: error)
            let message = ServiceCommand<Self>.fullMessage(for: error)
            let output = code.isSuccess ? FileHandle.standardOutput : .standardError
            if !message.isEmpty { output.write(Data("\(message)\n".utf8)) }
        }
        fflush(nil)
        _exit(code.rawValue)
    }
}

/// See ``SeraiService/main()``.
public struct ServiceCommand<Service: SeraiService>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Service.name, abstract: Service.about, discussion: ServiceProcess<Service>.help,
            subcommands: [Serve<Service>.self, Migrate<Service>.self, ShowConfiguration<Service>.self]
                + Service.commands,
            defaultSubcommand: Serve<Service>.self)
    }

    public init() {}
}

/// `SERVICE serve`
struct Serve<Service: SeraiService>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve", abstract: "Run the service.", discussion: ServiceProcess<Service>.help)
    }

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags; see the list.")
    var flags: [String] = []

    func run() async throws {
        if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
        try await ServiceProcess<Service>.exit { try await ServiceProcess<Service>.serve(flags: flags) }
    }
}

/// `SERVICE migrate`
struct Migrate<Service: SeraiService>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "migrate", abstract: "Bring the service's schema up to date and end.",
            discussion: "Needs the keys of the database and of logging only.")
    }

    @Flag(help: "Change nothing: print the migrations that are missing, and end with 3 when there are any.")
    var check = false

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    func run() async throws {
        if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
        try await ServiceProcess<Service>.exit {
            guard check else { return try await ServiceProcess<Service>.migrate(flags: flags) }
            let missing = try await ServiceProcess<Service>.missing(flags: flags)
            for migration in missing { print(migration) }
            guard missing.isEmpty else { throw ExitCode(3) }
            return .success
        }
    }
}

/// `SERVICE config`
struct ShowConfiguration<Service: SeraiService>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config",
            abstract: "Show the configuration in force without its secrets, or all keys as a Markdown table.")
    }

    @Flag(help: "All keys as a Markdown table, for the manual.")
    var markdown = false

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    func run() async throws {
        if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
        try await ServiceProcess<Service>.exit {
            if markdown {
                print(ConfigurationDocument(keys: Service.allKeys).markdown, terminator: "")
            } else {
                let configuration = try ServiceProcess<Service>.configuration(flags: flags)
                print(ConfigurationDocument.values(of: configuration))
            }
            return .success
        }
    }
}
