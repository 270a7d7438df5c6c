import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@causeway/chassis/testing'
import type { Asset, CryptoOrder, Network, OrderRefund } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { hasLitecoinNode, onLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { newCustomer, newPartner, startTestPlatform, type TestPlatform } from './platform.ts'
import { startEthereum, startLitecoin, type RefundChain, type RefundAsset } from './refund-chain.ts'

/** The wallet of the sandbox's receiving accounts (BIP-39 test vectors). */
const SEED = `${'abandon '.repeat(11)}about`
const DEPTH = 2

/** An address of Bitcoin whose key nobody of the tests has (BIP-173). */
const SOMEBODY = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
/** Orders that are older are swept. */
const OLD_MS = 97 * 3_600_000

/** Reads a page of the console with the operator's key. */
const readConsole = async ({ baseUrl, operatorKey }: TestPlatform, path: string): Promise<string> => {
  const signedIn = await fetch(`${baseUrl}/console/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ key: operatorKey }),
    redirect: 'manual',
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = await fetch(`${baseUrl}${path}`, { headers: { cookie } })
  return page.text()
}

/** Runs `pnpm ledger:rebuild --compare` for a running platform. @returns its output */
const rebuildBooks = async ({ dataDir }: TestPlatform): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=platform-source', 'scripts/ledger-rebuild.ts', '--compare'],
    { env: { PATH: process.env['PATH'], DATA_DIR: dataDir } },
  )
  return stdout
}

/** Runs `pnpm signer:sweep` for a running platform. @returns its output */
const sweepNow = async ({ dataDir }: TestPlatform): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=platform-source', 'scripts/signer-sweep.ts'],
    { env: { PATH: process.env['PATH'], DATA_DIR: dataDir } },
  )
  return stdout
}

type TrialBalance = Readonly<{
  units: readonly Readonly<{
    unit: string
    difference: unknown
    accounts: readonly Readonly<{ account: string; balance: unknown }>[]
  }>[]
}>

type Options = Readonly<{
  network: Network
  assets: readonly [Asset, ...Asset[]]
  /** The signer is killed before or after its node accepts the transaction. */
  crash: 'before' | 'after'
  start: () => Promise<RefundChain>
}>

const describeRefunds = (name: string, { network, assets, crash, start }: Options) => {
  describe(`cancelled orders paid on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-seed-'))
    let chain: RefundChain
    let platform: TestPlatform
    let partner: Awaited<ReturnType<typeof newPartner>>
    let customer: string
    /** Where addresses of paid orders are emptied to. */
    let vault: string
    beforeAll(async () => {
      chain = await start()
      const seedFile = join(folder, 'seed')
      writeFileSync(seedFile, `${SEED}\n`, { mode: 0o600 })
      vault = await chain.newAddress()
      platform = await startTestPlatform({
        ...chain.settings,
        NETWORKS_LIVE: `${network},BTC`,
        [`${network}_SWEEP_ADDRESS`]: vault,
        [`${network}_CONFIRMATIONS`]: String(DEPTH),
        CHAIN_POLL_EVERY: '200ms',
        LEDGER_COMPARE_INTERVAL: '1s',
        SIGNER_SEED_FILE: seedFile,
        // One person alone sends money here: with a signer two are needed unless the setting is empty.
        FOUR_EYES: '',
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
    const newOrder = async (on: Network, asset: Asset): Promise<CryptoOrder> => {
      const created = await partner.api.post(`${customer}/orders`, {
        reference: `refund-${(orders += 1)}`,
        network: on,
        asset,
        amount: '50.00',
        currency: 'EUR',
        email: 'buyer@example.com',
      })
      return dataOf<{ order: CryptoOrder }>(created).order
    }
    const cancel = ({ id }: CryptoOrder) => partner.api.post(`/api/v1/partner/orders/${id}/cancel`)
    const isReceived = (order: CryptoOrder) =>
      eventually(async () => {
        const { order: file } = dataOf<{ order: { received: string } }>(
          await platform.staff.get(`/api/operator/orders/${order.id}`),
        )
        return file.received === order.amount
      })
    const payAll = async (order: CryptoOrder, { pay }: RefundAsset) => {
      await pay(order.address, order.amount)
      await chain.mine(DEPTH)
      await isReceived(order)
    }
    /** A cancelled order that has received what it was for. */
    const newCancelled = async (paidIn: RefundAsset): Promise<CryptoOrder> => {
      const order = await newOrder(network, paidIn.asset)
      await cancel(order)
      await payAll(order, paidIn)
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
    /** Waits for the broadcast and mines until the refund is confirmed. @returns the refund */
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
        const shown = await readConsole(platform, `/console/orders/${order.id}`)
        for (const text of ['Confirmed', to, done.refund.tx_id, `${done.refund.amount} ${name}`])
          expect(shown).toContain(text)
        expect(dataOf<OrderRefund>(await refund(order, to))).toEqual(done)
        expect(await refund(order, await chain.newAddress())).toMatchObject({
          status: 409,
          body: { error: { code: 'invalid_state' } },
        })
        expect(await asset.receivedBy(to)).toBe(done.refund.amount)
      },
    )

    test(`are paid back once by a signer that is killed ${crash} its node has the signed transaction`, async () => {
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
    })

    // One platform shows what concerns no node.
    if (network === 'ETH')
      test("are paid back on the sandbox's chain too, which plays Bitcoin here", async () => {
        const order = await newOrder('BTC', 'BTC')
        await cancel(order)
        await platform.sandbox.post('/control/deposits', { order_id: order.id })
        await isReceived(order)
        await refund(order, SOMEBODY)
        const { refund: done, ...shown } = await becomes(order, 'confirmed')
        expect(shown).toMatchObject({ order: { status: 'refunded' }, to_address: SOMEBODY })
        expect(done).toMatchObject({ tx_id: expect.any(String), failure: null })
        const [left, arrived, fee] = [order.amount, done.amount, done.network_fee ?? '0'].map((amount) =>
          toUnits(amount, ASSET_DECIMALS.BTC),
        )
        expect(left).toBe((arrived ?? 0n) + (fee ?? 0n))
      })

    /** Accounts of an asset's unit in the trial balance, with their balances. */
    const accountsOf = async (asset: Asset): Promise<Record<string, unknown>> => {
      const { units } = dataOf<TrialBalance>(await platform.staff.get('/api/operator/ledger/trial-balance'))
      const found = units.find(({ unit }) => unit === `${network}/${asset}`)
      if (found?.difference !== '0') throw new Error(`Out of balance: ${JSON.stringify(found)}`)
      return Object.fromEntries(found.accounts.map(({ account, balance }) => [account, balance]))
    }

    // The last test: it moves the clock of the whole platform.
    test('leave paid orders to be swept by the command once they are old, to the address of the settings, and into the books', async () => {
      const left: CryptoOrder[] = []
      for (const name of assets) {
        const asset = chain.assets[name]
        if (!asset) throw new Error(`the chain has no ${name}`)
        left.push(await newCancelled(asset))
        await payAll(await newOrder(network, name), asset)
      }
      const before = chain.gate.seen().length
      const sent = () => new Set(chain.gate.seen().slice(before)).size
      expect(await sweepNow(platform)).toContain(`Sweeping ${assets[0]} on ${network}`)
      await platform.sandbox.post('/control/clock', { advance_ms: OLD_MS })
      expect(sent()).toBe(0)
      await sweepNow(platform)
      for (const [at] of assets.entries()) {
        await eventually(() => sent() > at)
        await chain.mine(DEPTH)
      }
      for (const [at, name] of assets.entries()) {
        const { amount = '0' } = left[at] ?? {}
        // A transfer that the node accepted while it mined is not in those blocks.
        await eventually(async () => {
          if ((await chain.assets[name]?.receivedBy(vault)) !== '0') return true
          await chain.mine(1)
          return false
        })
        await chain.mine(DEPTH)
        const arrived = Number(await chain.assets[name]?.receivedBy(vault))
        // A fee of these chains is less than a hundredth; an address more would be twice as much.
        expect(arrived / Number(amount)).toBeGreaterThan(0.99)
        expect(arrived).toBeLessThanOrEqual(Number(amount))
        // No event brings it: the ledger fetches it from the signer.
        const treasury = await eventually(
          async () => (await accountsOf(name))[`chain:${network}:treasury`] as string | undefined,
        )
        expect(treasury).toBe(await chain.assets[name]?.receivedBy(vault))
        expect((await accountsOf(name))[`chain:${network}:in_flight`]).toBe('0')
      }
      expect(sent()).toBe(assets.length)
      expect(await rebuildBooks(platform)).toContain('The books are identical')
    })
  })
}

;(hasLitecoinNode ? describe : describe.skip)(onLitecoinNode, () => {
  describeRefunds('Litecoin', {
    ...{ network: 'LTC', assets: ['LTC'], crash: 'before', start: startLitecoin },
  })
})
;(hasAnvil() ? describe : describe.skip)('anvil (skipped where its package has no binary)', () => {
  describeRefunds('Ethereum', {
    ...{ network: 'ETH', assets: ['ETH', 'USDT'], crash: 'after', start: startEthereum },
  })
})
