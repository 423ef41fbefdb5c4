import ArgumentParser
import Foundation
import LocalPlatform
import RequirementReading

struct Requirements: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Prints each requirement of the catalogue with the tests whose names begin with its number, then those without.",
        discussion:
            "Fails if a test names a requirement that the catalogue does not have, or the catalogue has one twice.")

    func run() async throws {
        let project = Project.current
        func read(_ path: String) throws -> String { try String(contentsOfFile: project.path(path), encoding: .utf8) }
        let requirements = RequirementReader.requirements(in: try read("docs/requirements.md"))
        var faults = Dictionary(grouping: requirements, by: \.number).filter { $0.value.count > 1 }.keys.sorted()
            .map { "the catalogue has \($0) twice" }
        let known = Set(requirements.map(\.number))
        var tests: [String: [String]] = [:]
        var total = 0
        let files = try FileManager.default.subpathsOfDirectory(atPath: project.path("Tests")).sorted()
        for path in files where path.hasSuffix(".swift") {
            let target = path.split(separator: "/").first ?? ""
            for test in RequirementReader.tests(in: try read("Tests/\(path)")) {
                total += 1
                for number in test.numbers {
                    tests[number, default: []].append("      \(target): \(test.sentence)")
                    if !known.contains(number) {
                        faults.append("Tests/\(path):\(test.line): there is no requirement \(number)")
                    }
                }
            }
        }
        for requirement in requirements {
            let number = requirement.number.padding(toLength: 4, withPad: " ", startingAt: 0)
            say(([("\(number)  \(requirement.text)")] + (tests[requirement.number] ?? [])).joined(separator: "\n"))
        }
        let without = requirements.map(\.number).filter { tests[$0] == nil }
        say(
            "\n\(total) tests show \(known.count - without.count) of \(requirements.count) requirements. Without a test:"
        )
        say(without.joined(separator: " "))
        for fault in faults { FileHandle.standardError.write(Data("\(fault)\n".utf8)) }
        if !faults.isEmpty { throw ExitCode.failure }
    }
}
