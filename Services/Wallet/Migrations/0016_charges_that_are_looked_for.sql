-- A charge that was never answered is looked for several times before it counts as never made.
ALTER TABLE charges
    ADD COLUMN misses integer NOT NULL DEFAULT 0,
    ADD COLUMN missed_at timestamptz,
    -- What its customer comes back to, as it was first told to the payment provider: a repeated request has to be the same.
    ADD COLUMN return_url text;

-- A card stays at the payment provider while a charge with it waits for its owner, too.
DROP INDEX charges_asked_of_card;
CREATE INDEX charges_open_of_card ON charges (card) WHERE state IN ('asked', 'requiresAction');
-- A customer that an account has there is not removed.
CREATE INDEX provider_customers_by_reference ON provider_customers (reference);

-- What an account has tried with cards lately, so that nobody finds out here which stolen cards are good: cards added,
-- charges that are not answered yet, and refusals. A row counts until its time.
CREATE TABLE card_attempts (
    id      uuid PRIMARY KEY,
    account uuid NOT NULL,
    kind    text NOT NULL,
    until   timestamptz NOT NULL
);
CREATE INDEX card_attempts_of_account ON card_attempts (account, until);
CREATE INDEX card_attempts_over ON card_attempts (until);
