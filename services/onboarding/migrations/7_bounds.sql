-- Limits of requirements count what one party has raised: a partner, or the platform itself ('').
CREATE INDEX requirements_of_raiser ON requirements (merchant_id, (coalesce(raised_by, '')));
