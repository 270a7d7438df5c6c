import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import type { Asset, CryptoOrder, Network, OrderRefund } from '@causeway/contracts'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { hasLitecoinNode, onLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { dataOf } from '../../scripts/platform/raw-client.ts'
import { newCustomer, newPartner, startTestPlatform, type TestPlatform } from './platform.ts'
import { startEthereum, startLitecoin, type RefundChain, type RefundAsset } from './refund-chain.ts'

/** The wallet of the sandbox's receiving accounts (BIP-39 test vectors). */
const SEED = `${'abandon '.repeat(11)}about`
const DEPTH = 2

const describeRefunds = (
  name: string,
  network: Network,
  assets: readonly [Asset, ...Asset[]],
  crash: 'before' | 'after',
  start: () => Promise<RefundChain>,
) => {
  describe(`cancelled orders paid on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-seed-'))
    let chain: RefundChain
    let platform: TestPlatform
    let partner: Awaited<ReturnType<typeof newPartner>>
    let customer: string
    beforeAll(async () => {
      chain = await start()
      const seedFile = join(folder, 'seed')
      writeFileSync(seedFile, `${SEED}\n`)
      platform = await startTestPlatform({
        ...chain.settings,
        NETWORKS_LIVE: network,
        [`${network}_CONFIRMATIONS`]: String(DEPTH),
        CHAIN_POLL_EVERY: '200ms',
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

    let orders = 0
    /** A cancelled order that has received what it was for. */
    const newCancelled = async ({ asset, pay }: RefundAsset): Promise<CryptoOrder> => {
      const { order } = dataOf<{ order: CryptoOrder }>(
        await partner.api.post(`${customer}/orders`, {
          reference: `refund-${(orders += 1)}`,
          network,
          asset,
          amount: '50.00',
          currency: 'EUR',
          email: 'buyer@example.com',
        }),
      )
      await partner.api.post(`/api/v1/partner/orders/${order.id}/cancel`)
      await pay(order.address, order.amount)
      await chain.mine(DEPTH)
      await eventually(async () => {
        const { order: file } = dataOf<{ order: { received: string } }>(
          await platform.staff.get(`/api/operator/orders/${order.id}`),
        )
        return file.received === order.amount
      })
      return order
    }
    const refund = (order: CryptoOrder, to_address: string) =>
      platform.staff.post(`/api/operator/orders/${order.id}/refund`, { to_address })
    const becomes = (order: CryptoOrder, status: string) =>
      eventually(async () => {
        const read = dataOf<OrderRefund>(await platform.staff.get(`/api/operator/orders/${order.id}/refund`))
        if (read.refund?.status !== status) throw new Error(`Not ${status}: ${JSON.stringify(read.refund)}`)
        return { ...read, refund: read.refund }
      })
    /** What arrived, once the refund is mined deep enough. */
    const confirm = async (order: CryptoOrder) => {
      await becomes(order, 'broadcast')
      await chain.mine(DEPTH)
      return becomes(order, 'confirmed')
    }

    test.each(assets)(
      'are paid back in %s by the signer to the address that staff name, once',
      async (name) => {
        const asset = chain.assets[name]
        if (!asset) throw new Error(`the chain has no ${name}`)
        const order = await newCancelled(asset)
        const to = await chain.newAddress()
        const asked = dataOf<OrderRefund>(await refund(order, to))
        expect(asked).toMatchObject({
          order: { id: order.id, status: 'cancelled' },
          to_address: to,
          refunded_at: null,
          refund: {
            to_address: to,
            amount: order.amount,
            network_fee: null,
            tx_id: null,
            status: 'requested',
          },
        })
        const done = await confirm(order)
        expect(done).toMatchObject({
          order: { status: 'refunded' },
          refunded_at: expect.any(String),
          refund: {
            refund_id: asked.refund?.refund_id,
            to_address: to,
            tx_id: expect.any(String),
            failure: null,
          },
        })
        expect(await asset.receivedBy(to)).toBe(done.refund.amount)
        expect(asset.isAllOf(order.amount, done.refund)).toBe(true)
        expect(dataOf<OrderRefund>(await refund(order, to))).toEqual(done)
        expect(await refund(order, await chain.newAddress())).toMatchObject({
          status: 409,
          body: { error: { code: 'invalid_state' } },
        })
        expect(await asset.receivedBy(to)).toBe(done.refund.amount)
      },
      TEST_DEADLINE_MS,
    )

    test(
      `are paid back once by a signer that is killed ${crash} its node has the signed transaction`,
      async () => {
        const asset = chain.assets[assets[0]]
        if (!asset) throw new Error('the chain has no asset')
        const order = await newCancelled(asset)
        const to = await chain.newAddress()
        const before = chain.gate.seen().length
        const stopped = chain.gate.stopAt(crash)
        await refund(order, to)
        await stopped
        const signer = platform.replicas.get('signer')
        signer?.kill('SIGKILL')
        chain.gate.open()
        await signer?.whenReady()
        const done = await confirm(order)
        expect(await asset.receivedBy(to)).toBe(done.refund.amount)
        const sent = chain.gate.seen().slice(before)
        expect(sent.length).toBeGreaterThan(1)
        expect(new Set(sent).size).toBe(1)
      },
      TEST_DEADLINE_MS,
    )
  })
}

;(hasLitecoinNode ? describe : describe.skip)(onLitecoinNode, () => {
  describeRefunds('Litecoin', 'LTC', ['LTC'], 'before', startLitecoin)
})
;(hasAnvil() ? describe : describe.skip)('anvil (skipped where its package has no binary)', () => {
  describeRefunds('Ethereum', 'ETH', ['ETH', 'USDT'], 'after', startEthereum)
})
