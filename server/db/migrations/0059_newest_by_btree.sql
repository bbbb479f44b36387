-- New rows fill the places of deleted and changed ones all over a table, so a BRIN index finds some in each range; a B-tree finds them alone (decision 137).
DROP INDEX messages_newest;
CREATE INDEX messages_newest ON messages (created_at);
DROP INDEX billing.facts_newest;
CREATE INDEX facts_newest ON billing.facts (observed_at);
DROP INDEX billing.inbox_newest;
CREATE INDEX inbox_newest ON billing.inbox (received_at);
