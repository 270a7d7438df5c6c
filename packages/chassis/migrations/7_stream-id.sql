-- The id that the gateway gave the stream. The creation date stays for replicas of the version before; it alone is no
-- proof of loss, because creating a stream that exists can renew it.
ALTER TABLE outbox_relay ADD COLUMN stream_id text;
