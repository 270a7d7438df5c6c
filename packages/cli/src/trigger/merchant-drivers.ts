import type { MerchantEvent } from '@causeway/webhook-verifier'
import type { Driver } from './driver.ts'
import { newCryptoOrder, newPaidCardOrder } from './orders.ts'
import { paymentDrivers } from './payment-drivers.ts'
import { payoutDrivers } from './payout-drivers.ts'
import { payoutWalletDrivers } from './payout-wallet-drivers.ts'
import type { Scene } from './scene.ts'
import { until } from './waiting.ts'

const HOUR_MS = 3_600_000
/** Disputes of one address at one merchant that raise an alert, unless the platform is set otherwise. */
const DISPUTES = 3
/** An address of documentation's (RFC 5737) for each run. */
const someAddress = () => `198.51.100.${1 + Math.floor(Math.random() * 254)}`

const purchased = async (scene: Scene, status: string) => {
  const customer = await scene.verified()
  const { id: orderId } = await newCryptoOrder(scene, customer)
  const { onramp } = await scene.partner.createOnrampOrder({ orderId, body: { fiat: 'EUR' } })
  await scene.sandbox.control(`onramp/${onramp.id}`, { status })
  await until(`The status of purchase ${onramp.id}`, async () => {
    const read = await scene.partner.getOnrampOrder({ orderId })
    return read.onramp.status === status ? read : null
  })
  return customer
}

/** Every event of the merchant channel but `test`, which a merchant asks for with its own key. */
export const MERCHANT_DRIVERS: Readonly<Record<Exclude<MerchantEvent['event'], 'test'>, Driver>> = {
  ...paymentDrivers,
  payout_upcoming: payoutDrivers.upcoming,
  payout_sent: payoutDrivers.sent,
  payout_returned: payoutDrivers.returned,
  payout_wallet_added: payoutWalletDrivers.added,
  payout_wallet_deleted: payoutWalletDrivers.deleted,
  risk_alert: {
    how: `${DISPUTES} card orders of one payer are disputed`,
    async drive(scene) {
      const customer = await scene.newVerified()
      const payerIp = someAddress()
      const orderKeys: string[] = []
      for (let n = 0; n < DISPUTES; n += 1) orderKeys.push(await newPaidCardOrder(scene, customer, payerIp))
      for (const orderKey of orderKeys) await scene.sandbox.control(`chargebacks/${orderKey}`, {})
      return customer
    },
  },
  'ramping.status_changed': {
    how: 'a purchase of crypto is paid by the buyer',
    drive: (scene) => purchased(scene, 'paymentReceived'),
  },
  'ramping.kyc_pending': {
    how: 'a purchase is stuck for 10 hours',
    movesClock: true,
    async drive(scene) {
      const customer = await purchased(scene, 'extraVerification')
      await scene.sandbox.control('clock', { advance_ms: 10 * HOUR_MS })
      return customer
    },
  },
}
