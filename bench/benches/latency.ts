import { startReceiver, type Receiver } from '../load/receiver-process.ts'
import { steadily } from '../load/steadily.ts'
import { quantile, spreadOf, type Spread } from '../measure/statistics.ts'
import type { Bench } from '../parts/bench.ts'
import { createDestinations } from '../parts/destinations.ts'
import { openOutboxWriter } from '../parts/outbox-writer.ts'
import { startProduct } from '../parts/product.ts'

const RATES = [50, 200, 1_000]
const WITHIN_MS = 60_000

type Latency = Readonly<{ p50: number; p95: number; p99: number }>

const latencyOf = async (
  receiver: Receiver,
  commit: () => Promise<void>,
  pace: Readonly<{ perSecond: number; durationMs: number }>,
): Promise<Latency> => {
  await receiver.reset({ withAges: true })
  const events = await steadily(pace, commit)
  const { agesMs } = await receiver.until({ events, withinMs: WITHIN_MS })
  if (agesMs.length < events) throw new Error(`Of ${events} events ${agesMs.length} have arrived`)
  const sorted = agesMs.toSorted((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99) }
}

const shown = ({ median, low, high }: Spread): string =>
  `${median.toFixed(0)} ms [${low.toFixed(0)} to ${high.toFixed(0)}]`

/** Latency counts from just before the commit of the event, one transaction each, to its arrival at the receiver. */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const receiver = await startReceiver()
  keep(receiver.child)
  const product = keep(await startProduct(folder))
  const writer = keep(await openOutboxWriter(product))
  const [partnerId = ''] = await createDestinations(product, `${receiver.url}/hooks`, 1)
  const commit = () => writer.commit(partnerId)
  await latencyOf(receiver, commit, { perSecond: RATES[1] ?? 1, durationMs: effort.warmUpMs })
  const rounds: Latency[][] = []
  for (let round = 0; round < effort.rounds; round += 1) {
    const found: Latency[] = []
    for (const perSecond of RATES)
      found.push(await latencyOf(receiver, commit, { perSecond, durationMs: effort.durationMs }))
    rounds.push(found)
  }
  return RATES.map((perSecond, index) => {
    const of = (key: keyof Latency) =>
      shown(spreadOf(rounds.map((found) => found[index]?.[key] ?? Number.NaN)))
    return `${perSecond} events/s: p50 ${of('p50')}, p95 ${of('p95')}, p99 ${of('p99')}`
  })
}

export const latency: Bench = {
  name: 'latency',
  title: 'from the commit of an event to its receipt, all rates in turns',
  run,
}
