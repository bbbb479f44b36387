-- The texts of users with few are read from their messages and not stored a second time (decision 126). What is stored of them is deleted
-- by a job. A server of the version before writes 'scanned' and 'filling', and leaves the new words as they are.
ALTER TABLE search_users DROP CONSTRAINT search_users_mode;
ALTER TABLE search_users ADD CONSTRAINT search_users_mode
  CHECK (mode IN ('read', 'storing', 'indexed', 'scanned', 'filling')) NOT VALID;
CREATE INDEX search_users_storing ON search_users (user_id) WHERE mode IN ('storing', 'filling');
