-- Position of a partner's event in its feed (ADR 0099); null for merchants, who have none. Existing rows have 0 without
-- being rewritten: they come first, in the order of their ids. So do rows that the version before writes until 45.
ALTER TABLE events ADD COLUMN IF NOT EXISTS feed_position bigint DEFAULT 0;
