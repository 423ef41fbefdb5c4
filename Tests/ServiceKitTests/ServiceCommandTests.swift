import ArgumentParser
import Testing

@testable import ServiceKit

@Suite("The program of a service")
struct ServiceCommandTests {
    struct Sample: SeraiService {
        static let name = "sample"
        static let about = "A service for tests."
        static let keys = [ConfigurationKey<Int>("sample.size", "How large it is.", default: 3, in: 1...9).erased]
        static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] { [] }
    }

    func parse(_ arguments: String...) throws -> any ParsableCommand {
        try ServiceCommand<Sample>.parseAsRoot(arguments)
    }

    @Test("without a subcommand it serves, with the flags it is given")
    func serves() throws {
        #expect(try #require(try parse() as? Serve<Sample>).flags == [])
        #expect(
            try #require(try parse("--http-port", "80", "--log-level=debug") as? Serve<Sample>).flags
                == ["--http-port", "80", "--log-level=debug"])
        #expect(try #require(try parse("serve", "--http-port", "80") as? Serve<Sample>).flags == ["--http-port", "80"])
    }

    @Test("migrate and config take configuration flags too, beside their own")
    func others() throws {
        #expect(
            try #require(try parse("migrate", "--database-url", "x=y") as? Migrate<Sample>).flags
                == ["--database-url", "x=y"])
        let check = try #require(try parse("migrate", "--check", "--database-url", "x=y") as? Migrate<Sample>)
        #expect(check.check && check.flags == ["--database-url", "x=y"])
        #expect(try #require(try parse("migrate") as? Migrate<Sample>).check == false)
        let config = try #require(try parse("config", "--markdown") as? ShowConfiguration<Sample>)
        #expect(config.markdown)
        #expect(try #require(try parse("config", "--http-port", "1") as? ShowConfiguration<Sample>).flags.count == 2)
    }

    @Test("help lists the service's own keys with the common ones")
    func help() {
        let text = ServiceCommand<Sample>.helpMessage()
        for flag in ["--sample-size", "--database-url", "--http-port", "SERAI_SAMPLE_SIZE"] {
            #expect(text.contains(flag), "\(flag)")
        }
    }
}
