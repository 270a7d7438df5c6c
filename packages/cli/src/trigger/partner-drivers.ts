import type { PartnerEvent } from '@causeway/webhook-verifier'
import { acceptAgreements, submitCase, uploadSample } from '@causeway/scenario'
import { CliError } from '../cli-error.ts'
import type { Driver } from './driver.ts'
import { paymentDrivers } from './payment-drivers.ts'
import { payoutDrivers } from './payout-drivers.ts'
import { payoutWalletDrivers } from './payout-wallet-drivers.ts'
import type { Scene } from './scene.ts'

const submitted = async ({ partner, newCustomer }: Scene) => {
  const customer = await newCustomer()
  const { verification_id } = await submitCase(partner, customer.partner_customer_id)
  return { customer, verificationId: verification_id }
}

const raised = async (scene: Scene) => {
  const { customer } = await submitted(scene)
  const customerId = customer.partner_customer_id
  const body = { kind: 'clarification', message: 'Which goods do you sell outside the EU?' } as const
  const { requirement } = await scene.partner.raiseRequirement({ customerId, body })
  return { customer, customerId, requirementId: requirement.requirement_id }
}

const onboardingDrivers = {
  'customer.updated': {
    how: 'staff revoke a new customer',
    async drive({ staff, newCustomer }) {
      const customer = await newCustomer()
      await staff.revokeRelationship({ partnerCustomerId: customer.partner_customer_id })
      return customer
    },
  },
  'verification.pending': {
    how: 'a new customer’s case is submitted',
    drive: async (scene) => (await submitted(scene)).customer,
  },
  'verification.approved': {
    how: 'a case is submitted, and staff approve it',
    async drive(scene) {
      const { customer, verificationId } = await submitted(scene)
      await scene.staff.approveCase({ verificationId })
      return customer
    },
  },
  'verification.rejected': {
    how: 'a case is submitted, and staff reject it',
    async drive(scene) {
      const { customer, verificationId } = await submitted(scene)
      await scene.staff.rejectCase({ verificationId, body: { rejection_reason: 'document_illegible' } })
      return customer
    },
  },
  'agreement.accepted': {
    how: 'a new customer accepts an agreement',
    async drive({ partner, newCustomer }) {
      const customer = await newCustomer()
      const accepted = await acceptAgreements(partner, customer.partner_customer_id)
      if (accepted > 0) return customer
      throw new CliError(
        'No agreement is published, so none can be accepted: staff publish one by POST /api/operator/agreements. Every customer has to accept it before its case is submitted',
      )
    },
  },
  'document.reviewed': {
    how: 'a document is uploaded, and staff accept it',
    async drive({ partner, staff, newCustomer }) {
      const customer = await newCustomer()
      const documentId = await uploadSample(partner, customer.partner_customer_id, 'proof_of_address')
      await staff.reviewDocument({ documentId, body: { status: 'accepted' } })
      return customer
    },
  },
  'capability.updated': {
    how: 'staff grant or take a capability',
    async drive({ partner, staff, newCustomer }) {
      const customer = await newCustomer()
      const { partner_customer_id: customerId } = customer
      const { capabilities } = await partner.listCapabilities({ customerId })
      const isGranted = capabilities.some(({ capability, enabled }) => capability === 'payouts' && enabled)
      await staff.setCapability({
        partnerCustomerId: customerId,
        capability: 'payouts',
        body: { enabled: !isGranted },
      })
      return customer
    },
  },
  'requirement.created': {
    how: 'you ask a submitted case for something',
    drive: async (scene) => (await raised(scene)).customer,
  },
  'requirement.resolved': {
    how: 'you ask for something, and cancel that',
    async drive(scene) {
      const { customer, customerId, requirementId } = await raised(scene)
      await scene.partner.updateRequirement({ customerId, requirementId, body: { status: 'cancelled' } })
      return customer
    },
  },
} as const satisfies Record<string, Driver>

/** Every event of the partner channel. */
export const PARTNER_DRIVERS: Readonly<Record<PartnerEvent['event_type'], Driver>> = {
  ...onboardingDrivers,
  'payment.pending': paymentDrivers.pending,
  'payment.confirmed': paymentDrivers.paid,
  'payment.underpaid': paymentDrivers.underpaid,
  'payment.reverted': paymentDrivers.reverted,
  'payment.expired': paymentDrivers.expired,
  'payment.cancelled': paymentDrivers.cancelled,
  'payment.refunded': paymentDrivers.refunded,
  'payment.chargeback': paymentDrivers.chargeback,
  'payout.upcoming': payoutDrivers.upcoming,
  'payout.sent': payoutDrivers.sent,
  'payout.settled': payoutDrivers.settled,
  'payout.returned': payoutDrivers.returned,
  'payout_wallet.added': payoutWalletDrivers.added,
  'payout_wallet.active': payoutWalletDrivers.active,
  'payout_wallet.deleted': payoutWalletDrivers.deleted,
  'balance.negative': payoutDrivers.uncovered,
  'refund.completed': paymentDrivers.refunded,
}
