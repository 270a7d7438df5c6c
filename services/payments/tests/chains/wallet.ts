import { loadSettings, queryOne, type Db } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import type { CryptoOrder, Network } from '@causeway/contracts'
import type { NodeConfig } from '@causeway/rails/chains'
import { openTransfers, TRANSFER_SETTINGS } from '@causeway/rails/transfers'
import { z } from 'zod'

/** The wallet of the sandbox's receiving accounts (BIP-39 test vectors). */
const SEED = `${'abandon '.repeat(11)}about`
/** In regtest and on anvil the fee is what the payments of the tests have offered. */
const LIMITS = loadSettings(TRANSFER_SETTINGS, { LTC_FEE_RATE_MAX: '10000' })

const findNumber = queryOne({
  name: 'test.number-of-order',
  parameters: { orderId: 'text' },
  text: 'SELECT derivation_index AS number FROM crypto_orders WHERE id = :orderId',
  row: z.object({ number: z.number() }),
})

type Sending = Readonly<{
  db: Db
  order: CryptoOrder
  /** The order's one deposit. */
  txId: string
  /** Amount that leaves the order's address, a decimal in its asset. */
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
    async send({ db, order, txId, amount, toAddress }: Sending, mine: () => Promise<unknown>) {
      const found = await findNumber(db, { orderId: order.id })
      if (found === null) throw new Error(`No order ${order.id}`)
      const fromIndex = found.number
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
