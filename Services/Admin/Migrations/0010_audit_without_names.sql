-- The log has ids; names are read beside them. What it had of names, and of words that were searched for, goes this once.
ALTER TABLE audit DISABLE TRIGGER append_only;
UPDATE audit SET after = nullif(after - 'name', '{}')
WHERE action IN ('provider.verified', 'provider.rejected') AND after ? 'name';
UPDATE audit SET after = after || '{"name": "given"}' WHERE action IN ('list.viewed', 'list.exported') AND after ? 'name';
ALTER TABLE audit ENABLE ALWAYS TRIGGER append_only;
