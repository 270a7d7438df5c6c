import type { startChain } from '@causeway/rails/tests/ethereum-fixture'
import { createCryptoOrder } from './crypto-payment.ts'
import type { Reporter } from './reporter.ts'
import { withCustomer, type TourPlatform } from './tour.ts'
import { walkVerification } from './verification.ts'

type Chain = Awaited<ReturnType<typeof startChain>>

/** Blocks from which on a deposit counts in the demo. */
const DEPTH = 3

/** Settings of a platform that takes payments on this chain. */
export const settingsOf = ({ anvil, chainId, tokens }: Chain): Record<string, string> => ({
  ETH_RPC_URLS: anvil.url,
  ETH_CHAIN_ID: String(chainId),
  ETH_TOKENS: Object.entries(tokens)
    .map(([asset, contract]) => `${asset}:${contract}`)
    .join(','),
  ETH_CONFIRMATIONS: String(DEPTH),
  CHAIN_POLL_EVERY: '500ms',
})

/**
 * Walks an order of 25 EUR in USDC through a payment on a real node, a reorganisation that takes the payment away, and a
 * second one. @throws when a response or an event is not the expected one
 */
export const walkChainPayment = (
  platform: Omit<TourPlatform, 'mayMoveTime'>,
  chain: Chain,
  reporter: Reporter,
): Promise<void> =>
  withCustomer({ ...platform, mayMoveTime: false }, reporter, async (context) => {
    const { suffix, partner, expect } = context
    const pay = async (address: string, amount: string) => {
      const [txId] = await chain.pay([{ asset: 'USDC', address, amount }])
      reporter.log(`sent ${amount} USDC to ${address}: ${String(txId)}`)
      await chain.mine(DEPTH)
      return String(txId)
    }
    const read = async () => (await partner.getCryptoOrder({ orderId: order.id })).order.status

    await walkVerification(context)
    reporter.step('The partner creates a crypto order')
    const order = await createCryptoOrder(context, `chain-${suffix}`)
    reporter.step(`The buyer pays it on the node, and ${DEPTH} blocks are mined`)
    const first = await pay(order.address, order.amount)
    await expect.partnerEvent('payment.confirmed', { order_id: order.id, tx_id: first })

    reporter.step('The chain is reorganised: other blocks take the place of those, without the payment')
    await chain.reorganise(DEPTH + 1, 'dropped')
    await expect.partnerEvent('payment.reverted', { order_id: order.id, tx_id: first })
    if ((await read()) !== 'pending') throw new Error('The order should be pending again')

    reporter.step('The buyer pays again')
    const second = await pay(order.address, order.amount)
    await expect.partnerEvent('payment.confirmed', { order_id: order.id, tx_id: second })
    if ((await read()) !== 'paid') throw new Error('The order should be paid')
  })
