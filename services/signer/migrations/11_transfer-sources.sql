-- What each signed transfer takes from which address (decisions §51). A trigger keeps it, so that a replica of the version
-- before does so too.
CREATE TABLE transfer_sources (
  transfer_id text NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
  network text NOT NULL,
  key_index bigint NOT NULL,
  amount numeric NOT NULL,
  fee_asset text NOT NULL,
  PRIMARY KEY (transfer_id, key_index)
);
CREATE INDEX transfer_sources_of_address ON transfer_sources (network, key_index);

CREATE FUNCTION keep_transfer_sources() RETURNS trigger
LANGUAGE plpgsql
AS $keep$
BEGIN
  INSERT INTO transfer_sources AS known (transfer_id, network, key_index, amount, fee_asset)
  SELECT NEW.id, NEW.network, (s ->> 'index')::bigint, sum((s ->> 'amount')::numeric), NEW.signed::jsonb ->> 'feeAsset'
  FROM jsonb_array_elements(NEW.signed::jsonb -> 'sources') AS s
  GROUP BY (s ->> 'index')::bigint
  ON CONFLICT (transfer_id, key_index) DO UPDATE SET amount = greatest(known.amount, excluded.amount);
  RETURN NULL;
END
$keep$;
CREATE TRIGGER transfers_sources_inserted AFTER INSERT ON transfers
  FOR EACH ROW WHEN (NEW.signed IS NOT NULL) EXECUTE FUNCTION keep_transfer_sources();
CREATE TRIGGER transfers_sources_signed AFTER UPDATE OF signed ON transfers
  FOR EACH ROW WHEN (NEW.signed IS DISTINCT FROM OLD.signed AND NEW.signed IS NOT NULL)
  EXECUTE FUNCTION keep_transfer_sources();

INSERT INTO transfer_sources (transfer_id, network, key_index, amount, fee_asset)
SELECT t.id, t.network, (s ->> 'index')::bigint, sum((s ->> 'amount')::numeric), min(t.signed::jsonb ->> 'feeAsset')
FROM transfers t CROSS JOIN LATERAL jsonb_array_elements(t.signed::jsonb -> 'sources') AS s
WHERE t.signed IS NOT NULL
GROUP BY t.id, t.network, (s ->> 'index')::bigint;
