-- Who requested a key and so received its secret, as the audit log names them: a staff key, `oidc:` and a subject, or the
-- key of the setting. With it a key and its maker count as one person for four eyes. Null: made before this migration,
-- and not in the audit log.
ALTER TABLE staff_keys ADD COLUMN made_by text;

UPDATE staff_keys SET made_by = made.made_by
FROM (
  SELECT ended.record::json ->> 'target' AS staff_key_id, began.record::json ->> 'actor' AS made_by
  FROM audit.records AS began JOIN audit.records AS ended USING (request_id)
  WHERE began.kind = 'began' AND ended.kind = 'ended'
    AND began.record LIKE '%"gateway.staff-keys.create"%'
) AS made
WHERE staff_keys.staff_key_id = made.staff_key_id;
