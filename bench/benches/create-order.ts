import { freshName, NUMBER_MARKER, rawRequest } from '../load/requests.ts'
import { startGenerator } from '../load/generator-process.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import { writeScript } from '../floors/write-rows.ts'
import { prepareWriteFloor } from '../floors/write.ts'
import type { Bench } from '../parts/bench.ts'
import { createVerifiedCustomers } from '../parts/customers.ts'
import { comparedLines, startCompared } from '../parts/compared.ts'
import type { Product } from '../parts/product.ts'
import { startServers } from '../parts/servers.ts'
import { contenderLines, ratioLines } from '../report.ts'

const AIMS = [
  [32, 'aim 0.36, formerly 0.28'],
  [64, 'aim 0.46, formerly 0.35'],
] as const

/** POST order through the whole stack, a new reference each time, for each customer in turn. */
export const orderContender = async (
  name: string,
  product: Product,
  merchants: number,
  connections: number,
): Promise<{ contender: Contender; stop: () => Promise<void> }> => {
  const paths = await createVerifiedCustomers(product, merchants)
  const prefix = freshName()
  const requests = paths.map((path) =>
    rawRequest({
      method: 'POST',
      path: `${path}/orders`,
      headers: product.authorization,
      body: {
        reference: `${prefix}-${NUMBER_MARKER}`,
        network: 'ETH',
        asset: 'USDT',
        amount: '25.00',
        currency: 'EUR',
        email: 'payer@example.com',
      },
    }),
  )
  const { child, load } = await startGenerator(product.port, requests)
  return {
    contender: {
      name,
      processes: [
        ...product.processes(['gateway', 'payments', 'webhooks', 'onboarding', 'sandbox']),
        { name: 'generator', pid: child.pid },
      ],
      run: (durationMs) => load({ connections, durationMs }),
    },
    stop: child.stop,
  }
}

const run: Bench['run'] = async (effort, site) => {
  const { folder, keep } = site
  const servers = keep(await startServers(folder))
  const script = writeScript(effort.merchants)
  const floor = await prepareWriteFloor(servers, { folder, name: 'write_floor', script })
  const products = await startCompared(site, async (name, product) => ({ name, product }))
  const lines: string[] = []
  for (const [connections, aim] of AIMS) {
    const start = async ({ name, product }: (typeof products)[number]) =>
      keep(
        await orderContender(`${name}, ${connections} connections`, product, effort.merchants, connections),
      ).contender
    const [first, ...others] = products
    const orders = [await start(first), ...(await Promise.all(others.map(start)))] as const
    if (floor === null) {
      lines.push(...contenderLines('order', await measureInTurns(orders, effort)))
      continue
    }
    const results = await measureInTurns([floor(connections), ...orders], effort)
    const [bare, whole, compared] = results
    lines.push(
      ...contenderLines('order', results),
      ...ratioLines(whole, bare, aim),
      ...comparedLines(whole, compared),
    )
  }
  if (floor === null)
    lines.push(
      'No ratio: pgbench is not on PATH. It comes with the server of PostgreSQL (Debian: postgresql-15)',
    )
  return lines
}

export const createOrder: Bench = {
  name: 'write',
  title: 'POST order against pgbench with the same rows written by one CTE',
  run,
}
