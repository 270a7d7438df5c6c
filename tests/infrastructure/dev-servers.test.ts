import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, makeStreams, testBus } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { borrowServers, lendServers } from './dev-servers.ts'
import type { TestServers } from './test-servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-dev-servers-'))
const file = join(folder, 'servers.json')
let stop: () => Promise<void>

beforeAll(async () => {
  stop = await lendServers(file)
})
afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

/** The servers are free a moment after the run before has given them back. */
const borrow = (): Promise<TestServers> => eventually(async () => (await borrowServers(file)) ?? undefined)

const databasesOf = async ({ postgresUrl }: TestServers, make?: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  if (make !== undefined) await client.query(make)
  const { rows } = await client.query<{ name: string }>('SELECT datname AS name FROM pg_database')
  await client.end()
  return rows.map(({ name }) => name)
}

const streamsOf = async ({ natsUrl }: TestServers, make = false): Promise<string[]> => {
  const bus = await testBus(natsUrl)
  if (make) await makeStreams(bus)
  const names: string[] = []
  for await (const name of (await bus.jetstreamManager()).streams.names()) names.push(name)
  await bus.close()
  return names
}

test('gives a run clean servers, and lends them to no other run meanwhile', async () => {
  const first = await borrow()
  expect(await databasesOf(first, 'CREATE DATABASE left_behind')).toContain('left_behind')
  expect(await streamsOf(first, true)).not.toEqual([])
  expect(await borrowServers(file)).toBeNull()
  await first.stop()

  const second = await borrow()
  const databases = await databasesOf(second)
  expect(databases).not.toContain('left_behind')
  expect(databases).toContain('template_payments')
  expect(await streamsOf(second)).toEqual([])
  await second.stop()
})

test('lends nothing when no servers are available', async () => {
  expect(await borrowServers(join(folder, 'absent.json'))).toBeNull()
})
