import { loadSettings } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import type { CryptoOrder, Network } from '@causeway/contracts'
import type { NodeConfig } from '@causeway/rails'
import { openTransfers, TRANSFER_SETTINGS, type Transfers } from '@causeway/rails/transfers'

/** The wallet of the sandbox's receiving accounts (BIP-39 test vectors). */
const SEED = `${'abandon '.repeat(11)}about`
/** No suite has as many orders. */
const MOST_ORDERS = 1_000
/** In regtest and on anvil the fee is what the payments of the tests have offered. */
const LIMITS = loadSettings(TRANSFER_SETTINGS, { LTC_FEE_RATE_MAX: '10000' })

const indexOf = (transfers: Transfers, address: string): number => {
  for (let index = 1; index <= MOST_ORDERS; index += 1)
    if (transfers.addressOf(index) === address) return index
  throw new Error(`${address} is none of the wallet’s first addresses`)
}

type Sending = Readonly<{
  order: CryptoOrder
  /** The order's one deposit. */
  txId: string
  /** What leaves the order's address, a decimal in its asset. */
  amount: string
  toAddress: string
}>

/** The wallet that orders pay to, as the signer has it. */
export const openWallet = (network: Network, nodes: NodeConfig, sandboxUrl?: string) => {
  const opened = openTransfers([network], {
    ...{ seed: SEED, config: { ...nodes, ...LIMITS }, sandboxUrl },
    timeoutMs: TEST_DEADLINE_MS,
  })
  const transfers = opened.get(network)
  if (transfers === undefined) throw new Error(`${network} has no node`)
  return {
    gasAddress: transfers.gasAddress,
    /** @param mine mines what was broadcast: a transfer may take two transactions */
    async send({ order, txId, amount, toAddress }: Sending, mine: () => Promise<unknown>) {
      const fromIndex = indexOf(transfers, order.address)
      const coins = network === 'LTC' ? { coins: [{ txId, outputIndex: 0 }] } : {}
      const { asset } = order
      const signed = await transfers.sign({ fromIndex, asset, toAddress, amount, ...coins }, [])
      for (const _ of signed.rawTransactions) {
        await transfers.broadcast(signed)
        await mine()
      }
      return signed
    },
    close: () => transfers.close(),
  }
}
