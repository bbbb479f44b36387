-- Whenever a way in changes, the links that were mailed to its user before go: they are found by whose they are. What is kept of a way
-- to Google is long, so that the index is by hash.
CREATE INDEX verifications_user ON verifications USING hash (split_part(value, ' ', 1));
