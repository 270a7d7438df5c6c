import { expect, test } from '@jest/globals'
import type { Tables } from '@causeway/chassis'
import { findColumnFaults, testDatabase } from '@causeway/chassis/testing'
import { databaseOf, SERVICES, type ServiceName } from '@causeway/contracts'
import pg from 'pg'
import { TABLES as access } from '../../services/access/src/columns.ts'
import { TABLES as ledger } from '../../services/ledger/src/columns.ts'
import { TABLES as onboarding } from '../../services/onboarding/src/columns.ts'
import { TABLES as onramp } from '../../services/onramp/src/columns.ts'
import { TABLES as payments } from '../../services/payments/src/columns.ts'
import { TABLES as refunds } from '../../services/refunds/src/columns.ts'
import { TABLES as signer } from '../../services/signer/src/columns.ts'
import { TABLES as webhooks } from '../../services/webhooks/src/columns.ts'

const declared: Readonly<Record<ServiceName, Tables>> = {
  access,
  ledger,
  onboarding,
  onramp,
  payments,
  refunds,
  signer,
  webhooks,
}

/** Names the faults of a service's migrated database, after `change` was run in it. */
const faultsOf = async (service: ServiceName, change = ''): Promise<string[]> => {
  const { url, drop } = await testDatabase(databaseOf(service))
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(change)
    return await findColumnFaults(declared[service], url)
  } finally {
    await client.end()
    await drop()
  }
}

test.each(SERVICES)(
  'finds every column of the database of %s in src/columns.ts, as personal, secret or plain',
  async (service) => {
    expect(await faultsOf(service)).toEqual([])
  },
)

test('reports columns that nobody classified, with what to do', async () => {
  const change =
    "ALTER TABLE relationships ADD unlisted text DEFAULT 'DE1'; CREATE TABLE notes (note_sealed text)"
  expect(await faultsOf('onboarding', change)).toEqual(
    ['notes.note_sealed', 'relationships.unlisted'].map(
      (name) =>
        `${name} is not classified. If it says something about a person, add it to "personal" of its table, with its ` +
        'export and erasure; an encrypted value of another kind to "secret"; anything else to "plain".',
    ),
  )
})

test('reports columns that do not exist, that are classified twice, and encrypted ones that are not named so', async () => {
  const { url, drop } = await testDatabase('signer')
  const tables: Tables = {
    ...declared['signer'],
    signings: { plain: 'network count count note note_sealed' },
  }
  const faults = await findColumnFaults(tables, url)
  await drop()
  expect(faults).toEqual([
    'signings.note is classified, but the database does not have it. Remove it.',
    'signings.note_sealed is classified, but the database does not have it. Remove it.',
    'signings.count is classified twice. Keep one.',
    'signings.note_sealed: the name of an encrypted column, and no other, ends with "_sealed".',
  ])
})
