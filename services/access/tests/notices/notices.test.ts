import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { newId, newIdAt } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { eventSubject, type DomainEvent } from '@causeway/contracts'
import { MINUTE_MS, newBrowser, startPeople, type StartedPeople } from '../people/people-fixture.ts'

const NAME = 'Ada’s Flowers'
const HOUR_MS = 60 * MINUTE_MS

let started: StartedPeople
let partnerId: string
let merchantId: string
let relationshipId: string

beforeAll(async () => {
  started = await startPeople()
})
afterAll(() => started.close())
beforeEach(async () => {
  partnerId = await started.newPartnerId()
  merchantId = newId('merchant')
  relationshipId = newId('relationship')
  started.fixture.script.noticed[relationshipId] = noticed()
})

const noticed = (change = {}) => ({
  customer_id: merchantId,
  name: NAME,
  relationship_status: 'active' as const,
  link_confirmed: true,
  ...change,
})

let count = 0
/** A person of an owner, whose only mail so far is the invitation. */
const join = async (owner: 'partners' | 'merchants', role = 'owner', ownerId?: string) => {
  const email = `noticed-${(count += 1)}@shop.example`
  const id = owner === 'partners' ? (ownerId ?? partnerId) : await started.newPartnerId()
  const personId = await started.joined(`partners/${id}`, email, role)
  if (owner === 'merchants')
    // Onboarding of the fixture knows one merchant, and each test needs another one.
    await started.sql(`UPDATE people SET owner_kind = 'merchant', owner_id = $2 WHERE person_id = $1`, [
      personId,
      ownerId ?? merchantId,
    ])
  return { email, personId }
}
const noticesTo = async ({ email }: Readonly<{ email: string }>) =>
  (await started.mailsTo(email)).filter(({ subject }) => !subject.endsWith('to the portal'))
const subjectsTo = async (person: Readonly<{ email: string }>) =>
  (await noticesTo(person)).map(({ subject }) => subject)

type Name =
  'requirement.created' | 'verification.rejected' | 'payout.sent' | 'payout.returned' | 'payment.chargeback'
const MERCHANT_EVENTS = {
  'payout.sent': 'payout_sent',
  'payout.returned': 'payout_returned',
  'payment.chargeback': 'chargeback',
} as const
const SECRET = 'Passport of Jane Doe'

/** An event as its service emits it. */
const eventOf = (name: Name, data: Record<string, unknown> = {}): DomainEvent => {
  const event = name in MERCHANT_EVENTS ? MERCHANT_EVENTS[name as keyof typeof MERCHANT_EVENTS] : null
  return {
    id: newIdAt('event', started.clock.nowMs()),
    name,
    created_at: started.clock.now().toISOString(),
    partners: [
      {
        partner_id: partnerId,
        partner_customer_id: relationshipId,
        type: name,
        data: { message: SECRET, rejection_reason: SECRET, raised_by: 'service', ...data },
      },
    ],
    merchant: event && {
      merchant_id: merchantId,
      integration_id: null,
      event,
      body: { event, order: { id: 'po_1', amount: '12.34' } },
    },
    fact: null,
  }
}
const publish = (event: DomainEvent, messageId = event.id) =>
  started.fixture.bus.publishEvent(eventSubject(event.name), JSON.stringify(event), messageId, null)
/** Publishes events and waits until access has handled all of them. */
const handled = async (...events: DomainEvent[]) => {
  for (const event of events) await publish(event)
  await eventually(async () => {
    const rows = await started.sql('SELECT FROM inbox WHERE event_id = ANY ($1)', [
      events.map(({ id }) => id),
    ])
    return rows.length === events.length
  })
  await eventually(async () => (await started.sql('SELECT FROM mails WHERE outcome IS NULL')).length === 0)
}

