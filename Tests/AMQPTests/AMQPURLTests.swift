import AMQP
import Testing

@Suite("AMQP URLs")
struct AMQPURLTests {
    @Test("all parts, percent-decoded")
    func parts() throws {
        let url = try AMQPURL("amqp://us%2Fer:p%40ss%3A%20w@broker.example:5673/a%2Fb%25?heartbeat=7")
        #expect(url.user == "us/er" && url.password == "p@ss: w")
        #expect(url.hosts == [AMQPURL.Host("broker.example", port: 5673)])
        #expect(url.virtualHost == "a/b%" && url.heartbeatSeconds == 7 && url.tls == nil)
    }

    @Test("defaults", arguments: ["amqp://h", "amqp://h/", "amqp://h/%2F"])
    func defaults(_ text: String) throws {
        let url = try AMQPURL(text)
        #expect(url.hosts == [AMQPURL.Host("h", port: 5672)] && url.virtualHost == "/")
        #expect(url.user == "guest" && url.heartbeatSeconds == 10)
    }

    @Test("TLS")
    func tls() throws {
        let url = try AMQPURL("amqps://h/v?cacertfile=%2Fca.pem&certfile=/c.pem&keyfile=/k.pem&verify=none")
        #expect(url.hosts == [AMQPURL.Host("h", port: 5671)])
        #expect(url.tls?.authorityFile == "/ca.pem" && url.tls?.certificateFile == "/c.pem")
        #expect(url.tls?.keyFile == "/k.pem" && url.tls?.verifiesPeer == false)
        #expect(try AMQPURL("amqps://h").tls?.verifiesPeer == true)
    }

    @Test("an IPv6 address")
    func ipv6() throws {
        let url = try AMQPURL("amqp://u:p@[::1]:99/v")
        #expect(url.hosts == [AMQPURL.Host("::1", port: 99)])
    }

    @Test("the nodes of a cluster, with and without a port")
    func hosts() throws {
        let url = try AMQPURL("amqp://u:p@a:5673,b,[::1]:99/v?heartbeat=2")
        #expect(url.hosts.map(\.name) == ["a", "b", "::1"] && url.hosts.map(\.port) == [5673, 5672, 99])
        #expect(url.user == "u" && url.password == "p" && url.virtualHost == "v" && url.heartbeatSeconds == 2)
        #expect("\(url)" == "amqp://a:5673,b:5672,[::1]:99/v")
        #expect(try AMQPURL("amqp://u:p,q@a,b").password == "p,q")
    }

    @Test("no description shows the password")
    func secret() throws {
        let url = try AMQPURL("amqp://user:swordfish@h/v")
        let configuration = AMQPConfiguration(url: url, connectionName: "n")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(url)", "\(configuration)", String(reflecting: url), dumped] {
            #expect(!text.contains("swordfish"))
        }
    }

    @Test(
        "what is malformed is refused",
        arguments: [
            "", "http://h", "amqp://", "amqp://h:0", "amqp://h:x", "amqp://h:70000", "amqp://h/%zz", "amqp://h/%4",
            "amqp://h?heartbeat=-1", "amqp://h?heartbeat=x", "amqp://h?verify=none", "amqps://h?verify=maybe",
            "amqps://h?vrify=none", "amqp://a,", "amqp://,b", "amqp://a,,b", "amqp://a,b:0", "amqp://[::1",
            "amqp://[::1]x",
            "amqp://h/%00", "amqp://h/%ff",
        ])
    func malformed(_ text: String) {
        #expect(throws: AMQPURL.ParseError.self) { try AMQPURL(text) }
    }
}
