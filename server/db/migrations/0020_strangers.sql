-- Browsers that a user has signed in from: what strangers guess does not count for them (OWASP device cookies).

CREATE TABLE trusted_browsers (
  user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  hash      text NOT NULL,         -- SHA-256 of the token in the browser's device cookie
  signed_in boolean NOT NULL,      -- false: the browser opened a link of a mail, and has not signed in since
  used_at   timestamptz NOT NULL,
  PRIMARY KEY (user_id, hash)
);
CREATE INDEX trusted_browsers_age ON trusted_browsers (used_at);

-- Another password or another address: no browser is trusted because of the former one.
CREATE FUNCTION end_trusted_browsers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM trusted_browsers WHERE user_id = (to_jsonb(OLD) ->> TG_ARGV[0])::uuid;
  RETURN NULL;
END $$;
CREATE TRIGGER identities_end_trust AFTER UPDATE OF password ON identities FOR EACH ROW
  WHEN (OLD.password IS DISTINCT FROM NEW.password) EXECUTE FUNCTION end_trusted_browsers('user_id');
CREATE TRIGGER identities_delete_trust AFTER DELETE ON identities FOR EACH ROW
  WHEN (OLD.provider_id = 'credential') EXECUTE FUNCTION end_trusted_browsers('user_id');
CREATE TRIGGER users_end_trust AFTER UPDATE OF email ON users FOR EACH ROW
  WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION end_trusted_browsers('id');

-- Compared byte by byte, so that the counts of one account are found by the beginning of their keys.
ALTER TABLE rate_limits ALTER COLUMN key TYPE text COLLATE "C";

-- ---------------------------------------------------------------------------------------------------------------------
-- A bounded number of free months a day for a domain at which mailboxes can be opened at will. Whoever comes too late is given the
-- month on a later day.

-- Both null where the service behind the address is known.
ALTER TABLE users
  ADD COLUMN domain_hash    bytea CHECK (length(domain_hash) = 32),
  ADD COLUMN domain_per_day integer CHECK (domain_per_day > 0),
  ADD CONSTRAINT users_domain CHECK ((domain_hash IS NULL) = (domain_per_day IS NULL));

CREATE TABLE domain_grants (
  domain_hash bytea NOT NULL CHECK (length(domain_hash) = 32),
  day         date NOT NULL,
  months      integer NOT NULL CHECK (months >= 0),
  PRIMARY KEY (domain_hash, day)
);
CREATE INDEX domain_grants_age ON domain_grants (day);

-- Why free_taken_until: another account of the mailbox has the month, or the day's months of the domain are given.
ALTER TABLE credit.account ADD COLUMN free_taken_by text NOT NULL DEFAULT 'address_used'
  CONSTRAINT account_free_taken_by CHECK (free_taken_by IN ('address_used', 'domain_busy'));

-- Are the free months of the user's domain given for the day of p_at; locks the count until the transaction ends.
CREATE FUNCTION credit.is_domain_busy(p_user uuid, p_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_user   public.users;
  v_months integer;
BEGIN
  SELECT * INTO v_user FROM public.users WHERE id = p_user;
  IF v_user.domain_hash IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO public.domain_grants AS g (domain_hash, day, months)
  VALUES (v_user.domain_hash, (p_at AT TIME ZONE 'UTC')::date, 0)
  ON CONFLICT (domain_hash, day) DO UPDATE SET months = g.months RETURNING months INTO v_months;
  RETURN v_months >= v_user.domain_per_day;
END $$;

-- As in 0012, within what the domain is given a day.
CREATE OR REPLACE FUNCTION credit.issue_free_month(p_user uuid, p_anchor timestamptz, p_balance integer, p_at timestamptz)
RETURNS integer LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  c_credits CONSTANT integer := 40;
  v_month   integer := free_month(p_anchor, p_at);
  v_start   timestamptz := free_month_start(p_anchor, v_month);
  v_taken   timestamptz;
BEGIN
  IF EXISTS (SELECT FROM bucket WHERE user_id = p_user AND source_key = 'free:' || v_month) THEN
    RETURN p_balance;
  END IF;
  IF is_domain_busy(p_user, p_at) THEN
    UPDATE account SET free_taken_by = 'domain_busy',
                       free_taken_until = (date_trunc('day', p_at AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'
     WHERE user_id = p_user;
    RETURN p_balance;
  END IF;
  v_taken := claim_address(p_user, v_start, free_month_start(p_anchor, v_month + 1));
  IF v_taken IS NULL THEN
    UPDATE public.domain_grants g SET months = months + 1 FROM public.users u
     WHERE u.id = p_user AND g.domain_hash = u.domain_hash AND g.day = (p_at AT TIME ZONE 'UTC')::date;
    PERFORM issue(p_user, 'free', 'free:' || v_month, c_credits, v_start, free_month_start(p_anchor, v_month + 1),
                  'free_month', NULL, NULL, p_balance, p_at);
    RETURN p_balance + c_credits;
  END IF;
  IF EXISTS (SELECT FROM bucket WHERE user_id = p_user AND kind = 'free') THEN
    v_month := free_month(p_anchor, v_taken);
    IF free_month_start(p_anchor, v_month) < v_taken THEN
      v_month := v_month + 1;
    END IF;
    UPDATE account SET free_taken_by = 'address_used', free_taken_until = free_month_start(p_anchor, v_month)
     WHERE user_id = p_user;
    RETURN p_balance;
  END IF;
  UPDATE account SET free_taken_by = 'address_used', free_taken_until = v_taken, free_anchor = v_taken
   WHERE user_id = p_user;
  IF v_taken > p_at THEN
    RETURN p_balance;
  END IF;
  -- The row of the address is locked since the claim, so that this one succeeds.
  RETURN issue_free_month(p_user, v_taken, p_balance, p_at);
END $$;
