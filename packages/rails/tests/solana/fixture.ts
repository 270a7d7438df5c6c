import { createDestinations } from '../../src/chain/destinations.ts'
import { createSolanaBlockSource } from '../../src/chains.ts'
import { SANDBOX_ACCOUNTS, toUnits } from '../../src/networks.ts'
import type { BlockSourceFixture } from '../block-source-fixture.ts'
import { startJsonRpcServer } from '../json-rpc-server.ts'
import { openBehindProxy } from '../open-behind-proxy.ts'
import { createSolanaSlots, type SolanaTransaction, transactionOf, transfer } from './slots.ts'

const ACCOUNT = SANDBOX_ACCOUNTS.SOL
const { derive } = createDestinations(SANDBOX_ACCOUNTS)

/** Solana as its JSON-RPC shows it; every other slot has no block. */
export const startSolanaFixture = async (): Promise<BlockSourceFixture> => {
  const slots = createSolanaSlots()
  const server = await startJsonRpcServer(slots)
  const { close, ...opened } = await openBehindProxy(server.url, (url, timeoutMs) =>
    createSolanaBlockSource({ rpcUrls: [url], account: ACCOUNT, timeoutMs }),
  )
  const waiting: SolanaTransaction[] = []
  let orders = 0
  return {
    ...opened,
    assets: ['SOL'],
    newAddress: () => derive('SOL', (orders += 1)).watchAddress,
    pay: async (payments) => {
      const made = payments.map(({ address, amount }) =>
        transactionOf([transfer(ACCOUNT, toUnits(amount, 9), address)]),
      )
      waiting.push(...made)
      return made.map(({ signature }) => signature)
    },
    mine: async (count) => {
      for (let slot = 0; slot < count; slot++) slots.finalize(waiting.splice(0), 1)
    },
    reorganise: null,
    seesPending: false,
    stop: async () => {
      await close()
      await server.stop()
    },
  }
}
