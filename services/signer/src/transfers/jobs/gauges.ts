import { metrics, startLoop, type KeylessServiceContext, type Loop } from '@causeway/chassis'
import { NETWORKS } from '@causeway/contracts'
import { countStuck } from '../store.ts'

const EVERY_MS = 10_000
const BOUND = 10_000

const stuck = metrics.gauge(
  'causeway_signer_stuck_transfers',
  `Transfers that no block takes and whose fee is not raised any further, by network; counted up to ${BOUND}`,
  ['network'],
)

/** Keeps the gauge of transfers that need a decision. Every replica exports the same figures. */
export const startTransferGauges = ({ db, log }: Pick<KeylessServiceContext, 'db' | 'log'>): Loop =>
  startLoop({
    name: 'transfer-gauges',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    async run() {
      const counted = await countStuck(db, { bound: BOUND })
      for (const network of NETWORKS)
        stuck.set({ network }, counted.find((each) => each.network === network)?.stuck ?? 0)
    },
  })
