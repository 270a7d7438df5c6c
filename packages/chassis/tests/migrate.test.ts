import { expect, test } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '../src/index.ts'
import { testDatabase } from '../src/testing/index.ts'
import { silent } from './fixture.ts'

test('eight replicas that start together migrate once', async () => {
  const { url, drop } = await testDatabase('migrate')
  const folder = fileURLToPath(new URL('./migrations', import.meta.url))
  await Promise.all(Array.from({ length: 8 }, () => migrate({ url, folder, log: silent })))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    'SELECT name FROM migrations_chassis UNION ALL SELECT name FROM migrations',
  )
  await client.end()
  await drop()
  expect(rows.map(({ name }: { name: string }) => name)).toEqual([
    '1_chassis',
    '2_idempotency_steps',
    '4_key-ring',
    '5_outbox',
    '6_inbox-age',
    '1_effects',
  ])
})
