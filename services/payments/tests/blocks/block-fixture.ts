import { createLogger, newId, queryNone } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import type { BlockHeader, Transfer } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { createBlockReading } from '../../src/blocks/jobs/block-reader.ts'
import { toTolerance } from '../../src/deposits/settlement.ts'
import { newPartner, startForTests } from '../running-payments.ts'
import { createScriptedChain, type ScriptedChain } from './scripted-chain.ts'

export const NETWORK = 'LTC'
export const DEPTH = 3
/** After this time another replica reads on. */
export const LEASE_MS = 31_000

const log = createLogger({ service: 'test', level: 'silent' })
const forgetBlocks = queryNone({
  name: 'test.forget-blocks',
  parameters: { network: 'text' },
  text: `WITH positions AS (DELETE FROM chain_positions WHERE network = :network)
    DELETE FROM chain_blocks WHERE network = :network`,
})
const signal = new AbortController().signal

type Reading = ReturnType<typeof createBlockReading>

/** Reads until the end of the chain; failed reads are retried. */
export const catchUp = async (reading: Reading): Promise<void> => {
  for (let isMore = true; isMore;)
    try {
      isMore = await reading(signal)
    } catch (error) {
      if (!(error instanceof RailError)) throw error
    }
}

/** @returns the newest block */
export const mineEmpty = (chain: ScriptedChain, count: number): BlockHeader => {
  for (let index = 1; index < count; index += 1) chain.mine()
  return chain.mine()
}

/** The payments service, with replicas that read scripted chains of {@link NETWORK}. */
export const startBlockFixture = async (change: Parameters<typeof startForTests>[0] = {}) => {
  const payments = await startForTests(change)
  return {
    payments,
    stop: () => payments.stop(),
    /** A new chain, of which nothing was read. */
    async newChain(network: Network = NETWORK) {
      await forgetBlocks(payments.db, { network })
      return createScriptedChain(network)
    },
    /** A replica that reads this chain. */
    newReading: ({ source }: ScriptedChain, depth = DEPTH): Reading =>
      createBlockReading(
        {
          db: payments.db,
          clock: payments.clock,
          log,
          network: source.network,
          holder: newId('request'),
          confirmations: { ...CONFIRMATION_DEPTHS, [source.network]: depth },
          tolerance: toTolerance(0),
          links: { publicBaseUrl: payments.config.publicBaseUrl, chains: {} },
        },
        source,
      ),
    /** An order of about 0.5 LTC, or in the coin of another network. */
    async newOrder(network: Network = NETWORK) {
      const partner = newPartner()
      const { customerId } = payments.newCustomer(partner)
      const order = await payments.newOrder(partner, customerId, { network, asset: network })
      return {
        ...order,
        partner,
        async status() {
          const outcome = await payments.read(partner, order.id)
          if (!outcome.ok) throw new Error('The order cannot be read')
          return outcome.value.order.status
        },
        pay: (amount = order.amount, txId = newId('request')): Transfer => ({
          asset: network,
          address: order.address,
          txId,
          outputIndex: 0,
          amount,
        }),
        /** Names of the events after that of its creation. */
        told: async () => (await payments.eventsOf(order.id)).map(({ name }) => name).slice(1),
        lastEvent: async () => (await payments.eventsOf(order.id)).at(-1),
      }
    },
  }
}
export type BlockFixture = Awaited<ReturnType<typeof startBlockFixture>>
