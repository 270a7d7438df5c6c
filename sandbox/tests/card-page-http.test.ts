import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { request } from 'undici'
import { type CardFixture, startCardFixture } from './card-fixture.ts'

const GOOD = { email: 'payer@example.com', card_number: '4242 4242 4242 4242', expiry: '04/40', cvc: '123' }
const CHALLENGED = { ...GOOD, card_number: '4000002500003155' }

describe('hosted card page over HTTP', () => {
  let fixture: CardFixture

  beforeEach(async () => {
    fixture = await startCardFixture()
  })
  afterEach(async () => {
    await fixture.stop()
  })

  const get = async (url: string) => {
    const { statusCode: status, headers, body } = await request(url)
    return { status, headers, html: await body.text() }
  }
  const post = async (url: string, form: Record<string, string>) => {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    const { statusCode: status, headers, body } = answer
    return { status, headers, html: await body.text() }
  }
  const statusOf = async (processorOrderId: string) =>
    (await fixture.parts.readPayment(processorOrderId)).status

  test('loads no foreign resource, runs no script and cannot be framed', async () => {
    const { orderUrl } = await fixture.checkout()
    const { headers, html } = await get(orderUrl)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; " +
        `form-action 'self' ${fixture.platform.url}; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(html).not.toContain('<script')
    expect([...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, url]) => url)).toEqual([
      'data:,',
      '/pay/page.css',
      `${fixture.platform.url}/sorry`,
    ])
  })

  test('escapes texts of the merchant', async () => {
    const nasty = `<script>alert("1")</script>&'`
    const { orderUrl } = await fixture.checkout({ merchantName: nasty, description: nasty })
    const { html } = await get(orderUrl)
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;')
  })

  test.each([
    ['JPY', 1_250, '¥1,250'],
    ['EUR', 123_456, '€1,234.56'],
    ['KWD', 1_234_567, 'KWD\u00a01,234.567'],
    ['USD', 99_999_999_999, '$999,999,999.99'],
    ['IQD', 5, 'IQD\u00a00.005'],
  ])('writes an amount in %s as it is written in that currency', async (currency, totalCents, shown) => {
    const { orderUrl } = await fixture.checkout({ currency, totalCents, refundableCents: totalCents })
    expect((await get(orderUrl)).html).toContain(`<p class="amount">${shown}</p>`)
  })

  test('answers 404 for an unknown page token', async () => {
    const url = `${fixture.sandbox.url()}/pay/unknown`
    for (const answer of [await get(url), await post(url, GOOD), await get(`${url}/challenge`)]) {
      expect(answer.status).toBe(404)
      expect(answer.html).toContain('No payment has this address')
    }
  })

  test('refuses a number that is not a test card and never shows it again', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    const { status, html } = await post(orderUrl, { ...GOOD, card_number: '5555 5555 5555 4444' })
    expect(status).toBe(422)
    expect(html).toContain('Never enter a real card')
    expect(html).not.toContain('5555')
    expect(html).not.toContain('value="123"')
    expect(await statusOf(processorOrderId)).toBe('new')
    expect(fixture.platform.authorizationRequests).toEqual([])
  })

  test.each([
    ['no e-mail', { email: '' }, 'Enter an e-mail address'],
    ['half an e-mail', { email: 'payer@' }, 'Enter an e-mail address'],
    ['a short number', { card_number: '4242' }, '12 to 19 digits'],
    ['an invalid month', { expiry: '13/40' }, 'month and year'],
    ['a date gone by', { expiry: '01/20' }, 'has expired'],
    ['a code of two digits', { cvc: '12' }, '3 or 4 digits'],
  ])('shows the error of %s at its field', async (_, change, message) => {
    const { orderUrl } = await fixture.checkout()
    const { status, html } = await post(orderUrl, { ...GOOD, ...change })
    expect(status).toBe(422)
    const [field] = Object.keys(change)
    expect(html).toMatch(new RegExp(`id="${field}-error">[^<]*${message}`))
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(1)
  })

  test.each(['0440', '04/40', '4/40', '04/2040', '04 40'])(
    'accepts an expiry typed as %s',
    async (expiry) => {
      const { orderUrl } = await fixture.checkout()
      expect((await post(orderUrl, { ...GOOD, expiry })).status).toBe(303)
    },
  )

  test.each([{}, { email: 'x'.repeat(5_000) }, { card_number: 'a', extra: 'b' }])(
    'reports a form of %j as an error of its fields',
    async (form) => {
      const { orderUrl } = await fixture.checkout()
      expect((await post(orderUrl, form as Record<string, string>)).status).toBe(422)
    },
  )

  test('does not charge a blocked payer, and the payment stays new', async () => {
    const { orderUrl, processorOrderId, orderKey } = await fixture.checkout()
    fixture.platform.setAuthorization('blocked')
    const { status, html } = await post(orderUrl, GOOD)
    expect(status).toBe(403)
    expect(html).toContain('This payment cannot be accepted. Nothing was charged.')
    expect(await statusOf(processorOrderId)).toBe('new')
    const [question] = fixture.platform.authorizationRequests
    expect(
      fixture.parts.verifyAuthorization(
        question?.headers ?? {},
        question?.body ?? Buffer.alloc(0),
        new Date(),
      ),
    ).toEqual({
      ok: true,
      request: { processorOrderId, orderKey, payerIp: '127.0.0.1', payerEmail: 'payer@example.com' },
    })
  })

  test.each(['failing', 'nonsense'] as const)('charges nobody while the platform is %s', async (word) => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    fixture.platform.setAuthorization(word)
    const { status, html } = await post(orderUrl, GOOD)
    expect(status).toBe(503)
    expect(html).toContain('Try again in a moment')
    expect(await statusOf(processorOrderId)).toBe('new')
    fixture.platform.setAuthorization('allowed')
    expect((await post(orderUrl, GOOD)).status).toBe(303)
  })

  test('does not allow the challenge to be bypassed', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    const challenge = `${orderUrl}/challenge`
    expect((await post(challenge, { code: '123456' })).headers['location']).toBe(new URL(orderUrl).pathname)
    await post(orderUrl, CHALLENGED)
    for (const left of [2, 1]) {
      const { status, html } = await post(challenge, { code: '000000' })
      expect(status).toBe(422)
      expect(html).toContain(`Tries left: ${left}.`)
    }
    const last = await post(challenge, { code: '000000' })
    expect(last.status).toBe(402)
    expect(last.html).toContain('The card was declined')
    expect((await post(challenge, { code: '123456' })).headers['location']).toBe(new URL(orderUrl).pathname)
    expect(await statusOf(processorOrderId)).toBe('new')
  })

  test('does not charge a blocked payer after the challenge either', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    await post(orderUrl, CHALLENGED)
    fixture.platform.setAuthorization('blocked')
    expect((await post(`${orderUrl}/challenge`, { code: '123 456' })).status).toBe(403)
    expect(await statusOf(processorOrderId)).toBe('new')
  })

  test('pays once for a form that is sent twice concurrently', async () => {
    const { orderUrl, processorOrderId } = await fixture.checkout()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(orderUrl, GOOD)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 303))
    expect(await fixture.parts.readPayment(processorOrderId)).toMatchObject({
      status: 'completed',
      paidCents: 10_000,
    })
    const events = fixture.platform.notices.map(({ body }) => Buffer.from(body).toString('utf8'))
    expect(new Set(events).size).toBeLessThanOrEqual(1)
  })

  test('does not charge a payment that ended while the payer was typing', async () => {
    const { orderUrl, orderKey, processorOrderId } = await fixture.checkout()
    await fixture.post(`card-payments/${orderKey}`, { outcome: 'expired' })
    expect((await post(orderUrl, GOOD)).headers['location']).toBe(new URL(orderUrl).pathname)
    expect(await statusOf(processorOrderId)).toBe('expired')
    expect(fixture.platform.authorizationRequests).toEqual([])
  })

  test.each([
    ['completed', 'Payment complete', '/thanks'],
    ['processing', 'Payment in progress', '/thanks'],
    ['cancelled', 'Payment cancelled', '/sorry'],
    ['expired', 'Payment expired', '/sorry'],
  ])('shows that a payment is %s and leads back', async (outcome, title, path) => {
    const { orderUrl, orderKey } = await fixture.checkout()
    await fixture.post(`card-payments/${orderKey}`, { outcome })
    const { html } = await get(orderUrl)
    expect(html).toContain(`<h1>${title}</h1>`)
    expect(html).toContain(`href="${fixture.platform.url}${path}"`)
  })

  test.each([
    'https://shop.example;sandbox/',
    'https://shop.example,*/;form-action,*',
    'https://*/',
    'https://[::1]/',
  ])(
    'keeps %s out of the policy, and shows the result with a link instead of redirecting to it',
    async (returnUrl) => {
      const { orderUrl } = await fixture.checkout({ returnUrl, failureUrl: 'https://shop-2.example:8443/a' })
      expect((await get(orderUrl)).headers['content-security-policy']).toContain(
        "form-action 'self' https://shop-2.example:8443; base-uri 'none'",
      )
      expect((await post(orderUrl, GOOD)).headers['location']).toBe(new URL(orderUrl).pathname)
      const { headers, html } = await get(orderUrl)
      expect(headers['content-security-policy']).not.toMatch(/[*,]|sandbox|::1/)
      expect(html).toContain(`href="${returnUrl}"`)
    },
  )

  test('shows the outcome itself when the merchant gave no addresses', async () => {
    // An older payments service sends no address where the integration has none.
    const none = { returnUrl: null as unknown as string, failureUrl: null }
    const { orderUrl } = await fixture.checkout(none)
    expect((await get(orderUrl)).headers['content-security-policy']).toContain("form-action 'self';")
    expect((await post(orderUrl, GOOD)).headers['location']).toBe(new URL(orderUrl).pathname)
    expect((await get(orderUrl)).html).toContain('You can close this page')
  })
})
