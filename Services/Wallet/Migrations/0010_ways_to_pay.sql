-- More ways to pay, payments that ask their customer first, and cards that belong to a customer at the payment provider.
-- Which methods, states and goals there are is the program's to say.
ALTER TABLE payments DROP CONSTRAINT IF EXISTS payments_method_check;
ALTER TABLE charges
    DROP CONSTRAINT IF EXISTS charges_state_check,
    DROP CONSTRAINT IF EXISTS charges_goal_check,
    -- PayPal knows its customer, we do not.
    ALTER COLUMN card DROP NOT NULL,
    ADD COLUMN method text NOT NULL DEFAULT 'card',
    -- At the payment provider.
    ADD COLUMN customer text,
    -- When the card's owner agreed to be charged without being there.
    ADD COLUMN consented_at timestamptz,
    -- Where the customer has to go; removed once he or she has answered.
    ADD COLUMN action_url text;
CREATE INDEX charges_waiting_for_customer ON charges (subject) WHERE state = 'requiresAction';
-- A card is not taken from the payment provider while it may be asked with.
CREATE INDEX charges_asked_of_card ON charges (card) WHERE state = 'asked';
ALTER TABLE top_ups ADD COLUMN method text NOT NULL DEFAULT 'card';

-- Whom the payment provider knows an account as.
CREATE TABLE provider_customers (
    account   uuid PRIMARY KEY,
    reference text NOT NULL,
    made_at   timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE cards
    ADD COLUMN customer text,
    ADD COLUMN is_default boolean NOT NULL DEFAULT false,
    ADD COLUMN consented_at timestamptz,
    -- Months since the year 0.
    ADD COLUMN expiry_number integer NOT NULL GENERATED ALWAYS AS (expiry_year * 12 + expiry_month - 1) STORED,
    -- The expiry that its owner was told of, and the one that was seen to be over.
    ADD COLUMN noticed_expiry integer,
    ADD COLUMN lapsed_expiry integer;
UPDATE cards SET is_default = true WHERE id IN (SELECT DISTINCT ON (account) id FROM cards ORDER BY account, id);
CREATE UNIQUE INDEX cards_default ON cards (account) WHERE is_default;
CREATE INDEX cards_to_notice ON cards (expiry_number) WHERE noticed_expiry IS DISTINCT FROM expiry_number;
CREATE INDEX cards_to_lapse ON cards (expiry_number) WHERE lapsed_expiry IS DISTINCT FROM expiry_number;

-- What is to go at the payment provider: asked again until it is known to be gone.
CREATE TABLE removals (
    reference text PRIMARY KEY,
    kind      text NOT NULL,
    tries     integer NOT NULL DEFAULT 0,
    due_at    timestamptz NOT NULL,
    made_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX removals_due ON removals (due_at);

-- Whether an account has a card that can be charged, as it was last told.
CREATE TABLE account_methods (
    account    uuid PRIMARY KEY,
    has_method boolean NOT NULL,
    version    bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);
