import Postgres

/// This service's own part of its schema.
enum WalletMigrations {
    static let all = [
        make(1, "ledger", PackageResources._001_ledger_sql), make(2, "payments", PackageResources._002_payments_sql),
        make(3, "cards", PackageResources._003_cards_sql), make(4, "statement", PackageResources._004_statement_sql),
        make(5, "payments that end otherwise", PackageResources._005_payments_that_end_otherwise_sql),
        make(6, "people who leave", PackageResources._006_people_who_leave_sql),
        make(7, "kinds are the program's", PackageResources._007_kinds_are_the_programs_sql),
        make(8, "chains and holds", PackageResources._008_chains_and_holds_sql),
        make(9, "flows around an order", PackageResources._009_flows_around_an_order_sql),
        make(10, "ways to pay", PackageResources._010_ways_to_pay_sql),
        make(11, "cash-outs", PackageResources._011_cash_outs_sql),
        make(12, "promo codes", PackageResources._012_promo_codes_sql),
        make(13, "subscriptions", PackageResources._013_subscriptions_sql),
        make(14, "what admins look at", PackageResources._014_what_admins_look_at_sql),
        make(15, "what the ledger vouches for", PackageResources._015_what_the_ledger_vouches_for_sql),
        make(16, "charges that are looked for", PackageResources._016_charges_that_are_looked_for_sql),
        make(17, "a price goes to the wallet", PackageResources._017_a_price_goes_to_the_wallet_sql),
        make(18, "payouts that are looked for", PackageResources._018_payouts_that_are_looked_for_sql),
        make(19, "lists of refunds and fines", PackageResources._019_lists_of_refunds_and_fines_sql),
        make(20, "what is kept for a time", PackageResources._020_what_is_kept_for_a_time_sql),
        make(21, "payouts that fail there", PackageResources._021_payouts_that_fail_there_sql),
        make(22, "names that go with time", PackageResources._022_names_that_go_with_time_sql),
        make(23, "keys are bytes", PackageResources._023_keys_are_bytes_sql),
        make(24, "charges that fail there", PackageResources._024_charges_that_fail_there_sql),
        make(25, "renewals that fail", PackageResources._025_renewals_that_fail_sql),
        make(26, "promo codes that are told", PackageResources._026_promo_codes_that_are_told_sql),
        make(27, "fines that are given back", PackageResources._027_fines_that_are_given_back_sql),
        make(28, "wishes that wait for a payment", PackageResources._028_wishes_that_wait_for_a_payment_sql),
        make(29, "money of a card", PackageResources._029_money_of_a_card_sql),
        make(30, "payments without their customer", PackageResources._030_payments_without_their_customer_sql),
        make(31, "what waits for a second admin", PackageResources._031_what_waits_for_a_second_admin_sql),
        make(32, "holds that never began", PackageResources._032_holds_that_never_began_sql),
        make(33, "money that waits for its debtor", PackageResources._033_money_that_waits_for_its_debtor_sql),
        make(34, "money that somebody owes", PackageResources._034_money_that_somebody_owes_sql),
        make(35, "when payments changed", PackageResources._035_when_payments_changed_sql),
        make(36, "acts of one admin", PackageResources._036_acts_of_one_admin_sql),
    ]

    private static func make(_ version: Int, _ name: String, _ text: [UInt8]) -> Migration {
        Migration(component: "wallet", version: version, name: name, sql: String(decoding: text, as: UTF8.self))
    }
}
