-- Whether a batch was published under the lease: then the stream is known to have its events. The version before writes
-- that into outbox_relay with every batch, and leaves this column null.
ALTER TABLE outbox_published ADD COLUMN advances boolean;
