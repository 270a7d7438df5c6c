-- Actions of staff that wait for a second person (decisions §14, four eyes).

-- request_sealed: path parameters, body and the state before, sealed; result_sealed: the answer, until who asked has
-- taken it. execution_id: the request under which the audit log has the action itself, and whoever holds it may end it.
CREATE TABLE pending_actions (
  pending_action_id text PRIMARY KEY,
  action text NOT NULL,
  target text,
  role text NOT NULL CHECK (role IN ('viewer', 'reviewer', 'finance', 'admin')),
  request_sealed text NOT NULL,
  request_sha256 text NOT NULL,
  status text NOT NULL CHECK (
    status IN ('waiting', 'confirmed', 'done', 'failed', 'unknown', 'declined', 'withdrawn', 'outdated', 'expired')
  ),
  requested_by text NOT NULL,
  requested_role text NOT NULL CHECK (requested_role IN ('viewer', 'reviewer', 'finance', 'admin')),
  requested_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_by text,
  decided_at timestamptz,
  execution_id text,
  code text,
  result_sealed text
);
-- The same request of the same person waits once: a second click finds the first one.
CREATE UNIQUE INDEX pending_actions_waiting_once ON pending_actions (requested_by, request_sha256)
  WHERE status = 'waiting';
CREATE INDEX pending_actions_waiting ON pending_actions (requested_at, pending_action_id) WHERE status = 'waiting';
CREATE INDEX pending_actions_decided ON pending_actions (requested_at, pending_action_id) WHERE status <> 'waiting';
CREATE INDEX pending_actions_expired ON pending_actions (expires_at);
