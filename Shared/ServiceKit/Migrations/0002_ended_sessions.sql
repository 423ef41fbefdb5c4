-- Sessions that ended while access tokens of theirs may still be out. A row goes when the last of these has expired.
CREATE TABLE ended_sessions (
    session   uuid        PRIMARY KEY,
    heard_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    forget_at timestamptz NOT NULL
);

CREATE INDEX ended_sessions_heard_at ON ended_sessions (heard_at);
CREATE INDEX ended_sessions_forget_at ON ended_sessions (forget_at);
