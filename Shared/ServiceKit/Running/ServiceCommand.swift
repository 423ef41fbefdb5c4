public import ArgumentParser

extension SeraiService {
    /// The program of the service: `serve` (what it does when nothing is said), `migrate` and `config`.
    ///
    /// ```swift
    /// @main
    /// enum Dispatch {
    ///     static func main() async { await DispatchService.main() }
    /// }
    /// ```
    /// Exit codes: 0 after a clean shutdown, 1 after a failure, 64 for a wrong command, 78 (EX_CONFIG) for a wrong
    /// configuration.
    public static func main() async { await ServiceCommand<Self>.main() }
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

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    func run() async throws {
        if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
        try await ServiceProcess<Service>.exit { try await ServiceProcess<Service>.migrate(flags: flags) }
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
