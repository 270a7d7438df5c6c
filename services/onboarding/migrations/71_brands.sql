-- How pages look: one row of a partner, and one for each of its relationships that sets something else. The logo is a
-- PNG that this service has encoded.
CREATE TABLE IF NOT EXISTS brands (
  partner_id text COLLATE "C" NOT NULL,
  partner_customer_id text COLLATE "C" REFERENCES relationships,
  name text,
  accent_color text,
  support_address text,
  logo bytea,
  logo_hash text COLLATE "C",
  logo_width integer,
  logo_height integer,
  updated_at timestamptz NOT NULL,
  CONSTRAINT brands_owner UNIQUE NULLS NOT DISTINCT (partner_id, partner_customer_id),
  CONSTRAINT brands_logo_whole CHECK (num_nulls(logo, logo_hash, logo_width, logo_height) IN (0, 4))
);
CREATE INDEX IF NOT EXISTS brands_logo ON brands (logo_hash) WHERE logo_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS brands_of_relationship ON brands (partner_customer_id)
  WHERE partner_customer_id IS NOT NULL;
