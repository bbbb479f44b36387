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
