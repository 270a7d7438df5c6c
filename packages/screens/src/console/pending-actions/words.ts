import {
  adjustments,
  reservePlans,
  agreements,
  apiKeys,
  capabilities,
  clientKeys,
  clients,
  cryptoOrders,
  destinations,
  differences,
  integrationUrls,
  partners,
  payers,
  paymentFiles,
  payoutRuns,
  payouts,
  payoutTransfers,
  payoutWallets,
  people,
  personalData,
  portalLinks,
  pricePlans,
  refunds,
  relationships,
  reviews,
  staffKeys,
  unattributedMoney,
  type PendingAction,
  type PendingActionStatus,
} from '@causeway/contracts'
import { html, taggedStatus, type Html, type Tone } from '../../design/index.ts'
import { namesIn, type Names } from '../names.ts'
import {
  cardOrderPath,
  casePath,
  cryptoOrderPath,
  customerPath,
  PAYOUTS_PATH,
  unattributedMoneyPath,
} from '../work/paths.ts'

const TITLES: ReadonlyMap<string, string> = new Map(
  (
    [
      [reviews.approve, 'Approve a case'],
      [relationships.reinstate, 'Reinstate a relationship'],
      [capabilities.suspend, 'Lift a suspension'],
      [partners.create, 'Create a partner with its first client'],
      [partners.update, 'Change the permissions of a partner'],
      [clients.create, 'Create a client'],
      [clients.rotateSecret, 'Rotate the secret of a client'],
      [clients.update, 'Change the permissions of a client'],
      [clientKeys.replace, 'Replace the keys of a client'],
      [apiKeys.create, 'Create an API key for a merchant'],
      [staffKeys.create, 'Create a staff key'],
      [portalLinks.createOfPartner, 'Create a portal link for a partner'],
      [portalLinks.createOfMerchant, 'Create a portal link for a merchant'],
      [people.inviteToPartner, 'Invite a person to a partner'],
      [people.inviteToMerchant, 'Invite a person to a merchant'],
      [people.update, 'Change the role of a person'],
      [destinations.create, 'Add a webhook for a partner'],
      [destinations.rotateSecret, 'Rotate the secret of a partner’s webhook'],
      [destinations.update, 'Change the URL of a partner’s webhook'],
      [integrationUrls.update, 'Change the webhook URL of a checkout'],
      [cryptoOrders.refund, 'Refund a crypto order'],
      [refunds.createByStaff, 'Refund a card order'],
      [unattributedMoney.refund, 'Refund unattributed money'],
      [payouts.announce, 'Announce a payout'],
      [payouts.announceToPartner, 'Announce a payout to a partner'],
      [payouts.markSent, 'Mark a payout as sent'],
      [payoutRuns.run, 'Run payouts'],
      [payouts.cancel, 'Cancel a payout'],
      [payouts.markReturned, 'Mark a payout as returned'],
      [payoutTransfers.send, 'Send a payout of crypto'],
      [paymentFiles.create, 'Make a payment file'],
      [paymentFiles.markUploaded, 'Mark a payment file as uploaded'],
      [payoutWallets.confirm, 'Confirm a payout destination'],
      [payoutWallets.refuse, 'Refuse a payout destination'],
      [adjustments.create, 'Adjust a balance'],
      [adjustments.writeOff, 'Write off a negative balance'],
      [reservePlans.set, 'Set a reserve plan'],
      [reservePlans.end, 'End a reserve plan'],
      [differences.close, 'Close a difference of the books'],
      [pricePlans.create, 'Create a price plan or a version of one'],
      [pricePlans.assignToPartner, 'Set the price plan of a partner'],
      [pricePlans.assignToMerchant, 'Set the price plan of a merchant'],
      [agreements.publish, 'Publish an agreement'],
      [agreements.retire, 'Retire an agreement'],
      [payers.erase, 'Delete the data of a payer'],
      [personalData.erase, 'Delete the personal data of a customer'],
    ] as const
  ).map(([operation, title]) => [operation.subject, title]),
)

