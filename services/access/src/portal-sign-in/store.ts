import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Serialises requests for an address until the end of the transaction, so that its limit is exact. */
export const lockAddress = queryNone({
  name: 'sign-in-requests.lock-address',
  parameters: { emailMac: 'text' },
  text: `SELECT pg_advisory_xact_lock(hashtextextended('sign-in:' || :emailMac, 0))`,
})

/** Records a request unless the address has had `limit` since a time. It looks up no person. */
export const insertSignInRequest = queryNone({
  name: 'sign-in-requests.insert',
  parameters: {
    signInRequestId: 'text',
    emailMac: 'text',
    emailSealed: 'text',
    browserHash: 'bytea',
    now: 'timestamptz',
    expiresAt: 'timestamptz',
    since: 'timestamptz',
    limit: 'integer',
  },
  text: `
    INSERT INTO sign_in_requests (
      sign_in_request_id, email_mac, email_sealed, browser_hash, requested_at, expires_at
    )
    SELECT :signInRequestId, :emailMac, :emailSealed, :browserHash, :now, :expiresAt
    WHERE :limit > (SELECT count(*) FROM sign_in_requests WHERE email_mac = :emailMac AND requested_at > :since)`,
})

const WAITS = 'email_sealed IS NOT NULL'

/** True if a request waits: so that a quiet platform opens no transaction for the look. */
export const isRequestWaiting = queryOne({
  name: 'sign-in-requests.is-waiting',
  text: `SELECT EXISTS (SELECT FROM sign_in_requests WHERE ${WAITS}) AS is_waiting`,
  row: z.object({ isWaiting: z.boolean() }),
})

/** Locks the oldest requests that wait, which no other replica has. */
export const lockWaitingRequests = queryMany({
  name: 'sign-in-requests.lock-waiting',
  parameters: { limit: 'integer' },
  text: `
    SELECT sign_in_request_id, email_mac, email_sealed, requested_at, expires_at FROM sign_in_requests
    WHERE ${WAITS} ORDER BY requested_at LIMIT :limit FOR UPDATE SKIP LOCKED`,
  row: z.object({
    signInRequestId: z.string(),
    emailMac: z.string(),
    emailSealed: z.string(),
    requestedAt: z.date(),
    expiresAt: z.date(),
  }),
})

/** Deletes the address of a handled request. @param tokenHash of the link that was sent; null: none */
export const endHandling = queryNone({
  name: 'sign-in-requests.end-handling',
  parameters: { signInRequestId: 'text', tokenHash: 'bytea?' },
  text: `
    UPDATE sign_in_requests SET email_sealed = NULL, token_hash = :tokenHash
    WHERE sign_in_request_id = :signInRequestId`,
})

const IS_OPEN = 'token_hash = :tokenHash AND used_at IS NULL AND expires_at > :now'

/** The link of a token that can still be used, and whether the browser is the one that asked for it. */
export const findLink = queryOne({
  name: 'sign-in-requests.find-link',
  parameters: { tokenHash: 'bytea', browserHash: 'bytea', now: 'timestamptz' },
  text: `
    SELECT email_mac, browser_hash = :browserHash AS is_same_browser FROM sign_in_requests WHERE ${IS_OPEN}`,
  row: z.object({ emailMac: z.string(), isSameBrowser: z.boolean() }),
})

/** Uses a link up, in the browser that asked for it; of two simultaneous calls one finds it. */
export const useLink = queryOne({
  name: 'sign-in-requests.use-link',
  parameters: { tokenHash: 'bytea', browserHash: 'bytea', now: 'timestamptz' },
  text: `
    UPDATE sign_in_requests SET used_at = :now WHERE ${IS_OPEN} AND browser_hash = :browserHash
    RETURNING email_mac`,
  row: z.object({ emailMac: z.string() }),
})

export const purgeSignInRequests = queryNone({
  name: 'sign-in-requests.purge',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM sign_in_requests WHERE expires_at <= :before',
})
