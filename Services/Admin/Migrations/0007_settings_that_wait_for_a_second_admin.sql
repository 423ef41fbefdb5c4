-- A change of a setting that guards money, as one admin asked for it. It is made when another admin asks for the same.
CREATE TABLE setting_proposals (
    market      text NOT NULL,
    key         text NOT NULL,
    value       text NOT NULL,
    proposed_by uuid NOT NULL,
    proposed_at timestamptz NOT NULL,
    PRIMARY KEY (market, key)
);
