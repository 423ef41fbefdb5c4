import Glibc

/// Whose a process is: a variable of its environment, which its children inherit. So whatever has ended the one that started
/// it, and whenever, it can be found again.
public struct Mark: Sendable, Hashable {
    static let variable = "SERAI_LOCAL_PROCESS"

    /// The folder of the run or the server that it belongs to: its path and its number on the disk. A path alone can be that
    /// of several, in containers that see each other's processes.
    let owner: String
    /// Such as `dispatch-1`; without spaces.
    public let name: String

    /// - Parameter folder: that is there.
    public init(folder: String, name: String) {
        owner = Self.owner(folder)
        self.name = name
    }

    private static func owner(_ folder: String) -> String {
        var status = stat()
        return stat(folder, &status) == 0 ? "\(folder) \(status.st_dev)-\(status.st_ino)" : folder
    }

    /// Nil where the text is no mark.
    init?(_ text: String) {
        guard let space = text.lastIndex(of: " "), space != text.startIndex else { return nil }
        owner = String(text[..<space])
        name = String(text[text.index(after: space)...])
    }

    public var variables: [String: String] { [Self.variable: "\(owner) \(name)"] }

    /// The processes that belong to the folder, in the sequence of their starts.
    public static func processes(in folder: String) -> [(name: String, process: RunningProcess)] {
        let owner = owner(folder)
        return RunningProcess.all().compactMap { process -> (name: String, process: RunningProcess)? in
            guard let text = process.variable(variable), let mark = Mark(text), mark.owner == owner else {
                return nil
            }
            return (mark.name, process)
        }.sorted { ($0.process.startedAt, $0.process.id) < ($1.process.startedAt, $1.process.id) }
    }

    /// Ends those of the folder's processes whose names are asked for, and what they start meanwhile.
    static func end(
        in folder: String, within grace: Duration, _ isWanted: (String) -> Bool = { _ in true }
    ) async throws {
        // One that is just becoming another program has no environment for that moment, so nobody twice is nobody.
        var misses = 0
        while misses < 2 {
            let found = processes(in: folder).filter { isWanted($0.name) }.map(\.process)
            misses = found.isEmpty ? misses + 1 : 0
            try await found.end(within: grace)
        }
    }

    /// The folder's process of this name that no other of them has started.
    static func first(_ name: String, in folder: String) -> RunningProcess? {
        let found = processes(in: folder).filter { $0.name == name }.map(\.process)
        let ids = Set(found.map(\.id))
        return found.first { !ids.contains($0.parent) }
    }
}
