import { startReadFloor } from '../floors/read.ts'
import { startGenerator } from '../load/generator-process.ts'
import { rawRequest } from '../load/requests.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { createCustomers } from '../parts/customers.ts'
import { startProduct, type Product } from '../parts/product.ts'
import { startServers } from '../parts/servers.ts'
import { contenderLines, ratioLines } from '../report.ts'

export const READ_CONNECTIONS = 32

/** GET customer through the whole stack, each customer in turn. */
export const readContender = async (
  name: string,
  product: Product,
  customers: number,
): Promise<{ contender: Contender; stop: () => Promise<void> }> => {
  const paths = await createCustomers(product, customers)
  const requests = paths.map((path) => rawRequest({ method: 'GET', path, headers: product.authorization }))
  const { child, load } = await startGenerator(product.port, requests)
  return {
    contender: {
      name,
      processes: [...product.processes(['gateway', 'onboarding']), { name: 'generator', pid: child.pid }],
      run: (durationMs) => load({ connections: READ_CONNECTIONS, durationMs }),
    },
    stop: child.stop,
  }
}

const run: Bench['run'] = async (effort, { folder, keep }) => {
  const servers = keep(await startServers(folder))
  const floor = keep(
    await startReadFloor(servers, { customers: effort.customers, connections: READ_CONNECTIONS }),
  )
  const product = keep(await startProduct(folder))
  const reads = keep(await readContender('product', product, effort.customers))
  const results = await measureInTurns([floor.contender, reads.contender], effort)
  const [bare, whole] = results
  return [
    ...contenderLines('request', results),
    ...ratioLines(whole, bare, 'at least 1.2, aim 1.6; p99 aim 0.8'),
  ]
}

export const readCustomer: Bench = {
  name: 'read',
  title: `GET customer against bare express + NATS + pg, ${READ_CONNECTIONS} connections`,
  run,
}
