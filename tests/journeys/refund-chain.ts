import { fromUnits, toUnits } from '@causeway/rails'
import type { CryptoRefund } from '@causeway/contracts'
import { startLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { elsewhere, pay } from '@causeway/rails/tests/spending'
import { startMethodGate, type MethodGate } from './method-gate.ts'

/** A real node that orders are paid on, behind a gate that can stop what is sent to it. */
export type RefundChain = Readonly<{
  settings: Readonly<Record<string, string>>
  gate: MethodGate
  newAddress: () => Promise<string>
  pay: (address: string, amount: string) => Promise<void>
  mine: (blocks: number) => Promise<void>
  /** What an address has received in mined transactions, a decimal in the asset. */
  receivedBy: (address: string) => Promise<string>
  /** What left the order's address for a refund. */
  total: (refund: CryptoRefund) => string
  stop: () => Promise<void>
}>

const LTC_DECIMALS = 8
const withFee =
  (decimals: number) =>
  ({ amount, network_fee: fee }: CryptoRefund) =>
    fromUnits(toUnits(amount, decimals) + toUnits(fee ?? '0', decimals), decimals)

const litecoin = async (): Promise<RefundChain> => {
  const node = await startLitecoinNode()
  const gate = await startMethodGate(node.url, 'sendrawtransaction')
  return {
    settings: { LTC_NODE_URLS: gate.url, LTC_CHAIN: 'regtest' },
    gate,
    newAddress: () => elsewhere(node),
    pay: async (address, amount) => {
      await pay(node, [[address, amount]])
    },
    mine: async (blocks) => {
      await node.mine(blocks)
    },
    receivedBy: async (address) => {
      const received = await node.wallet<number>('getreceivedbyaddress', address, 1)
      return fromUnits(toUnits(received.toFixed(LTC_DECIMALS), LTC_DECIMALS), LTC_DECIMALS)
    },
    total: withFee(LTC_DECIMALS),
    stop: async () => {
      await gate.close()
      await node.stop()
    },
  }
}

export const startRefundChain = { litecoin }
