import Foundation
import Glibc

/// Linux's figures about this process, read from /proc at each request.
enum ProcessFigures {
    struct Sample {
        let name: String
        let type: String
        let help: String
        let value: Double
    }

    static func current() -> [Sample] {
        var samples: [Sample] = []
        // An unreadable /proc is no failure of the service: the figures are left out.
        if let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            samples.append(
                Sample(
                    name: "process_open_fds", type: "gauge", help: "Open file descriptors.",
                    value: Double(descriptors)))
        }
        guard let fields = statistics() else { return samples }
        let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        samples.append(
            Sample(
                name: "process_cpu_seconds_total", type: "counter", help: "User and system CPU time in seconds.",
                value: (fields.userTicks + fields.systemTicks) / ticksPerSecond))
        samples.append(
            Sample(
                name: "process_resident_memory_bytes", type: "gauge", help: "Resident memory in bytes.",
                value: fields.residentPages * Double(sysconf(Int32(_SC_PAGESIZE)))))
        samples.append(
            Sample(
                name: "process_threads", type: "gauge", help: "Threads of the process.", value: fields.threads))
        return samples
    }

    /// proc(5): the fields after the command's name, which is in parentheses and may contain any character.
    private static func statistics() -> (
        userTicks: Double, systemTicks: Double, threads: Double, residentPages: Double
    )? {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),  // As above.
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
            let threads = Double(fields[17]), let pages = Double(fields[21])
        else { return nil }
        return (user, system, threads, pages)
    }
}
