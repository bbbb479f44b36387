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

-- Trigger. The audit log keeps what was written. Only the addresses in it go with an account (user-rows-store.ts): the subject becomes
-- null, and an operator's address their id. Error: 23001.
CREATE OR REPLACE FUNCTION billing.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql SET search_path = billing, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (to_jsonb(NEW) - '{subject,actor}'::text[]) = (to_jsonb(OLD) - '{subject,actor}'::text[])
       AND (NEW.subject IS NOT DISTINCT FROM OLD.subject OR NEW.subject IS NULL AND OLD.subject LIKE '%@%')
       AND (NEW.actor = OLD.actor OR NEW.actor = OLD.operator_id::text AND OLD.actor LIKE '%@%') THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
END $$;
CREATE OR REPLACE TRIGGER audit_is_final BEFORE UPDATE OR DELETE ON billing.audit
  FOR EACH ROW EXECUTE FUNCTION billing.refuse_audit_change();
CREATE OR REPLACE TRIGGER audit_not_emptied BEFORE TRUNCATE ON billing.audit
  FOR EACH STATEMENT EXECUTE FUNCTION billing.refuse_audit_change();
