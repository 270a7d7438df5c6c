-- Sums of entries by day (decisions §60). They follow the journal, and can be made anew from it: empty both tables and set
-- the position to 0.
CREATE TABLE daily_totals (
  -- A relationship, a merchant or a partner; `customers:prt_…`: all customers of a partner; `platform`: all customers.
  scope text NOT NULL,
  day date NOT NULL,
  unit text NOT NULL,
  kind text NOT NULL,
  amount numeric(38, 0) NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (scope, day, unit, kind)
);
CREATE INDEX daily_totals_day ON daily_totals (day);

-- Relationships whose partner was not known yet when their entries were added: they are in no partner's sum.
CREATE TABLE daily_totals_without_partner (
  owner_id text PRIMARY KEY
);

CREATE TABLE daily_totals_position (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  through_seq bigint NOT NULL
);
INSERT INTO daily_totals_position (through_seq) VALUES (0);
