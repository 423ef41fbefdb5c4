-- Browsers and phones that push messages go to (N2). The address there, and the keys of a browser, are sealed: whoever has them
-- can send to the device.
CREATE TABLE devices (
    account     uuid        NOT NULL,
    -- Chosen by the device.
    id          uuid        NOT NULL,
    -- With this session the device goes.
    session     uuid        NOT NULL,
    -- Where it was registered: its app, and the beginning of the links in what it is sent.
    market      text        NOT NULL,
    kind        text        NOT NULL CHECK (kind IN ('web', 'fcm', 'apns')),
    -- The host that hands the messages on.
    host        text        NOT NULL,
    -- Of the address: a device has one owner, the last one.
    fingerprint text        NOT NULL,
    sealed      text        NOT NULL,
    created_at  timestamptz NOT NULL,
    seen_at     timestamptz NOT NULL,
    PRIMARY KEY (account, id)
);
CREATE UNIQUE INDEX devices_fingerprint ON devices (fingerprint);
CREATE INDEX devices_session ON devices (session);
COMMENT ON TABLE devices IS 'Browsers and phones of accounts that push messages go to. The address is sealed.';

-- Hosts that have asked for a pause, or do not answer.
CREATE TABLE paused_hosts (
    host  text        PRIMARY KEY,
    until timestamptz NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE paused_hosts IS 'Hosts of push messages that have asked for a pause, or did not answer, and until when they are left alone.';
