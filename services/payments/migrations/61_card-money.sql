-- What a processor captured otherwise than an order asks for: card_mismatch is less, or another currency; a surplus is
-- excess, as of a deposit.
ALTER TABLE unattributed_money
  DROP CONSTRAINT unattributed_money_kind_check,
  DROP CONSTRAINT unattributed_money_source,
  ADD CONSTRAINT unattributed_money_kind_check CHECK (
    kind IN ('excess', 'second', 'late', 'foreign', 'unknown', 'card_after_end', 'card_mismatch')) NOT VALID,
  ADD CONSTRAINT unattributed_money_source CHECK (CASE WHEN processor IS NOT NULL
    THEN kind IN ('card_after_end', 'card_mismatch', 'excess') AND processor_order_id IS NOT NULL
      AND num_nonnulls(network, tx_id, output_index) = 0
    ELSE kind NOT IN ('card_after_end', 'card_mismatch') AND processor_order_id IS NULL
      AND num_nulls(network, tx_id, output_index, address) = 0 END) NOT VALID;
