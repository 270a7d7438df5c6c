import { measureInTurns, type Result } from '../measure/rounds.ts'
import type { Measured } from '../measure/proc.ts'
import type { Bench } from '../parts/bench.ts'
import { startProduct, type Product } from '../parts/product.ts'
import { contenderLines, ratioLines } from '../report.ts'
import { orderContender } from './create-order.ts'

const CONNECTIONS = 64
const SCALED = ['payments', 'webhooks'] as const
const COUNTS = [2, 4] as const

/** Starts replicas until there are so many of each. @returns those that were started */
const scaleTo = async ({ platform }: Product, count: number, running: number): Promise<Measured[]> => {
  const started: Measured[] = []
  for (let number = running + 1; number <= count; number += 1)
    for (const name of SCALED) {
      const { pid } = await platform.startReplica(name, {})
      started.push({ name: `${name}-${number}`, pid: pid ?? 0 })
    }
  return started
}

/**
 * Orders with one replica of payments and of webhooks, then two, then four of each: under the same load, of which each
 * then has a part, and under as much for each replica as the one had. A replica that has begun stays, so the counts do
 * not run in turns. On a machine with fewer cores than processes the speed says nothing of a larger one; CPU an order
 * under the load that grows says whether replicas get into each other's way. Under the same load it rises too, because
 * what comes together is stored together, and less comes together at each.
 */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const product = keep(await startProduct(folder))
  const further: Measured[] = []
  const measure = async (name: string, connections: number): Promise<readonly Result[]> => {
    const { contender } = keep(await orderContender(name, product, effort.merchants, connections))
    return measureInTurns([{ ...contender, processes: [...contender.processes, ...further] }], effort)
  }
  const results = [...(await measure('1 replica', CONNECTIONS))]
  let running = 1
  for (const count of COUNTS) {
    further.push(...(await scaleTo(product, count, running)))
    running = count
    results.push(...(await measure(`${count} replicas`, CONNECTIONS)))
    results.push(...(await measure(`${count} replicas, ${count} times the load`, count * CONNECTIONS)))
  }
  const [one, ...more] = results
  return [
    ...contenderLines('order', results),
    ...more.flatMap((each) => (one === undefined ? [] : ratioLines(each, one, 'CPU: aim 1'))),
  ]
}

export const replicas: Bench = {
  name: 'replicas',
  title: 'POST order with one, two and four replicas of payments and of webhooks',
  run,
}
