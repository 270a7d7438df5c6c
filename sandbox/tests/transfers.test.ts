import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { loadSettings } from '@causeway/chassis/settings'
import type { Asset, Network } from '@causeway/contracts'
import { createSandboxChainAdapter, NODE_SETTINGS } from '@causeway/rails/chains'
import { createDestinations, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { startFaultProxy } from '@causeway/rails/tests/fault-proxy'
import { describeTransfers } from '@causeway/rails/tests/transfers-suite'
import { openTransfers, TRANSFER_SETTINGS } from '@causeway/rails/transfers'
import { control } from './control.ts'
import { startSandbox } from '../src/testing/index.ts'

const SEED = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const config = { ...loadSettings(NODE_SETTINGS, {}), ...loadSettings(TRANSFER_SETTINGS, {}) }

const { derive } = createDestinations(SANDBOX_ACCOUNTS)
let recipients = 1_000_000

const start = (network: Network, asset: Asset) => async () => {
  const sandbox = await startSandbox()
  const proxy = await startFaultProxy(sandbox.chainUrl())
  const open = (timeoutMs: number) => {
    const sandboxUrl = `http://127.0.0.1:${proxy.port}`
    const transfers = openTransfers([network], { seed: SEED, config, sandboxUrl, timeoutMs }).get(network)
    if (!transfers) throw new Error('the sandbox plays no transfers')
    return transfers
  }
  const [transfers, impatient] = [open(TEST_DEADLINE_MS), open(500)]
  const adapter = createSandboxChainAdapter({ baseUrl: sandbox.chainUrl(), timeoutMs: TEST_DEADLINE_MS })
  return {
    ...{ transfers, impatient, asset, fault: proxy.fault },
    pay: async (address: string, amount: string) => {
      await adapter.watch([{ orderId: address, network, asset, address, due: '100' }])
      const body = { order_id: address, amount, confirmations: 6 }
      const { status } = await control(sandbox, 'POST', '/control/deposits', body)
      if (status !== 200) throw new Error(`the sandbox answered ${status}`)
    },
    mine: () => Promise.resolve(),
    holdings: async (address: string) => {
      const query = new URLSearchParams({ network, asset, address })
      const answer = await fetch(`${sandbox.chainUrl()}/chain/balances?${query.toString()}`)
      return ((await answer.json()) as { amount: string }).amount
    },
    newRecipient: () => Promise.resolve(derive(network, (recipients += 1)).address),
    foreignAddress: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    mostFee: '0.001',
    dust: network === 'ETH' ? null : '0.000001',
    excludesForgotten: true,
    waits: false,
    stop: async () => {
      await Promise.all([transfers.close(), impatient.close(), adapter.close(), proxy.stop()])
      await sandbox.stop()
    },
  }
}

describeTransfers('sandbox, LTC', start('LTC', 'LTC'))
describeTransfers('sandbox, a token', start('ETH', 'USDT'))
describeTransfers('sandbox, XRP', start('XRP', 'XRP'))
