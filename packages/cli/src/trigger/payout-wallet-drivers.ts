import type { Driver } from './driver.ts'
import type { Scene } from './scene.ts'

const DAY_MS = 24 * 3_600_000
/** The IBAN of many examples; no bank has it. */
const body = { kind: 'iban', iban: 'DE89370400440532013000', holder_name: 'Example GmbH' } as const

const added = async ({ partner, staff, verified }: Scene) => {
  const customer = await verified()
  const { partner_customer_id: customerId } = customer
  await staff.setCapability({
    partnerCustomerId: customerId,
    capability: 'payout_wallets',
    body: { enabled: true },
  })
  const { payout_wallet: wallet } = await partner.createPayoutWallet({ customerId, body })
  return { customer, customerId, payoutWalletId: wallet.payout_wallet_id }
}

/** How the events of payout wallets on both channels are had. The partner's client needs the scope `payouts:write`. */
export const payoutWalletDrivers = {
  added: {
    how: 'a bank account is added for payouts',
    drive: async (scene) => (await added(scene)).customer,
  },
  active: {
    how: 'staff confirm a bank account for payouts, and its waiting time is over',
    movesClock: true,
    async drive(scene) {
      const { customer, payoutWalletId } = await added(scene)
      await scene.staff.confirmPayoutWallet({ payoutWalletId })
      await scene.sandbox.control('clock', { advance_ms: DAY_MS })
      return customer
    },
  },
  deleted: {
    how: 'a bank account for payouts is deleted',
    async drive(scene) {
      const { customer, customerId, payoutWalletId } = await added(scene)
      await scene.partner.deletePayoutWallet({ customerId, payoutWalletId })
      return customer
    },
  },
} as const satisfies Record<string, Driver>
