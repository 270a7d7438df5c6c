-- Whose an integration is, as payments tells it: a registration may be bound to its merchant's own alone.
CREATE TABLE integrations (
  integration_id text PRIMARY KEY,
  merchant_id text NOT NULL,
  deleted boolean NOT NULL
);
