import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { DATABASES, ownerOf } from '@causeway/dev-env/infrastructure/postgres-databases'
import { faultsOf } from './migration-faults.ts'

/**
 * The newest migration of each folder that was written before this test: those up to it have run everywhere. What comes
 * after it runs while the version before serves.
 */
const BASELINE: Readonly<Record<string, number>> = {
  'packages/chassis': 8,
  'services/access': 10,
  'services/ledger': 0,
  'services/onboarding': 10,
  'services/onramp': 2,
  'services/payments': 16,
  'services/refunds': 8,
  'services/signer': 0,
  'services/webhooks': 11,
}

/** Faults that the version before does not feel. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // Versions that read this view were never released.
  'packages/chassis/migrations/11_outbox-blocks.sql': ['DROP VIEW outbox: drops a table'],
}

const numberOf = (file: string): number => Number.parseInt(basename(file), 10)

const newMigrations = Object.entries(BASELINE).flatMap(([part, baseline]) => {
  const folder = join(part, 'migrations')
  return readdirSync(folder)
    .filter((file) => numberOf(file) > baseline)
    .map((file) => join(folder, file))
})

test('has a baseline for every folder of migrations', () => {
  const parts = DATABASES.map((name) => `services/${ownerOf(name)}`)
  expect(Object.keys(BASELINE).sort()).toEqual(['packages/chassis', ...parts].sort())
})

test.each(newMigrations)('allows %s to run while the previous version serves', (file) => {
  expect(faultsOf(readFileSync(file, 'utf8'))).toEqual(ALLOWED[file] ?? [])
})

describe('a migration', () => {
  test.each([
    ['DROP TABLE orders;', 'drops a table'],
    ['ALTER TABLE orders DROP COLUMN note;', 'drops a column'],
    ['ALTER TABLE orders RENAME COLUMN a TO b;', 'renames'],
    ['ALTER TABLE orders RENAME TO payments;', 'renames'],
    ['ALTER TABLE orders ADD COLUMN a text NOT NULL;', 'adds a column that the version before leaves empty'],
    ['ALTER TABLE orders ALTER COLUMN a SET NOT NULL;', 'refuses null, which the version before may write'],
    ['ALTER TABLE orders ALTER a TYPE bigint;', 'changes a type: the table is written anew under a lock'],
    [
      'ALTER TABLE orders ADD CONSTRAINT c CHECK (a > 0);',
      'reads the whole table under a lock: add NOT VALID, and validate in a separate migration',
    ],
    [
      'CREATE INDEX orders_a ON orders (a);',
      'keeps writers waiting while an index is built, with no way to build it ahead: add IF NOT EXISTS',
    ],
    ['LOCK TABLE orders IN EXCLUSIVE MODE;', 'locks a table'],
    ['UPDATE orders SET a = 1;', 'writes every row of a table in one transaction'],
  ])('is refused: %s', (sql, fault) => {
    expect(faultsOf(sql)).toEqual([`${sql.slice(0, -1)}: ${fault}`])
  })
})

test.each([
  ['CREATE TABLE notes (id text NOT NULL); CREATE INDEX notes_id ON notes (id); UPDATE notes SET id = id;'],
  ['ALTER TABLE orders ADD COLUMN a text, ADD COLUMN b integer NOT NULL DEFAULT 0;'],
  ['ALTER TABLE orders ADD CONSTRAINT c CHECK (a > 0) NOT VALID;'],
  ['CREATE INDEX IF NOT EXISTS orders_a ON orders (a);'],
  ['ALTER TABLE orders ALTER COLUMN a DROP NOT NULL; -- DROP TABLE orders;'],
])('accepts the migration %s', (sql) => {
  expect(faultsOf(sql)).toEqual([])
})
