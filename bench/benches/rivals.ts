import { startReceiver } from '../load/receiver-process.ts'
import { measureInTurns } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { startProduct } from '../parts/product.ts'
import { fanOutContender } from '../parts/product-fan-out.ts'
import { contenderLines, ratioLines } from '../report.ts'
import { openBullmq } from '../rivals/bullmq/queue.ts'
import { startRival, type Rival } from '../rivals/contender.ts'
import { openGraphileWorker } from '../rivals/graphile-worker/queue.ts'
import { openPgBoss } from '../rivals/pg-boss/queue.ts'

const WITHIN_MS = 120_000
const AIMS: Readonly<Record<string, string>> = {
  'graphile-worker': 'aim 1.94',
  'pg-boss': 'aim 2.2',
  BullMQ: 'aim 2.6',
}
const WITHOUT_BULLMQ =
  'BullMQ is left out: redis-server is not on PATH. It is a separate package (Debian: redis-server)'

const run: Bench['run'] = async (effort, site) => {
  const receiver = await startReceiver()
  site.keep(receiver.child)
  const options = { events: effort.events, withinMs: WITHIN_MS }
  const opened = [await openGraphileWorker(site), await openPgBoss(site), await openBullmq(site)]
  const rivals = opened.filter((rival): rival is Rival => rival !== null)
  const platform = site.keep(await startProduct(site.folder))
  const product = await fanOutContender('product', platform, { receiver, options, keep: site.keep })
  const contenders = [product]
  for (const rival of rivals) contenders.push(await startRival(rival, receiver, options, site.keep))
  const results = await measureInTurns(contenders, effort)
  const [whole, ...others] = results
  return [
    ...contenderLines('delivery', results),
    ...others.flatMap((other) => (whole ? ratioLines(whole, other, AIMS[other.name] ?? '') : [])),
    ...(rivals.length < opened.length ? [WITHOUT_BULLMQ] : []),
  ]
}

/**
 * Equal for all: the form of the events, that they wait outside the store when the time begins, when it ends, the
 * receiver, the connections and the signature. Each rival is one process that feeds its queue and works on it, with a
 * separate server. graphile-worker and pg-boss write the product's rows into the product's tables; BullMQ keeps the
 * completed job instead, in memory, where it cannot be listed by destination. Not equal: the product takes its events
 * from NATS, whose CPU counts as its own, and validates them; its guard, deadlines, fairness between destinations and
 * bounded reading of answers have no counterpart. The short form is no part of CI: it starts three servers and three
 * workers while the platform runs, for half a minute.
 */
export const rivals: Bench = {
  name: 'rivals',
  title: 'webhooks from the stream against the same job on graphile-worker, pg-boss and BullMQ',
  run,
}
