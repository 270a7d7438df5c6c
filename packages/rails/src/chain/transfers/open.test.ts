import { loadSettings } from '@causeway/chassis/settings'
import { NETWORKS } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { openTransfers, TRANSFER_SETTINGS } from '../../transfers.ts'
import { startJsonRpcServer } from '../../../tests/json-rpc-server.ts'
import { createDestinations } from '../destinations.ts'
import { NODE_SETTINGS } from '../nodes.ts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'

const seed = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const load = (env: Record<string, string>) => ({
  ...loadSettings(NODE_SETTINGS, env),
  ...loadSettings(TRANSFER_SETTINGS, env),
})

test('opens transfers for networks with nodes, from the addresses that payments gives to orders', async () => {
  const config = load({
    BTC_ESPLORA_URLS: 'http://127.0.0.1:1/api',
    BTC_CHAIN: 'regtest',
    ETH_RPC_URLS: 'http://127.0.0.1:1',
    LTC_NODE_URLS: 'http://user:password@127.0.0.1:1',
  })
  const opened = openTransfers(NETWORKS, { seed, config, timeoutMs: 1_000 })
  expect([...opened.keys()].toSorted()).toEqual(['BTC', 'ETH', 'LTC'])
  const destinations = createDestinations(SANDBOX_ACCOUNTS, { BTC: 'regtest' })
  for (const [network, transfers] of opened) {
    expect(transfers.network).toBe(network)
    expect(transfers.addressOf(12)).toBe(destinations.derive(network, 12).watchAddress)
    await transfers.close()
  }
})

test('simulates networks without nodes by the sandbox, and sends nothing through a node of SOL or XRP', async () => {
  const config = load({ SOL_RPC_URLS: 'http://127.0.0.1:1', LTC_NODE_URLS: 'http://127.0.0.1:1' })
  const sandboxUrl = 'http://127.0.0.1:1'
  const opened = openTransfers(NETWORKS, { seed, config, sandboxUrl, timeoutMs: 1_000 })
  expect([...opened.keys()].toSorted()).toEqual([...NETWORKS].toSorted())
  const destinations = createDestinations(SANDBOX_ACCOUNTS)
  for (const network of ['BTC', 'LTC', 'ETH', 'XRP'] as const)
    expect(opened.get(network)?.addressOf(5)).toBe(destinations.derive(network, 5).watchAddress)
  await expect(opened.get('SOL')?.balanceOf(1, 'SOL')).rejects.toMatchObject({ refusal: 'unsupported' })
  for (const transfers of opened.values()) await transfers.close()
})

test.each([
  ['ETH', 'ETH_RPC_URLS', 'ETH_CHAIN_ID is 1'],
  ['LTC', 'LTC_NODE_URLS', 'check LTC_CHAIN'],
] as const)(
  'sends a %s node of another chain no request on which a transfer depends',
  async (network, setting, named) => {
    const asked: string[] = []
    const server = await startJsonRpcServer({
      rpc: <T>(method: string) => {
        asked.push(method)
        return Promise.resolve((method === 'eth_chainId' ? '0x2' : 'ab'.repeat(32)) as T)
      },
    })
    const config = load({ [setting]: server.url })
    const transfers = openTransfers([network], { seed, config, timeoutMs: 1_000 }).get(network)
    const toAddress = createDestinations(SANDBOX_ACCOUNTS).derive(network, 9).address
    const request = { fromIndex: 1, asset: network, toAddress, amount: '0.1' }
    await expect(transfers?.sign(request, [])).rejects.toThrow(named)
    await expect(transfers?.balanceOf(1, network)).rejects.toThrow(named)
    expect(new Set(asked)).toEqual(new Set([network === 'ETH' ? 'eth_chainId' : 'getblockhash']))
    await transfers?.close()
    await server.stop()
  },
)