describe('a notice', () => {
  test.each([
    ['requirement.created', 'New requirement', ['owner'], ['owner']],
    ['verification.rejected', 'Verification not approved', ['owner'], ['owner']],
    ['payout.sent', 'Payout sent', [], ['owner', 'finance']],
    ['payout.returned', 'Payout returned', ['owner', 'finance'], ['owner', 'finance']],
    ['payment.chargeback', 'Card payment disputed', ['owner', 'finance'], ['owner', 'finance']],
  ] as const)('goes to the roles that %s concerns', async (name, subject, ofPartner, ofMerchant) => {
    const roles = ['owner', 'developer', 'finance', 'viewer']
    const people = await Promise.all(
      (['partners', 'merchants'] as const).flatMap((owner) =>
        roles.map(async (role) => ({ owner, role, ...(await join(owner, role)) })),
      ),
    )
    await handled(eventOf(name))
    const got = await Promise.all(
      people.map(async (person) => ({ ...person, subjects: await subjectsTo(person) })),
    )
    const rolesOf = (owner: string) =>
      got.filter((each) => each.owner === owner && each.subjects.length > 0).map(({ role }) => role)
    expect([rolesOf('partners'), rolesOf('merchants')]).toEqual([ofPartner, ofMerchant])
    expect(new Set(got.flatMap(({ subjects }) => subjects))).toEqual(new Set([subject]))
  })

  test('names the merchant in the body alone, and neither a reason, an amount nor a message', async () => {
    const [ofPartner, ofMerchant] = [await join('partners'), await join('merchants')]
    await handled(
      eventOf('verification.rejected'),
      eventOf('payout.returned'),
      eventOf('requirement.created'),
    )
    const mails = [...(await noticesTo(ofPartner)), ...(await noticesTo(ofMerchant))]
    expect(mails).toHaveLength(6)
    for (const { subject, source, text } of mails) {
      expect([subject, text.includes(NAME), text.includes(merchantId)]).toEqual([subject, true, true])
      expect([subject, /Ada|@|cus_|\d/.test(subject)]).toEqual([subject, false])
      expect([subject, /Jane|12\.34|sanction/i.test(source)]).toEqual([subject, false])
    }
    const links = mails.flatMap((mail) => mail.links)
    expect(links.map((link) => new URL(link).pathname + new URL(link).search).toSorted()).toEqual([
      '/portal/events?event_type=payout.returned',
      '/portal/events?event_type=requirement.created',
      '/portal/events?event_type=verification.rejected',
      '/portal/payouts/po_1',
    ])
  })

  test('is sent once for an event that is delivered again', async () => {
    const person = await join('merchants')
    const event = eventOf('payout.sent')
    await handled(event)
    // Without the limit of an hour, the receipt of the event alone prevents another mail.
    started.clock.advance(2 * HOUR_MS)
    await publish(event, newId('event'))
    await handled(eventOf('payout.returned'))
    expect((await subjectsTo(person)).toSorted()).toEqual(['Payout returned', 'Payout sent'])
  })

  test('is sent once an hour of each kind about a merchant, and 20 times an hour in all', async () => {
    const person = await join('partners')
    await handled(...Array.from({ length: 5 }, () => eventOf('requirement.created')))
    expect(await subjectsTo(person)).toEqual(['New requirement'])
    started.clock.advance(HOUR_MS)
    await handled(eventOf('requirement.created'))
    expect(await subjectsTo(person)).toHaveLength(2)
    started.clock.advance(HOUR_MS)
    const ofMany = Array.from({ length: 25 }, () => {
      merchantId = newId('merchant')
      relationshipId = newId('relationship')
      started.fixture.script.noticed[relationshipId] = noticed()
      return eventOf('requirement.created')
    })
    await handled(...ofMany)
    expect(await subjectsTo(person)).toHaveLength(22)
  })

  test('goes to nobody of another partner or merchant, and to nobody who has not accepted or is removed', async () => {
    const strangers = [
      await join('partners', 'owner', await started.newPartnerId()),
      await join('merchants', 'owner', newId('merchant')),
    ]
    const invited = { email: 'noticed-invited@shop.example' }
    await started.gateway.operate('POST', `/partners/${partnerId}/people`, { ...invited, role: 'owner' })
    await started.invitationFor(invited.email)
    await join('partners')
    const former = await join('partners')
    expect((await started.gateway.operate('DELETE', `/people/${former.personId}`)).status).toBe(204)
    await handled(eventOf('requirement.created'), eventOf('payout.returned'))
    for (const person of [...strangers, invited, former]) expect(await subjectsTo(person)).toEqual([])
  })

  test('goes to no merchant under a link that is not confirmed, and to no partner that is revoked or caused it', async () => {
    const [ofPartner, ofMerchant] = [await join('partners'), await join('merchants')]
    const { noticed: named } = started.fixture.script
    named[relationshipId] = noticed({ link_confirmed: false, relationship_status: 'revoked' })
    await handled(eventOf('requirement.created'), eventOf('verification.rejected'))
    named[relationshipId] = noticed({ link_confirmed: false })
    await handled(eventOf('requirement.created', { raised_by: 'you' }))
    expect([await subjectsTo(ofPartner), await subjectsTo(ofMerchant)]).toEqual([[], []])
  })

  test('goes to no people of a disabled partner', async () => {
    const person = await join('partners')
    await started.gateway.operate('PATCH', `/partners/${partnerId}`, { status: 'disabled' })
    await handled(eventOf('requirement.created'))
    expect(await subjectsTo(person)).toEqual([])
  })

  test('waits while onboarding is unavailable', async () => {
    const person = await join('merchants')
    started.fixture.script.isNamingAway = true
    const event = eventOf('requirement.created')
    await publish(event)
    const [{ n } = { n: -1 }] = await started.sql<{ n: number }>(
      'SELECT count(*)::integer AS n FROM inbox WHERE event_id = $1',
      [event.id],
    )
    expect(n).toBe(0)
    started.fixture.script.isNamingAway = false
    await handled(event)
    expect(await subjectsTo(person)).toEqual(['New requirement'])
  })

  test('is not sent for an event older than a day', async () => {
    const person = await join('merchants')
    const old = eventOf('payout.sent')
    started.clock.advance(24 * HOUR_MS)
    await publish(old)
    await handled(eventOf('payout.returned'))
    expect(await subjectsTo(person)).toEqual(['Payout returned'])
  })
})

