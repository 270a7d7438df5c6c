import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { VERSION } from '../fixtures/script.ts'
import { openFixture, type Fixture } from '../fixtures/running-gateway.ts'
import { signIn, type Visitor } from './console-visitor.ts'

let fixture: Fixture
let admin: Visitor
beforeAll(async () => {
  fixture = await openFixture()
  admin = await signIn(await fixture.startReplica())
})
afterAll(async () => {
  await fixture.close()
})

describe('checkouts', () => {
  test('shows an unknown one at the field, and changes nothing', async () => {
    const form = { integration_id: 'int_unknown', url: 'https://example.com' }
    const { status, text } = await admin.post('/console/checkouts/webhook', form)
    expect(status).toBe(404)
    expect(text).toContain('id="field-integration_id-error"')
    expect(text).toContain('value="https://example.com"')
  })
})

describe('agreements', () => {
  const FORM = {
    title: 'Terms',
    version: '2.0',
    effective_date: '2027-01-01',
    effective_at: '2027-01-01T00:00:00Z',
    parties: 'provider: Causeway: the platform\n\nmerchant: You',
    disclosure: 'By accepting you agree.',
    content_base64: 'Die Bedingungen, vollständig.',
  }

  test('publishes a version of one for later, and retires one', async () => {
    expect((await admin.open('/console/agreements')).text).toContain('In force')
    const form = { ...FORM, agreement_id: VERSION.agreement_id, effective_at: '2027-01-01T00:00:00.000Z' }
    const published = await admin.post('/console/agreements/new', form)
    expect(published.headers['location']).toBe('/console/agreements')
    expect(fixture.script.published.at(-1)).toEqual({
      ...form,
      parties: [
        { role: 'provider', name: 'Causeway: the platform' },
        { role: 'merchant', name: 'You' },
      ],
      content_base64: Buffer.from(FORM.content_base64).toString('base64'),
    })
    const retired = await admin.post(`/console/agreements/${VERSION.agreement_id}/retire`)
    expect(retired.headers['location']).toBe('/console/agreements')
    expect((await admin.post('/console/agreements/agr_unknown/retire')).status).toBe(404)
  })

  test.each([
    [{ version: 'taken' }, 'version', 409],
    [{ title: '' }, 'title', 400],
    [{ parties: '' }, 'parties', 400],
    [{ effective_at: 'soon' }, 'effective_at', 400],
    [{ content_base64: '' }, 'content_base64', 400],
  ])('shows an error (%j) at its field, and keeps what was entered', async (change, field, status) => {
    const answer = await admin.post('/console/agreements/new', { ...FORM, ...change })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(`id="field-${field}-error"`)
    expect(answer.text).toContain(FORM.disclosure)
  })
})
