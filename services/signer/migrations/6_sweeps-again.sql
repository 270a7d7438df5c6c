-- Addresses that were passed are looked at again, a bounded number of pages a round: where that look goes on, and how many
-- pages are left of the round under way.
ALTER TABLE sweeps
  ADD COLUMN again_after_order_id text,
  ADD COLUMN again_pages integer NOT NULL DEFAULT 0;
