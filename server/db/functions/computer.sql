-- Functions and triggers of runs of a browser. Applied again when this text changes; CONTRIBUTING.md says how to change one.

CREATE OR REPLACE TRIGGER computer_runs_refuse_leaving BEFORE INSERT ON computer_runs FOR EACH ROW EXECUTE FUNCTION refuse_leaving();
CREATE OR REPLACE TRIGGER computer_confirmations_refuse_leaving BEFORE INSERT ON computer_confirmations
  FOR EACH ROW EXECUTE FUNCTION refuse_leaving();

-- Answers what a run asked, once, whoever answers at the same time. Called by computer/confirmations/run-confirmation-store.ts.
-- In:  p_state, allowed | denied; p_input, for more steps: the message's input with the quote that it then has.
-- Out: result, one of answered | not_found | over | insufficient | frozen. `over`: it was answered, has expired, or its run is over.
--      needed and balance: with insufficient, and where more steps were paid for.
-- Lock order as everywhere: the message, then the account.
CREATE OR REPLACE FUNCTION answer_confirmation(p_user uuid, p_message uuid, p_id uuid, p_state text, p_input jsonb, p_at timestamptz,
  OUT result text, OUT needed integer, OUT balance integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_running boolean;
  v         computer_confirmations;
  v_held    text;
BEGIN
  PERFORM FROM messages WHERE id = p_message AND user_id = p_user AND status = 'running' FOR NO KEY UPDATE;
  v_running := FOUND;
  SELECT * INTO v FROM computer_confirmations WHERE id = p_id AND message_id = p_message AND user_id = p_user FOR NO KEY UPDATE;
  result := CASE
    WHEN NOT FOUND THEN 'not_found'
    WHEN NOT v_running OR v.state <> 'waiting' OR v.expires_at <= coalesce(p_at, clock_timestamp()) THEN 'over'
    ELSE 'answered' END;
  IF result <> 'answered' THEN
    RETURN;
  END IF;
  IF v.reason = 'more_steps' AND p_state = 'allowed' THEN
    needed := (v.params ->> 'credits')::integer;
    SELECT t.result, t.balance INTO v_held, balance FROM credit.take_more(p_user, p_message, p_id, needed, p_at) t;
    IF v_held <> 'held' THEN
      result := v_held;
      RETURN;
    END IF;
    UPDATE messages SET cost = cost + needed, input = p_input WHERE id = p_message;
  END IF;
  UPDATE computer_confirmations SET state = p_state WHERE id = p_id;
END $$;

-- Trigger. What a run asked is over when its message is, however that ended.
CREATE OR REPLACE FUNCTION end_computer_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE computer_confirmations SET state = 'ended' WHERE message_id = NEW.id AND state = 'waiting';
  DELETE FROM computer_runs WHERE message_id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER messages_end_computer_run AFTER UPDATE OF status ON messages FOR EACH ROW
  WHEN (NEW.status <> 'running' AND NEW.input ? 'computer') EXECUTE FUNCTION end_computer_run();
