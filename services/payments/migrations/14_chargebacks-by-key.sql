-- An order key of another's and one of nobody's are looked for in the same way, and found nowhere alike.
CREATE INDEX chargebacks_by_key ON chargebacks (partner_id, order_key);
