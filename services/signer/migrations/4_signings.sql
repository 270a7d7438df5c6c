-- How many transfers of a network were signed: what was signed beside others is stored only when none was signed since.
CREATE TABLE signings (
  network text PRIMARY KEY,
  count bigint NOT NULL
);
