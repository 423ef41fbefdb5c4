import Foundation
import Phones
import Synchronization

/// One line on the terminal that tells how far it is; nothing where there is no terminal but a line now and then.
final class Progress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private let gathered = Mutex(0)

    func gathered(_ count: Int, of all: Int) {
        let now = gathered.withLock { number in
            number += count
            return number
        }
        if isTerminal {
            write("\rregistering \(now)/\(all)", end: now == all ? "\n" : "")
        } else if now == all {
            write("registered \(now)", end: "\n")
        }
    }

    /// Tells once a second until it is cancelled.
    func follow(_ observations: Observations, _ traffic: Traffic, orders: Int) async {
        var tick = 0
        while !Task.isCancelled {
            if isTerminal || tick.isMultiple(of: 10) { tell(observations, traffic, orders) }
            tick += 1
            // try?: cancelled ends the loop.
            try? await Task.sleep(for: .seconds(1))
        }
        if isTerminal { write("", end: "\n") }
    }

    private func tell(_ observations: Observations, _ traffic: Traffic, _ orders: Int) {
        let now = observations.now
        let answers = traffic.counts.answers.values.reduce(0, +)
        let faults = traffic.counts.answers.filter { $0.key >= 500 }.values.reduce(0, +)
        let text =
            "\(Int((ContinuousClock.now - start).inSeconds)) s: \(now.orders.count)/\(orders) asked, \(now.ended) ended, "
            + "\(answers) answers, \(faults) of 5xx, \(now.surpriseCount) surprises"
        write(isTerminal ? "\r\u{1B}[K\(text)" : text, end: isTerminal ? "" : "\n")
    }

    func write(_ text: String, end: String) { FileHandle.standardError.write(Data((text + end).utf8)) }
}
