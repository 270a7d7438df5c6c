import type { Driver } from './driver.ts'
import { newCardOrder, newCryptoOrder, newPaidCardOrder } from './orders.ts'

const REFUND_CENTS = 4_000

/** Drivers for events of an order, which both channels send. */
export const paymentDrivers = {
  pending: {
    how: 'a crypto order is created',
    async drive(scene) {
      const customer = await scene.verified()
      await newCryptoOrder(scene, customer)
      return customer
    },
  },
  paid: {
    how: 'a crypto order is paid',
    async drive(scene) {
      const customer = await scene.verified()
      const { id } = await newCryptoOrder(scene, customer)
      await scene.sandbox.control('deposits', { order_id: id })
      return customer
    },
  },
  underpaid: {
    how: 'too little is paid for a crypto order',
    async drive(scene) {
      const customer = await scene.verified()
      const { id } = await newCryptoOrder(scene, customer)
      await scene.sandbox.control('deposits', { order_id: id, amount: '10' })
      return customer
    },
  },
  reverted: {
    how: 'a reorganisation takes the payment of a crypto order out of its block',
    async drive(scene) {
      const customer = await scene.verified()
      const { id: orderId } = await newCryptoOrder(scene, customer)
      await scene.sandbox.control('deposits', { order_id: orderId })
      await scene.sandbox.control('confirmations', { order_id: orderId, confirmations: 0 })
      return customer
    },
  },
  expired: {
    how: 'the card processor lets an order expire',
    async drive(scene) {
      const customer = await scene.verified()
      const orderKey = await newCardOrder(scene, customer)
      await scene.sandbox.control(`card-payments/${orderKey}`, { outcome: 'expired' })
      return customer
    },
  },
  cancelled: {
    how: 'you cancel a crypto order',
    async drive(scene) {
      const customer = await scene.verified()
      const { id: orderId } = await newCryptoOrder(scene, customer)
      await scene.partner.cancelCryptoOrder({ orderId })
      return customer
    },
  },
  refunded: {
    how: 'a card order is paid, and refunded in part',
    async drive(scene) {
      const customer = await scene.verified()
      const orderKey = await newPaidCardOrder(scene, customer)
      await scene.partner.createRefund({ orderKey, body: { amount_cents: REFUND_CENTS } })
      return customer
    },
  },
  chargeback: {
    how: 'a paid card order is disputed',
    async drive(scene) {
      const customer = await scene.newVerified()
      const orderKey = await newPaidCardOrder(scene, customer)
      await scene.sandbox.control(`chargebacks/${orderKey}`, {})
      return customer
    },
  },
} as const satisfies Record<string, Driver>
