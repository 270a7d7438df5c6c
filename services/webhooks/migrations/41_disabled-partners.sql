-- The partners that staff have disabled, as the gateway said last: nothing is sent to their destinations.
CREATE TABLE disabled_partners (
  partner_id text COLLATE "C" PRIMARY KEY
);
-- Which set that is: its revision at the gateway, and when the gateway last confirmed it. Whoever replaces the set locks
-- this row until its commit.
CREATE TABLE disabled_partner_set (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  revision bigint NOT NULL,
  confirmed_at timestamptz NOT NULL
);
INSERT INTO disabled_partner_set (revision, confirmed_at) VALUES (0, 'epoch');
