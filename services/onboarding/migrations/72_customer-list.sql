-- Staff list the customers of all partners, and of one, newest first. A partner's active ones have relationships_page.
CREATE INDEX IF NOT EXISTS relationships_newest ON relationships (status, created_at, id);
CREATE INDEX IF NOT EXISTS relationships_revoked ON relationships (partner_id, created_at, id)
  WHERE status = 'revoked';
