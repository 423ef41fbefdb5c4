-- Series whose rule names no further visit had no deadline any more, and stayed active: each is looked at once, and ends.
INSERT INTO deadlines (kind, subject, due_at)
SELECT 'series.ahead', series.id::text, now() FROM series
WHERE state = 'active' AND NOT EXISTS (
    SELECT FROM deadlines WHERE kind = 'series.ahead' AND subject = series.id::text);
