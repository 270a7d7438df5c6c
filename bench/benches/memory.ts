import { setTimeout as delay } from 'node:timers/promises'
import { COMPONENTS } from '@causeway/dev-env/platform/components'
import { residentBytesOf } from '../measure/proc.ts'
import { untilQuiet } from '../measure/quiet.ts'
import type { Bench } from '../parts/bench.ts'
import { startProduct } from '../parts/product.ts'
import { memoryLines } from '../report.ts'
import { orderContender } from './create-order.ts'
import { readContender } from './read-customer.ts'

const LOOK_MS = 250
const CONNECTIONS = 32

const run: Bench['run'] = async (effort, { folder, keep }) => {
  // The first start makes the databases and compiles the code.
  await (await startProduct(folder)).stop()
  const startedAt = performance.now()
  const product = keep(await startProduct(folder))
  const startSeconds = (performance.now() - startedAt) / 1_000
  const processes = product.processes(COMPONENTS)
  await untilQuiet(processes)
  const idle = processes.map(residentBytesOf)
  const greatest = [...idle]
  const reads = keep(await readContender('reads', product, effort.customers))
  const orders = keep(await orderContender('orders', product, effort.merchants, CONNECTIONS))

  const looking = new AbortController()
  const watch = async () => {
    while (!looking.signal.aborted) {
      processes.forEach((measured, index) => {
        greatest[index] = Math.max(greatest[index] ?? 0, residentBytesOf(measured))
      })
      await delay(LOOK_MS)
    }
  }
  const watching = watch()
  for (const { contender } of [reads, orders]) await contender.run(effort.durationMs * effort.rounds)
  looking.abort()
  await watching
  return [
    ...memoryLines(
      processes.map(({ name }, index) => ({
        name,
        idleBytes: idle[index] ?? 0,
        loadBytes: greatest[index] ?? 0,
      })),
    ),
    `The second start of the whole platform: ${startSeconds.toFixed(1)} s`,
  ]
}

export const memory: Bench = {
  name: 'memory',
  title: 'resident memory of each process, idle and under reads and writes, and the seconds of a start',
  run,
}
