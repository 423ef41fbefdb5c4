import ArgumentParser

/// `dispatch workflow visit`
struct WorkflowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workflow", abstract: "Print a workflow as a Mermaid state diagram.")

    @Argument(help: "The kind: \(Workflow.all.map(\.kind).joined(separator: ", ")).")
    var kind: String

    /// - Throws: `ValidationError` for an unknown kind.
    func diagram() throws -> String {
        guard let workflow = Workflow.named(kind) else {
            let kinds = Workflow.all.map(\.kind).joined(separator: ", ")
            throw ValidationError("There is no workflow \(kind). There are: \(kinds).")
        }
        return workflow.mermaid
    }

    func run() async throws { print(try diagram(), terminator: "") }
}
