import Testing

/// Each rule against texts that break it, and some that only look like it.
@Suite("The rules")
struct RuleTests {
    private func file(_ path: String, _ text: String = "") -> SourceFile { SourceFile(path: path, text: text) }

    // MARK: Imports

    @Test(
        "an import is read in every form",
        arguments: [
            "import Foo", "public import Foo", "@testable import Foo", "@preconcurrency public import Foo",
            "internal import struct Foo.Bar", "  import Foo.Bar", "@_spi(X) import Foo",
        ])
    func imports(line: String) {
        #expect(ImportRules.imports(of: file("A.swift", "let a = 1\n\(line)\n")).map(\.module) == ["Foo"])
        #expect(ImportRules.imports(of: file("A.swift", "let a = 1\n\(line)\n")).map(\.line) == [2])
    }

    @Test("what is no import is none")
    func noImports() {
        let text = "// import A\n/* import B */\nlet text = \"\"\"\nimport C\n\"\"\"\nlet important = imports\n"
        #expect(ImportRules.imports(of: file("A.swift", text)).isEmpty)
    }

    @Test(
        "a layer that imports what is not below it is found",
        arguments: [
            ("PollThread", "Foundation"), ("Postgres", "AMQP"), ("Postgres", "Messaging"), ("Postgres", "Hummingbird"),
            ("AMQP", "Postgres"), ("Matching", "Postgres"), ("Messaging", "ServiceKit"), ("Messaging", "Hummingbird"),
            ("Contracts", "Postgres"), ("PrayerTimes", "Contracts"),
        ])
    func layering(layer: String, module: String) {
        let found = ImportRules.layering(file("Shared/\(layer)/Deep/A.swift", "\npublic import \(module)"))
        #expect(found.map(\.line) == [2])
        #expect(ImportRules.layering(file("Tests/\(layer)Tests/A.swift", "import \(module)")).isEmpty)
    }

    @Test("a C library outside of its layer is found")
    func cLibraries() {
        #expect(ImportRules.cLibraries(file("Shared/Messaging/A.swift", "import CLibPQ")).count == 1)
        #expect(ImportRules.cLibraries(file("Shared/Postgres/A.swift", "import CRabbitMQ")).count == 1)
        #expect(ImportRules.cLibraries(file("Shared/Postgres/A.swift", "import CLibPQ")).isEmpty)
    }

