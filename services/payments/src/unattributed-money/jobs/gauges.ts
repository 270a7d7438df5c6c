import { metrics, startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import { UNATTRIBUTED_MONEY_KINDS } from '@causeway/contracts'
import { countOpenMoney } from '../store.ts'

const EVERY_MS = 10_000
const REST_MS = 1_000
/** While somebody holds a snapshot, each look reads every row that was worked off meanwhile. */
const MAX_SHARE = 0.01
const BOUND = 100_000

const open = metrics.gauge(
  'causeway_unattributed_money_open',
  `Amounts that count for no order and wait for staff, by kind; counted up to ${BOUND}`,
  ['kind'],
)
const oldestAge = metrics.gauge(
  'causeway_unattributed_money_oldest_age_seconds',
  'Age of the oldest unattributed amount that waits for staff, by kind; 0 without one',
  ['kind'],
)

/** Keeps the gauges of unattributed money. Every replica exports the same figures. */
export const startMoneyGauges = ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>): Loop =>
  startLoop({
    name: 'unattributed-money-gauges',
    everyMs: EVERY_MS,
    maxShare: MAX_SHARE,
    restMs: REST_MS,
    log,
    async run() {
      const counted = await countOpenMoney(db.pooled, { bound: BOUND })
      for (const kind of UNATTRIBUTED_MONEY_KINDS) {
        const found = counted.find((each) => each.kind === kind)
        open.set({ kind }, found?.open ?? 0)
        oldestAge.set({ kind }, found ? Math.max(0, clock.nowMs() - found.oldestAt.getTime()) / 1_000 : 0)
      }
    },
  })
