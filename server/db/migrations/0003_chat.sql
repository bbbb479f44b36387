-- Conversations, messages (one exchange each), the event log of running answers, and which processes are alive.
--
-- A message and its hold are made in one transaction and end in one transaction. Lock order everywhere: a message that is
-- being ended, then the account. Sending locks the account only, so the two never wait for each other in a circle.

CREATE TABLE conversations (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  title      text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (user_id, id)
);
CREATE INDEX conversations_newest ON conversations (user_id, updated_at DESC, id DESC);

CREATE TABLE messages (
  id                uuid PRIMARY KEY,
  user_id           uuid NOT NULL,
  conversation_id   uuid NOT NULL,
  parent_id         uuid,
  model             text NOT NULL,
  content           text NOT NULL CHECK (content <> ''),
  response          text NOT NULL DEFAULT '',
  status            text NOT NULL DEFAULT 'running'
                    CHECK (status IN ('running', 'completed', 'stopped', 'failed', 'interrupted')),
  cost              integer NOT NULL CHECK (cost > 0),
  credits_used      integer NOT NULL DEFAULT 0,
  error_code        text,
  model_version     text,
  upstream_model    text,
  usage             jsonb,
  context_trimmed   boolean NOT NULL DEFAULT false,
  owner             uuid NOT NULL,            -- the instance that generates the answer
  stop_requested_at timestamptz,
  end_seq           integer,                  -- the number of the `end` event
  created_at        timestamptz NOT NULL,
  ended_at          timestamptz,
  UNIQUE (conversation_id, id),
  CONSTRAINT messages_conversation FOREIGN KEY (user_id, conversation_id)
    REFERENCES conversations (user_id, id) ON DELETE CASCADE,
  CONSTRAINT messages_parent FOREIGN KEY (conversation_id, parent_id) REFERENCES messages (conversation_id, id),
  CONSTRAINT messages_not_own_parent CHECK (parent_id <> id),
  CONSTRAINT messages_ended_has_time CHECK ((status = 'running') = (ended_at IS NULL)),
  CONSTRAINT messages_ended_has_end_event CHECK ((status = 'running') = (end_seq IS NULL)),
  CONSTRAINT messages_fault_has_code CHECK ((status IN ('failed', 'interrupted')) = (error_code IS NOT NULL)),
  CONSTRAINT messages_completed_is_charged CHECK (status <> 'completed' OR credits_used = cost),
  CONSTRAINT messages_charge_is_earned CHECK
    (credits_used = 0 OR (credits_used = cost AND status IN ('completed', 'stopped') AND response <> ''))
);
CREATE INDEX messages_in_order ON messages (conversation_id, created_at, id);
CREATE INDEX messages_running ON messages (user_id, owner) WHERE status = 'running';

-- One row for each message and flush: the events first_seq to last_seq as [[type, data], …]. A buffer with a life of about an
-- hour, written for every running answer several times a second: no foreign key, no index that moves with time.
CREATE TABLE message_events (
  message_id uuid NOT NULL,
  first_seq  integer NOT NULL CHECK (first_seq >= 1),
  last_seq   integer NOT NULL CHECK (last_seq >= first_seq),
  events     jsonb NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (message_id, first_seq)
);
CREATE INDEX message_events_written ON message_events USING brin (written_at);

-- One start of the server process. It is alive while it was seen within the lease; it owns its messages for as long.
CREATE TABLE instances (
  id      uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL
);

