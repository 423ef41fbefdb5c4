import Testing

@testable import AMQP

@Suite("The ledger of confirms")
struct ConfirmLedgerTests {
    /// What was told, in order: `a=confirmed`.
    final class Told {
        var lines: [String] = []

        func note(_ name: String, _ outcome: ConfirmLedger<String>.Outcome) {
            switch outcome {
            case .confirmed: lines.append("\(name)=confirmed")
            case .refused: lines.append("\(name)=refused")
            case .unroutable(let code, _): lines.append("\(name)=unroutable \(code)")
            }
        }
    }

    let later = ContinuousClock.now + .seconds(60)

    func ledger(_ names: String...) -> ConfirmLedger<String> {
        var ledger = ConfirmLedger<String>(capacity: 8)
        for name in names { ledger.append(name, deadline: later) }
        return ledger
    }

    @Test("messages are numbered from one")
    func numbers() {
        var ledger = ConfirmLedger<String>(capacity: 8)
        #expect(ledger.append("a", deadline: later) == 1)
        #expect(ledger.append("b", deadline: later) == 2)
        #expect(ledger.inFlightCount == 2)
    }

    @Test("an ack settles one message, wherever it is")
    func single() {
        var ledger = ledger("a", "b", "c")
        let told = Told()
        ledger.settle(2, multiple: false, isAck: true, told.note)
        ledger.settle(3, multiple: false, isAck: true, told.note)
        #expect(told.lines == ["b=confirmed", "c=confirmed"])
        #expect(ledger.inFlightCount == 1)
        ledger.settle(1, multiple: false, isAck: true, told.note)
        #expect(ledger.isEmpty)
        #expect(ledger.append("d", deadline: later) == 4)
    }

    @Test("a multiple ack settles all up to its number that are not settled yet")
    func multiple() {
        var ledger = ledger("a", "b", "c", "d")
        let told = Told()
        ledger.settle(2, multiple: false, isAck: true, told.note)
        #expect(ledger.settle(3, multiple: true, isAck: true, told.note) == 2)
        #expect(told.lines == ["b=confirmed", "a=confirmed", "c=confirmed"])
        #expect(ledger.inFlightCount == 1)
    }

    @Test("a multiple ack of zero settles all")
    func multipleOfZero() {
        var ledger = ledger("a", "b")
        #expect(ledger.settle(0, multiple: true, isAck: true, { _, _ in }) == 2)
        #expect(ledger.isEmpty)
    }

    @Test("a nack refuses")
    func nack() {
        var ledger = ledger("a", "b")
        let told = Told()
        ledger.settle(2, multiple: true, isAck: false, told.note)
        #expect(told.lines == ["a=refused", "b=refused"])
    }

    @Test("a message that is returned and then acked is unroutable")
    func returned() {
        var ledger = ledger("a", "b", "c")
        let told = Told()
        #expect(ledger.markReturned(code: 312, text: "NO_ROUTE") { $0 == "b" })
        ledger.settle(3, multiple: true, isAck: true, told.note)
        #expect(told.lines == ["a=confirmed", "b=unroutable 312", "c=confirmed"])
    }

    @Test("each return takes the oldest match that has none yet")
    func returnedTwice() {
        var ledger = ledger("a", "a", "a")
        let told = Told()
        #expect(ledger.markReturned(code: 312, text: "") { $0 == "a" })
        #expect(ledger.markReturned(code: 313, text: "") { $0 == "a" })
        #expect(!ledger.markReturned(code: 314, text: "") { $0 == "b" })
        ledger.settle(3, multiple: true, isAck: true, told.note)
        #expect(told.lines == ["a=unroutable 312", "a=unroutable 313", "a=confirmed"])
    }

    @Test("numbers that were never given, or are settled, change nothing")
    func strangeNumbers() {
        var ledger = ledger("a")
        #expect(ledger.settle(2, multiple: true, isAck: true) { _, _ in } == 0)
        #expect(ledger.settle(0, multiple: false, isAck: true) { _, _ in } == 0)
        #expect(ledger.settle(.max, multiple: false, isAck: true) { _, _ in } == 0)
        #expect(ledger.settle(1, multiple: false, isAck: true) { _, _ in } == 1)
        #expect(ledger.settle(1, multiple: false, isAck: true) { _, _ in } == 0)
    }

    @Test("what is due is told once, and stays in flight until the broker settles it")
    func deadline() {
        var ledger = ConfirmLedger<String>(capacity: 8)
        let start = ContinuousClock.now
        ledger.append("a", deadline: start + .seconds(2))
        ledger.append("b", deadline: start + .seconds(1))
        #expect(ledger.earliestDeadline == start + .seconds(1))
        var due: [String] = []
        ledger.abandon(dueAt: start + .seconds(1)) { due.append($0) }
        ledger.abandon(dueAt: start + .seconds(1)) { due.append($0) }
        #expect(due == ["b"])
        #expect(ledger.inFlightCount == 2 && !ledger.isAbandoned)
        #expect(ledger.earliestDeadline == start + .seconds(2))
        let told = Told()
        ledger.settle(2, multiple: true, isAck: true, told.note)
        #expect(told.lines == ["a=confirmed"])
        #expect(ledger.isEmpty)
    }

    @Test(
        "when everybody has stopped waiting, what is in flight is abandoned, until the broker settles it or another comes"
    )
    func abandoned() {
        var ledger = ConfirmLedger<String>(capacity: 8)
        let start = ContinuousClock.now
        #expect(!ledger.isAbandoned)
        for name in ["a", "b"] { ledger.append(name, deadline: start + .seconds(1)) }
        ledger.abandon(dueAt: start + .seconds(1)) { _ in }
        #expect(ledger.isAbandoned && ledger.inFlightCount == 2)
        ledger.append("c", deadline: start + .seconds(2))
        #expect(!ledger.isAbandoned)
        ledger.abandon(dueAt: start + .seconds(2)) { _ in }
        #expect(ledger.isAbandoned)
        ledger.settle(3, multiple: true, isAck: true) { _, _ in }
        #expect(!ledger.isAbandoned)
    }

    @Test("when the channel is gone everybody who waits is told, and numbers start again")
    func removeAll() {
        var ledger = ledger("a", "b", "c")
        ledger.settle(2, multiple: false, isAck: true) { _, _ in }
        var told: [String] = []
        ledger.removeAll { told.append($0) }
        #expect(told == ["a", "c"])
        #expect(ledger.append("d", deadline: later) == 1)
        #expect(ledger.inFlightCount == 1)
    }
}
