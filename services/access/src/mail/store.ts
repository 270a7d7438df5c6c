import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

export const insertMail = queryNone({
  name: 'mails.insert',
  parameters: {
    mailId: 'text',
    kind: 'text',
    messageSealed: 'text',
    now: 'timestamptz',
    expiresAt: 'timestamptz',
  },
  text: `
    INSERT INTO mails (mail_id, kind, message_sealed, created_at, expires_at, next_attempt_at)
    VALUES (:mailId, :kind, :messageSealed, :now, :expiresAt, :now)`,
})

const ClaimedMail = z.object({
  mailId: z.string(),
  kind: z.string(),
  messageSealed: z.string(),
  expiresAt: z.date(),
  attempts: z.number(),
})
export type ClaimedMail = z.infer<typeof ClaimedMail>

/** Claims due mails until `leaseUntil`; the number of attempts is the fencing token of the claim. */
export const claimMails = queryMany({
  name: 'mails.claim',
  parameters: { now: 'timestamptz', leaseUntil: 'timestamptz', limit: 'integer' },
  text: `
    UPDATE mails SET attempts = attempts + 1, next_attempt_at = :leaseUntil
    WHERE mail_id IN (
      SELECT mail_id FROM mails WHERE next_attempt_at <= :now
      ORDER BY next_attempt_at LIMIT :limit FOR UPDATE SKIP LOCKED
    )
    RETURNING mail_id, kind, message_sealed, expires_at, attempts`,
  row: ClaimedMail,
})

/** Ends a claimed mail and deletes its content. */
export const endMail = queryNone({
  name: 'mails.end',
  parameters: { mailId: 'text', attempts: 'integer', outcome: 'text', now: 'timestamptz' },
  text: `
    UPDATE mails SET outcome = :outcome, ended_at = :now, message_sealed = NULL, next_attempt_at = NULL
    WHERE mail_id = :mailId AND attempts = :attempts AND ended_at IS NULL`,
})

export const retryMail = queryNone({
  name: 'mails.retry',
  parameters: { mailId: 'text', attempts: 'integer', nextAttemptAt: 'timestamptz' },
  text: `
    UPDATE mails SET next_attempt_at = :nextAttemptAt
    WHERE mail_id = :mailId AND attempts = :attempts AND ended_at IS NULL`,
})

/** The mails that wait, and those that ended without being sent after `deadAfter`, each counted up to `bound`. */
export const readMailBacklog = queryOne({
  name: 'mails.read-backlog',
  parameters: { deadAfter: 'timestamptz', bound: 'integer' },
  text: `
    SELECT
      (SELECT count(*) FROM (SELECT FROM mails WHERE next_attempt_at IS NOT NULL LIMIT :bound) w)::integer AS waiting,
      (SELECT count(*) FROM (
        SELECT FROM mails WHERE ended_at > :deadAfter AND outcome <> 'sent' LIMIT :bound
      ) d)::integer AS dead`,
  row: z.object({ waiting: z.number(), dead: z.number() }),
})

export const purgeMails = queryNone({
  name: 'mails.purge',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM mails WHERE ended_at <= :before',
})
