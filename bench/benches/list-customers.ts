import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { startGenerator } from '../load/generator-process.ts'
import { rawRequest } from '../load/requests.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { fillCustomers, PAGE } from '../parts/many-customers.ts'
import { startProduct, type Product } from '../parts/product.ts'
import { contenderLines, ratioLines } from '../report.ts'

const CONNECTIONS = 8

const pageContender = async (name: string, product: Product, path: string) => {
  const { customers } = dataOf<{ customers: unknown[] }>(await product.partner.get(path))
  if (customers.length !== PAGE)
    throw new Error(`The ${name} holds ${customers.length} customers, not ${PAGE}`)
  const request = rawRequest({ method: 'GET', path, headers: product.authorization })
  const { child, load } = await startGenerator(product.port, [request])
  const contender: Contender = {
    name,
    processes: [...product.processes(['gateway', 'onboarding']), { name: 'generator', pid: child.pid }],
    run: (durationMs) => load({ connections: CONNECTIONS, durationMs }),
  }
  return { contender, stop: child.stop }
}

const run: Bench['run'] = async (effort, { folder, keep }) => {
  const product = keep(await startProduct(folder))
  const paths = await fillCustomers(product, effort.listed)
  const first = keep(await pageContender('first page', product, paths.first))
  const last = keep(await pageContender('last page', product, paths.last))
  const results = await measureInTurns([first.contender, last.contender], effort)
  const [atFirst, atLast] = results
  return [
    `${effort.listed} customers of one partner, ${PAGE} a page, ${CONNECTIONS} connections`,
    ...contenderLines('page', results),
    ...ratioLines(atLast, atFirst, 'aim 1: the last page costs what the first does'),
  ]
}

export const listCustomers: Bench = {
  name: 'list',
  title: 'GET customers: the last page against the first',
  run,
}
