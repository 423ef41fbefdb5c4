-- Until when a provider's subscription in a market holds, as wallet tells. A row of its own: it may be heard of before
-- the provider is.
CREATE TABLE provider_subscriptions (
    market  text NOT NULL,
    account uuid NOT NULL,
    -- Of the newest event that was heard.
    version bigint NOT NULL,
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (market, account)
);
