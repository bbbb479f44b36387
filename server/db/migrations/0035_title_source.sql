-- Who gave a conversation its title, so that a model never takes the place of a name given by hand. Those that stand may have one:
-- no model is asked about them.

ALTER TABLE conversations ADD COLUMN title_source text NOT NULL DEFAULT 'user';
ALTER TABLE conversations ALTER COLUMN title_source SET DEFAULT 'first_words';
ALTER TABLE conversations ADD CONSTRAINT conversations_title_source
  CHECK (title_source IN ('first_words', 'model', 'user')) NOT VALID;
ALTER TABLE conversations ADD COLUMN title_asked_at timestamptz;
