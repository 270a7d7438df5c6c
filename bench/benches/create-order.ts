import { freshName, NUMBER_MARKER, rawRequest } from '../load/requests.ts'
import { startGenerator } from '../load/generator-process.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import { writeScript } from '../floors/write-rows.ts'
import { prepareWriteFloor } from '../floors/write.ts'
import type { Bench } from '../parts/bench.ts'
import { createVerifiedCustomers } from '../parts/customers.ts'
import { startProduct, type Product } from '../parts/product.ts'
import { startServers } from '../parts/servers.ts'
import { contenderLines, ratioLines } from '../report.ts'

const AIMS = [
  [32, 'aim 0.32'],
  [64, 'aim 0.42'],
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

const run: Bench['run'] = async (effort, { folder, keep }) => {
  const servers = keep(await startServers(folder))
  const script = writeScript(effort.merchants)
  const floor = await prepareWriteFloor(servers, { folder, name: 'write_floor', script })
  const product = keep(await startProduct(folder))
  const lines: string[] = []
  for (const [connections, aim] of AIMS) {
    const name = `product, ${connections} connections`
    const orders = keep(await orderContender(name, product, effort.merchants, connections))
    if (floor === null) {
      lines.push(...contenderLines('order', await measureInTurns([orders.contender], effort)))
      continue
    }
    const results = await measureInTurns([floor(connections), orders.contender], effort)
    const [bare, whole] = results
    lines.push(...contenderLines('order', results), ...ratioLines(whole, bare, aim))
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
