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
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            samples.append(
                Sample(
                    name: "process_max_fds", type: "gauge", help: "File descriptors that the process may open.",
                    value: Double(limit.rlim_cur)))
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
        if let bootSeconds {
            samples.append(
                Sample(
                    name: "process_start_time_seconds", type: "gauge", help: "When the process began, in Unix time.",
                    value: bootSeconds + fields.startTicks / ticksPerSecond))
        }
        return samples
    }

    /// proc(5): the fields after the command's name, which is in parentheses and may contain any character.
    private static func statistics() -> (
        userTicks: Double, systemTicks: Double, threads: Double, startTicks: Double, residentPages: Double
    )? {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),  // As above.
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
            let threads = Double(fields[17]), let start = Double(fields[19]), let pages = Double(fields[21])
        else { return nil }
        return (user, system, threads, start, pages)
    }

    /// When the machine was started, in Unix time: the beginnings of processes are counted from there.
    private static let bootSeconds: Double? = {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),  // As above.
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("btime ") })
        else { return nil }
        return Double(line.dropFirst("btime ".count))
    }()
}
