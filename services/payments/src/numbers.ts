import { createMarks, type ServiceContext } from '@causeway/chassis'
import type { Destinations } from '@causeway/rails/networks'
import { createNumberMarks } from './order-numbers/grant.ts'
import { startNumbersKeeper } from './order-numbers/jobs/keep-numbers.ts'
import { startSkippedWatch } from './order-numbers/jobs/watch-skipped.ts'
import { createOrderNumbers } from './order-numbers/order-numbers.ts'
import { CARD_KEYS_END, type Numbered } from './order-numbers/segment.ts'

/** Starts what hands out the numbers of orders, and the jobs that grant them ahead and keep the addresses of skipped ones. */
export const startOrderNumbers = (
  context: Pick<ServiceContext, 'bus' | 'clock' | 'db' | 'log' | 'service'>,
  destinations: Destinations,
) => {
  const numbersContext = { ...context, marks: createMarks(context.bus, context.service) }
  const marks = createNumberMarks(numbersContext)
  const limitOf = (name: Numbered) => (name === 'card' ? CARD_KEYS_END - 1 : destinations.lastOf(name))
  const keeper = startNumbersKeeper(numbersContext, marks, limitOf)
  const watch = startSkippedWatch(context, destinations)
  return {
    numbers: createOrderNumbers(numbersContext, marks, destinations.lastOf),
    async stop() {
      await Promise.all([keeper.stop(), watch.stop()])
    },
  }
}
