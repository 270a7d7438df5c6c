import { SAMPLE_CASE } from '@causeway/scenario'
import { startReadFloor } from '../floors/read.ts'
import { startGenerator } from '../load/generator-process.ts'
import { rawRequest } from '../load/requests.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { createCustomers } from '../parts/customers.ts'
import { startProduct } from '../parts/product.ts'
import { startServers } from '../parts/servers.ts'
import { contenderLines, ratioLines } from '../report.ts'
import { READ_CONNECTIONS } from './read-customer.ts'

/** POST of a full case, each customer in turn: every call merges, seals, writes and attempts the submission. */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const servers = keep(await startServers(folder))
  const floor = keep(
    await startReadFloor(servers, { customers: effort.customers, connections: READ_CONNECTIONS }),
  )
  const product = keep(await startProduct(folder))
  const paths = await createCustomers(product, effort.customers)
  const requests = paths.map((path) =>
    rawRequest({
      method: 'POST',
      path: `${path}/verifications`,
      headers: product.authorization,
      body: SAMPLE_CASE,
    }),
  )
  const generator = await startGenerator(product.port, requests)
  keep(generator.child)
  const writes: Contender = {
    name: 'full case',
    processes: [
      ...product.processes(['gateway', 'onboarding']),
      { name: 'generator', pid: generator.child.pid },
    ],
    run: (durationMs) => generator.load({ connections: READ_CONNECTIONS, durationMs }),
  }
  const results = await measureInTurns([floor.contender, writes], effort)
  const [bare, whole] = results
  return [
    ...contenderLines('case', results),
    ...ratioLines(whole, bare, 'a transaction with two people sealed, against a bare read'),
  ]
}

export const writeVerification: Bench = {
  name: 'verification',
  title: `POST of a full KYB case against a bare read, ${READ_CONNECTIONS} connections`,
  run,
}
