-- The process that stores a text works out what it can be found by, in a thirtieth of the time that PostgreSQL took for it; here each
-- of these numbers becomes one of its user's. Texts that are here already are read again.

INSERT INTO search_queue SELECT message_id FROM search_texts ON CONFLICT DO NOTHING;
TRUNCATE search_texts;
DROP INDEX search_texts_grams;
DROP FUNCTION search_grams, search_keys;

ALTER TABLE search_texts ADD COLUMN slots smallint[] NOT NULL;

CREATE FUNCTION search_keys(p_user uuid, p_slots smallint[]) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  v_user bigint := hashtextextended(p_user::text, 0) & ~32767::bigint;
BEGIN
  RETURN ARRAY(SELECT v_user | slot FROM unnest(p_slots) slot);
END $$;
CREATE INDEX search_texts_keys ON search_texts USING gin (search_keys(user_id, slots)) WITH (fastupdate = off);
