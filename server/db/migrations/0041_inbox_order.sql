-- Webhooks of one moment are taken in the order in which they came, also by the index on PostgreSQL 15.
DROP INDEX billing.inbox_due;
CREATE INDEX inbox_due ON billing.inbox (provider, next_try_at, id) WHERE status = 'new';
