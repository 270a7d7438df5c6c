import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

const Position = z.object({ position: z.number() })

/**
 * Claims or renews the reader's lease. @returns the feed's stored position, or null while another replica holds the
 * lease
 */
export const claimFeed = queryOne({
  name: 'chain-feed.claim',
  parameters: { holder: 'text', now: 'timestamptz', leaseUntil: 'timestamptz' },
  text: `
    UPDATE chain_feed SET holder = :holder, lease_until = :leaseUntil
    WHERE holder = :holder OR holder IS NULL OR lease_until < :now
    RETURNING position`,
  row: Position,
})

/** Renews the lease, unless another replica holds it, or a transaction of the holder's own holds the row. */
export const renewFeed = queryNone({
  name: 'chain-feed.renew',
  parameters: { holder: 'text', leaseUntil: 'timestamptz' },
  text: `
    UPDATE chain_feed SET lease_until = :leaseUntil
    WHERE only_row IN (SELECT only_row FROM chain_feed WHERE holder = :holder FOR UPDATE SKIP LOCKED)`,
})

/** Advances the position; null when another replica has taken over or was faster. */
export const advanceFeed = queryOne({
  name: 'chain-feed.advance',
  parameters: { holder: 'text', from: 'bigint', to: 'bigint' },
  text: 'UPDATE chain_feed SET position = :to WHERE holder = :holder AND position = :from RETURNING position',
  row: Position,
})

/** Releases the lease, so that another replica can read immediately. */
export const releaseFeed = queryNone({
  name: 'chain-feed.release',
  parameters: { holder: 'text' },
  text: "UPDATE chain_feed SET holder = NULL, lease_until = '-infinity' WHERE holder = :holder",
})
