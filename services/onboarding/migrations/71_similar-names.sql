-- Staff find customers although their name was misspelt, and by a word inside it. The extension is trusted: the owner of the
-- database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX IF NOT EXISTS relationships_similar_name ON relationships USING gist (lower(customer_name) gist_trgm_ops)
  WHERE customer_name IS NOT NULL;
