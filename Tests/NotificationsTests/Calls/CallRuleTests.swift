import Foundation
import Testing

@testable import SeraiNotifications

@Suite("N4: the states of a call")
struct CallStateTests {
    @Test(
        "N4: a call that rings is taken, declined, missed or closed",
        arguments: [
            (CallState.Event.answered, CallState.taken), (.declined, .declined), (.hungUpByCalled, .declined),
            (.hungUpByCaller, .missed), (.ranOut, .missed), (.doorClosed, .closed),
        ])
    func ringing(event: CallState.Event, next: CallState) {
        #expect(CallState.ringing.step(on: event) == .to(next))
    }

    @Test(
        "N4: a call that is taken ends by either party, by silence, and with what its order allows",
        arguments: [
            (CallState.Event.hungUpByCaller, CallState.ended), (.hungUpByCalled, .ended), (.ranOut, .ended),
            (.doorClosed, .closed),
        ])
    func taken(event: CallState.Event, next: CallState) {
        #expect(CallState.taken.step(on: event) == .to(next))
    }

    @Test("N4: the first device that answers takes the call; it may say so again, a second one may not")
    func devices() {
        #expect(CallState.taken.step(on: .answered, isSameDevice: true) == .same)
        #expect(CallState.taken.step(on: .answered, isSameDevice: false) == .refused(.alreadyTaken))
        #expect(CallState.taken.step(on: .declined, isSameDevice: false) == .refused(.alreadyTaken))
    }

    @Test("N4: nothing makes a call that is over ring or run again")
    func over() {
        for state in CallState.allCases where !state.isRunning {
            for event in CallState.Event.allCases {
                for isSameDevice in [true, false] {
                    if case .to(let next) = state.step(on: event, isSameDevice: isSameDevice) {
                        Issue.record("\(state) went to \(next) on \(event)")
                    }
                }
            }
            #expect(state.step(on: .answered) == .refused(.over))
            for event in [CallState.Event.hungUpByCaller, .hungUpByCalled, .ranOut, .doorClosed] {
                #expect(state.step(on: event) == .same)
            }
        }
        #expect(CallState.declined.step(on: .declined) == .same)
        #expect(CallState.missed.step(on: .declined) == .refused(.over))
    }

    @Test("N4: each running call ends by its deadline and with its order, so none rings for ever")
    func deadlines() {
        for state in CallState.allCases where state.isRunning {
            for event in [CallState.Event.ranOut, .doorClosed] {
                guard case .to(let next) = state.step(on: event) else {
                    Issue.record("\(state) stays on \(event)")
                    continue
                }
                #expect(!next.isRunning)
            }
        }
    }
}

@Suite("N2, N4: the push messages of a call")
struct CallPushTests {
    @Test("N2, N4: that it rings is told at once and as long as it rings, that it was missed for an hour")
    func terms() {
        let now = Date(timeIntervalSince1970: 1_796_000_000)
        let rings = PushTerms(.callRinging, ["seconds": .number(45)], at: now)
        #expect(rings.isUrgent && rings.expiresAt == now.addingTimeInterval(45))
        let missed = PushTerms(.callMissed, [:], at: now)
        #expect(missed.isUrgent && missed.expiresAt == now.addingTimeInterval(3_600))
    }
}

@Suite("N4: what the browsers of a call may tell each other")
struct CallSignalTests {
    private static let description =
        "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n"

    @Test("N4: a description of one voice is passed on, as offer and as answer")
    func description() {
        #expect(CallSignal.offer(Self.description).fault == nil)
        #expect(CallSignal.answer(Self.description).fault == nil)
    }

    @Test(
        "N4: a description that is long, no SDP, has pictures or no voice, or bytes that no browser writes, is refused")
    func badDescriptions() {
        let padded = Self.description + String(repeating: "a", count: CallSignal.descriptionLimit)
        #expect(CallSignal.offer(padded).fault == .tooLong)
        let manyLines = Self.description + String(repeating: "a=b\r\n", count: CallSignal.lineLimit)
        #expect(CallSignal.offer(manyLines).fault == .tooLong)
        #expect(CallSignal.offer("").fault == .notSDP)
        #expect(CallSignal.offer("hello").fault == .notSDP)
        #expect(CallSignal.offer("v=0\r\ns=-\r\n").fault == .notOneVoice)
        #expect(CallSignal.answer(Self.description + "m=video 9 UDP/TLS/RTP/SAVPF 96\r\n").fault == .notOneVoice)
        #expect(CallSignal.answer(Self.description + "m=audio 9 UDP/TLS/RTP/SAVPF 96\r\n").fault == .notOneVoice)
        #expect(CallSignal.offer(Self.description + "a=\u{0}\r\n").fault == .unprintable)
        #expect(CallSignal.offer(Self.description + "a=é\r\n").fault == .unprintable)
    }

    @Test("N4: a candidate is one line that begins as such, or empty at the end")
    func candidates() {
        #expect(CallSignal.candidate("candidate:1 1 udp 2122 203.0.113.5 54321 typ relay").fault == nil)
        #expect(CallSignal.candidate("").fault == nil)
        #expect(CallSignal.candidate("a=candidate:1").fault == .notCandidate)
        #expect(CallSignal.candidate("candidate:1\r\nm=video").fault == .unprintable)
        #expect(
            CallSignal.candidate("candidate:" + String(repeating: "1", count: CallSignal.candidateLimit)).fault
                == .tooLong)
    }
}

@Suite("N4: the relay's credentials")
struct TurnCredentialTests {
    private static let secret = Array("a-secret-of-the-relay-for-tests".utf8)
    private let account = UUID(uuidString: "019AC000-0000-7000-8000-000000000001")!
    private let call = UUID(uuidString: "019AC000-0000-7000-8000-000000000002")!

    private func credential(_ account: UUID, _ call: UUID) -> TurnCredential {
        TurnCredential(
            account: account, call: call, expiresAt: Date(timeIntervalSince1970: 1_796_000_000.9), secret: Self.secret)
    }

    @Test("N4: they have the form that coturn checks, by values that another program made")
    func known() {
        let made = credential(account, call)
        #expect(made.username == "1796000000:dd4b55773d74efea738cdfea")
        #expect(made.password == "0urzj+2iY8futLKK9/ovBn3CNQA=")
    }

    @Test("P8: the name in them does not tell the account, nor is it the same in two calls or for two accounts")
    func alias() {
        let name = credential(account, call).username
        #expect(credential(account, UUID()).username != name)
        #expect(credential(UUID(), call).username != name)
        #expect(!name.contains(account.uuidString.prefix(8)))
        #expect(!name.contains(account.uuidString.prefix(8).lowercased()))
    }
}
