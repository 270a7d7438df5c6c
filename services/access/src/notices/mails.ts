import type { NoticeKind } from '@causeway/contracts'
import { messageOf, type MailTexts } from '../mail/layout.ts'
import type { MailMessage } from '../mail/message.ts'
import { EVENT_OF } from './rules.ts'

/** A notice to a reader. */
export type Notice = Readonly<{
  kind: NoticeKind
  reader: 'partner' | 'merchant'
  /** The merchant as {@link shownName} gives it; null for a webhook, whose owner reads the mail. */
  merchant: string | null
  target: string | null
  publicBaseUrl: string
}>

type Texts = Omit<MailTexts, 'link' | 'after'> & Readonly<{ after?: readonly string[] }>

const ASK_PARTNER =
  'The onboarding link that your partner gave you shows what is needed. Ask your partner for a new link if it has expired.'

/**
 * The texts of a notice: no amount, no reason and no personal data but the merchant's name, which is only in the body. That of a
 * rejection is the same for every reason: a reason could warn somebody who is under investigation.
 */
const textsOf = ({ kind, reader, merchant }: Notice): Texts => {
  switch (kind) {
    case 'requirement':
      return {
        subject: 'New requirement',
        before: [`A new requirement was raised for ${merchant}.`],
        ...(reader === 'merchant' && { after: [ASK_PARTNER] }),
      }
    case 'rejection':
      return {
        subject: 'Verification not approved',
        before: [`The verification of ${merchant} was not approved.`],
        ...(reader === 'merchant' && { after: ['If you have questions, contact your partner.'] }),
      }
    case 'payout_sent':
      return { subject: 'Payout sent', before: [`A payout to ${merchant} was sent.`] }
    case 'payout_returned':
      return {
        subject: 'Payout returned',
        before: [
          `A payout to ${merchant} came back. The amount is available again.`,
          'Check where payouts go: the next payout pays the amount again.',
        ],
      }
    case 'dispute':
      return {
        subject: 'Card payment disputed',
        before: [
          `A cardholder disputes a card payment to ${merchant}.`,
          'Stop delivering, and collect evidence of the sale.',
        ],
      }
    case 'webhook_failing':
      return {
        subject: 'Webhook failing',
        before: [
          'A delivery to one of your webhooks was given up after its last attempt.',
          'Its page shows the responses. Repair the endpoint, then resend the events.',
        ],
      }
  }
}

/** The page of the portal that shows what happened; null where the portal has none for the reader. */
const pathOf = ({ kind, reader, target }: Notice): string | null => {
  if (kind === 'webhook_failing') return `/portal/webhooks/${target ?? ''}`
  if (reader === 'partner') return `/portal/events?event_type=${EVENT_OF[kind]}`
  if (kind === 'requirement' || kind === 'rejection') return null
  if (kind === 'dispute')
    return target === null ? '/portal/balances' : `/portal/balances/order?order_key=${target}`
  return target === null ? '/portal/payouts' : `/portal/payouts/${target}`
}

const LIMITS = {
  merchant: 'an hour is sent about a merchant',
  webhook: 'a day is sent about a webhook',
} as const

/** Builds the mail of a notice. */
export const noticeMail = (to: string, notice: Notice): MailMessage => {
  const { after = [], ...texts } = textsOf(notice)
  const path = pathOf(notice)
  return messageOf(to, {
    ...texts,
    link: path === null ? null : { text: 'Open it in the portal', url: notice.publicBaseUrl + path },
    after: [
      ...after,
      `At most one such e-mail ${LIMITS[notice.kind === 'webhook_failing' ? 'webhook' : 'merchant']}. You can switch these e-mails off on the page “Sessions” of the portal.`,
    ],
  })
}
