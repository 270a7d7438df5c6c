import { expect, test } from '@jest/globals'
import { KybWrite, lastModified, verifications, type Operation, type Verification } from '@causeway/contracts'
import { z } from 'zod'
import type { Answer } from '../screen.ts'
import type { OnboardingRequest } from './request.ts'
import { loadLanguage } from '../languages/language.ts'
import { onboardingScreens } from './screens.ts'

const language = await loadLanguage('en')

type Written = Readonly<{ query?: { unmodified_since?: string }; body?: KybWrite }>

/** A write of another device, between the read of a form's state and the write of the form, once for each. */
type Interference = (stored: Verification) => Partial<Verification>

/** A service whose state another device changes just before a write arrives, as often as there are interferences. */
const racing = (stored: Partial<Verification>, interferences: Interference[]) => {
  const service = {
    verification: { status: 'draft', created_at: '2026-11-01T10:00:00.000Z', ...stored } as Verification,
    writes: [] as KybWrite[],
  }
  const change = (values: Partial<Verification>) => {
    const updated = new Date(Date.parse(lastModified(service.verification)) + 1).toISOString()
    service.verification = { ...service.verification, ...values, updated_at: updated }
  }
  const submit = ({ query, body = {} }: Written) => {
    const interference = interferences.shift()
    if (interference !== undefined) change(interference(service.verification))
    if (lastModified(service.verification) > (query?.unmodified_since ?? ''))
      return { ok: false, code: 'invalid_state', details: [{ from: 'draft', reason: 'modified' }] }
    service.writes.push(body)
    change(body as Partial<Verification>)
    return { ok: true, value: { submitted: false, blocked_by: null, verification: service.verification } }
  }
  const schema = z.toJSONSchema(KybWrite, { io: 'input', reused: 'inline' })
  const replies: Readonly<Record<string, object>> = {
    [verifications.getSchema.subject]: { schema, required_at_submission: [], document_types: [] },
  }
  const ask = (operation: Operation, input: Written) => {
    if (operation.subject === verifications.submit.subject) return Promise.resolve(submit(input))
    const empty = { next_steps: [], documents: [], agreements: [], requirements: [], next_cursor: null }
    const value = { ...empty, verification: service.verification, ...replies[operation.subject] }
    return Promise.resolve({ ok: true, value })
  }
  const post = (path: string, params: Record<string, string>, fields: Record<string, string>) => {
    const screen = onboardingScreens().find((each) => each.method === 'POST' && each.path === path)
    if (screen === undefined) throw new Error(`No form at ${path}`)
    const request = {
      ask,
      link: {
        path: '/onboarding/t',
        customerId: 'pcu_1',
        partnerName: 'Shops',
        brand: null,
        returnUrl: null,
      },
      params,
      query: new URLSearchParams(),
      form: new URLSearchParams(fields),
      language,
      isLanguageInUrl: false,
      pagePath: '/onboarding/token',
      formToken: 'token',
      evidence: {},
      now: new Date(),
    }
    return screen.answer(request as unknown as OnboardingRequest)
  }
  return { service, post }
}

const pageOf = (answer: Answer) => {
  if (answer.kind !== 'page') throw new Error(`No page but ${answer.kind}`)
  return { status: answer.status, html: String(answer.html) }
}
const adds =
  (name: string): Interference =>
  ({ directors }) => ({ directors: [...directors, { full_name: name }] })

test('keeps people whom other replicas add between reading and writing', async () => {
  const { service, post } = racing({ directors: [], ubos: [] }, [adds('Grace'), adds('Edsger')])
  const answer = await post('/people/:list/:place', { list: 'directors', place: 'new' }, { full_name: 'Ada' })
  expect(answer).toMatchObject({ kind: 'redirect' })
  expect(service.verification.directors.map(({ full_name: name }) => name)).toEqual([
    'Grace',
    'Edsger',
    'Ada',
  ])
})

test('shows a field that another replica changes concurrently, and does not overwrite it', async () => {
  const contact = { first_name: 'Ada', last_name: null } as Verification['contact']
  const { service, post } = racing({ contact }, [
    ({ contact: now }) => ({ contact: { ...now, first_name: 'Grace' } }),
  ])
  const answer = await post(
    '/details/:group',
    { group: 'contact' },
    { first_name: 'Edsger', 'was.first_name': 'Ada' },
  )
  const { status, html } = pageOf(answer)
  expect(status).toBe(422)
  expect(html).toContain('Another device changed this to “Grace” in the meantime')
  expect(service.writes).toEqual([])
})

test('submits nothing that changed after the page was rendered, or during the submission', async () => {
  const renames: Interference = ({ business }) => ({ business: { ...business, legal_name: 'Unseen Ltd' } })
  const complete = {
    business: { legal_name: 'Seen Ltd' } as Verification['business'],
    directors: [{ full_name: 'Ada' }],
    ubos: [{ full_name: 'Ada' }],
    consent: { version: null, marketing_opt_in: false },
  }
  for (const [seen, interferences] of [
    ['2026-10-31T10:00:00.000Z', []],
    ['2026-11-01T10:00:00.000Z', [renames]],
  ] as const) {
    const { service, post } = racing(complete, [...interferences])
    const { status, html } = pageOf(await post('/review', {}, { consent: 'true', seen }))
    expect(status).toBe(409)
    expect(html).toContain('Nothing was submitted: the data changed in the meantime')
    expect(html).toContain(interferences.length === 0 ? 'Seen Ltd' : 'Unseen Ltd')
    expect(service.writes).toEqual([])
  }
})

test('reports that nothing was done when a form loses every race', async () => {
  const many = Array.from({ length: 20 }, (_, n) => adds(`Person ${n}`))
  const { service, post } = racing({ directors: [], ubos: [] }, many)
  expect(
    await post('/people/:list/:place', { list: 'directors', place: 'new' }, { full_name: 'Ada' }),
  ).toEqual({ kind: 'error', code: 'temporarily_unavailable' })
  expect(service.writes).toEqual([])
})
