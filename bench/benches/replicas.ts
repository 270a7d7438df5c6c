import { measureInTurns, type Contender, type Result } from '../measure/rounds.ts'
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
 * Orders with one replica of payments and of webhooks, then two, then four of each. A replica that has begun stays, so
 * the counts do not run in turns. On a machine with fewer cores than processes the speed says nothing of a larger one;
 * CPU an order says whether replicas get into each other's way.
 */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const product = keep(await startProduct(folder))
  const { contender } = keep(await orderContender('1 replica', product, effort.merchants, CONNECTIONS))
  const measure = (measured: Contender): Promise<readonly Result[]> => measureInTurns([measured], effort)
  const results = [...(await measure(contender))]
  const further: Measured[] = []
  let running = 1
  for (const count of COUNTS) {
    further.push(...(await scaleTo(product, count, running)))
    running = count
    const processes = [...contender.processes, ...further]
    results.push(...(await measure({ ...contender, name: `${count} replicas`, processes })))
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
