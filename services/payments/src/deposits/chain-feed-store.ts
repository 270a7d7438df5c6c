import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

const claim = statement({
  name: 'chain-feed.claim',
  text: `
    UPDATE chain_feed SET holder = $1, lease_until = $3
    WHERE holder = $1 OR holder IS NULL OR lease_until < $2
    RETURNING position`,
  row: z.object({ position: z.number() }),
})

const advance = statement({
  name: 'chain-feed.advance',
  text: 'UPDATE chain_feed SET position = $3 WHERE holder = $1 AND position = $2 RETURNING position',
  row: z.object({ position: z.number() }),
})

const release = statement({
  name: 'chain-feed.release',
  text: "UPDATE chain_feed SET holder = NULL, lease_until = '-infinity' WHERE holder = $1",
})

/** Takes or keeps the reader's lease. @returns how far the feed was read, or null while another replica reads */
export const claimFeed = async (
  db: Queryable,
  holder: string,
  now: Date,
  leaseMs: number,
): Promise<number | null> => {
  const [row] = await db.query(claim, [holder, now, new Date(now.getTime() + leaseMs)])
  return row?.position ?? null
}

/** Moves the position on. @returns false when another replica has taken over or was faster */
export const advanceFeed = async (
  tx: Queryable,
  holder: string,
  from: number,
  to: number,
): Promise<boolean> => (await tx.query(advance, [holder, from, to])).length === 1

/** Lets another replica read at once. */
export const releaseFeed = (db: Queryable, holder: string): Promise<unknown> => db.query(release, [holder])
