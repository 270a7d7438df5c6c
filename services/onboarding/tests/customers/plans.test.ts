import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { NEWEST_FIRST, newId, queryNone } from '@causeway/chassis'
import { z } from 'zod'
import * as customers from '../../src/customers/store.ts'
import * as relationships from '../../src/relationship-state/store.ts'
import { startForTests, type RunningOnboarding } from '../running-onboarding.ts'

const ROWS = 20_000
const partnerId = newId('partner')

const fill = queryNone({
  name: 'test.fill',
  parameters: { from: 'integer', to: 'integer', partnerId: 'text' },
  text: `
    WITH made AS (
      INSERT INTO merchants (id, email_mac, created_at)
      SELECT 'cus_' || n, sha256(n::text::bytea), timestamptz '2026-01-01Z' + n * interval '1 ms'
      FROM generate_series(:from, :to) AS n
      RETURNING id, created_at)
    INSERT INTO relationships (id, partner_id, merchant_id, external_customer_id, email_sealed, status, granted,
                               merchant_created_at, created_at)
    SELECT 'pcu_' || id, :partnerId, id, 'shop-' || id, repeat('x', 90), 'active', '{}', created_at, created_at
    FROM made`,
})
const analyze = queryNone({ name: 'test.analyze', text: 'ANALYZE merchants, relationships' })

type Node = { 'Node Type': string; Plans?: Node[] }
/** Takes the values of a statement in the order in which it declares its parameters. */
const explained = (name: string, { text }: Readonly<{ text: string }>) => ({
  name: `test.explain.${name}`,
  text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
  row: z.object({
    'QUERY PLAN': z.tuple([
      z.object({
        Plan: z.looseObject({ 'Shared Hit Blocks': z.number(), 'Shared Read Blocks': z.number() }),
      }),
    ]),
  }),
  bind: (values: Readonly<Record<string, unknown>>) => Object.values(values),
})
const statements = {
  page: explained('page', customers.listPage),
  many: explained('many', customers.getMany),
  links: explained('links', customers.listLinks),
  capabilities: explained('capabilities', relationships.getLive),
}

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests()
  await fill(onboarding.db, { from: 1, to: 5, partnerId })
  await analyze(onboarding.db)
})
afterAll(async () => {
  await onboarding.stop()
})

const cost = async (name: keyof typeof statements, values: Readonly<Record<string, unknown>>) => {
  const [row] = await onboarding.db.query(statements[name], values)
  const plan = row?.['QUERY PLAN'][0].Plan
  if (!plan) throw new Error('No plan')
  const typesOf = (node: Node): string[] => [node['Node Type'], ...(node.Plans ?? []).flatMap(typesOf)]
  return {
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    types: typesOf(plan as unknown as Node),
  }
}

const lookups = [
  ['many', { partnerIds: [partnerId], partnerCustomerIds: ['pcu_cus_5'] }],
  ['links', { partnerId, externalCustomerId: 'shop-cus_5', emailMac: Buffer.alloc(32) }],
  ['capabilities', { partnerId, partnerCustomerId: 'pcu_cus_5' }],
] as const
/** Each row's data key is found by the key of its table. */
const KEY_LOOKUP = 'Index Scan'
/** Blocks of the lookups of 50 rows' data keys, most of which have none here. */
const KEY_BLOCKS = 150
const pageAfter = (n: number) => ({
  partnerId,
  at: new Date(Date.UTC(2026, 0, 1) + n),
  id: '',
  until: NEWEST_FIRST.start.at,
  limit: 50,
})

describe('a plan made with five customers, which a connection keeps while their number grows', () => {
  it('reads a page from its index, in order', async () => {
    expect((await cost('page', pageAfter(0))).types).toEqual(['Limit', 'Index Scan', KEY_LOOKUP])
  })

  it.each(lookups)('uses only the index: %s', async (name, values) => {
    const { types } = await cost(name, values)
    expect(types).toContain('Index Scan')
    for (const scan of ['Seq Scan', 'Hash Join', 'Sort', 'Bitmap Heap Scan'])
      expect(types).not.toContain(scan)
  })
})

describe(`a list of ${ROWS} customers`, () => {
  beforeAll(async () => {
    await fill(onboarding.db, { from: 6, to: ROWS, partnerId })
  })

  it('costs the same for the last page of the list as for the first', async () => {
    const first = await cost('page', pageAfter(0))
    const last = await cost('page', pageAfter(ROWS - 60))
    expect(first.blocks).toBeLessThan(20 + KEY_BLOCKS)
    expect(last.blocks).toBeLessThanOrEqual(first.blocks + 5)
  })

  it.each(lookups)('finds one in a few blocks: %s', async (name, values) => {
    expect((await cost(name, values)).blocks).toBeLessThan(20)
  })
})