    @Test("a service that imports another is found, and so is a layer that imports a service")
    func services() {
        let known: Set = ["SeraiDispatch", "SeraiWallet"]
        let own = file("Services/Dispatch/Orders/A.swift", "import SeraiDispatch\nimport SeraiWallet")
        #expect(ImportRules.services(own, services: known).map(\.line) == [2])
        #expect(
            ImportRules.services(file("Shared/ServiceKit/A.swift", "import SeraiWallet"), services: known).count == 1)
    }

    @Test("a rule that imports more than what is pure is found")
    func rules() {
        let text = "import Foundation\nimport Postgres\nimport Matching"
        #expect(ImportRules.rules(file("Services/Wallet/Ledger/Rules/Ledger.swift", text)).map(\.line) == [2])
        #expect(ImportRules.rules(file("Services/Wallet/Ledger/Rows.swift", text)).isEmpty)
    }

    @Test(
        "product code that imports its tests' tools is found",
        arguments: ["TestKit", "Testing", "HummingbirdTesting"])
    func testing(module: String) {
        #expect(ImportRules.testing(file("Shared/AMQP/A.swift", "import \(module)")).count == 1)
        #expect(ImportRules.testing(file("Services/Wallet/A.swift", "import \(module)")).count == 1)
        #expect(ImportRules.testing(file("Shared/TestKit/A.swift", "import \(module)")).isEmpty)
    }

    // MARK: Language

    @Test(
        "what silences the compiler, ends the process or drops an error is found",
        arguments: [
            "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1", "nonisolated( unsafe ) let b = 2",
            "let a = try! make()", "fatalError(\"no\")", "Swift.fatalError()", "do { try a() } catch {}",
            "do { try a() } catch {\n}",
        ])
    func forbidden(code: String) {
        let found = LanguageRules.forbidden(file("Shared/AMQP/A.swift", "let first = 1\n\(code)\n"))
        #expect(found.map(\.line) == [2])
        #expect(LanguageRules.forbidden(file("Services/Wallet/A.swift", code)).count == 1)
        #expect(LanguageRules.forbidden(file("Tests/AMQPTests/A.swift", code)).isEmpty)
    }

    @Test(
        "what only speaks of it is not",
        arguments: ["// never try! this", "let text = \"fatalError(\"", "/* @unchecked Sendable */", "retry!.now()"])
    func allowed(code: String) {
        #expect(LanguageRules.forbidden(file("Shared/AMQP/A.swift", code)).isEmpty)
    }

    @Test(
        "an unsafe continuation outside of the two layers is found",
        arguments: [
            "await withUnsafeContinuation { $0.resume() }", "let a: UnsafeContinuation<Void, Never>",
            "try await withUnsafeThrowingContinuation { $0.resume() }",
        ])
    func continuations(code: String) {
        #expect(LanguageRules.continuations(file("Shared/Messaging/A.swift", code)).count == 1)
        #expect(LanguageRules.continuations(file("Shared/PollThread/A.swift", code)).isEmpty)
        #expect(LanguageRules.continuations(file("Shared/AMQP/A.swift", code)).isEmpty)
        #expect(LanguageRules.continuations(file("Shared/Messaging/A.swift", "withCheckedContinuation {}")).isEmpty)
    }

    @Test("a query and a body that are read past the common readers are found")
    func typed() {
        for code in ["request.uri.queryParameters[\"a\"]", "try await request.decode(as: A.self, context: context)"] {
            #expect(LanguageRules.typed(file("Services/Wallet/A.swift", code)).count == 1)
            #expect(LanguageRules.typed(file("Services/Sandbox/A.swift", code)).isEmpty)
        }
        #expect(LanguageRules.typed(file("Services/Wallet/A.swift", "QueryForm(request)")).isEmpty)
    }

    @Test("Foundation's JSON is found, but where an exception is named")
    func json() {
        for code in ["JSONEncoder().encode(a)", "let d: JSONDecoder", "try JSONSerialization.data(withJSONObject: a)"] {
            #expect(LanguageRules.json(file("Services/Wallet/A.swift", code)).count == 1)
            #expect(LanguageRules.json(file("Shared/Messaging/A.swift", code)).count == 1)
            #expect(LanguageRules.json(file("Services/Sandbox/A.swift", code)).isEmpty)
            #expect(LanguageRules.json(file("Tests/WalletTests/A.swift", code)).isEmpty)
        }
        #expect(LanguageRules.json(file("Services/Wallet/A.swift", "try JSON.wire.encode(a)")).isEmpty)
    }

    @Test(
        "a time that is not given is found",
        arguments: [
            "let now = Date()", "f(at: Date( ))", "Date.now", "at now: Date = .now", "Date.thisMillisecond",
            "f(at: .thisMillisecond)", "Date(timeIntervalSinceNow: 3)", "x.timeIntervalSinceNow < 0",
            "fire($0, at: $0.now(), in: $1)", "deadline.now()",
        ])
    func clock(code: String) {
        #expect(LanguageRules.clock(file("Services/Wallet/A.swift", "let a = 1\n\(code)\n")).map(\.line) == [2])
        #expect(LanguageRules.clock(file("Services/Sandbox/A.swift", code)).isEmpty)
        #expect(LanguageRules.clock(file("Shared/Messaging/A.swift", code)).isEmpty)
    }

    @Test(
        "a time that is given is not, nor is monotonic time",
        arguments: [
            "let now = clock()", "Date(timeIntervalSince1970: 0)", "sleep(until: .now + pause)", "$0.now(by: clock)",
            "// never Date()", "let start = ContinuousClock.now", "execute(request, deadline: .now() + limit)",
            "let clock: @Sendable () -> Date",
        ])
    func givenClock(code: String) {
        #expect(LanguageRules.clock(file("Services/Wallet/A.swift", code)).isEmpty)
    }

    // MARK: SQL

    @Test(
        "a value in the text of SQL is found",
        arguments: [
            #"let a = "SELECT * FROM orders WHERE id = \(id)""#, ##"let a = #"DELETE FROM \#(table)"#"##,
            "let a = \"\"\"\n    UPDATE orders\n    SET state = '\\(state)'\n    \"\"\"",
            "try await connection.runScript(text, timeout: limit)", "try await pool.runOutsideTransaction(text)",
        ])
    func interpolation(code: String) {
        #expect(SQLRules.interpolation(file("Services/Wallet/Ledger/A.swift", code)).map(\.line) == [1])
        #expect(SQLRules.interpolation(file("Tests/PostgresTests/A.swift", code)).isEmpty)
    }

    @Test(
        "a text that is no SQL, or has nothing put in, is not",
        arguments: [
            #"static let sql: SQL = "SELECT \(columns) FROM orders""#, #"log("selected \(count) rows")"#,
            #"// "SELECT \(id)""#,
            #"let a = "SELECT \\(id)""#,
        ])
    func noInterpolation(code: String) {
        #expect(SQLRules.interpolation(file("Services/Wallet/Ledger/A.swift", code)).isEmpty)
    }

    @Test(
        "a statement whose text is no SQL is found",
        arguments: ["static let sql = \"SELECT 1\"", "static var sql: StaticString { text }"])
    func staticText(code: String) {
        #expect(SQLRules.staticText(file("Shared/Messaging/A.swift", code)).count == 1)
        #expect(SQLRules.staticText(file("Shared/Messaging/A.swift", "static let sql: SQL = \"\"")).isEmpty)
    }

    // MARK: Files

    @Test("a migration out of turn, twice or with another name is found")
    func migrations() {
        func names(_ names: String...) -> [SourceFile] { names.map { file("Shared/Messaging/Migrations/\($0)") } }
        #expect(FileRules.migrations(names("0001_a.sql", "0002_b.sql")).isEmpty)
        #expect(FileRules.migrations(names("0001_a.sql", "0003_b.sql")).count == 1)
        #expect(FileRules.migrations(names("0002_a.sql")).count == 1)
        #expect(FileRules.migrations(names("0001_a.sql", "0001_b.sql")).count == 1)
        #expect(FileRules.migrations(names("1_a.sql")).count == 1)
        #expect(FileRules.migrations(names("0001_a.sql", "notes.txt")).count == 1)
    }

    @Test("a file over the limit is found, one at the limit is not")
    func length() {
        let line = "let a = 1\n"
        let long = String(repeating: line, count: FileRules.lineLimit + 1)
        #expect(FileRules.length(file("Tests/A/A.swift", long)).count == 1)
        #expect(FileRules.length(file("Shared/A/A.swift", String(repeating: line, count: FileRules.lineLimit))).isEmpty)
        #expect(FileRules.length(file("docs/long.md", long)).isEmpty)
    }

    @Test("a folder of one machine is found", arguments: ["home", "root", "Users", "work"])
    func machinePaths(folder: String) {
        #expect(FileRules.machinePaths(file("scripts/a", "#!/bin/sh\ncd /\(folder)/somebody\n")).map(\.line) == [2])
        #expect(FileRules.machinePaths(file("scripts/a", "curl https://example.org/\(folder)/a")).isEmpty)
    }

    @Test("a make target that is only in a document is found; words in a sentence are none")
    func makeTargets() {
        let makefile = file("Makefile", "run: install ## all\n\t@true\nbench-a:\n")
        func found(_ text: String) -> Int { FileRules.makeTargets([makefile, file("README.md", text)]).count }
        #expect(found("make run        # all\n`make bench-a` says, `make run ARGS=--detach` too\n") == 0)
        #expect(found("to make chaos is easy\n") == 0)
        #expect(found("make chaos      # kills\n") == 1)
        #expect(found("so `make bench` says, and `make walk N=3`") == 2)
    }

    @Test("a message without a sample, a sample without a message and a message without a name are found")
    func messages() {
        let message = file(
            "Shared/Contracts/Dispatch/OrderAccepted.swift",
            """
            public struct OrderAccepted: Message {
                public static let name: MessageName = "dispatch.order.accepted.v1"
                public let order: UUID
            }
            """)
        let sample = file("Tests/ContractTests/Golden/dispatch.order.accepted.v1.json", "{}")
        #expect(MessageRules.violations([message, sample]).isEmpty)
        #expect(MessageRules.violations([message]).map(\.path) == [message.path])
        #expect(MessageRules.violations([sample]).map(\.path) == [sample.path])
        let former = file("Tests/ContractTests/Golden/former/dispatch.order.accepted.v1.1.json", "{}")
        #expect(MessageRules.violations([message, sample, former]).isEmpty)
        let stray = file("Tests/ContractTests/Golden/former/dispatch.order.accepted.v1.json", "{}")
        #expect(MessageRules.violations([message, sample, stray]).map(\.path) == [stray.path])
        let nameless = file(
            "Shared/Contracts/A.swift", "struct A: Codable, Message { static var name: MessageName { make() } }")
        #expect(MessageRules.violations([nameless]).map(\.path) == [nameless.path])
    }
}
