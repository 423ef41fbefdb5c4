import Foundation
import SeraiJSON
import Testing

@testable import ServiceKit

@Suite("Configuration")
struct ConfigurationTests {
    static let port = ConfigurationKey<Int>("http.port", "The port.", default: 8080, in: 1...65535)
    static let name = ConfigurationKey<String>("market.name", "The market.")
    static let password = ConfigurationKey<Redacted<String>>(
        "smtp.password", "The password.", range: "at least 8 characters", isAllowed: { $0.revealed.count >= 8 })
    static let rate = ConfigurationKey<Double>("rate.per.second", "The rate.", default: 0.5, in: 0...10)
    static let isOpen = ConfigurationKey<Bool>("market.open", "Whether it is open.", default: false)
    static let hosts = ConfigurationKey<[String]>("hosts", "Hosts.", default: [])
    static let level = ConfigurationKey<LogLevel>("log.level", "Level.", default: .info)
    static let note = ConfigurationKey<String?>("note", "A note.")
    static let keys = [
        port.erased, name.erased, password.erased, rate.erased, isOpen.erased, hosts.erased, level.erased, note.erased,
    ]
    static let required = ["SERAI_MARKET_NAME": "assef", "SERAI_SMTP_PASSWORD": "correct horse"]

    func read(
        _ arguments: [String] = [], _ environment: [String: String] = required, file: String? = nil
    ) throws(ConfigurationError) -> ServiceConfiguration {
        try ServiceConfiguration(
            keys: Self.keys, arguments: arguments, environment: environment,
            readFile: { _ in
                guard let file else { throw CocoaError(.fileReadNoSuchFile) }
                return Data(file.utf8)
            })
    }

    func problems(
        _ arguments: [String] = [], _ environment: [String: String] = required, file: String? = nil
    ) -> [ConfigurationError.Problem] {
        do {
            _ = try read(arguments, environment, file: file)
            return []
        } catch {
            return error.problems
        }
    }

    @Test("defaults hold where nothing is set")
    func defaults() throws {
        let configuration = try read()
        #expect(try configuration[Self.port] == 8080)
        #expect(try configuration[Self.rate] == 0.5)
        #expect(try configuration[Self.isOpen] == false)
        #expect(try configuration[Self.level] == .info)
        #expect(try configuration[Self.note] == nil)
        #expect(try configuration[Self.name] == "assef")
    }

    @Test("a flag goes before the environment, the environment before the file, the file before the default")
    func precedence() throws {
        let file = #"{"http": {"port": 1000}, "rate": {"per": {"second": 2}}, "note": "from the file"}"#
        var environment = Self.required
        environment["SERAI_HTTP_PORT"] = "2000"
        #expect(try read(["--config", "f.json"], file: file)[Self.port] == 1000)
        #expect(try read(["--config", "f.json"], environment, file: file)[Self.port] == 2000)
        let all = try read(["--config=f.json", "--http-port", "3000"], environment, file: file)
        #expect(try all[Self.port] == 3000)
        #expect(try all[Self.rate] == 2)
        #expect(try all[Self.note] == "from the file")
        environment["SERAI_CONFIG"] = "f.json"
        #expect(try read([], environment, file: file)[Self.note] == "from the file")
    }

    @Test("every kind of value is read from every source")
    func kinds() throws {
        let file = """
            {"http": {"port": 81}, "market": {"open": true, "name": "hajji"}, "rate": {"per": {"second": 1.5}},
             "hosts": ["a", "b"], "log": {"level": "debug"}}
            """
        let fromFile = try read(["--config", "f"], ["SERAI_SMTP_PASSWORD": "correct horse"], file: file)
        #expect(try fromFile[Self.isOpen])
        #expect(try fromFile[Self.rate] == 1.5)
        #expect(try fromFile[Self.hosts] == ["a", "b"])
        #expect(try fromFile[Self.level] == .debug)
        let fromFlags = try read(["--hosts", "a, b,c", "--market-open", "--market-name", "x,y", "--rate-per-second=3"])
        #expect(try fromFlags[Self.hosts] == ["a", "b", "c"])
        #expect(try fromFlags[Self.isOpen])
        #expect(try fromFlags[Self.name] == "x,y")
        #expect(try fromFlags[Self.rate] == 3)
    }

