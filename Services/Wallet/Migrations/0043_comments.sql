-- The purpose of each table, for those who read the database itself.
COMMENT ON TABLE account_methods IS
    'Whether an account has a card that can be charged, and its cards, as others were last told.';
COMMENT ON TABLE accounts IS
    'The ledger''s accounts: of wallets, escrow, debts, the platform and the world outside. Only the balance changes.';
COMMENT ON TABLE approvals IS
    'Acts that one admin has begun and another one has to approve.';
COMMENT ON TABLE bank_accounts IS
    'Bank accounts as the payment provider knows them: no number, only its last four characters.';
COMMENT ON TABLE blocks IS
    'Accounts that pay nothing new in a market until what they owe is paid.';
COMMENT ON TABLE card_attempts IS
    'Tries of an account with cards, so that nobody tests stolen cards here. A row counts until its time.';
COMMENT ON TABLE cards IS
    'Cards as the payment provider knows them: no number, no CVV.';
COMMENT ON TABLE cash_outs IS
    'Money that leaves a wallet to a bank account or a card, from the request to its end.';
COMMENT ON TABLE chains IS
    'The heads of the ledger''s hash chains. Posters that meet take different ones.';
COMMENT ON TABLE charges IS
    'One payment intent at the payment provider each, with the step that is to come next.';
COMMENT ON TABLE debtors IS
    'Up to where the credits of a debtor''s wallet were counted.';
COMMENT ON TABLE debts IS
    'Money that an overdraft is to bring somebody, until its debtor has paid (decision 0044).';
COMMENT ON TABLE deposits IS
    'Deposits of carriers for parcels, and what became of them.';
COMMENT ON TABLE desk_cash IS
    'Cash that admins have taken, each for one order.';
COMMENT ON TABLE disputes IS
    'Charges whose money was taken back at the payment provider: by the card''s owner, or in its dashboard.';
COMMENT ON TABLE entries IS
    'Amounts that accounts gain or lose by a transfer. Never changed or deleted; by account and id, without keys.';
COMMENT ON TABLE fines IS
    'Fines of late cancellations and no-shows, one for an order, until they are paid.';
COMMENT ON TABLE holds IS
    'Money of a wallet that waits for its division or its return, by command of another service.';
COMMENT ON TABLE passed_card_money IS
    'Card money that reached another wallet with a price, a tip or a deposit, and keeps its time there.';
COMMENT ON TABLE payments IS
    'The payment of each order: what is due, held, captured, given back, and by which way it was paid.';
COMMENT ON TABLE promo_attempts IS
    'How often an account has tried a code, right or wrong.';
COMMENT ON TABLE promo_codes IS
    'Promo codes of markets with their limits and how often they are used.';
COMMENT ON TABLE promo_uses IS
    'Uses of promo codes, each by one order. One whose payment came to nothing is returned.';
COMMENT ON TABLE provider_customers IS
    'The customer that an account is at the payment provider.';
COMMENT ON TABLE refunds IS
    'Money that goes back of payments, to the wallet or the card, and from whom.';
COMMENT ON TABLE refusals IS
    'Commands that were refused for good, so that a repeated one hears the same again.';
COMMENT ON TABLE removals IS
    'Cards and customers that are to go at the payment provider; asked again until they are known to be gone.';
COMMENT ON TABLE report_decisions IS
    'Decisions of admins about the money of reported orders. The first decision counts, also before the report.';
COMMENT ON TABLE statement_lines IS
    'Lines that each account reads of its money, written in the transaction that they tell of.';
COMMENT ON TABLE subscription_periods IS
    'Paid periods of subscriptions, and those that were to be paid. They outlive a subscription whose account goes.';
COMMENT ON TABLE subscription_plans IS
    'Plans that providers of a market may subscribe to, with their prices.';
COMMENT ON TABLE subscriptions IS
    'The subscription of each provider of a market, with its last paid period.';
COMMENT ON TABLE tips IS
    'Money that customers gave beside the price, one tip for an order.';
COMMENT ON TABLE top_ups IS
    'Money that comes into a wallet by card, from the request to its end.';
COMMENT ON TABLE transfers IS
    'One movement of money each, posted once for its key and chained by hashes. Never changed or deleted.';
COMMENT ON TABLE unattended_payments IS
    'Payments that are made without their customer, tried again until their time is over.';
COMMENT ON TABLE webhook_events IS
    'Events of the payment provider that had their effect, kept for as long as they could come again.';
COMMENT ON TABLE write_offs IS
    'Debts that admins have written off: the platform paid them.';

COMMENT ON COLUMN accounts.floor IS
    'No debit takes the balance below it, unless the transfer says that it overdraws.';
COMMENT ON COLUMN charges.due_at IS
    'When a worker is to look at it; null when nothing is to be done.';
COMMENT ON COLUMN cash_outs.due_at IS
    'When a worker is to look at it; null when nothing is to be done.';
COMMENT ON COLUMN payments.promised_discount IS
    'The discount that the customer was told, in minor units.';
COMMENT ON COLUMN entries.balance IS
    'The account''s balance after this entry.';
COMMENT ON COLUMN transfers.form IS
    'The form of the bytes that are hashed: 2 names the owner of an account and the time, too.';
COMMENT ON COLUMN unattended_payments.card IS
    'The card that was agreed to; null with card as the method is any card that its owner has agreed to have charged.';
