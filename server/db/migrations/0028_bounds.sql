-- Bounds on what is given without payment (decisions 45 and 46).

-- ---------------------------------------------------------------------------------------------------------------------
-- Messages of a day (UTC) that ended without an answer and were free, although the provider worked for them.

CREATE TABLE unanswered (
  user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  day      date NOT NULL,
  messages integer NOT NULL CHECK (messages > 0),
  PRIMARY KEY (user_id, day)
);
CREATE INDEX unanswered_age ON unanswered (day);

-- As in 0025, within p_max_unanswered. Results: sent | duplicate | key_reused | not_found | parent_running | too_many |
-- too_many_unanswered | insufficient | frozen. Only `sent` leaves rows behind. Lock order: the account, then the conversation, so that
-- nothing is sent into one that was deleted.
DROP FUNCTION send_message;
CREATE FUNCTION send_message(p_user uuid, p_id uuid, p_conversation uuid, p_parent uuid, p_model text, p_content text,
  p_title text, p_cost integer, p_owner uuid, p_max_running integer, p_at timestamptz, p_folded_title text,
  p_temporary boolean, p_max_unanswered integer, OUT result text, OUT balance integer, OUT sent_at timestamptz, OUT title text,
  OUT started_at timestamptz, OUT pinned_at timestamptz, OUT is_temporary boolean)
LANGUAGE plpgsql AS $$
DECLARE
  v_message      messages;
  v_conversation conversations;
  v_depth        integer := 0;
  v_chain        uuid := p_id;
  v_fork_of      uuid;
BEGIN
  PERFORM FROM credit.account WHERE user_id = p_user FOR NO KEY UPDATE;

  SELECT * INTO v_message FROM messages WHERE id = p_id;
  IF FOUND THEN
    result := CASE
      WHEN v_message.user_id <> p_user THEN 'not_found'
      WHEN (v_message.conversation_id, v_message.parent_id, v_message.model, v_message.content)
           IS NOT DISTINCT FROM (p_conversation, p_parent, p_model, p_content) THEN 'duplicate'
      ELSE 'key_reused' END;
    RETURN;
  END IF;

  SELECT * INTO v_conversation FROM conversations WHERE id = p_conversation FOR NO KEY UPDATE;
  IF v_conversation.user_id <> p_user OR v_conversation.deleted_at IS NOT NULL
     OR (v_conversation.id IS NULL AND p_parent IS NOT NULL) THEN
    result := 'not_found';
    RETURN;
  END IF;
  IF p_parent IS NOT NULL THEN
    SELECT * INTO v_message FROM messages WHERE id = p_parent AND conversation_id = p_conversation;
    IF NOT FOUND OR v_message.status = 'running' THEN
      result := CASE WHEN FOUND THEN 'parent_running' ELSE 'not_found' END;
      RETURN;
    END IF;
    v_depth := v_message.depth + 1;
    IF EXISTS (SELECT FROM messages WHERE chain_id = v_message.chain_id AND depth = v_depth) THEN
      v_fork_of := v_message.chain_id;
    ELSE
      v_chain := v_message.chain_id;
    END IF;
  END IF;

  IF (SELECT count(*) FROM messages WHERE user_id = p_user AND status = 'running') >= p_max_running THEN
    result := 'too_many';
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM unanswered WHERE user_id = p_user AND messages >= p_max_unanswered
                AND day = (coalesce(p_at, clock_timestamp()) AT TIME ZONE 'UTC')::date) THEN
    result := 'too_many_unanswered';
    RETURN;
  END IF;

  SELECT t.result, t.balance INTO result, balance FROM credit.take_hold(p_user, p_id, p_cost, p_model, p_at) t;
  IF result <> 'held' THEN
    -- A hold without its message: the message was deleted since.
    result := CASE result WHEN 'duplicate' THEN 'key_reused' ELSE result END;
    RETURN;
  END IF;

  sent_at := coalesce(p_at, clock_timestamp());
  INSERT INTO conversations AS c (id, user_id, title, folded_title, created_at, updated_at, is_temporary)
  VALUES (p_conversation, p_user, p_title, p_folded_title, sent_at, sent_at, p_temporary)
  ON CONFLICT (id) DO UPDATE SET updated_at = greatest(c.updated_at, excluded.updated_at), archived_at = NULL
   WHERE c.user_id = p_user
  RETURNING c.title, c.created_at, c.pinned_at, c.is_temporary INTO title, started_at, pinned_at, is_temporary;
  INSERT INTO messages (id, user_id, conversation_id, parent_id, model, content, cost, owner, created_at, depth, chain_id, fork_of)
  VALUES (p_id, p_user, p_conversation, p_parent, p_model, p_content, p_cost, p_owner, sent_at, v_depth, v_chain, v_fork_of);
  result := 'sent';
