import { registry } from '@causeway/chassis'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { catchUp, mineEmpty, NETWORK, startBlockFixture, type BlockFixture } from './block-fixture.ts'

let fixture: BlockFixture
beforeAll(async () => {
  fixture = await startBlockFixture()
})
afterAll(async () => {
  await fixture.stop()
})

const valueOf = async (name: string) => {
  const { values } = (await registry.getSingleMetric(`causeway_chain_${name}`)?.get()) ?? { values: [] }
  return values.find(({ labels }) => labels['network'] === NETWORK)?.value
}
const nowSeconds = () => fixture.payments.clock.now().getTime() / 1_000

test('exports the position of a reader, its age, and the time of its last success', async () => {
  const chain = await fixture.newChain()
  const reading = fixture.newReading(chain)
  const { number, minedAt } = mineEmpty(chain, 40)
  await catchUp(reading)
  expect(await valueOf('block_number')).toBe(number)
  expect(await valueOf('block_mined_at_seconds')).toBe(minedAt.getTime() / 1_000)
  expect(await valueOf('looked_at_seconds')).toBe(nowSeconds())

  const lookedAt = nowSeconds()
  fixture.payments.clock.advance(10_000)
  chain.fail(1)
  await expect(reading(new AbortController().signal)).rejects.toThrow('does not answer')
  expect(await valueOf('looked_at_seconds')).toBe(lookedAt)
  // Nothing new is a success.
  await catchUp(reading)
  expect(await valueOf('looked_at_seconds')).toBe(nowSeconds())
  expect(await valueOf('block_number')).toBe(number)
})
