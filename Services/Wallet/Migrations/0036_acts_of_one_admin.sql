-- What one admin has accepted and refunded within a day.
CREATE INDEX cash_outs_of_admin ON cash_outs (decided_by, decided_at) WHERE decided_by IS NOT NULL;
CREATE INDEX refunds_of_admin ON refunds (by, at) WHERE by IS NOT NULL;
CREATE INDEX approvals_of_subject ON approvals (subject) WHERE state = 'approved';
