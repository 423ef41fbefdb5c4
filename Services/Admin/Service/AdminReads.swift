extension AdminService {
    /// The list of the audit log is none of them: it would grow by being read.
    static let recordedReads = [
        "/admin/v1/audit.csv": "audit.csv",
        "/admin/v1/markets/{market}/orders": "orders",
        "/admin/v1/markets/{market}/orders.csv": "orders.csv",
        "/admin/v1/markets/{market}/money.csv": "money.csv",
        "/admin/v1/markets/{market}/statistics.csv": "statistics.csv",
        "/admin/v1/markets/{market}/people": "people",
        "/admin/v1/markets/{market}/reports": "reports",
    ]
}
