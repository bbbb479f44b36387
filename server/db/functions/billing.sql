-- Functions and triggers of billing. Applied again when this text changes; CONTRIBUTING.md says how to change one.

-- Trigger. A mailbox that is proved belongs to the orders of its account: a dispute follows it (decision 46). Orders from before a
-- takeover are those of whoever opened the account.
CREATE OR REPLACE FUNCTION billing.keep_proved_mailbox() RETURNS trigger LANGUAGE plpgsql SET search_path = billing, pg_temp AS $$
BEGIN
  INSERT INTO order_mailboxes (user_id, address_hash)
  SELECT NEW.id, NEW.address_hash
   WHERE EXISTS (SELECT FROM orders WHERE user_id = NEW.id AND created_at > coalesce(NEW.taken_over_at, '-infinity'))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER users_keep_proved_mailbox AFTER UPDATE OF email_verified, address_hash ON users FOR EACH ROW
  WHEN (NEW.email_verified AND NEW.address_hash IS NOT NULL) EXECUTE FUNCTION billing.keep_proved_mailbox();
