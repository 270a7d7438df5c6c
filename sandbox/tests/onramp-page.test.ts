import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Sandbox } from '../src/sandbox.ts'
import { control } from './control.ts'
import { startSandbox } from '../src/testing/index.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ onrampPort: 0 })
})
afterAll(async () => {
  await sandbox.stop()
})

let orders = 0
/** Opens an order as the platform's adapter does. @returns the address of its page */
const newOrder = async (): Promise<string> => {
  orders += 1
  const answer = await fetch(`${sandbox.onrampUrl()}/onramp/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `rmp_${orders}` },
    body: JSON.stringify({
      fiat: 'EUR',
      fiat_amount: '30.00',
      crypto: 'BTC',
      crypto_amount: '0.0005',
      blockchain: 'BTC',
      address: '"><script>alert(1)</script>',
      return_url: 'https://shop.example/thanks',
      notice_url: `${sandbox.url()}/nowhere`,
    }),
  })
  return ((await answer.json()) as { checkout_url: string }).checkout_url
}
const press = (page: string, action: string) =>
  fetch(page, { method: 'POST', body: new URLSearchParams({ action }) })

test('shows what is bought, and runs no markup of the request', async () => {
  const page = await newOrder()
  const answer = await fetch(page)
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await answer.text()
  expect(text).toContain('Buy 0.0005 BTC')
  expect(text).toContain('href="https://shop.example/thanks"')
  expect(text).not.toContain('<script>alert')
})

test.each([
  ['pay', 'complete'],
  ['verify', 'extraVerification'],
  ['decline', 'declined'],
  ['cancel', 'cancelled'],
])('answers the button %s by the order status %s', async (action, status) => {
  const answer = await press(await newOrder(), action)
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(`>${status}</span>`)])
})

test('shows no buttons for an order that is over, and accepts none', async () => {
  const page = await newOrder()
  const id = `rmp_${orders}`
  expect((await control(sandbox, 'POST', `/control/onramp/${id}`, { status: 'declined' })).status).toBe(200)
  expect(await (await fetch(page)).text()).not.toContain('<button class="primary"')
  expect(await (await press(page, 'pay')).text()).toContain('>declined</span>')
})

test('changes nothing for an unknown order or a form without a button', async () => {
  const page = await newOrder()
  expect((await fetch(`${page}x`)).status).toBe(404)
  expect((await press(`${page}x`, 'pay')).status).toBe(404)
  expect(await (await press(page, 'steal')).text()).toContain('>pendingPayment</span>')
})
