-- Whether a picture keeps what it says of the place where it was taken, by choice of who uploads it.
ALTER TABLE files ADD COLUMN keeps_place boolean NOT NULL DEFAULT false;
