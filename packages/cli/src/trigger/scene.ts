import { randomUUID } from 'node:crypto'
import type { PartnerClient, Schemas } from '@causeway/client'
import { customerBody } from '@causeway/scenario'
import type { Sandbox } from '../session/sandbox.ts'
import type { Session } from '../session/session.ts'
import type { StaffClient } from '../session/staff-client.ts'
import { onboard } from './onboarding.ts'
import { until } from './waiting.ts'

type Customer = Schemas['Customer']

/** Context of a driver. */
export type Scene = Readonly<{
  partner: PartnerClient
  staff: StaffClient
  sandbox: Sandbox
  /** A customer that was linked a moment ago. */
  newCustomer: () => Promise<Customer>
  /** One that may take orders: the one that was named, else one that is kept for this. */
  verified: () => Promise<Customer>
  /** One that may take orders and has none: disputes would close the kept one to cards. */
  newVerified: () => Promise<Customer>
}>

export const createScene = (session: Session, named: string | undefined): Scene => {
  const [partner, staff, sandbox] = [session.partner(), session.staff(), session.sandbox()]
  const link = (mark: string) => partner.createCustomer({ body: customerBody(mark) })
  const newCustomer = () => link(`cli-${randomUUID()}`)
  /** Waits until all services know the customer's capabilities, shortly after the approval. */
  const ready = async (customer: Customer): Promise<Customer> => {
    const customerId = customer.partner_customer_id
    const isReady = async () => {
      const { capabilities } = await partner.listCapabilities({ customerId })
      const ways = capabilities.filter(({ capability }) => capability.startsWith('payments.'))
      return ways.every(({ available }) => available) ? customer : null
    }
    if ((await isReady()) !== null) return customer
    await onboard(partner, staff, customerId)
    return until(`The verification of ${customerId}`, isReady)
  }
  return {
    partner,
    staff,
    sandbox,
    newCustomer,
    verified: async () =>
      ready(
        named === undefined
          ? await link(`cli-${await session.partnerId()}`)
          : await partner.getCustomer({ customerId: named }),
      ),
    newVerified: async () => ready(await newCustomer()),
  }
}
