-- An index of all ended deliveries was a tenth of what recording one costs. Of those that are looked for among many
-- others the dead alone are few.
DROP INDEX deliveries_ended;
CREATE INDEX deliveries_dead ON deliveries (destination_id, id) WHERE state = 'dead';
