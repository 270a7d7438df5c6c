import {
  agreements,
  apiKeys,
  capabilities,
  clientKeys,
  clients,
  cryptoOrders,
  destinations,
  integrationUrls,
  partners,
  payers,
  payouts,
  personalData,
  portalLinks,
  relationships,
  reviews,
  staffKeys,
  unattributedMoney,
  type PendingAction,
  type PendingActionStatus,
} from '@causeway/contracts'
import { html, taggedStatus, type Html, type Tone } from '../../design/index.ts'
import {
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
      [partners.update, 'Change what a partner may do'],
      [clients.create, 'Create a client'],
      [clients.rotateSecret, 'Give a client a new secret'],
      [clients.update, 'Change what a client may do'],
      [clientKeys.replace, 'Replace the keys of a client'],
      [apiKeys.create, 'Create an API key of a merchant'],
      [staffKeys.create, 'Create a staff key'],
      [portalLinks.createOfPartner, 'Make a link to the portal for a partner'],
      [portalLinks.createOfMerchant, 'Make a link to the portal for a merchant'],
      [destinations.create, 'Add a webhook of a partner'],
      [destinations.rotateSecret, 'Give a webhook of a partner a new secret'],
      [destinations.update, 'Change the address of a webhook of a partner'],
      [integrationUrls.update, 'Change where the events of a checkout are sent'],
      [cryptoOrders.refund, 'Send back what a crypto order has received'],
      [unattributedMoney.refund, 'Send back money that counts for no order'],
      [payouts.announce, 'Announce a payout'],
      [payouts.markSent, 'Say that a payout was sent'],
      [agreements.publish, 'Publish an agreement'],
      [agreements.retire, 'Retire an agreement'],
      [payers.erase, 'Erase the data of a payer'],
      [personalData.erase, 'Erase the data of a customer'],
    ] as const
  ).map(([operation, title]) => [operation.subject, title]),
)

/** What an action does, in words. */
export const actionTitle = ({ action }: Pick<PendingAction, 'action'>): string => TITLES.get(action) ?? action

const PATHS: ReadonlyMap<string, (target: string) => string> = new Map([
  [reviews.approve.subject, casePath],
  [relationships.reinstate.subject, customerPath],
  [capabilities.suspend.subject, (customerId: string) => `/console/merchants/${customerId}`],
  [apiKeys.create.subject, (customerId: string) => `/console/merchants/${customerId}`],
  [partners.update.subject, (partnerId: string) => `/console/partners/${partnerId}`],
  [cryptoOrders.refund.subject, cryptoOrderPath],
  [unattributedMoney.refund.subject, unattributedMoneyPath],
  [payouts.markSent.subject, () => PAYOUTS_PATH],
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
  unattributedMoney.refund,
  payouts.announce,
  payouts.markSent,
  agreements.publish,
  agreements.retire,
  payers.erase,
  personalData.erase,
].map(({ subject }) => subject)

/** Whether the answer of an action may hold what its page shows nowhere else. */
export const mayHoldSecret = ({ action }: PendingAction): boolean => !WITHOUT_SECRET.includes(action)

/** What an action is about, with the way to its page where it has one. */
export const targetLink = ({ action, target }: PendingAction): Html | string => {
  if (target === null) return '–'
  const pathOf = PATHS.get(action)
  const text = html`<code>${target}</code>`
  return pathOf === undefined ? text : html`<a href="${pathOf(target)}">${text}</a>`
}

/** A status in words. */
export const pendingActionTag = (status: PendingActionStatus): Html => taggedStatus(STATUS_WORDS, status)

const STATUS_WORDS: Readonly<Record<PendingActionStatus, readonly [tone: Tone, text: string]>> = {
  waiting: ['warning', 'Waits for a second person'],
  confirmed: ['warning', 'Is being carried out'],
  done: ['good', 'Done'],
  failed: ['bad', 'Confirmed, but refused'],
  unknown: ['bad', 'Confirmed, outcome unknown'],
  declined: ['neutral', 'Declined'],
  withdrawn: ['neutral', 'Withdrawn'],
  outdated: ['neutral', 'Outdated'],
  expired: ['neutral', 'Expired'],
}
