import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PAGE_MAX_BYTES } from '@causeway/chassis'
import { chargebacks } from '@causeway/contracts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

const HEADER = 'dispute_id,order_key,disputed_at,dispute_amount_cents,dispute_currency,fee_cents,fee_currency'
const importLines = (header: string, lines: readonly string[]) =>
  payments.ask(
    chargebacks.importFile,
    { kind: 'operator', actor: 'staff' },
    { body: { csv: [header, ...lines].join('\n') } },
  )
const repeated = (line: string, count: number) => Array.from({ length: count }, () => line)

describe('a periodic file', () => {
  it('returns a bounded reply for 5,000 rejected lines, and is refused with more lines', async () => {
    const report = await importLines(HEADER, repeated('d,1,,x,EUR,,', 5_000))
    if (!report.ok) throw new Error(report.code)
    expect(report.value.rejected).toHaveLength(5_000)
    expect(report.value.rejected[4_999]).toEqual({ line: 5_001, reason: 'invalid_dispute_amount_cents' })
    expect(Buffer.byteLength(JSON.stringify(report.value))).toBeLessThan(PAGE_MAX_BYTES)
    expect(await importLines(HEADER, repeated('d,1,,x,EUR,,', 5_001))).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [{ field: 'csv', reason: 'too_many', expected: 'at most 5000 lines' }],
    })
  })

  it('costs no more for each line when it has thousands of columns', async () => {
    const report = await importLines(HEADER + ',x'.repeat(60_000), repeated('a', 4_000))
    expect(report).toMatchObject({ ok: true, value: { imported: 0, duplicates: 0 } })
  })
})
