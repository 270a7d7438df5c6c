import { CapabilityName } from '@causeway/contracts'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { startChain } from '@causeway/rails/tests/ethereum-fixture'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { settingsOf, walkChainPayment } from '../../scripts/demo/chain-payment.ts'
import { newPartner, startTestPlatform, type TestPlatform } from './platform.ts'

;(hasAnvil() ? describe : describe.skip)('demo:chain (skipped without a binary of anvil)', () => {
  let chain: Awaited<ReturnType<typeof startChain>>
  let platform: TestPlatform
  beforeAll(async () => {
    chain = await startChain()
    platform = await startTestPlatform(settingsOf(chain))
  })
  afterAll(async () => {
    await platform.stop()
    await chain.anvil.stop()
  })

  test('pays an order on a real node, reverts it by a reorganisation, and pays it again', async () => {
    const lines: string[] = []
    const partner = await newPartner(platform, { default_capabilities: CapabilityName.options })
    await walkChainPayment({ ...platform, partner }, chain, {
      step: () => {},
      exchange: () => {},
      log: (line) => lines.push(line),
    })
    expect(
      lines.flatMap((line) => (line.startsWith('received payment.') ? line.slice(9, line.indexOf(',')) : [])),
    ).toEqual(['payment.confirmed', 'payment.reverted', 'payment.confirmed'])
  })
})
