import { metrics, startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import { firstKeptMonth } from '../key-month.ts'
import { deletePayerKeysBefore } from '../key-store.ts'

const EVERY_MS = 3_600_000
const erased = metrics.counter(
  'causeway_payer_months_erased_total',
  'Months whose payers were erased because of their age',
)

/** Erases payers by age (`PAYER_RETENTION`) by deleting the keys of whole months. Replicas may run it concurrently. */
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
      const firstKept = firstKeptMonth(clock.now(), retentionMs)
      const deleted = await deletePayerKeysBefore(db, { firstKept })
      if (deleted.length === 0) return
      erased.inc(deleted.length)
      log.info(
        { event: 'payers.erased', months: deleted.map(({ subject }) => subject) },
        'Payers erased because of their age',
      )
    },
  })
  const unsubscribe = clock.onMoved(() => loop.wake())
  return {
    ...loop,
    async stop() {
      unsubscribe()
      await loop.stop()
    },
  }
}
