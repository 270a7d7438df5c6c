import type { Delivery } from '@causeway/contracts'
import {
  definitionList,
  html,
  linkButton,
  notice,
  submit,
  table,
  time,
  type Column,
  type Html,
  type Part,
} from '../design/index.ts'
import type { Webhook } from './client.ts'
import { portalForm, portalPage, webhookPath, WEBHOOKS_PATH, type PortalSession } from './frame.ts'
import { healthOf, type Health } from './health.ts'
import { stateTag } from './log-view.ts'
import { takes } from './webhooks-view.ts'

/** Deliveries that the page of a webhook shows, of those by which its health is judged. */
const SHOWN = 20

const resultOf = (attempt: Delivery['attempts'][number] | undefined): string => {
  if (attempt === undefined) return 'not tried yet'
  return attempt.status_code === null ? (attempt.error ?? 'no answer') : `answered ${attempt.status_code}`
}

/** Columns of a list of deliveries to one webhook. */
export const deliveryColumns = (webhookId: string): Column<Delivery>[] => [
  {
    heading: 'Event',
    cell: ({ event_id: eventId, event_type: type }) =>
      html`<a href="${webhookPath(webhookId)}/events/${eventId}">${type}</a>`,
  },
  { heading: 'State', cell: ({ status }) => stateTag(status) },
  { heading: 'Last attempt', cell: ({ attempts }) => resultOf(attempts.at(-1)) },
  { heading: 'Attempts', cell: ({ attempts }) => attempts.length, isNumber: true },
  {
    heading: 'Next attempt',
    cell: ({ next_attempt_at: at }) => (at === null ? '–' : time(at)),
  },
  { heading: 'Since', cell: ({ created_at: at }) => time(at) },
]

const percent = (share: number | null): string =>
  share === null ? 'none has ended' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`
const milliseconds = (value: number | null): string => (value === null ? 'no answer yet' : `${value} ms`)

const healthNotice = ({ total, failingSince }: Health): Html => {
  if (failingSince !== null)
    return notice(
      'bad',
      'This receiver is failing.',
      html`No attempt has arrived since ${time(failingSince)}. Open a delivery below to see what was answered.`,
    )
  return total === 0
    ? notice('neutral', 'Nothing was sent here yet.', 'Send a test call to see that the receiver answers.')
    : notice('good', 'The last attempt arrived.')
}

const healthSection = (health: Health): Html =>
  html`<section class="sheet" aria-labelledby="health">
    <h2 id="health">Health</h2>
    ${healthNotice(health)}
    ${
      health.total > 0 &&
      definitionList([
        { term: `Delivered, of the last ${health.total}`, value: percent(health.deliveredShare) },
        { term: 'Half of the answers came within', value: milliseconds(health.p50) },
        { term: '99 of 100 answers came within', value: milliseconds(health.p99) },
      ])
    }
  </section>`

type WebhookPage = Readonly<{
  session: PortalSession
  id: string
  /** Null for an integration's own URL, which staff keep. */
  webhook: Webhook | null
  choosable: readonly string[] | null
  /** The newest, up to 100. */
  deliveries: readonly Delivery[]
}>

const factsOf = ({ webhook, choosable, id }: WebhookPage): Html =>
  definitionList([
    { term: 'Webhook', value: html`<code>${id}</code>` },
    ...(webhook === null
      ? [{ term: 'Kept by', value: 'The support team of this platform' }]
      : [
          { term: 'Takes', value: takes(webhook, choosable) },
          {
            term: 'Secret',
            value:
              webhook.formerSecretUntil === null
                ? 'One'
                : html`Two: the former one signs until ${time(webhook.formerSecretUntil)}.
                    <a href="${webhookPath(id)}/secret">End it now</a>`,
          },
          { term: 'Added', value: time(webhook.createdAt) },
        ]),
  ])

const actionsOf = ({ session, id, webhook }: WebhookPage): Html => {
  const path = webhookPath(id)
  return html`<div class="actions">
    ${webhook !== null && portalForm(session, `${path}/test`, submit('Send a test call'))}
    ${webhook?.disabledAt === null && portalForm(session, `${path}/disable`, submit('Disable', 'quiet'))}
    ${linkButton(`${path}/redeliveries`, 'Send many again', 'quiet')}
    ${
      webhook !== null &&
      html`${linkButton(`${path}/edit`, 'Change', 'quiet')}
      ${linkButton(`${path}/secret`, 'New secret', 'quiet')}
      ${linkButton(`${path}/delete`, 'Delete', 'quiet')}`
    }
  </div>`
}

/** Says that nothing is sent, and how it goes on. */
const disabledNotice = ({ session, id, webhook }: WebhookPage): Part =>
  webhook !== null &&
  webhook.disabledAt !== null &&
  html`${notice(
    'warning',
    'Disabled: nothing is sent here.',
    html`Since ${time(webhook.disabledAt)}. What happens meanwhile is in the event log; send it with “Send
    many again” once you have enabled the webhook. What was waiting is tried then by itself. A test call is
    sent all the same.`,
  )}
  ${portalForm(session, `${webhookPath(id)}/enable`, html`<p class="actions">${submit('Enable')}</p>`)}`

/** One webhook: how it does, what can be done with it, and what was sent to it last. */
export const webhookPage = (content: WebhookPage): Html => {
  const { session, id, webhook, deliveries } = content
  return portalPage({
    session,
    title: webhook?.url ?? id,
    current: WEBHOOKS_PATH,
    main: html`<h1>${webhook?.url ?? id}</h1>
      ${disabledNotice(content)} ${factsOf(content)} ${actionsOf(content)}
      ${healthSection(healthOf(deliveries))}
      ${table({
        caption: 'Deliveries, newest first',
        columns: deliveryColumns(id),
        rows: deliveries.slice(0, SHOWN),
        empty: 'No delivery yet.',
      })}
      <p class="actions">${linkButton(`${webhookPath(id)}/deliveries`, 'All deliveries', 'quiet')}</p>`,
  })
}
