import { startFanOutFloor } from '../floors/fan-out.ts'
import { startReceiver } from '../load/receiver-process.ts'
import { measureInTurns } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { comparedLines, startCompared } from '../parts/compared.ts'
import { FAN_OUT, fanOutContender } from '../parts/product-fan-out.ts'
import { contenderLines, ratioLines } from '../report.ts'

const WITHIN_MS = 60_000

const run: Bench['run'] = async (effort, site) => {
  const receiver = await startReceiver()
  site.keep(receiver.child)
  const options = { events: effort.events, withinMs: WITHIN_MS }
  const floor = site.keep(await startFanOutFloor(receiver, { ...options, connections: FAN_OUT.connections }))
  const products = await startCompared(site, (name, product) =>
    fanOutContender(name, product, { receiver, options, keep: site.keep }),
  )
  const results = await measureInTurns([floor.contender, ...products], effort)
  const [bare, whole, compared] = results
  return [
    ...contenderLines('delivery', results),
    ...ratioLines(whole, bare, 'aim 0.40'),
    ...comparedLines(whole, compared),
  ]
}

export const fanOut: Bench = {
  name: 'fan-out',
  title: 'webhooks from the stream to a local receiver against a bare undici dispatch loop',
  run,
}
