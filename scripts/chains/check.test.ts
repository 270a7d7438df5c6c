import { SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { startChain } from '@causeway/rails/tests/ethereum-fixture'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { settingsOf } from '../demo/chain-payment.ts'
import { checkChains } from '../../services/payments/src/chain-commands/check.ts'

/** The first addresses of m/44'/60'/0' of the mnemonic "abandon … about". */
const ADDRESSES = [
  '  address of order 1: 0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
  '  address of order 2: 0xb6716976A3ebe8D39aCEB04372f22Ff8e6802D7A',
  '  address of order 3: 0xF3f50213C1d2e255e4B2bAD430F8A38EEF8D718E',
]

test('names everything that is missing in one message', async () => {
  await expect(checkChains({ NETWORKS_LIVE: 'ETH,BTC' }, () => {}, new Date())).rejects.toThrow(
    /ETH_ACCOUNT is not set.*ETH, which has no node.*BTC_ACCOUNT is not set.*RATES_URL/,
  )
})

;(hasAnvil() ? describe : describe.skip)('chains:check (skipped without a binary of anvil)', () => {
  let chain: Awaited<ReturnType<typeof startChain>>
  beforeAll(async () => {
    chain = await startChain()
  })
  afterAll(() => chain.anvil.stop())

  const check = async (change: Record<string, string> = {}) => {
    const lines: string[] = []
    const env = {
      NETWORKS_LIVE: 'ETH',
      ETH_ACCOUNT: SANDBOX_ACCOUNTS.ETH,
      SANDBOX_RATES: 'true',
      ...settingsOf(chain),
      ...change,
    }
    const isGood = await checkChains(env, (line) => lines.push(line), new Date())
    return { isGood, lines }
  }

  test('shows the first addresses and the newest block', async () => {
    const { isGood, lines } = await check()
    expect(isGood).toBe(true)
    expect(lines).toEqual([
      'ETH',
      ...ADDRESSES,
      expect.stringMatching(
        /^ {2}nodes: block \d+, -?\d+ s old \(0x[0-9a-f]{64}\); deposits count from 3 conf/,
      ),
    ])
  })

  test('rejects a chain id or a token that the nodes do not have, and names its setting', async () => {
    const wrongChain = await check({ ETH_CHAIN_ID: '1' })
    expect(wrongChain).toMatchObject({ isGood: false })
    expect(wrongChain.lines.at(-1)).toMatch(/^ {2}nodes: FAILED: ETH_CHAIN_ID/)
    const wrongToken = await check({ ETH_TOKENS: `USDT:${await chain.deployToken(18)}` })
    expect(wrongToken.lines.at(-1)).toMatch(/^ {2}nodes: FAILED: ETH_TOKENS/)
  })
})
