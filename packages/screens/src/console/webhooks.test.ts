import { expect, test } from '@jest/globals'
import type { Operation, StaffRole } from '@causeway/contracts'
import type { Answer, ScreenRequest, SessionRequest } from '../screen.ts'
import { ownerWebhookScreens } from './webhooks.ts'

const AT = '2026-11-27T08:00:00.000Z'
const WEBHOOK = {
  webhook_id: 'whk_1',
  url: 'https://receiver.example/hook',
  event_types: [],
  status: 'active',
  created_at: AT,
  former_secret_until: AT,
}
const EVENT = {
  event_id: 'evt_1',
  event_type: 'payment.confirmed',
  created_at: AT,
  integration_id: null,
  deliveries: [{ webhook_id: 'whk_1', status: 'dead', next_attempt_at: null }],
  payload: {},
}
const DELIVERY = {
  delivery_id: 'del_1',
  event_id: 'evt_1',
  event_type: 'payment.confirmed',
  status: 'dead',
  attempts: [],
  next_attempt_at: null,
  created_at: AT,
}
const REDELIVERY = {
  redelivery_id: 'rdl_1',
  webhook_id: 'whk_1',
  status: 'running',
  event_status: null,
  since: AT,
  until: AT,
  reached: AT,
  per_second: 50,
  sent: 3,
  created_at: AT,
  finished_at: null,
}
/** The fields of every reply that these screens read. */
const REPLY = {
  webhooks: [WEBHOOK],
  events: [EVENT],
  event: EVENT,
  deliveries: [DELIVERY],
  redeliveries: [REDELIVERY],
  redelivery: REDELIVERY,
  entries: [],
  next_cursor: null,
}

const PARAMETERS: Readonly<Record<string, string>> = {
  partnerId: 'prt_1',
  customerId: 'cus_1',
  webhookId: 'whk_1',
  eventId: 'evt_1',
  redeliveryId: 'rdl_1',
}

/** Opens every page of an owner as staff of a role. */
const openAll = (owner: 'partners' | 'merchants', role: StaffRole) =>
  Promise.all(
    ownerWebhookScreens
      .filter(({ method, path }) => method === 'GET' && path.startsWith(`/console/${owner}/`))
      .map(async ({ path, answer }) => {
        const called: string[] = []
        const request = {
          ask: async ({ subject }: Operation) => {
            called.push(subject)
            return { ok: true, value: REPLY }
          },
          params: PARAMETERS,
          query: new URLSearchParams(),
          form: new URLSearchParams(),
          session: { principal: { kind: 'staff', actor: 'stk_1', role }, formToken: 'token' },
        } as unknown as ScreenRequest & SessionRequest
        return { path, called, answer: await answer(request) }
      }),
  )

const formsOf = (answer: Answer): string[] =>
  answer.kind === 'page'
    ? [...String(answer.html).matchAll(/method="post"\s+action="([^"]+)"/g)]
        .map(([, action = '']) => action)
        .filter((action) => action !== '/console/sign-out')
    : []

test('shows an admin every form of a partner’s webhooks, each below the partner', async () => {
  const pages = await openAll('partners', 'admin')
  const forms = new Set(pages.flatMap(({ answer }) => formsOf(answer)))
  const webhook = '/console/partners/prt_1/webhooks/whk_1'
  expect([...forms].toSorted()).toEqual([
    '/console/partners/prt_1/webhooks/new',
    `${webhook}/delete`,
    `${webhook}/disable`,
    `${webhook}/edit`,
    `${webhook}/events/evt_1/resend`,
    `${webhook}/redeliveries`,
    `${webhook}/redeliveries/rdl_1/cancel`,
    `${webhook}/secret`,
    `${webhook}/secret/end`,
    `${webhook}/test`,
  ])
})

test.each(['viewer', 'finance'] as const)(
  'shows the role %s the pages of a partner’s webhooks without forms',
  async (role) => {
    const pages = await openAll('partners', role)
    expect(pages.flatMap(({ answer }) => formsOf(answer))).toEqual([])
    const refused = pages.filter(({ answer }) => answer.kind === 'error')
    expect(refused.map(({ path, called, answer }) => [path.split('/').at(-1), called, answer])).toEqual(
      ['new', 'edit', 'delete', 'secret'].map((name) => [
        name,
        [],
        { kind: 'error', code: 'insufficient_scope' },
      ]),
    )
  },
)

test('shows staff the log of a merchant’s webhooks, and no page that manages them', async () => {
  const pages = await openAll('merchants', 'admin')
  const forms = new Set(pages.flatMap(({ answer }) => formsOf(answer)))
  const webhook = '/console/merchants/cus_1/webhooks/whk_1'
  expect([...forms].toSorted()).toEqual([
    `${webhook}/events/evt_1/resend`,
    `${webhook}/redeliveries`,
    `${webhook}/redeliveries/rdl_1/cancel`,
  ])
  expect(pages.every(({ answer }) => answer.kind === 'page')).toBe(true)
  const called = pages.flatMap((page) => page.called).filter((subject) => subject.startsWith('webhooks.'))
  expect(called.filter((subject) => !subject.includes('of-merchant'))).toEqual([])
})
