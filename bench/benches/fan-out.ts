import { startFanOutFloor } from '../floors/fan-out.ts'
import { startReceiver } from '../load/receiver-process.ts'
import { measureInTurns } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { FAN_OUT, startProductFanOut } from '../parts/product-fan-out.ts'
import { contenderLines, ratioLines } from '../report.ts'

const WITHIN_MS = 60_000

const run: Bench['run'] = async (effort, site) => {
  const receiver = await startReceiver()
  site.keep(receiver.child)
  const options = { events: effort.events, withinMs: WITHIN_MS }
  const floor = site.keep(await startFanOutFloor(receiver, { ...options, connections: FAN_OUT.connections }))
  const product = await startProductFanOut(receiver, options, site)
  const results = await measureInTurns([floor.contender, product], effort)
  const [bare, whole] = results
  return [...contenderLines('delivery', results), ...ratioLines(whole, bare, 'aim 0.40')]
}

export const fanOut: Bench = {
  name: 'fan-out',
  title: 'webhooks from the stream to a local receiver against a bare undici dispatch loop',
  run,
}
