import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import type { CryptoOrder, LedgerDifference } from '@causeway/contracts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { NODE_SETTINGS } from '@causeway/rails/chains'
import { hasLitecoinNode, onLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { openTransfers, TRANSFER_SETTINGS } from '@causeway/rails/transfers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newCustomer, newPartner, startTestPlatform, type TestPlatform } from './platform.ts'
import { startLitecoin, type RefundChain } from './refund-chain.ts'

/** The wallet of the sandbox's receiving accounts (BIP-39 test vectors). */
const SEED = `${'abandon '.repeat(11)}about`
const DEPTH = 2

;(hasLitecoinNode ? describe : describe.skip)(onLitecoinNode, () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-seed-'))
  let chain: RefundChain
  let platform: TestPlatform
  let partner: Awaited<ReturnType<typeof newPartner>>
  let customer: string
  beforeAll(async () => {
    chain = await startLitecoin()
    const seedFile = join(folder, 'seed')
    writeFileSync(seedFile, `${SEED}\n`, { mode: 0o600 })
    platform = await startTestPlatform({
      ...chain.settings,
      NETWORKS_LIVE: 'LTC',
      LTC_CONFIRMATIONS: String(DEPTH),
      CHAIN_POLL_EVERY: '200ms',
      CHAIN_COMPARE_INTERVAL: '1s',
      LEDGER_COMPARE_INTERVAL: '1s',
      SIGNER_SEED_FILE: seedFile,
    })
    partner = await newPartner(platform)
    ;({ path: customer } = await newCustomer(platform, partner.causeway))
  })
  afterAll(async () => {
    await platform.stop()
    await chain.stop()
    rmSync(folder, { recursive: true })
  })

  const newPaid = async (reference: string): Promise<CryptoOrder> => {
    const body = { reference, network: 'LTC', asset: 'LTC', amount: '50.00', currency: 'EUR' }
    const created = await partner.api.post(`${customer}/orders`, { ...body, email: 'buyer@example.com' })
    const { order } = dataOf<{ order: CryptoOrder }>(created)
    await chain.assets.LTC?.pay(order.address, order.amount)
    await chain.mine(DEPTH)
    await eventually(async () => {
      const read = await partner.api.get(`/api/v1/partner/orders/${order.id}`)
      return dataOf<{ order: CryptoOrder }>(read).order.status === 'paid'
    })
    return order
  }
  const differences = async () => {
    const listed = await platform.staff.get('/api/operator/ledger/differences')
    return dataOf<{ differences: LedgerDifference[] }>(listed).differences
  }
  /** Sends all that an address holds elsewhere, with the wallet's key and without the platform. */
  const steal = async ({ address, amount }: CryptoOrder) => {
    const env = { ...chain.settings, LTC_FEE_RATE_MAX: '10000' }
    const config = loadSettings({ ...NODE_SETTINGS, ...TRANSFER_SETTINGS }, env)
    const wallet = openTransfers(['LTC'], { seed: SEED, config, timeoutMs: TEST_DEADLINE_MS }).get('LTC')
    if (wallet === undefined) throw new Error('LTC has no node')
    const numbers = Array.from({ length: 100 }, (_, at) => at + 1)
    const fromIndex = numbers.find((number) => wallet.addressOf(number) === address) ?? 0
    const toAddress = await chain.newAddress()
    await wallet.broadcast(await wallet.sign({ fromIndex, asset: 'LTC', toAddress, amount }, []))
    await wallet.close()
    await chain.mine(DEPTH)
  }

  test('finds what is stolen from the address of an order, without help', async () => {
    const [kept, stolen] = [await newPaid('kept'), await newPaid('stolen')]
    expect(await differences()).toEqual([])
    await steal(stolen)
    const difference = await eventually(async () => (await differences())[0])
    expect(difference).toMatchObject({
      kind: 'sum',
      source: 'chain:LTC',
      unit: 'LTC/LTC',
      found: kept.amount,
    })
  })
})