    @Test("a service refuses to start and says all that is wrong at once")
    func everythingAtOnce() {
        let problems = problems(
            ["--http-prot", "80", "--http-port", "99999", "--config", "gone.json", "stray", "--log-level"],
            ["SERAI_RATE_PER_SECOND": "fast", "SERAI_SMTP_PASSWORD": "short"])
        #expect(problems.contains(.unknownFlag("--http-prot")))
        #expect(problems.contains(.flagWithoutValue("--log-level")))
        #expect(problems.contains(.strayArgument("number 7")))
        #expect(problems.contains(.unreadableFile(path: "gone.json", reason: "it does not exist")))
        #expect(
            problems.contains(
                .notAllowed(key: "http.port", source: "--http-port", value: "99999", range: "1...65535")))
        #expect(
            problems.contains(
                .unparsable(
                    key: "rate.per.second", source: "SERAI_RATE_PER_SECOND", value: "fast",
                    expected: "a number (0.0...10.0)")))
        #expect(
            problems.contains(
                .missing(key: "market.name", flag: "--market-name", environmentVariable: "SERAI_MARKET_NAME")))
        #expect(
            problems.contains(
                .notAllowed(
                    key: "smtp.password", source: "SERAI_SMTP_PASSWORD", value: nil, range: "at least 8 characters")))
    }

    @Test("a secret is never printed, neither when it is right nor when it is wrong")
    func secrets() throws {
        let configuration = try read()
        #expect(!"\(try configuration[Self.password])".contains("horse"))
        #expect(!String(reflecting: configuration).contains("horse"))
        #expect(!ConfigurationDocument.values(of: configuration).contains("horse"))
        #expect(ConfigurationDocument.values(of: configuration).contains("smtp.password = [redacted] (environment)"))
        #expect(try configuration[Self.password].revealed == "correct horse")
        let error = #expect(throws: ConfigurationError.self) {
            try read(["--smtp-password", "tiny"], ["SERAI_MARKET_NAME": "x"])
        }
        #expect(error?.description.contains("tiny") == false)
        #expect(error?.description.contains("smtp.password") == true)
    }

    @Test("a key in the file that nobody knows is an error, and so is a file that is no JSON object")
    func fileMistakes() {
        #expect(
            problems(["--config", "f"], file: #"{"http": {"prot": 1}}"#)
                == [.unknownKeyInFile(path: "f", key: "http.prot")])
        for text in ["[]", "nonsense", "", "{\"http\":"] {
            #expect(
                problems(["--config", "f"], file: text).contains {
                    if case .unreadableFile = $0 { true } else if case .unknownKeyInFile = $0 { true } else { false }
                })
        }
    }

    @Test("a flag that is given twice is an error")
    func repeated() {
        #expect(problems(["--http-port", "1", "--http-port", "2"]).contains(.repeatedFlag("--http-port")))
    }

    @Test("a key that was not declared cannot be read")
    func undeclared() throws {
        let configuration = try read()
        let error = #expect(throws: ConfigurationError.self) {
            try configuration[ConfigurationKey<String?>("nothing", "")]
        }
        #expect(error?.problems == [.undeclared(key: "nothing")])
    }

    @Test("what one command does not need may be missing")
    func needed() throws {
        let configuration = try ServiceConfiguration(
            keys: Self.keys, arguments: [], environment: [:], needed: { $0.name == "http.port" })
        #expect(try configuration[Self.port] == 8080)
        #expect(throws: ConfigurationError.self) { try configuration[Self.name] }
    }

    @Test("help and manual name every key with its flag, environment variable and default")
    func documents() {
        let document = ConfigurationDocument(keys: CommonKeys.all)
        for key in CommonKeys.all {
            for text in [document.help, document.markdown] {
                #expect(text.contains(key.flag))
                #expect(text.contains(key.environmentVariable))
                #expect(text.contains(key.documentation))
            }
        }
        #expect(document.markdown.contains("| `http.port` | `--http-port` | `SERAI_HTTP_PORT` |"))
        #expect(document.markdown.contains("`8080`"))
    }

    @Test("names of common keys are unique and give unique flags and variables")
    func unique() {
        let keys = CommonKeys.all
        #expect(Set(keys.map(\.name)).count == keys.count)
        #expect(Set(keys.map(\.flag)).count == keys.count)
        #expect(Set(keys.map(\.environmentVariable)).count == keys.count)
    }

    @Test("the default of every common key is allowed by its own check")
    func defaultsAreAllowed() {
        for key in CommonKeys.all {
            guard let text = key.defaultText else { continue }
            guard case .value = key.read(text) else {
                Issue.record("\(key.name): \(text)")
                continue
            }
        }
    }
}
