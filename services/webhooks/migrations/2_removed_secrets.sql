-- A removed destination has no secret: null, so that nobody takes it for a sealed value.
ALTER TABLE destinations ALTER COLUMN secret_sealed DROP NOT NULL;
UPDATE destinations SET secret_sealed = NULL WHERE secret_sealed = '';
