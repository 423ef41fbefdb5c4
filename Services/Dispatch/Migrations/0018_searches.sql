-- What the platform searches a provider for (P4): a row as long as the search goes on, also while somebody is asked.
CREATE TABLE searches (
    order_id    uuid PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    market      text NOT NULL,
    -- Its rounds are of this area; see RoundArea.
    area        bigint NOT NULL,
    -- What has to be done, such as ride or ride-xl.
    kind        text NOT NULL,
    customer    uuid NOT NULL,
    latitude    double precision NOT NULL,
    longitude   double precision NOT NULL,
    began_at    timestamptz NOT NULL,
    -- Which of the market's radii it is searched within, and since when.
    stage       smallint NOT NULL,
    stage_since timestamptz NOT NULL,
    -- When a round should look at it; null while somebody is asked.
    round_at    timestamptz,
    -- Of the last reasoning that was kept, so that the same is not kept twice.
    explained   bigint
) WITH (fillfactor = 70);
CREATE INDEX searches_due ON searches (round_at) WHERE round_at IS NOT NULL;
CREATE INDEX searches_of_area ON searches (market, area, began_at) WHERE round_at IS NOT NULL;

-- Who was asked for what, once at most. One offer of an order is open at a time, and one of a provider: the claim of the
-- provider sees to that, and these indices to the claim.
CREATE TABLE offers (
    order_id   uuid NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    provider   uuid NOT NULL,
    offered_at timestamptz NOT NULL,
    -- What came of it, by the trigger's name; null while it is open.
    outcome    text,
    ended_at   timestamptz,
    PRIMARY KEY (order_id, provider)
);
CREATE UNIQUE INDEX offers_open ON offers (order_id) WHERE outcome IS NULL;
CREATE UNIQUE INDEX offers_open_of_provider ON offers (provider) WHERE outcome IS NULL;

-- One round at a time: who runs an area's has it until then.
CREATE TABLE round_areas (
    market       text NOT NULL,
    area         bigint NOT NULL,
    worker       uuid NOT NULL,
    leased_until timestamptz NOT NULL,
    PRIMARY KEY (market, area)
) WITH (fillfactor = 50);

-- Why an order got what it got, round by round; kept when it changed or something came of it.
CREATE TABLE round_explanations (
    order_id  uuid NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    id        bigint GENERATED ALWAYS AS IDENTITY,
    at        timestamptz NOT NULL,
    reasoning jsonb NOT NULL,
    PRIMARY KEY (order_id, id)
);
CREATE INDEX round_explanations_by_age ON round_explanations (at);

-- How often a start code was tried.
CREATE TABLE start_tries (
    order_id uuid PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    count    integer NOT NULL
);

-- Since when a provider has had no work; and the class of the vehicle, as identity tells.
ALTER TABLE providers ADD COLUMN free_since timestamptz;
ALTER TABLE provider_roles ADD COLUMN vehicle text;
