import { createLogger, registry } from '@causeway/chassis'
import { UNATTRIBUTED_MONEY_KINDS } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startMoneyGauges } from '../../src/unattributed-money/jobs/gauges.ts'
import { startUnknownFixture, type UnknownFixture } from './unknown-fixture.ts'

let fixture: UnknownFixture
beforeAll(async () => {
  fixture = await startUnknownFixture()
})
afterAll(() => fixture.stop())

const valuesOf = async (name: string): Promise<Record<string, number>> => {
  const metric = await registry.getSingleMetric(`causeway_unattributed_money_${name}`)?.get()
  return Object.fromEntries(
    (metric?.values ?? []).map(({ labels, value }) => [String(labels['kind']), value]),
  )
}
const log = createLogger({ service: 'test', level: 'silent' })
const startGauges = () => startMoneyGauges({ ...fixture.payments, log })

test('exports how many amounts of each kind wait, and the age of the first', async () => {
  const zero = Object.fromEntries(UNATTRIBUTED_MONEY_KINDS.map((kind) => [kind, 0]))
  const { id } = await fixture.arrive(fixture.toAccount('XRP', '5'), 'XRP')
  fixture.payments.clock.advance(60_000)
  await fixture.arrive(fixture.toAccount('XRP', '6'), 'XRP')
  fixture.payments.clock.advance(30_000)
  const first = startGauges()
  await fixture.payments.eventually(async () => {
    expect(await valuesOf('open')).toEqual({ ...zero, unknown: 2 })
    expect(await valuesOf('oldest_age_seconds')).toEqual({ ...zero, unknown: 90 })
  })
  await first.stop()
  await fixture.end('keep', id, { reason: 'Nobody asks for it' })
  const second = startGauges()
  await fixture.payments.eventually(async () => {
    expect(await valuesOf('open')).toEqual({ ...zero, unknown: 1 })
    expect(await valuesOf('oldest_age_seconds')).toEqual({ ...zero, unknown: 30 })
  })
  await second.stop()
})
