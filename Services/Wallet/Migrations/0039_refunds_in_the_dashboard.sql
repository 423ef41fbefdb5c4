-- The greatest sum that the payment provider has reported as refunded of the charge.
ALTER TABLE charges ADD COLUMN told_refunded bigint NOT NULL DEFAULT 0;

-- What a dispute that the bank revised gave to the platform, because the debt was written off meanwhile.
ALTER TABLE disputes ADD COLUMN to_platform bigint NOT NULL DEFAULT 0;

-- Card money that reached another wallet with a price that the customer has set, a tip or a given deposit. It keeps its time.
CREATE TABLE passed_card_money (
    -- The order of a capture or a tip; the deposit.
    subject uuid NOT NULL,
    kind    text NOT NULL,
    -- When and in which market it came from the card.
    at      timestamptz NOT NULL,
    market  text NOT NULL,
    -- So much of the whole that the payer gave.
    amount  bigint NOT NULL CHECK (amount > 0),
    whole   bigint NOT NULL CHECK (whole >= amount)
);
CREATE INDEX passed_card_money_of_subject ON passed_card_money (subject);