END $$;

-- As in 0006, within p_max_unanswered. Results: sent | repeated | key_reused | key_revoked | cap_reached | too_many |
-- too_many_unanswered | insufficient | frozen.
DROP FUNCTION send_api_message;
CREATE FUNCTION send_api_message(p_user uuid, p_id uuid, p_key uuid, p_idempotency_key text, p_body_hash bytea, p_model text,
  p_cost integer, p_prompt_tokens integer, p_owner uuid, p_max_running integer, p_at timestamptz,
  p_max_unanswered integer,
  OUT result text, OUT balance integer, OUT message_id uuid, OUT sent_at timestamptz, OUT cap_left integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_former record;
  v_key    api_keys;
  v_month  timestamptz;
BEGIN
  PERFORM FROM credit.account WHERE user_id = p_user FOR NO KEY UPDATE;
  sent_at := coalesce(p_at, clock_timestamp());
  message_id := p_id;

  IF EXISTS (SELECT FROM messages WHERE id = p_id AND user_id = p_user) THEN
    result := 'repeated';
    RETURN;
  END IF;
  IF p_idempotency_key IS NOT NULL THEN
    SELECT r.message_id, r.body_hash, m.status, m.credits_used INTO v_former
      FROM api_requests r JOIN messages m ON m.id = r.message_id
     WHERE r.user_id = p_user AND r.idempotency_key = p_idempotency_key;
    IF FOUND AND v_former.body_hash <> p_body_hash THEN
      result := 'key_reused';
      RETURN;
    ELSIF FOUND AND (v_former.status = 'running' OR v_former.credits_used > 0) THEN
      result := 'repeated';
      message_id := v_former.message_id;
      RETURN;
    END IF;
  END IF;

  IF p_key IS NOT NULL THEN
    -- Whoever revokes the key waits for this lock, and then sees the message that it has to stop.
    SELECT * INTO v_key FROM api_keys WHERE id = p_key AND user_id = p_user AND revoked_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
      result := 'key_revoked';
      RETURN;
    END IF;
    IF v_key.monthly_cap IS NOT NULL THEN
      v_month := date_trunc('month', sent_at, 'UTC');
      SELECT v_key.monthly_cap - coalesce(sum(CASE m.status WHEN 'running' THEN m.cost ELSE m.credits_used END), 0) INTO cap_left
        FROM api_requests r JOIN messages m ON m.id = r.message_id
       WHERE r.key_id = p_key AND r.created_at >= v_month;
      IF cap_left < p_cost THEN
        result := 'cap_reached';
        RETURN;
      END IF;
    END IF;
  END IF;

  IF (SELECT count(*) FROM messages WHERE user_id = p_user AND status = 'running') >= p_max_running THEN
    result := 'too_many';
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM unanswered WHERE user_id = p_user AND messages >= p_max_unanswered
                AND day = (coalesce(p_at, clock_timestamp()) AT TIME ZONE 'UTC')::date) THEN
    result := 'too_many_unanswered';
    RETURN;
  END IF;

  SELECT t.result, t.balance INTO result, balance
    FROM credit.take_hold(p_user, p_id, p_cost, p_model, p_at, 'api', v_key.name) t;
  IF result <> 'held' THEN
    RETURN;
  END IF;

  -- An attempt that cost nothing gave no answer either: its idempotency key is free for this one.
  UPDATE api_requests SET idempotency_key = NULL WHERE user_id = p_user AND idempotency_key = p_idempotency_key;
  INSERT INTO messages (id, user_id, model, content, cost, owner, created_at)
  VALUES (p_id, p_user, p_model, '', p_cost, p_owner, sent_at);
  INSERT INTO api_requests (message_id, user_id, key_id, idempotency_key, body_hash, prompt_tokens, created_at)
  VALUES (p_id, p_user, p_key, p_idempotency_key, p_body_hash, p_prompt_tokens, sent_at);
  result := 'sent';