test('lists an event that access cannot read among the parked ones, retries it, and sets it aside', async () => {
  const eventId = newId('event')
  await started.fixture.bus.publishEvent('events.onboarding.requirement.created', 'not json', eventId, null)
  const path = `/parked-events/access-notices/${eventId}`
  const parked = { service: 'access', consumer: 'access-notices', event_id: eventId }
  const operate = (method: 'GET' | 'POST', action = '', body?: unknown) =>
    started.gateway.operate(method, `${path}${action}`, body)
  await eventually(async () => (await operate('GET')).status === 200)
  expect((await operate('GET')).data).toMatchObject({ parked_event: { ...parked, payload: 'not json' } })
  expect((await operate('POST', '/retry')).data).toMatchObject({ result: 'failed', parked_event: parked })
  const setAside = await operate('POST', '/set-aside', { note: 'not an event' })
  expect(setAside.data).toMatchObject({ parked_event: { ...parked, note: 'not an event' } })
  expect((await started.gateway.operate('GET', '/parked-events?state=set_aside')).text).toContain(eventId)
})

describe('the preferences of a person', () => {
  const signIn = async ({ email, personId }: Readonly<{ email: string; personId: string }>) => {
    const browser = newBrowser(started.gateway)
    await browser.post(await started.askForLink(browser, email), { person_id: personId })
    return browser
  }
  const CHECKED = /value="payout_sent"\s+checked/
  const mutedOf = async (personId: string) =>
    (
      await started.sql<{ muted: string[] }>(
        'SELECT muted_notices AS muted FROM people WHERE person_id = $1',
        [personId],
      )
    )[0]?.muted
  const save = (browser: Awaited<ReturnType<typeof signIn>>, form: Record<string, string>) =>
    browser.submit('/portal/sessions', '/portal/sessions/preferences', form)

  test('switch off one kind for one person, and leave the others and other people as they are', async () => {
    const [person, other] = [await join('merchants'), await join('merchants')]
    const browser = await signIn(person)
    expect((await browser.get('/portal/sessions')).text).toMatch(CHECKED)
    await save(browser, { offered_notices: 'payout_sent', mails_new_sign_in: 'true' })
    expect((await browser.get('/portal/sessions')).text).not.toMatch(CHECKED)
    await handled(eventOf('payout.sent'), eventOf('payout.returned'))
    expect(await subjectsTo(person)).toEqual(['Payout returned'])
    expect((await subjectsTo(other)).toSorted()).toEqual(['Payout returned', 'Payout sent'])
    await save(browser, { offered_notices: 'payout_sent', notices: 'payout_sent' })
    expect(await mutedOf(person.personId)).toEqual([])
  })

  test('offer the kinds of the role, ignore unknown ones, and keep those that the form does not have', async () => {
    const viewer = await join('partners', 'viewer')
    expect((await (await signIn(viewer)).get('/portal/sessions')).text).not.toContain('offered_notices')
    const finance = await join('partners', 'finance')
    const browser = await signIn(finance)
    const page = (await browser.get('/portal/sessions')).text
    expect([...page.matchAll(/name="offered_notices" value="(\w+)"/g)].map(([, kind]) => kind)).toEqual([
      'payout_returned',
      'dispute',
    ])
    await save(browser, { offered_notices: 'dispute' })
    await save(browser, { offered_notices: 'sign_in_link' })
    await save(browser, {})
    expect(await mutedOf(finance.personId)).toEqual(['dispute'])
  })

  test('belong to the person of the session alone: a session of a link has none', async () => {
    const person = await join('partners')
    const made = await started.gateway.operate('POST', `/partners/${partnerId}/portal-links`)
    const { url } = (made.data as unknown as { portal_link: { url: string } }).portal_link
    const browser = newBrowser(started.gateway)
    await browser.post(new URL(url).pathname)
    expect((await browser.get('/portal/sessions')).status).toBe(200)
    expect((await browser.get('/portal/sessions')).text).not.toContain('offered_notices')
    expect((await save(browser, { offered_notices: 'dispute' })).status).toBe(404)
    expect(await mutedOf(person.personId)).toEqual([])
  })
})