/** Returns the title of an action. */
export const actionTitle = ({ action }: Pick<PendingAction, 'action'>): string => TITLES.get(action) ?? action

const PATHS: ReadonlyMap<string, (target: string) => string> = new Map([
  [reviews.approve.subject, casePath],
  [relationships.reinstate.subject, customerPath],
  [capabilities.suspend.subject, (customerId: string) => `/console/merchants/${customerId}`],
  [apiKeys.create.subject, (customerId: string) => `/console/merchants/${customerId}`],
  ...[reservePlans.set, reservePlans.end].map(
    ({ subject }) =>
      [subject, (customerId: string) => `/console/merchants/${customerId}/reserve-plan`] as const,
  ),
  [partners.update.subject, (partnerId: string) => `/console/partners/${partnerId}`],
  [pricePlans.assignToPartner.subject, (partnerId: string) => `/console/partners/${partnerId}`],
  [pricePlans.assignToMerchant.subject, (customerId: string) => `/console/merchants/${customerId}`],
  [cryptoOrders.refund.subject, cryptoOrderPath],
  [unattributedMoney.refund.subject, unattributedMoneyPath],
  // Its target is the partner and the order.
  [refunds.createByStaff.subject, (target: string) => cardOrderPath(target.split('/').at(-1) ?? '')],
  ...[payouts.markSent, payouts.cancel, payouts.markReturned, payoutTransfers.send].map(
    ({ subject }) => [subject, () => PAYOUTS_PATH] as const,
  ),
  [personalData.erase.subject, customerPath],
])

const WITHOUT_SECRET: readonly string[] = [
  reviews.approve,
  relationships.reinstate,
  capabilities.suspend,
  clients.update,
  partners.update,
  destinations.update,
  cryptoOrders.refund,
  refunds.createByStaff,
  unattributedMoney.refund,
  payouts.announce,
  payouts.announceToPartner,
  payouts.markSent,
  payoutRuns.run,
  payouts.cancel,
  payouts.markReturned,
  payoutTransfers.send,
  paymentFiles.create,
  paymentFiles.markUploaded,
  payoutWallets.confirm,
  payoutWallets.refuse,
  adjustments.create,
  adjustments.writeOff,
  reservePlans.set,
  reservePlans.end,
  differences.close,
  pricePlans.create,
  pricePlans.assignToPartner,
  pricePlans.assignToMerchant,
  agreements.publish,
  agreements.retire,
  payers.erase,
  personalData.erase,
].map(({ subject }) => subject)

/** True if the result of an action may contain a secret, which is shown only once. */
export const mayHoldSecret = ({ action }: PendingAction): boolean => !WITHOUT_SECRET.includes(action)

/** Renders the target of an action with the names in it, as a link if it has a page. */
export const targetLink = ({ action, target }: PendingAction, names: Names): Html | string => {
  if (target === null) return '–'
  const pathOf = PATHS.get(action)
  const text = html`<code>${target}</code>`
  const link = pathOf === undefined ? text : html`<a href="${pathOf(target)}">${text}</a>`
  return html`${namesIn(target, names)} ${link}`
}

/** Renders a status. */
export const pendingActionTag = (status: PendingActionStatus): Html => taggedStatus(STATUS_WORDS, status)

const STATUS_WORDS: Readonly<Record<PendingActionStatus, readonly [tone: Tone, text: string]>> = {
  waiting: ['warning', 'Waiting for a second person'],
  confirmed: ['warning', 'In progress'],
  done: ['good', 'Done'],
  failed: ['bad', 'Confirmed, but refused'],
  unknown: ['bad', 'Confirmed, outcome unknown'],
  declined: ['neutral', 'Declined'],
  withdrawn: ['neutral', 'Withdrawn'],
  outdated: ['neutral', 'Outdated'],
  expired: ['neutral', 'Expired'],
}
