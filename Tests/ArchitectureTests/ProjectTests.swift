import Testing

/// The rules, applied to this project. ``RuleTests`` shows that each of them can fail.
@Suite("The project")
struct ProjectTests {
    private let project: SourceTree

    init() throws { project = try SourceTree.project() }

    @Test("its sources are found, so that the rules below judge something")
    func isFound() {
        let paths = Set(project.files.map(\.path))
        for path in ["Package.swift", "Makefile", "Shared/PollThread/PollThread.swift", "scripts/install"] {
            #expect(paths.contains(path))
        }
        let imports = project.sources.flatMap { ImportRules.imports(of: $0) }.map(\.module)
        #expect(Set(imports).isSuperset(of: ["CLibPQ", "CRabbitMQ", "PollThread", "Foundation"]))
    }

    @Test("no service imports another, and no shared layer imports one")
    func services() {
        let folders = project.files.filter { $0.isIn("Services") && $0.folders.count >= 2 }.map { $0.folders[1] }
        let services = Set(folders.map { "Serai\($0)" })
        report(project.violations { ImportRules.services($0, services: services) })
    }

    @Test("rules import nothing but what is pure: Foundation and Matching")
    func domains() { report(project.violations(ImportRules.rules)) }

    @Test("a shared layer imports only what is below it")
    func layers() { report(project.violations(ImportRules.layering)) }

    @Test("each C library has one owner")
    func cLibraries() { report(project.violations(ImportRules.cLibraries)) }

    @Test("what is shipped does not import what tests it")
    func productCode() { report(project.violations(ImportRules.testing)) }

    @Test("nothing silences the compiler, ends the process or drops an error")
    func language() { report(project.violations(LanguageRules.forbidden)) }

    @Test("unsafe continuations are in PollThread and AMQP only")
    func continuations() { report(project.violations(LanguageRules.continuations)) }

    @Test("P10: services read bodies and queries through the readers that bring what people type into one form")
    func typed() { report(project.violations(LanguageRules.typed)) }

    @Test("JSON is written and read in one way, but where an exception is named")
    func json() { report(project.violations(LanguageRules.json)) }

    @Test("a service's time comes from its clock, but where the clock comes from")
    func clock() {
        let found = project.violations(LanguageRules.clock)
        report(found.filter { LanguageRules.clockRoots[$0.path] == nil })
        let excused = Set(found.map(\.path))
        for path in LanguageRules.clockRoots.keys.sorted() where !excused.contains(path) {
            Issue.record("\(path) needs no exception any more")
        }
    }

    @Test("no input can become SQL, but where an exception is named")
    func sqlTexts() {
        let found = project.violations(SQLRules.interpolation)
        report(found.filter { SQLRules.exceptions[$0.path] == nil })
        let excused = Set(found.map(\.path))
        for path in SQLRules.exceptions.keys.sorted() where !excused.contains(path) {
            Issue.record("\(path) needs no exception any more")
        }
    }

    @Test("the text of every statement is an SQL literal")
    func statements() { report(project.violations(SQLRules.staticText)) }

    @Test("migrations are numbered without gaps")
    func migrations() { report(FileRules.migrations(project.files)) }

    @Test("no file is longer than 350 lines")
    func lengths() { report(project.violations(FileRules.length)) }

    @Test("no file names a folder of one machine")
    func machinePaths() { report(project.violations(FileRules.machinePaths)) }

    @Test("every make target that a document names is there")
    func makeTargets() { report(FileRules.makeTargets(project.files)) }

    @Test("every message has a golden sample")
    func messages() { report(MessageRules.violations(project.files)) }

    private func report(_ violations: [Violation], at place: SourceLocation = #_sourceLocation) {
        for violation in violations { Issue.record("\(violation)", sourceLocation: place) }
    }
}
