-- Addresses from which a client may call, as CIDR blocks; null: any.
ALTER TABLE clients ADD COLUMN allowed_addresses text[];
