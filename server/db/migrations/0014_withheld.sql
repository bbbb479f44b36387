-- Whom no free month is given: the address is of a service that gives addresses away (disposable), or nobody has shown yet that mail
-- reaches it (unverified, where the operator asks for that). When it is null again, the month that runs then is given.
ALTER TABLE users ADD COLUMN free_withheld text CHECK (free_withheld IN ('disposable', 'unverified'));
ALTER TABLE credit.account ADD COLUMN free_withheld boolean NOT NULL DEFAULT false;

CREATE FUNCTION credit.withhold_free_months() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  UPDATE account SET free_withheld = NEW.free_withheld IS NOT NULL WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_withhold_free_months AFTER UPDATE OF free_withheld ON users FOR EACH ROW
  WHEN (NEW.free_withheld IS DISTINCT FROM OLD.free_withheld) EXECUTE FUNCTION credit.withhold_free_months();

-- As in 0001, but for whom it is withheld.
CREATE OR REPLACE FUNCTION credit.open_account() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  INSERT INTO account (user_id, free_anchor, free_withheld) VALUES (NEW.id, NEW.created_at, NEW.free_withheld IS NOT NULL);
  IF NEW.free_withheld IS NULL THEN
    PERFORM issue_free_month(NEW.id, NEW.created_at, 0, NEW.created_at);
  END IF;
  RETURN NULL;
END $$;

-- As in 0012, with it.
CREATE OR REPLACE FUNCTION credit.look(p_user uuid, p_at timestamptz)
RETURNS TABLE (balance integer, expiry_due boolean, month_due boolean) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(available), 0)::integer,
         coalesce(bool_or(expires_at <= p_at), false),
         NOT coalesce(bool_or(expires_at > p_at
           AND (kind = 'free' OR (kind = 'subscription' AND revoke_target < amount))), false)
         AND NOT EXISTS (SELECT FROM credit.account a WHERE a.user_id = p_user
           AND (a.free_withheld OR a.free_paused_until > p_at OR a.free_taken_until > p_at OR a.closed_at IS NOT NULL))
    FROM credit.bucket WHERE user_id = p_user AND ended_at IS NULL
$$;
