import type { Schemas } from '@causeway/client'
import { CliError } from '../cli-error.ts'
import type { Driver } from './driver.ts'
import type { Scene } from './scene.ts'

type Customer = Schemas['Customer']

const DAY_MS = 24 * 3_600_000

/** Announces a payout to a customer whose partner may read it, and its balance. */
const announce = async ({ staff, sandbox }: Scene, customer: Customer) => {
  const { customer_id, partner_customer_id: partnerCustomerId } = customer
  for (const capability of ['payouts', 'wallets'] as const)
    await staff.setCapability({ partnerCustomerId, capability, body: { enabled: true } })
  const body = {
    customer_id,
    partner_customer_id: partnerCustomerId,
    amount_cents: 125_000,
    currency: 'EUR',
    scheduled_for: new Date(Date.parse(await sandbox.now()) + 3 * DAY_MS).toISOString(),
  }
  return { customer, payoutId: (await staff.announcePayout({ body })).payout.payout_id }
}

const announced = async (scene: Scene) => announce(scene, await scene.verified())

const sent = async (scene: Scene) => {
  const { customer, payoutId } = await announced(scene)
  await scene.staff.markPayoutSent({ payoutId })
  return { customer, payoutId }
}

/** How the events of payouts on both channels are had. */
export const payoutDrivers = {
  upcoming: {
    how: 'staff announce a payout',
    drive: async (scene) => (await announced(scene)).customer,
  },
  uncovered: {
    how: 'staff announce a payout to a customer that has earned nothing',
    drive: async (scene) => (await announce(scene, await scene.newVerified())).customer,
  },
  sent: {
    how: 'staff say that a payout has left',
    drive: async (scene) => (await sent(scene)).customer,
  },
  settled: {
    how: 'a bank statement confirms a payout: import one',
    drive: () =>
      Promise.reject(
        new CliError(
          'A bank statement settles a payout: import one with its reference (POST /api/operator/bank-statements/import)',
        ),
      ),
  },
  returned: {
    how: 'staff say that a payout came back',
    async drive(scene) {
      const { customer, payoutId } = await sent(scene)
      await scene.staff.markPayoutReturned({ payoutId, body: { reason: 'The account is closed' } })
      return customer
    },
  },
} as const satisfies Record<string, Driver>
