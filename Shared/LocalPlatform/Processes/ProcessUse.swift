import Glibc

/// What processes have used of the machine.
public struct ProcessUse: Sendable, Equatable {
    /// Of the processor, in user and kernel mode, with the children that have ended.
    public var milliseconds = 0.0
    /// In memory now, without what lies on the disk.
    public var megabytes = 0.0

    public init(milliseconds: Double = 0, megabytes: Double = 0) {
        (self.milliseconds, self.megabytes) = (milliseconds, megabytes)
    }

    static func + (one: ProcessUse, other: ProcessUse) -> ProcessUse {
        ProcessUse(
            milliseconds: one.milliseconds + other.milliseconds, megabytes: one.megabytes + other.megabytes)
    }

    /// From the text of `/proc/PID/stat` (proc(5)): fields 14 to 17 are ticks of the processor, the 24th is pages in memory.
    /// - Parameter ticks: of the kernel's clock a second.
    static func read(stat text: String, ticks: Double, pageBytes: Double) -> ProcessUse? {
        // The second field, the program's name, may hold spaces and brackets; the third comes after its last bracket.
        guard let bracket = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: bracket)...].split(separator: " ")
        guard fields.count > 21 else { return nil }
        let used = fields[11...14].compactMap { Double($0) }
        guard used.count == 4, let pages = Double(fields[21]) else { return nil }
        return ProcessUse(
            milliseconds: used.reduce(0, +) / ticks * 1_000, megabytes: pages * pageBytes / 1_000_000)
    }

    /// Nil when it has ended.
    static func of(_ process: RunningProcess) -> ProcessUse? {
        read(
            stat: String(decoding: ProcFile.bytes("/proc/\(process.id)/stat"), as: UTF8.self),
            ticks: Double(sysconf(Int32(_SC_CLK_TCK))), pageBytes: Double(sysconf(Int32(_SC_PAGESIZE))))
    }
}

extension LocalRun {
    /// What each of its processes has used so far: the services by their processes' names, and the servers.
    public func use() throws -> [String: ProcessUse] {
        var found: [String: ProcessUse] = [:]
        for (name, process) in processes() {
            guard let use = ProcessUse.of(process) else { continue }
            found[name] = (found[name] ?? ProcessUse()) + use
        }
        let (postgres, rabbit) = try servers(runner: [])
        if let server = postgres.server {
            let sessions = RunningProcess.all().filter { $0.parent == server.id }
            found["postgres"] = ([server] + sessions).compactMap(ProcessUse.of).reduce(ProcessUse(), +)
        }
        if let server = rabbit.server, let use = ProcessUse.of(server) { found["rabbitmq"] = use }
        return found
    }

    /// Runs a command with the variables by which PostgreSQL's programs find the run's server.
    /// - Returns: what it wrote.
    public func database(_ words: [String], database: String) async throws -> String {
        let (postgres, _) = try servers(runner: [])
        let address = try ServerAddress(postgres.url ?? "")
        return try await Command(words).with(address.variables(database: database)).with(mark(Self.step))
            .run(within: .seconds(3_600))
    }
}
