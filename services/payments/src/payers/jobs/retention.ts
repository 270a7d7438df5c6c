import { metrics, startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { firstKeptMonth } from '../key-month.ts'
import { destroyBefore } from '../key-store.ts'

const EVERY_MS = 3_600_000
const destroyed = metrics.counter(
  'causeway_payer_months_erased_total',
  'Months whose payers were erased by age',
)

/** Erases payers by age (`PAYER_RETENTION`): the keys of whole months go, and replicas may do it at once. */
export const startPayerRetention = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  retentionMs: number,
): Loop => {
  const loop = startLoop({
    name: 'payer-retention',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    async run() {
      const gone = await db.query(destroyBefore, [firstKeptMonth(clock.now(), retentionMs)])
      if (gone.length === 0) return
      destroyed.inc(gone.length)
      log.info({ event: 'payers.erased', months: gone.map(({ subject }) => subject) }, 'Erased payers by age')
    },
  })
  const forgetMoves = clock.onMoved(() => loop.wake())
  return {
    ...loop,
    async stop() {
      forgetMoves()
      await loop.stop()
    },
  }
}
