import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { fiatOrderScript, fiatOrderSetUp } from '../floors/fiat-order-rows.ts'
import { prepareWriteFloor } from '../floors/write.ts'
import { startGenerator } from '../load/generator-process.ts'
import { freshName, NUMBER_MARKER, rawRequest } from '../load/requests.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { createVerifiedCustomers } from '../parts/customers.ts'
import { comparedLines, startCompared } from '../parts/compared.ts'
import type { Product } from '../parts/product.ts'
import { startServers } from '../parts/servers.ts'
import { contenderLines, ratioLines } from '../report.ts'

const CONNECTIONS = 32
/** An order takes two transactions and a call: in less time a busy machine may not finish a single one. */
const LEAST_DURATION_MS = 1_500

/** The checkout configuration that a customer has from its sign-up. */
export const integrationOf = async ({ partner }: Product, customerPath: string): Promise<string> => {
  const { integrations } = dataOf<{ integrations: { integration_id: string }[] }>(
    await partner.get(`${customerPath}/fiat-integrations`),
  )
  const id = integrations[0]?.integration_id
  if (id === undefined) throw new Error('A customer has no checkout configuration')
  return id
}

/** POST fiat order through the whole stack and the sandbox's processor, a new key each time. */
const fiatOrderContender = async (
  name: string,
  product: Product,
  merchants: number,
): Promise<{ contender: Contender; stop: () => Promise<void> }> => {
  const paths = await createVerifiedCustomers(product, merchants)
  const prefix = freshName()
  const requests = await Promise.all(
    paths.map(async (path) =>
      rawRequest({
        method: 'POST',
        path: `${path}/fiat-orders`,
        headers: { ...product.authorization, 'idempotency-key': `${prefix}-${NUMBER_MARKER}` },
        body: {
          integration_id: await integrationOf(product, path),
          amount_cents: 10_000,
          currency: 'EUR',
          merchant_reference: 'cart-7',
        },
      }),
    ),
  )
  const { child, load } = await startGenerator(product.port, requests)
  return {
    contender: {
      name,
      processes: [
        ...product.processes(['gateway', 'payments', 'webhooks', 'onboarding', 'sandbox']),
        { name: 'generator', pid: child.pid },
      ],
      run: (durationMs) => load({ connections: CONNECTIONS, durationMs }),
    },
    stop: child.stop,
  }
}

const run: Bench['run'] = async (effort, site) => {
  const { folder, keep } = site
  const plan = { ...effort, durationMs: Math.max(effort.durationMs, LEAST_DURATION_MS) }
  const servers = keep(await startServers(folder))
  const floor = await prepareWriteFloor(servers, {
    folder,
    name: 'fiat_write_floor',
    setUp: fiatOrderSetUp(effort.merchants),
    script: fiatOrderScript(effort.merchants),
  })
  const products = await startCompared(
    site,
    async (name, product) => keep(await fiatOrderContender(name, product, effort.merchants)).contender,
  )
  if (floor === null)
    return [
      ...contenderLines('order', await measureInTurns(products, plan)),
      'No ratio: pgbench is not on PATH. It comes with the server of PostgreSQL (Debian: postgresql-15)',
    ]
  const results = await measureInTurns([floor(CONNECTIONS), ...products], plan)
  const [bare, whole, compared] = results
  return [
    ...contenderLines('order', results),
    ...ratioLines(whole, bare, 'no aim: the processor is asked too'),
    ...comparedLines(whole, compared),
  ]
}

export const createFiatOrder: Bench = {
  name: 'fiat-write',
  title:
    'POST fiat order, its checkout opened at the sandbox, against pgbench with the same rows in two transactions',
  run,
}