END $$;

-- As in 0023; p_is_unanswered counts the message against p_max_unanswered of the sends that follow.
DROP FUNCTION end_message;
CREATE FUNCTION end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text,
  p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text,
  p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz, p_first_text_ms integer,
  p_upstream_switched boolean, p_finish_reason text, p_is_unanswered boolean, OUT balance integer, OUT ended_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_user uuid;
  v_hold record;
BEGIN
  UPDATE messages m SET status = p_status, response = p_response, error_code = p_error_code, model_version = p_model_version,
         upstream_model = p_upstream_model, usage = p_usage, context_trimmed = p_context_trimmed, end_seq = p_end_seq,
         first_text_ms = p_first_text_ms, upstream_switched = p_upstream_switched, finish_reason = p_finish_reason,
         credits_used = CASE WHEN p_charged THEN cost ELSE 0 END, ended_at = coalesce(p_at, clock_timestamp())
   WHERE m.id = p_id AND m.owner = p_owner AND m.status = 'running'
   RETURNING m.user_id, m.ended_at INTO v_user, ended_at;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF p_is_unanswered THEN
    INSERT INTO unanswered AS u (user_id, day, messages) VALUES (v_user, (ended_at AT TIME ZONE 'UTC')::date, 1)
    ON CONFLICT (user_id, day) DO UPDATE SET messages = u.messages + 1;
  END IF;
  IF p_first_seq < p_end_seq THEN
    INSERT INTO message_events AS e (message_id, first_seq, last_seq, events)
    VALUES (p_id, p_first_seq, p_end_seq - 1, p_events)
    ON CONFLICT (message_id, first_seq) DO UPDATE SET last_seq = excluded.last_seq, events = excluded.events
     WHERE excluded.last_seq > e.last_seq;
  END IF;
  INSERT INTO search_queue VALUES (p_id) ON CONFLICT DO NOTHING;
  SELECT * INTO v_hold FROM credit.close_hold(v_user, p_id, CASE WHEN p_charged THEN 'settled' ELSE 'released' END, p_reason, p_at);
  IF NOT v_hold.closed THEN
    RAISE EXCEPTION 'message % was running without a hold', p_id;
  END IF;
  balance := v_hold.balance;
END $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- A dispute follows every mailbox that the account proved when it ordered or since, whatever address it has later.

ALTER TABLE users ADD COLUMN taken_over_at timestamptz;  -- who proved the mailbox was not known to have opened the account

CREATE TABLE billing.order_mailboxes (
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  address_hash bytea NOT NULL CHECK (length(address_hash) = 32),
  PRIMARY KEY (user_id, address_hash)
);
CREATE INDEX order_mailboxes_address ON billing.order_mailboxes (address_hash);
INSERT INTO billing.order_mailboxes (user_id, address_hash)
SELECT user_id, address_hash FROM billing.orders WHERE address_proved AND address_hash IS NOT NULL
UNION
SELECT u.id, u.address_hash FROM users u
 WHERE u.email_verified AND u.address_hash IS NOT NULL
   AND EXISTS (SELECT FROM billing.orders o WHERE o.user_id = u.id AND o.address_proved);
ALTER TABLE billing.orders DROP COLUMN address_hash, DROP COLUMN address_proved;

