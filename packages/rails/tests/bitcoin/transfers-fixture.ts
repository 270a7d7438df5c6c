import { openSeedKeys } from '../../src/transfers.ts'
import { createBitcoinTransfers } from '../../src/chain/transfers/bitcoin/transfers.ts'
import { fromUnits, toUnits } from '../../src/networks.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import type { ReplacementFixture } from '../replacement-suite.ts'
import { startEsploraServer } from './esplora-server.ts'
import type { LitecoinNode } from './litecoin-node.ts'
import { pay } from './spending.ts'

export const TEST_WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** Fee of the payments, which the node then estimates for transfers. */
const FEE = '0.00005'

/** Other words than those of the tests (BIP-39 test vectors). */
export const FOREIGN_WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

/** Transfers on a node by its own interface, or by that of Esplora. */
export const startLitecoinTransfers = async (node: LitecoinNode, form: 'Core' | 'Esplora') => {
  const esplora = form === 'Core' ? null : await startEsploraServer(node)
  const { username, password, host, pathname } = new URL(esplora?.url ?? node.url)
  const proxy = await startFaultProxy(`http://${host}`)
  const url = `http://${form === 'Core' ? `${username}:${password}@` : ''}127.0.0.1:${proxy.port}${pathname}`
  const openWith = (words: string, timeoutMs: number, feeRates: Readonly<{ min: number; max: number }>) =>
    createBitcoinTransfers({
      keys: openSeedKeys(words, 'LTC', { LTC: 'regtest' }),
      ...{ network: 'LTC', chain: 'regtest', timeoutMs, feeRates },
      ...(form === 'Core' ? { nodeUrls: [url] } : { nodeUrls: [], esploraUrls: [url] }),
    })
  const open = (timeoutMs: number, feeRates = { min: 2, max: 200 }) =>
    openWith(TEST_WORDS, timeoutMs, feeRates)
  const opened = [open(60_000), open(500)] as const
  const fixture: ReplacementFixture = {
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
    mineInstead: async (rawTransactions) => {
      await node.rpc('invalidateblock', await node.rpc<string>('getbestblockhash'))
      const to = await node.wallet<string>('getnewaddress', '', 'bech32')
      await node.rpc('generateblock', to, rawTransactions)
    },
    alterSignature: (signed) => {
      // Behind the signature: its kind of hash, the length of the key, the key, and the lock time.
      const at = -2 * (1 + 1 + 33 + 4) - 1
      const raw = signed.rawTransactions[0] ?? ''
      const digit = raw.at(at) === '0' ? '1' : '0'
      return { ...signed, rawTransactions: [raw.slice(0, at) + digit + raw.slice(at + 1)] }
    },
    openThrifty: () => open(60_000, { min: 0, max: 0 }),
    openForeign: () => openWith(FOREIGN_WORDS, 60_000, { min: 2, max: 200 }),
    stop: async () => {
      await Promise.all(opened.map((transfers) => transfers.close()))
      await proxy.stop()
      await esplora?.stop()
    },
  }
  return { ...fixture, open }
}
