import type { Asset, Network } from '@causeway/contracts'
import type { Swept, SweepPage } from './sweep.ts'

/** Pages of addresses that a round looks at again: 10,000 orders. A passed address has its next look after orders/10,000 rounds. */
const AGAIN_PAGES = 20

/** How far the addresses of an asset are emptied. */
export type Sweep = Readonly<{
  network: Network
  asset: Asset
  /** New orders go on behind this one. */
  afterOrderId: string | null
  /** Orders that were passed are looked at again behind this one; null: from the first. */
  againAfterOrderId: string | null
  /** Pages that are left to be looked at again in this round; 0 while new orders are looked at. */
  againPages: number
}>

/** The page that is looked at next. */
export const pageOfSweep = ({
  network,
  asset,
  afterOrderId,
  againAfterOrderId,
  againPages,
}: Sweep): SweepPage => ({
  network,
  asset,
  afterOrderId: againPages > 0 ? againAfterOrderId : afterOrderId,
})

/**
 * Moves on after a look at a page: new orders come first, then a part of those that were passed, in turn: what was not
 * worth its fee, or was paid late, is found there. `isOver` ends the round.
 */
export const moveSweep = (sweep: Sweep, swept: Swept): Readonly<{ sweep: Sweep; isOver: boolean }> => {
  const { againPages } = sweep
  if (swept.state === 'under way') return { sweep, isOver: false }
  if (againPages === 0)
    return swept.state === 'empty'
      ? { sweep: { ...sweep, afterOrderId: swept.afterOrderId }, isOver: false }
      : { sweep: { ...sweep, againPages: AGAIN_PAGES }, isOver: false }
  if (swept.state === 'done')
    return { sweep: { ...sweep, againAfterOrderId: null, againPages: 0 }, isOver: true }
  const left = againPages - 1
  return { sweep: { ...sweep, againAfterOrderId: swept.afterOrderId, againPages: left }, isOver: left === 0 }
}
