import { queryNone, queryOne } from '@causeway/chassis'
import { StaffRole } from '@causeway/contracts'
import { z } from 'zod'

const SessionRow = z.object({
  kind: z.enum(['staff', 'partner', 'merchant']),
  subject: z.string(),
  role: StaffRole.nullable(),
  expiresAt: z.date(),
})

export const insertSession = queryNone({
  name: 'sessions.insert',
  parameters: {
    tokenHash: 'bytea',
    kind: 'text',
    subject: 'text',
    role: 'text?',
    now: 'timestamptz',
    expiresAt: 'timestamptz',
  },
  text: `
    INSERT INTO sessions (token_hash, kind, subject, role, created_at, expires_at)
    VALUES (:tokenHash, :kind, :subject, :role, :now, :expiresAt)`,
})

/** A session that has neither expired nor ended, of a partner that is active or a staff key that is not revoked. */
export const findSession = queryOne({
  name: 'sessions.find',
  parameters: { tokenHash: 'bytea', now: 'timestamptz' },
  text: `
    SELECT kind, subject, role, expires_at FROM sessions
    WHERE token_hash = :tokenHash AND expires_at > :now AND ended_at IS NULL
      AND (kind <> 'partner' OR EXISTS (SELECT FROM partners WHERE partner_id = subject AND status = 'active'))
      AND (kind <> 'staff'
           OR NOT EXISTS (SELECT FROM staff_keys WHERE staff_key_id = subject AND revoked_at IS NOT NULL))`,
  row: SessionRow,
})

export const endSession = queryNone({
  name: 'sessions.end',
  parameters: { tokenHash: 'bytea', now: 'timestamptz' },
  text: 'UPDATE sessions SET ended_at = :now WHERE token_hash = :tokenHash AND ended_at IS NULL',
})

export const purgeSessions = queryNone({
  name: 'sessions.purge',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM sessions WHERE expires_at <= :before',
})
