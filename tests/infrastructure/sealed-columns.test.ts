import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { SealedColumn } from '@causeway/chassis'
import { SEALED_COLUMNS as gateway } from '../../services/gateway/src/sealed-columns.ts'
import { SEALED_COLUMNS as onboarding } from '../../services/onboarding/src/sealed-columns.ts'
import { SEALED_COLUMNS as payments } from '../../services/payments/src/sealed-columns.ts'
import { SEALED_COLUMNS as refunds } from '../../services/refunds/src/sealed-columns.ts'
import { SEALED_COLUMNS as webhooks } from '../../services/webhooks/src/sealed-columns.ts'

const declared: Readonly<Record<string, readonly SealedColumn[]>> = {
  gateway,
  onboarding,
  payments,
  refunds,
  webhooks,
}
const services = join(import.meta.dirname, '..', '..', 'services')

/** Columns with a name of sealed values, as `table.column`. */
const sealedIn = (service: string): string[] => {
  const folder = join(services, service, 'migrations')
  const sql = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
    .replaceAll(/--.*$/gm, '')
  return [...sql.matchAll(/(?:CREATE|ALTER) TABLE (\w+)([^;]*);/g)].flatMap(([, table = '', body = '']) =>
    [...body.matchAll(/(\w+_sealed) text/g)].map(([, column = '']) => `${table}.${column}`),
  )
}

test.each(readdirSync(services))('a rotation of keys reaches every sealed column of %s', (service) => {
  const reached = (declared[service] ?? []).map(({ table, column }) => `${table}.${column}`)
  expect(reached.sort()).toEqual(sealedIn(service).sort())
})
