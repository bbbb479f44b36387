-- The index of pieces is kept for users with many texts only (decision 48). The texts of all others are read one by one.

CREATE TABLE search_users (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  texts   integer NOT NULL,
  mode    text NOT NULL DEFAULT 'scanned',
  CONSTRAINT search_users_mode CHECK (mode IN ('scanned', 'filling', 'indexed'))
);
CREATE INDEX search_users_filling ON search_users (user_id) WHERE mode = 'filling';

CREATE TABLE search_index (
  message_id uuid PRIMARY KEY REFERENCES search_texts ON DELETE CASCADE,
  user_id    uuid NOT NULL,
  sent_at    timestamptz NOT NULL,
  slots      smallint[] NOT NULL
);

INSERT INTO search_users (user_id, texts, mode)
SELECT t.user_id, count(*), CASE WHEN count(*) > 1000 THEN 'indexed' ELSE 'scanned' END
  FROM search_texts t JOIN users u ON u.id = t.user_id GROUP BY t.user_id;
INSERT INTO search_index (message_id, user_id, sent_at, slots)
SELECT t.message_id, t.user_id, t.sent_at, t.slots
  FROM search_texts t JOIN search_users u ON u.user_id = t.user_id WHERE u.mode = 'indexed';

ALTER TABLE search_texts DROP COLUMN slots;
CREATE INDEX search_index_keys ON search_index USING gin (search_keys(user_id, slots)) WITH (fastupdate = off);

-- The newest texts of an indexed user after a place that have all words, newest first. Candidates come from the index, one by one
-- compared with their text until there are enough. Without sequential scans one plan is left, whatever the planner guesses.
CREATE FUNCTION find_texts(p_user uuid, p_slots smallint[], p_words text[], p_before_at timestamptz, p_before_id uuid, p_limit int)
RETURNS TABLE (message_id uuid, sent_at timestamptz) LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  v_left int := p_limit;
BEGIN
  FOR message_id, sent_at IN
    SELECT i.message_id, i.sent_at FROM search_index i
     WHERE search_keys(i.user_id, i.slots) @> search_keys(p_user, p_slots) AND i.user_id = p_user
       AND (i.sent_at, i.message_id) < (p_before_at, p_before_id)
     ORDER BY i.sent_at DESC, i.message_id DESC
  LOOP
    CONTINUE WHEN NOT EXISTS (
      SELECT FROM search_texts t JOIN conversations c ON c.id = t.conversation_id
       WHERE t.message_id = find_texts.message_id AND c.deleted_at IS NULL
         AND (SELECT bool_and(strpos(t.body, word) > 0) FROM unnest(p_words) word));
    RETURN NEXT;
    v_left := v_left - 1;
    EXIT WHEN v_left = 0;
  END LOOP;
END $$;
