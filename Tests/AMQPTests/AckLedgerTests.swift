import TestKit
import Testing

@testable import AMQP

@Suite("The ledger of acks")
struct AckLedgerTests {
    func ledger(delivered count: UInt64) -> AckLedger {
        var ledger = AckLedger()
        for tag in 1...count { #expect(ledger.delivered(tag) == true) }
        return ledger
    }

    func flush(_ ledger: inout AckLedger, passingGaps: Bool = true) -> [AckLedger.Frame] {
        var frames: [AckLedger.Frame] = []
        ledger.flush(passingGaps: passingGaps) { frames.append($0) }
        return frames
    }

    @Test("acks without a gap are one frame")
    func prefix() {
        var ledger = ledger(delivered: 5)
        for tag: UInt64 in [3, 1, 2] { #expect(ledger.ack(tag) == true) }
        #expect(flush(&ledger) == [.ack(3, multiple: true)])
        #expect(ledger.outstandingCount == 2)
        #expect(flush(&ledger) == [])
    }

    @Test("acks behind a gap are single, and not repeated when the gap closes")
    func gap() {
        var ledger = ledger(delivered: 5)
        for tag: UInt64 in [1, 3, 4] { ledger.ack(tag) }
        #expect(flush(&ledger) == [.ack(1, multiple: true), .ack(3, multiple: false), .ack(4, multiple: false)])
        ledger.ack(2)
        ledger.ack(5)
        #expect(flush(&ledger) == [.ack(5, multiple: true)])
        #expect(ledger.outstandingCount == 0)
    }

    @Test("acks behind a gap may wait for it to close, and are one frame with it")
    func held() {
        var ledger = ledger(delivered: 6)
        for tag: UInt64 in [1, 3, 5] { ledger.ack(tag) }
        ledger.reject(4, requeue: true)
        #expect(flush(&ledger, passingGaps: false) == [.reject(4, requeue: true), .ack(1, multiple: true)])
        #expect(ledger.unwrittenCount == 2)
        #expect(flush(&ledger, passingGaps: false) == [])
        ledger.ack(2)
        #expect(flush(&ledger, passingGaps: false) == [.ack(5, multiple: true)])
        #expect(ledger.unwrittenCount == 0)
        #expect(ledger.outstandingCount == 1)
    }

    @Test("when only acked ones lie behind a closed gap, the ack names the gap")
    func gapOnly() {
        var ledger = ledger(delivered: 3)
        ledger.ack(2)
        ledger.ack(3)
        _ = flush(&ledger)
        ledger.ack(1)
        #expect(flush(&ledger) == [.ack(1, multiple: true)])
    }

    @Test("rejections go before acks that would cover them")
    func rejections() {
        var ledger = ledger(delivered: 4)
        ledger.ack(1)
        ledger.reject(2, requeue: false)
        ledger.ack(3)
        ledger.reject(4, requeue: true)
        #expect(
            flush(&ledger) == [
                .reject(2, requeue: false), .reject(4, requeue: true), .ack(3, multiple: true),
            ])
        #expect(ledger.outstandingCount == 0)
    }

    @Test("settling twice, or what was never delivered, has no effect")
    func twice() {
        var ledger = ledger(delivered: 2)
        #expect(ledger.ack(1) == true)
        #expect(ledger.ack(1) == false)
        #expect(ledger.reject(1, requeue: true) == false)
        #expect(ledger.ack(3) == false)
        #expect(ledger.ack(0) == false)
        _ = flush(&ledger)
        #expect(ledger.ack(1) == false)
        #expect(ledger.outstandingCount == 1)
    }

    @Test("deliveries come in order")
    func order() {
        var ledger = ledger(delivered: 2)
        #expect(ledger.delivered(4) == false)
        #expect(ledger.delivered(2) == false)
        #expect(ledger.delivered(3) == true)
    }

    @Test("whatever the order, a broker that follows the frames has the same deliveries settled")
    func randomWalk() {
        var generator = SeededGenerator()
        var ledger = AckLedger()
        var delivered: UInt64 = 0
        var open: Set<UInt64> = []
        var brokerOpen: Set<UInt64> = []
        for _ in 0..<3000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                delivered += 1
                #expect(ledger.delivered(delivered) == true, "\(generator)")
                open.insert(delivered)
                brokerOpen.insert(delivered)
            case 5..<9:
                guard let tag = open.randomElement(using: &generator) else { continue }
                open.remove(tag)
                let isAck = Bool.random(using: &generator)
                let isSettled = isAck ? ledger.ack(tag) : ledger.reject(tag, requeue: true)
                #expect(isSettled, "\(generator)")
            default:
                let passingGaps = Bool.random(using: &generator)
                for frame in flush(&ledger, passingGaps: passingGaps) {
                    switch frame {
                    case .ack(let tag, multiple: false), .reject(let tag, _):
                        #expect(brokerOpen.remove(tag) != nil, "\(tag) was settled twice, \(generator)")
                    case .ack(let tag, multiple: true):
                        #expect(brokerOpen.contains(tag), "\(tag) is not outstanding, \(generator)")
                        brokerOpen = brokerOpen.filter { $0 > tag }
                    }
                }
                #expect(brokerOpen.count - open.count == ledger.unwrittenCount, "\(generator)")
                #expect(brokerOpen.isSuperset(of: open), "\(generator)")
                if passingGaps { #expect(brokerOpen == open, "\(generator)") }
            }
        }
    }
}
