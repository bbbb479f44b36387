-- ---------------------------------------------------------------------------------------------------------------------
-- A link of a mail says where it went, and counts while the account has that address.

ALTER TABLE verifications ADD COLUMN sent_to text;
UPDATE verifications SET sent_to = split_part(value, ' ', 2)
 WHERE split_part(identifier, ':', 1) IN ('verify-email', 'used-verify-email', 'sign-in-link');
UPDATE verifications v SET sent_to = u.email FROM users u
 WHERE split_part(v.value, ' ', 1) = u.id::text AND split_part(v.identifier, ':', 1) IN ('reset-password', 'not-me');

-- ---------------------------------------------------------------------------------------------------------------------
-- Free messages without an answer are counted for each key, and all that reached a provider are bounded too (decision 50).

ALTER TABLE unanswered
  ADD COLUMN key_id    uuid REFERENCES api_keys ON DELETE CASCADE,
  ADD COLUMN uncharged integer NOT NULL DEFAULT 0,
  DROP CONSTRAINT unanswered_pkey,
  DROP CONSTRAINT unanswered_messages_check;
UPDATE unanswered SET uncharged = messages;
ALTER TABLE unanswered
  ALTER COLUMN uncharged DROP DEFAULT,
  ADD CONSTRAINT unanswered_place UNIQUE NULLS NOT DISTINCT (user_id, day, key_id),
  ADD CONSTRAINT unanswered_messages CHECK (messages >= 0),
  ADD CONSTRAINT unanswered_uncharged CHECK (uncharged > 0 AND uncharged >= messages);

DROP FUNCTION IF EXISTS send_message(uuid, uuid, uuid, uuid, text, text, text, integer, uuid, integer, timestamptz, text, boolean, integer);

DROP FUNCTION IF EXISTS send_api_message(uuid, uuid, uuid, text, bytea, text, integer, integer, uuid, integer, timestamptz, integer);

DROP FUNCTION IF EXISTS end_message(uuid, uuid, text, text, text, text, text, jsonb, boolean, boolean, text, integer, integer, jsonb,
  timestamptz, integer, boolean, text, boolean);
