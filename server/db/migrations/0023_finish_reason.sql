-- Why the model stopped writing; null where the provider did not say. What was kept of it in `usage` until now moves here.
ALTER TABLE messages
  ADD COLUMN finish_reason text,
  ADD CONSTRAINT messages_finish_reason CHECK (finish_reason IN ('stop', 'length', 'content_filter'));
UPDATE messages SET finish_reason = usage ->> 'finish', usage = usage - 'finish' WHERE usage ? 'finish';

-- Ends a message that p_owner still runs: the final state, the last events, and the hold, together or not at all. Returns null
-- when somebody else ended it before, else the user's balance.
DROP FUNCTION end_message;
CREATE FUNCTION end_message(p_id uuid, p_owner uuid, p_status text, p_response text, p_error_code text,
  p_model_version text, p_upstream_model text, p_usage jsonb, p_context_trimmed boolean, p_charged boolean, p_reason text,
  p_end_seq integer, p_first_seq integer, p_events jsonb, p_at timestamptz, p_first_text_ms integer,
  p_upstream_switched boolean, p_finish_reason text, OUT balance integer, OUT ended_at timestamptz)
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
