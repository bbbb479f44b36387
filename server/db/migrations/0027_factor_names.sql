-- A notice that a second factor was turned on names it, so that “this was not me” switches off that one and no other. Moved to
-- another app it stays the same one: whoever moves it has proved it.
ALTER TABLE second_factors ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
