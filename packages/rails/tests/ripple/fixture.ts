import { createDestinations } from '../../src/chain/destinations.ts'
import { decodeXAddress } from '../../src/chain/formats/xrp-address.ts'
import { createRippleBlockSource } from '../../src/chains.ts'
import { SANDBOX_ACCOUNTS, toUnits } from '../../src/networks.ts'
import type { BlockSourceFixture } from '../block-source-fixture.ts'
import { startJsonRpcServer } from '../json-rpc-server.ts'
import { openBehindProxy } from '../open-behind-proxy.ts'
import { createRippleLedgers, idOf, type LedgerTransaction, payment } from './ledgers.ts'

const { derive } = createDestinations(SANDBOX_ACCOUNTS)

/** The XRP Ledger as its server shows it. */
export const startRippleFixture = async (): Promise<BlockSourceFixture> => {
  const ledgers = createRippleLedgers()
  const server = await startJsonRpcServer(ledgers)
  const { close, ...opened } = await openBehindProxy(server.url, (url, timeoutMs) =>
    createRippleBlockSource({ rpcUrls: [url], account: SANDBOX_ACCOUNTS.XRP, timeoutMs }),
  )
  const waiting: LedgerTransaction[] = []
  let orders = 0
  return {
    ...opened,
    assets: ['XRP'],
    newAddress: () => derive('XRP', (orders += 1)).watchAddress,
    pay: async (payments) => {
      const made = payments.map(({ address, amount }) => {
        const { classicAddress, tag } = decodeXAddress(address)
        const drops = toUnits(amount, 6).toString()
        return payment({ Destination: classicAddress, DestinationTag: tag, Amount: drops })
      })
      waiting.push(...made)
      return made.map(({ transaction }) => idOf(transaction))
    },
    mine: async (count) => {
      for (let ledger = 0; ledger < count; ledger++) ledgers.close(...waiting.splice(0))
    },
    reorganise: null,
    seesPending: false,
    stop: async () => {
      await close()
      await server.stop()
    },
  }
}
