import Testing

/// What is written for those who run a deployment, against what the code says.
@Suite("The references of operations")
struct OperationsTests {
    @Test("Q2: the reference of metrics, alerts and dashboards name the metrics of the code, and no others")
    func metrics() throws {
        let files = try SourceTree.project().files
        let names = MetricRules.declared(in: files).map(\.name)
        #expect(Set(names).isSuperset(of: ["http_server_requests_total", "outbox_waiting", "process_open_fds"]))
        let alerts = try #require(files.first { $0.path == MetricRules.alerts })
        #expect(MetricRules.expressions(in: alerts).flatMap(MetricRules.metrics).contains("outbox_oldest_seconds"))
        for violation in MetricRules.violations(files) { Issue.record("\(violation)") }
    }

    @Test("Q2: the reference of logs names what services say from notice on, and nothing else")
    func logs() throws {
        let files = try SourceTree.project().files
        #expect(files.flatMap { LogRules.said(in: $0) }.count > 90)
        for violation in LogRules.violations(files) { Issue.record("\(violation)") }
    }

    @Test("Q2: each alert has a summary, a severity and its heading in the runbooks")
    func runbooks() throws {
        let files = try SourceTree.project().files
        let alerts = try #require(files.first { $0.path == MetricRules.alerts })
        #expect(RunbookRules.alerts(in: alerts.text).count > 20)
        for violation in RunbookRules.violations(files) { Issue.record("\(violation)") }
    }

    // MARK: That these rules can fail

    private func file(_ path: String, _ text: String) -> SourceFile { SourceFile(path: path, text: text) }

    @Test("an instrument's name is read in each form, with the suffix that it gets")
    func declared() {
        let text = """
            Counter(label: "a.b") ; Gauge(label: "c") ; Metrics.Timer(
                label: "d_seconds", dimensions: labels) ; Counter(label: Other.requestsLabel) ; Counter(label: other)
            Sample(name: "open_fds", type: "gauge", help: "")
            """
        let other = file("Services/B/B.swift", "static let requestsLabel = \"http.requests\"")
        let found = MetricRules.declared(in: [file("Shared/A.swift", text), other])
        #expect(found.map(\.name) == ["a_b_total", "c", "d_seconds", "http_requests_total", "open_fds"])
        #expect(found.map(\.type) == ["counter", "gauge", "histogram", "counter", "gauge"])
        #expect(MetricRules.declared(in: [file("Tests/A.swift", text)]).isEmpty)
    }

    @Test("a metric that is missing in the reference, or in the code, or has another type, is found")
    func wrongMetrics() {
        let code = file("Shared/A.swift", "Counter(label: \"a\") ; Gauge(label: \"b\")")
        func page(_ rows: String) -> SourceFile { file(MetricRules.reference, rows) }
        #expect(MetricRules.violations([code, page("| `a_total` | counter | |\n| `b` | gauge | |\n")]).isEmpty)
        #expect(MetricRules.violations([code, page("| `a_total` | gauge | |\n| `b` | gauge | |\n")]).count == 1)
        #expect(MetricRules.violations([code, page("| `b` | gauge | |\n| `c` | gauge | |\n")]).count == 2)
    }

    @Test("of an expression the metrics are read, not its functions, labels, words and times")
    func expressions() {
        let read = MetricRules.metrics(
            in:
                #"sum by (job, le) (rate(a_bucket{le="0.5", job!~"b.*"}[5m])) / on(c) d:rate1h > 14.4 * 0.001 and up == 0"#
        )
        #expect(read == ["a_bucket", "d:rate1h", "up"])
        let rules = file(
            MetricRules.alerts,
            "      - record: a:b\n        expr: |\n          x\n          / y\n      - alert: C\n        expr: z > 1\n")
        #expect(MetricRules.expressions(in: rules).flatMap(MetricRules.metrics) == ["x", "y", "z"])
        let dashboard = file("\(MetricRules.dashboards)/a.json", #"{"expr": "rate(a{b=\"c\"}[5m])", "x": 1}"#)
        #expect(MetricRules.expressions(in: dashboard).flatMap(MetricRules.metrics) == ["a"])
        #expect(MetricRules.violations([dashboard, file(MetricRules.reference, "")]).count == 1)
    }

    @Test("an alert without heading, summary or severity is found, and a heading without alert")
    func wrongAlerts() {
        let whole = """
              - alert: Down
                expr: up == 0
                labels: {severity: page}
                annotations:
                  summary: "away"
                  runbook: docs/runbooks.md#down

            """
        func found(_ rules: String, _ headings: String) -> Int {
            RunbookRules.violations([file(MetricRules.alerts, rules), file(RunbookRules.page, headings)]).count
        }
        #expect(found(whole, "# All\n\n## Down\n") == 0)
        #expect(found(whole, "# All\n") == 1)
        #expect(found(whole, "## Down\n\n## Up\n") == 1)
        #expect(found(whole.replacing("#down", with: "#up"), "## Down\n") == 1)
        #expect(found(whole.replacing("summary", with: "title"), "## Down\n") == 1)
        #expect(found(whole.replacing("page}", with: "later}"), "## Down\n") == 1)
    }

    @Test("a message of the log is read in each form, and one that is missing or has another level is found")
    func wrongLogs() {
        let text = """
            runner.logger.warning("one", metadata: [:]) ; log(.error, "two", x) ; log(isLate(a) ? .error : .warning, "three", x)
            logger.log(level: error == told ? .debug : .notice, "four") ; work(orLog: "five") ; log("six", push)
            logger.debug("seven") ; logger.info("eight")
            """
        let code = file("Services/A/A.swift", text)
        let said = LogRules.said(in: code).reduce(into: [:]) { $0[$1.message] = $1.levels.sorted() }
        #expect(
            said == [
                "one": ["warning"], "two": ["error"], "three": ["error", "warning"], "four": ["notice"],
                "five": ["warning"], "six": ["warning"],
            ])
        let one = file("Services/A/B.swift", "logger.warning(\"one\")")
        #expect(LogRules.violations([one, file(LogRules.reference, "| `one` | warning, error | |\n")]).isEmpty)
        #expect(LogRules.violations([one, file(LogRules.reference, "| `one` | error | |\n")]).count == 1)
        #expect(LogRules.violations([one, file(LogRules.reference, "")]).count == 1)
        #expect(LogRules.violations([file(LogRules.reference, "| `one` | error | |\n")]).count == 1)
    }
}