-- Orders from before the takeover are those of whoever opened the account.
CREATE FUNCTION billing.keep_proved_mailbox() RETURNS trigger LANGUAGE plpgsql SET search_path = billing, pg_temp AS $$
BEGIN
  INSERT INTO order_mailboxes (user_id, address_hash)
  SELECT NEW.id, NEW.address_hash
   WHERE EXISTS (SELECT FROM orders WHERE user_id = NEW.id AND created_at > coalesce(NEW.taken_over_at, '-infinity'))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER users_keep_proved_mailbox AFTER UPDATE OF email_verified, address_hash ON users FOR EACH ROW
  WHEN (NEW.email_verified AND NEW.address_hash IS NOT NULL) EXECUTE FUNCTION billing.keep_proved_mailbox();

-- ---------------------------------------------------------------------------------------------------------------------
-- A mailbox has two free months at most: one of an account that proved it, and one of an account that did not. So whoever signs up
-- under somebody else's address takes nothing from its owner.

ALTER TABLE address_grants ADD COLUMN proved boolean;
UPDATE address_grants g SET proved = EXISTS (SELECT FROM users u WHERE u.address_hash = g.address_hash AND u.email_verified);
ALTER TABLE address_grants ALTER COLUMN proved SET NOT NULL, DROP CONSTRAINT address_grants_pkey, ADD PRIMARY KEY (address_hash, proved);

