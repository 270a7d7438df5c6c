import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { queryMany, queryNone } from '@causeway/chassis'
import { personalData } from '@causeway/contracts'
import { z } from 'zod'
import { TABLES } from '../../src/columns.ts'
import { startWithDocuments } from '../documents/document-fixture.ts'
import { kybCalls, valueOf } from '../verifications/kyb-calls.ts'
import { newPartner, OPERATOR } from '../running-onboarding.ts'

let onboarding: Awaited<ReturnType<typeof startWithDocuments>>
beforeAll(async () => {
  onboarding = await startWithDocuments()
})
afterAll(() => onboarding.stop())

/** Every personal column that is exported as it is stored, with the field of the export and the owner of its rows. */
const COLUMNS = Object.entries(TABLES).flatMap(([table, columns]) =>
  'belongsTo' in columns
    ? Object.entries(columns.personal).flatMap(([column, { exportAs }]) =>
        typeof exportAs === 'string'
          ? [{ table, column, field: exportAs, belongsTo: columns.belongsTo }]
          : [],
      )
    : [],
)

it('exports and erases the value of every personal column that is not encrypted', async () => {
  const customer = await onboarding.customer(newPartner(), 'columns@example.com')
  await onboarding.upload(customer, { file_name: 'columns.pdf' })
  const body = { kind: 'clarification', message: 'Which shop is this?' }
  const kyb = kybCalls(onboarding)
  await kyb.write(customer)
  valueOf(await kyb.raise(customer.partner, customer.id, body))
  for (const { table, column, belongsTo } of COLUMNS)
    await queryNone({
      name: `test.fill.${table}.${column}`,
      parameters: { value: 'text', owner: 'text' },
      text: `UPDATE ${table} SET ${column} = :value WHERE ${belongsTo[1]} = :owner`,
    })(onboarding.db, {
      value: `canary-${table}-${column}`,
      owner: belongsTo[0] === 'merchant' ? customer.merchantId : customer.id,
    })
  const params = { partnerCustomerId: customer.id }
  const { records } = valueOf(
    await onboarding.ask(personalData.export, OPERATOR, { params, query: { limit: '100' } }),
  )
  const exported = records.flatMap(({ data }) => Object.entries(data))
  for (const { table, column, field } of COLUMNS)
    expect(exported).toContainEqual([field, `canary-${table}-${column}`])

  await onboarding.revoke(customer.id)
  valueOf(await onboarding.ask(personalData.erase, OPERATOR, { params }))
  for (const table of new Set(COLUMNS.map((column) => column.table))) {
    const list = queryMany({
      name: `test.rows.${table}`,
      text: `SELECT to_jsonb(t)::text AS row FROM ${table} t`,
      row: z.object({ row: z.string() }),
    })
    expect((await list(onboarding.db)).map(({ row }) => row).join()).not.toContain('canary-')
  }
})