-- Sends one message: the whole decision under the account's lock, in one round trip. Results: sent | duplicate | key_reused |
-- not_found | parent_running | too_many | insufficient | frozen. Only `sent` leaves rows behind.
CREATE FUNCTION send_message(p_user uuid, p_id uuid, p_conversation uuid, p_parent uuid, p_model text, p_content text,
  p_title text, p_cost integer, p_owner uuid, p_max_running integer, p_at timestamptz,
  OUT result text, OUT balance integer, OUT sent_at timestamptz, OUT title text, OUT started_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_message messages;
  v_owner   uuid;
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

  SELECT user_id INTO v_owner FROM conversations WHERE id = p_conversation;
  IF v_owner <> p_user OR (v_owner IS NULL AND p_parent IS NOT NULL) THEN
    result := 'not_found';
    RETURN;
  END IF;
  IF p_parent IS NOT NULL THEN
    SELECT * INTO v_message FROM messages WHERE id = p_parent AND conversation_id = p_conversation;
    IF NOT FOUND OR v_message.status = 'running' THEN
      result := CASE WHEN FOUND THEN 'parent_running' ELSE 'not_found' END;
      RETURN;
    END IF;
  END IF;

  IF (SELECT count(*) FROM messages WHERE user_id = p_user AND status = 'running') >= p_max_running THEN
    result := 'too_many';
    RETURN;
  END IF;

  SELECT t.result, t.balance INTO result, balance FROM credit.take_hold(p_user, p_id, p_cost, p_model, p_at) t;
  IF result <> 'held' THEN
    -- A hold without its message: the message was deleted since.
    result := CASE result WHEN 'duplicate' THEN 'key_reused' ELSE result END;
    RETURN;
  END IF;

  sent_at := coalesce(p_at, clock_timestamp());
  INSERT INTO conversations AS c (id, user_id, title, created_at, updated_at)
  VALUES (p_conversation, p_user, p_title, sent_at, sent_at)
  ON CONFLICT (id) DO UPDATE SET updated_at = greatest(c.updated_at, excluded.updated_at) WHERE c.user_id = p_user
  RETURNING c.title, c.created_at INTO title, started_at;
  INSERT INTO messages (id, user_id, conversation_id, parent_id, model, content, cost, owner, created_at)
  VALUES (p_id, p_user, p_conversation, p_parent, p_model, p_content, p_cost, p_owner, sent_at);
  result := 'sent';
END $$;

-- Ends a message that p_owner still runs: the final state, the last events, and the hold, together or not at all. Returns null
-- when somebody else ended it before, else the user's balance.
CREATE FUNCTION end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text,
  p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text,
  p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_user uuid;
  v_hold record;
BEGIN
  UPDATE messages SET status = p_status, response = p_response, error_code = p_error_code, model_version = p_model_version,
         upstream_model = p_upstream_model, usage = p_usage, context_trimmed = p_context_trimmed, end_seq = p_end_seq,
         credits_used = CASE WHEN p_charged THEN cost ELSE 0 END, ended_at = coalesce(p_at, clock_timestamp())
   WHERE id = p_id AND owner = p_owner AND status = 'running'
   RETURNING user_id INTO v_user;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF p_first_seq < p_end_seq THEN
    INSERT INTO message_events AS e (message_id, first_seq, last_seq, events)
    VALUES (p_id, p_first_seq, p_end_seq - 1, p_events)
    ON CONFLICT (message_id, first_seq) DO UPDATE SET last_seq = excluded.last_seq, events = excluded.events
     WHERE excluded.last_seq > e.last_seq;
  END IF;
  SELECT * INTO v_hold FROM credit.close_hold(v_user, p_id, CASE WHEN p_charged THEN 'settled' ELSE 'released' END, p_reason, p_at);
  IF NOT v_hold.closed THEN
    RAISE EXCEPTION 'message % was running without a hold', p_id;
  END IF;
  RETURN v_hold.balance;
END $$;

-- Ends those of the messages that still run as interrupted: what the log has of their answers is kept, the hold released.
-- Several processes may call it at once for the same messages; each message is returned to exactly one of them.
CREATE FUNCTION interrupt_messages(p_ids uuid[], p_at timestamptz)
RETURNS TABLE (message_id uuid, user_id uuid, balance integer) LANGUAGE plpgsql AS $$
DECLARE
  v_message record;
  v_log     record;
BEGIN
  FOR v_message IN
    SELECT m.id, m.user_id FROM messages m WHERE m.id = ANY (p_ids) AND m.status = 'running'
     ORDER BY m.user_id, m.id FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    SELECT coalesce(string_agg(e.event -> 1 ->> 'text', '' ORDER BY l.first_seq, e.n) FILTER (WHERE e.event ->> 0 = 'text'), '')
             AS response,
           coalesce(bool_or(e.event -> 1 ->> 'code' = 'context_trimmed'), false) AS trimmed,
           coalesce(max(l.last_seq), 0) + 1 AS end_seq
      INTO v_log
      FROM message_events l CROSS JOIN jsonb_array_elements(l.events) WITH ORDINALITY AS e (event, n)
     WHERE l.message_id = v_message.id;
    UPDATE messages m SET status = 'interrupted', response = v_log.response, error_code = 'interrupted',
           context_trimmed = v_log.trimmed, end_seq = v_log.end_seq, ended_at = coalesce(p_at, clock_timestamp())
     WHERE m.id = v_message.id;
    SELECT v_message.id, v_message.user_id, h.balance INTO message_id, user_id, balance
      FROM credit.close_hold(v_message.user_id, v_message.id, 'released', 'interrupted', p_at) h;
    RETURN NEXT;
  END LOOP;
END $$;
