import { openSeedKeys } from '../../src/transfers.ts'
import { createBitcoinTransfers } from '../../src/chain/transfers/bitcoin/transfers.ts'
import { fromUnits, toUnits } from '../../src/networks.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import type { TransfersFixture } from '../transfers-suite.ts'
import { startEsploraServer } from './esplora-server.ts'
import type { LitecoinNode } from './litecoin-node.ts'
import { pay } from './spending.ts'

export const TEST_WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** Fee of the payments, which the node then estimates for transfers. */
const FEE = '0.00005'

/** Transfers on a node by its own interface, or by that of Esplora. */
export const startLitecoinTransfers = async (node: LitecoinNode, form: 'Core' | 'Esplora') => {
  const esplora = form === 'Core' ? null : await startEsploraServer(node)
  const { username, password, host, pathname } = new URL(esplora?.url ?? node.url)
  const proxy = await startFaultProxy(`http://${host}`)
  const url = `http://${form === 'Core' ? `${username}:${password}@` : ''}127.0.0.1:${proxy.port}${pathname}`
  const keys = openSeedKeys(TEST_WORDS, 'LTC', { LTC: 'regtest' })
  const open = (timeoutMs: number, feeRates = { min: 2, max: 200 }) =>
    createBitcoinTransfers({
      ...{ network: 'LTC', chain: 'regtest', keys, timeoutMs, feeRates },
      ...(form === 'Core' ? { nodeUrls: [url] } : { nodeUrls: [], esploraUrls: [url] }),
    })
  const opened = [open(60_000), open(500)] as const
  const fixture: TransfersFixture = {
    transfers: opened[0],
    impatient: opened[1],
    asset: 'LTC',
    pay: async (address, amount) => {
      await pay(node, [[address, amount]], { fee: FEE })
      await node.mine(1)
    },
    mine: async (blocks) => {
      await node.mine(blocks)
    },
    holdings: async (address) => {
      const { total_amount: total } = await node.rpc<{ total_amount: number }>('scantxoutset', 'start', [
        `addr(${address})`,
      ])
      return fromUnits(toUnits(total.toFixed(8), 8), 8)
    },
    newRecipient: () => node.wallet<string>('getnewaddress', '', 'bech32'),
    foreignAddress: 'ltc1qzvcgmntglcuv4smv3lzj6k8szcvsrmvk0phrr9',
    mostFee: '0.0002',
    dust: '0.00001',
    excludesForgotten: true,
    waits: true,
    fault: proxy.fault,
    stop: async () => {
      await Promise.all(opened.map((transfers) => transfers.close()))
      await proxy.stop()
      await esplora?.stop()
    },
  }
  return { ...fixture, open }
}