-- As in 0012, among the accounts that proved the address, or among those that did not.
CREATE OR REPLACE FUNCTION credit.claim_address(p_user uuid, p_from timestamptz, p_until timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_user  public.users;
  v_taken timestamptz;
BEGIN
  SELECT * INTO v_user FROM public.users WHERE id = p_user;
  IF v_user.address_hash IS NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO public.address_grants AS g (address_hash, proved, free_until)
  VALUES (v_user.address_hash, v_user.email_verified, p_until)
  ON CONFLICT (address_hash, proved) DO UPDATE SET free_until = excluded.free_until WHERE g.free_until <= p_from;
  IF FOUND THEN
    RETURN NULL;
  END IF;
  SELECT free_until INTO v_taken FROM public.address_grants
   WHERE address_hash = v_user.address_hash AND proved = v_user.email_verified;
  RETURN v_taken;
END $$;

-- Until the free month of p_user is over, its address has no other.
CREATE FUNCTION credit.hold_address(p_user uuid, p_address_hash bytea, p_proved boolean) RETURNS void
LANGUAGE sql SET search_path = credit, pg_temp AS $$
  INSERT INTO public.address_grants AS g (address_hash, proved, free_until)
  SELECT p_address_hash, p_proved, max(expires_at) FROM bucket WHERE user_id = p_user AND kind = 'free' AND ended_at IS NULL
  HAVING max(expires_at) IS NOT NULL
  ON CONFLICT (address_hash, proved) DO UPDATE SET free_until = greatest(g.free_until, excluded.free_until)
$$;

-- As in 0012.
CREATE OR REPLACE FUNCTION credit.carry_address() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  PERFORM hold_address(NEW.id, NEW.address_hash, NEW.email_verified);
  RETURN NULL;
END $$;

-- Whoever proves the address is given its month at once, unless an account that proved it has that. A month that the account has
-- counts for it from then on, unless it was given to somebody else, whose account this was.
CREATE FUNCTION credit.prove_address() RETURNS trigger LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
BEGIN
  PERFORM FROM account WHERE user_id = NEW.id FOR NO KEY UPDATE;
  IF NEW.taken_over_at IS NOT DISTINCT FROM OLD.taken_over_at THEN
    PERFORM hold_address(NEW.id, NEW.address_hash, true);
  END IF;
  UPDATE account SET free_taken_until = NULL,
         free_anchor = CASE WHEN EXISTS (SELECT FROM bucket WHERE user_id = NEW.id AND kind = 'free') THEN free_anchor
                            ELSE NEW.created_at END
   WHERE user_id = NEW.id AND free_taken_until IS NOT NULL AND free_taken_by IN ('address_used', 'network_busy');
  RETURN NULL;
END $$;
CREATE TRIGGER users_prove_address AFTER UPDATE OF email_verified ON users FOR EACH ROW
  WHEN (NEW.email_verified AND NOT OLD.email_verified AND NEW.address_hash IS NOT NULL)
  EXECUTE FUNCTION credit.prove_address();

-- ---------------------------------------------------------------------------------------------------------------------
-- A bounded number of free months a day for accounts of one network that have not proved their address.

-- Both null where the address was proved at the sign-up. They stay when it is proved later, and say nothing then.
ALTER TABLE users
  ADD COLUMN network_hash    bytea CHECK (length(network_hash) = 32),
  ADD COLUMN network_per_day integer CHECK (network_per_day > 0),
  ADD CONSTRAINT users_network CHECK ((network_hash IS NULL) = (network_per_day IS NULL));

CREATE TABLE network_grants (
  network_hash bytea NOT NULL CHECK (length(network_hash) = 32),
  day          date NOT NULL,
  months       integer NOT NULL CHECK (months >= 0),
  PRIMARY KEY (network_hash, day)
);
CREATE INDEX network_grants_age ON network_grants (day);

ALTER TABLE credit.account DROP CONSTRAINT account_free_taken_by;
ALTER TABLE credit.account ADD CONSTRAINT account_free_taken_by
  CHECK (free_taken_by IN ('address_used', 'domain_busy', 'network_busy'));

-- Are the free months of the network that the user signed up in given for the day of p_at, and the address not proved; locks the count
-- until the transaction ends.
CREATE FUNCTION credit.is_network_busy(p_user uuid, p_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  v_user   public.users;
  v_months integer;
BEGIN
  SELECT * INTO v_user FROM public.users WHERE id = p_user;
  IF v_user.network_hash IS NULL OR v_user.email_verified THEN
    RETURN false;
  END IF;
  INSERT INTO public.network_grants AS g (network_hash, day, months)
  VALUES (v_user.network_hash, (p_at AT TIME ZONE 'UTC')::date, 0)
  ON CONFLICT (network_hash, day) DO UPDATE SET months = g.months RETURNING months INTO v_months;
  RETURN v_months >= v_user.network_per_day;
END $$;

-- As in 0020, within what the network is given a day.
CREATE OR REPLACE FUNCTION credit.issue_free_month(p_user uuid, p_anchor timestamptz, p_balance integer, p_at timestamptz)
RETURNS integer LANGUAGE plpgsql SET search_path = credit, pg_temp AS $$
DECLARE
  c_credits CONSTANT integer := 40;
  v_month   integer := free_month(p_anchor, p_at);
  v_start   timestamptz := free_month_start(p_anchor, v_month);
  v_taken   timestamptz;
  v_busy    text;
BEGIN
  IF EXISTS (SELECT FROM bucket WHERE user_id = p_user AND source_key = 'free:' || v_month) THEN
    RETURN p_balance;
  END IF;
  v_busy := CASE WHEN is_domain_busy(p_user, p_at) THEN 'domain_busy' WHEN is_network_busy(p_user, p_at) THEN 'network_busy' END;
  IF v_busy IS NOT NULL THEN
    UPDATE account SET free_taken_by = v_busy,
                       free_taken_until = (date_trunc('day', p_at AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'
     WHERE user_id = p_user;
    RETURN p_balance;
  END IF;
  v_taken := claim_address(p_user, v_start, free_month_start(p_anchor, v_month + 1));
  IF v_taken IS NULL THEN
    UPDATE public.domain_grants g SET months = months + 1 FROM public.users u
     WHERE u.id = p_user AND g.domain_hash = u.domain_hash AND g.day = (p_at AT TIME ZONE 'UTC')::date;
    UPDATE public.network_grants g SET months = months + 1 FROM public.users u
     WHERE u.id = p_user AND NOT u.email_verified AND g.network_hash = u.network_hash
       AND g.day = (p_at AT TIME ZONE 'UTC')::date;
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
