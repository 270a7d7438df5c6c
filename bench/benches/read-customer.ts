import { startReadFloor } from '../floors/read.ts'
import { startGenerator } from '../load/generator-process.ts'
import { rawRequest } from '../load/requests.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { createCustomers } from '../parts/customers.ts'
import { comparedLines, startCompared } from '../parts/compared.ts'
import type { Product } from '../parts/product.ts'
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

const run: Bench['run'] = async (effort, site) => {
  const { folder, keep } = site
  const servers = keep(await startServers(folder))
  const floor = keep(
    await startReadFloor(servers, { customers: effort.customers, connections: READ_CONNECTIONS }),
  )
  const products = await startCompared(
    site,
    async (name, product) => keep(await readContender(name, product, effort.customers)).contender,
  )
  const results = await measureInTurns([floor.contender, ...products], effort)
  const [bare, whole, compared] = results
  return [
    ...contenderLines('request', results),
    ...ratioLines(whole, bare, 'aim 1.85; p99 aim 0.60'),
    ...comparedLines(whole, compared),
  ]
}

export const readCustomer: Bench = {
  name: 'read',
  title: `GET customer against bare express + NATS + pg, ${READ_CONNECTIONS} connections`,
  run,
}
