-- Staff find customers by the first letters of their name, whatever its case, page by page.
CREATE INDEX IF NOT EXISTS relationships_name ON relationships (lower(customer_name) COLLATE "C", id)
  WHERE customer_name IS NOT NULL;
