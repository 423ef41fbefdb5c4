import Messaging
import Testing

@Suite("Trace context")
struct TraceContextTests {
    static let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("a traceparent is read and written as it was")
    func roundTrip() throws {
        let trace = try #require(TraceContext(traceparent: Self.example, tracestate: "congo=t61rcWkgMzE"))
        #expect(trace.traceparent == Self.example)
        #expect(trace.traceID.description == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(trace.spanIDText == "00f067aa0ba902b7")
        #expect(trace.isSampled)
        #expect(trace.tracestate == "congo=t61rcWkgMzE")
    }

    @Test(
        "a malformed traceparent is refused",
        arguments: [
            "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-extra",
            "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0é",
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01extra",
        ])
    func malformed(text: String) {
        #expect(TraceContext(traceparent: text) == nil)
    }

    @Test("a later version is read by its beginning and written as version 00")
    func laterVersion() throws {
        let text = "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more"
        #expect(try #require(TraceContext(traceparent: text)).traceparent == Self.example)
    }

    @Test("a child keeps the trace and has a span of its own")
    func child() throws {
        let trace = try #require(TraceContext(traceparent: Self.example, tracestate: "a=1"))
        let child = trace.child()
        #expect(child.traceID == trace.traceID)
        #expect(child.spanID != trace.spanID)
        #expect(child.tracestate == "a=1")
        #expect(TraceContext(traceparent: child.traceparent) != nil)
    }

    @Test("a generated trace is a valid one")
    func generated() throws {
        for _ in 0..<100 {
            let trace = TraceContext.generate()
            #expect(TraceContext(traceparent: trace.traceparent)?.traceID == trace.traceID)
        }
    }

    @Test("a tracestate that nobody can read is dropped, the trace is kept")
    func tracestate() throws {
        for bad in ["", "  ", "no-equals", String(repeating: "a=b,", count: 40), "k=\u{7}", "k=é"] {
            #expect(try #require(TraceContext(traceparent: Self.example, tracestate: bad)).tracestate == nil)
        }
    }

    @Test("unknown flags are not passed on")
    func flags() throws {
        let trace = try #require(TraceContext(traceparent: Self.example.dropLast(2) + "ff"))
        #expect(trace.traceparent.hasSuffix("-03"))
    }
}
