import { migrate } from '@causeway/chassis/database'
import type { Db } from '@causeway/chassis'
import { openTestDb } from '@causeway/chassis/testing'
import { protectSchemas } from '@causeway/dev-env/infrastructure/protected-schemas'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { postFacts } from '../src/posting/post-facts.ts'
import { findWritableTables } from '../src/verification/store.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { log, MIGRATIONS } from './fixtures/books.ts'
import { paid, timeOf } from './fixtures/facts.ts'

const admin = process.env['CAUSEWAY_TEST_POSTGRES_URL'] ?? ''
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  closing.push(() => client.end())
  return client
}

let service: pg.Client
let db: Db
beforeAll(async () => {
  const name = `ledger_${randomBytes(6).toString('hex')}`
  const superuser = await connect(admin)
  await superuser.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`)
  await superuser.query(`CREATE DATABASE ${name} OWNER ${name}`)
  closing.push(async () => {
    await superuser.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await superuser.query(`DROP ROLE ${name}`)
  })
  const [url, adminUrl] = [new URL(admin), new URL(admin)]
  url.pathname = adminUrl.pathname = `/${name}`
  url.username = name
  url.password = 'secret'
  // The second run finds what the first one created.
  await protectSchemas('ledger', adminUrl.href)
  await protectSchemas('ledger', adminUrl.href)
  await migrate({ url: url.href, folder: MIGRATIONS, log })
  db = openTestDb(url.href)
  closing.push(() => db.close())
  service = await connect(url.href)
  await postFacts({ db, clock: { now: () => new Date(timeOf(0)) } }, [paid()])
})

describe('the role of the ledger', () => {
  test('posts and reads, and is not reported as able to change the books', async () => {
    expect(await verifyBooks(db.pooled, new Date())).toEqual([])
    expect(await findWritableTables(db.pooled)).toEqual([])
    const { rows } = await service.query('SELECT count(*)::integer AS entries FROM books.entries')
    expect(rows).toEqual([{ entries: 2 }])
  })

  test.each([
    'UPDATE books.entries SET amount = 1',
    'DELETE FROM books.transfers',
    'TRUNCATE books.journal CASCADE',
    'UPDATE books.balances SET amount = 1000000',
    'UPDATE books.head SET seq = 0',
    'DELETE FROM books.scheduled',
    "INSERT INTO books.payouts VALUES ('p1', 1, 1, 1, 0)",
    'DELETE FROM books.payout_items',
    'UPDATE books.paid SET through = 0',
    "INSERT INTO books.payment_file_items VALUES ('p1', 'pfl_stolen')",
    'DELETE FROM books.payment_file_items',
    'ALTER TABLE books.payment_file_items DROP CONSTRAINT payment_file_items_pkey',
    "CREATE OR REPLACE FUNCTION books.put_into_file(p_file text, p_unit text, p_payouts text[]) RETURNS TABLE (payout_id text, amount numeric) LANGUAGE sql AS 'SELECT NULL::text, 1::numeric'",
    "INSERT INTO books.payout_steps VALUES ('p1', 'sent', NULL, now())",
    "INSERT INTO books.accounts (name, unit, class) VALUES ('x', 'EUR', 'asset')",
    "SELECT nextval('books.accounts_id_seq')",
    "INSERT INTO books.seals VALUES (1, '2026-11', false, 1, 1, 1, '', now())",
    "UPDATE books.seals SET root = ''",
    'DELETE FROM books.seal_leaves',
    'DROP TABLE books.balances',
    'DROP SCHEMA books CASCADE',
    'DROP FUNCTION books.post_due(timestamptz, integer)',
    'ALTER TABLE books.entries OWNER TO CURRENT_USER',
    'ALTER SCHEMA books OWNER TO CURRENT_USER',
    "CREATE OR REPLACE FUNCTION books.post_due(p_now timestamptz, p_limit integer) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
    'CREATE TABLE books.other (id integer)',
    'GRANT ledger_books TO CURRENT_USER',
    'SET ROLE ledger_books',
  ])('is refused: %s', async (statement) => {
    await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' })
  })
})

/** A posting that the rules never make, as a compromised service could send it. */
const forged = (transfer: object, accounts: readonly object[] = []) =>
  service.query('SELECT * FROM books.post($1, $2, $3)', [
    JSON.stringify(accounts),
    JSON.stringify([
      {
        id: `jnl_${randomBytes(6).toString('hex')}`,
        source: randomBytes(6).toString('hex'),
        rule: 'fact',
        estimated: false,
        effective_at: timeOf(0),
        transfers: [transfer],
      },
    ]),
    timeOf(0),
  ])

describe('the books', () => {
  const EUR = { debit: 'income:service_fee', credit: 'processor:stripe:receivable', unit: 'EUR', amount: '1' }
  test.each([
    ['a transfer of nothing', { ...EUR, amount: '0' }, '23514'],
    ['a negative amount', { ...EUR, amount: '-1' }, '23514'],
    ['an account that is not registered', { ...EUR, credit: 'nobody' }, '23502'],
    ['an account that exists only in another unit', { ...EUR, unit: 'USD' }, '23502'],
    ['a transfer from an account to itself', { ...EUR, credit: EUR.debit }, '23514'],
    ['an owner’s entry without a kind', { ...EUR, debit: `${paid().partner_customer_id}:pending` }, '23502'],
    [
      'an unknown kind of entry',
      { ...EUR, debit: `${paid().partner_customer_id}:pending`, debit_kind: 'gift' },
      '23514',
    ],
  ])('are protected from %s', async (_, transfer, code) => {
    await expect(forged(transfer)).rejects.toMatchObject({ code })
    expect(await verifyBooks(db.pooled, new Date())).toEqual([])
  })
})
