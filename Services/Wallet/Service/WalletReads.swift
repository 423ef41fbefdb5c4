extension WalletService {
    static let recordedReads = [
        "/wallet/v1/markets/{market}/subscribers": "subscribers",
        "/wallet/v1/markets/{market}/subscribers.csv": "subscribers.csv",
        "/wallet/v1/markets/{market}/subscription-figures.csv": "subscription-figures.csv",
        "/wallet/v1/markets/{market}/wallets": "wallets",
        "/wallet/v1/markets/{market}/payments": "payments",
        "/wallet/v1/markets/{market}/payments.csv": "payments.csv",
        "/wallet/v1/markets/{market}/commissions": "commissions",
        "/wallet/v1/markets/{market}/commissions.csv": "commissions.csv",
        "/wallet/v1/markets/{market}/refunds": "refunds",
        "/wallet/v1/markets/{market}/refunds.csv": "refunds.csv",
        "/wallet/v1/markets/{market}/fines": "fines",
        "/wallet/v1/markets/{market}/fines.csv": "fines.csv",
        "/wallet/v1/markets/{market}/cash-outs": "cash-outs",
        "/wallet/v1/markets/{market}/cash-outs.csv": "cash-outs.csv",
        "/wallet/v1/markets/{market}/disputes": "disputes",
        "/wallet/v1/markets/{market}/approvals": "approvals",
        "/wallet/v1/markets/{market}/debtors": "debtors",
        "/wallet/v1/markets/{market}/promo-codes.csv": "promo-codes.csv",
        "/wallet/v1/ledger/days.csv": "ledger days.csv",
    ]
}
