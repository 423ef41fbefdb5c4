import RequirementReading
import Testing

@Suite("Requirements")
struct RequirementTests {
    private let catalogue = SourceFile(
        path: RequirementRules.catalogue, text: "# All\n\n- **P1** One\n  thing.\n- **P3a** Another (see P1).\n")

    private func test(_ attribute: String) -> SourceFile {
        SourceFile(path: "Tests/WalletTests/A.swift", text: "import Testing\n\(attribute)\nfunc a() {}\n")
    }

    @Test("each requirement that a test names is in the catalogue, and each is there once")
    func project() throws {
        let files = try SourceTree.project().files
        let catalogue = try #require(files.first { $0.path == RequirementRules.catalogue })
        #expect(RequirementReader.requirements(in: catalogue.text).count > 90)
        #expect(files.contains { !RequirementRules.named(in: $0).isEmpty })
        for violation in RequirementRules.violations(files) { Issue.record("\(violation)") }
    }

    @Test("a test that names an unknown requirement is found, however its attribute is written")
    func unknown() {
        // Put together here, so that nobody takes them for tests of this file.
        for name in ["\"Z9: a\"", "\"P1, Z9: a\"", "\n    \"Z9: a\",\n    arguments: [1]"] {
            let found = RequirementRules.violations([catalogue, test("@" + "Test(\(name))")])
            #expect(found.map(\.reason) == ["there is no requirement Z9"], "\(name)")
        }
    }

    @Test("a test that names known ones, or none, is not")
    func known() {
        for name in ["\"P1: a\"", "\"P1, P3a: a\"", "\"TLS: a\"", "\"a, P9: b\"", "\"Q: a\"", "arguments: [\"Z9: a\"]"]
        {
            #expect(RequirementRules.violations([catalogue, test("@" + "Test(\(name))")]).isEmpty, "\(name)")
        }
        let named = RequirementRules.named(in: test("@" + "Test(\"P1, P3a: a\")"))
        #expect(named.map(\.number) == ["P1", "P3a"])
        #expect(named.map(\.line) == [2, 2])
    }

    @Test("of the catalogue each requirement is read with its first line, of a test its sentence")
    func reading() {
        let read = RequirementReader.requirements(in: catalogue.text)
        #expect(read.map(\.number) == ["P1", "P3a"])
        #expect(read.map(\.text) == ["One …", "Another (see P1)."])
        let tests = RequirementReader.tests(in: test("@" + "Test(\n    \"P1, P3a: it says \\\"no\\\"\")").text)
        #expect(tests.map(\.numbers) == [["P1", "P3a"]] && tests.map(\.sentence) == ["it says \\\"no\\\""])
        #expect(tests.map(\.line) == [3])
    }

    @Test("a number that the catalogue uses twice is found")
    func twice() {
        let twice = SourceFile(path: RequirementRules.catalogue, text: "- **P1** a\n- **P1** b\n")
        #expect(RequirementRules.violations([twice]).map(\.reason) == ["the number P1 is used twice"])
    }
}
