/// How an order is paid.
enum PaymentMethod: String, Sendable, CaseIterable { case card, wallet, cash }
