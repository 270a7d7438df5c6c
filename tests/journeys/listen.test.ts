import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createApiClient, dataOf } from '../../scripts/demo/api-client.ts'
import { newPartner, signUp, startTestPlatform, type TestPlatform } from './platform.ts'

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
const listeners: ChildProcess[] = []
beforeAll(async () => {
  platform = await startTestPlatform()
  partner = await newPartner(platform)
}, 60_000)
afterEach(() => listeners.splice(0).forEach((listener) => listener.kill('SIGKILL')))
afterAll(() => platform.stop())

/** The script as a user starts it; `lines` grows with what it prints. */
const startListening = async (args: string[], env: Record<string, string>) => {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'listen.ts')
  const child = spawn(process.execPath, [script, '--base-url', platform.baseUrl, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  listeners.push(child)
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const lines = () => printed.split('\n').filter((line) => line !== '')
  await eventually(() => lines()[0]?.startsWith('Listening for the events of '))
  return { child, lines }
}
const interrupt = async (child: ChildProcess): Promise<number> => {
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  return (await ended)[0] as number
}

test('a partner’s verified events are printed, and Ctrl-C takes the webhook away', async () => {
  const destinations = async () =>
    dataOf<{ webhooks: { event_types: string[] }[] }>(await partner.api.get('/api/v1/partner/webhooks'))
      .webhooks
  const { child, lines } = await startListening(
    ['--partner', partner.partnerId, '--types', 'customer.updated'],
    { OPERATOR_API_KEY: platform.operatorKey },
  )
  expect((await destinations()).map((webhook) => webhook.event_types)).toEqual([['customer.updated']])
  const customer = await signUp(partner.api)
  const id = String(customer.split('/').at(-1))
  dataOf(await platform.staff.post(`/api/operator/customers/${id}/revoke`))
  dataOf(await platform.staff.post(`/api/operator/customers/${id}/reinstate`))
  const line = await eventually(() => lines()[1])
  expect(line).toMatch(/^verified customer\.updated \{"event_id":"evt_/)
  expect(await interrupt(child)).toBe(0)
  expect(await destinations()).toEqual([])
})

test('a merchant’s verified events are printed, and Ctrl-C takes the webhook away', async () => {
  const customer = await signUp(partner.api)
  const { customer_id: merchantId } = dataOf<{ customer_id: string }>(await partner.api.get(customer))
  const made = await platform.staff.post(`/api/operator/merchants/${merchantId}/api-keys`)
  const { api_key: key } = dataOf<{ api_key: string }>(made)
  const merchant = createApiClient({ baseUrl: platform.baseUrl, headers: { 'x-api-key': key } })
  const webhooks = async () =>
    dataOf<{ webhooks: { id: string }[] }>(await merchant.get('/api/user/webhooks')).webhooks
  const { child, lines } = await startListening(['--merchant'], { MERCHANT_API_KEY: key })
  const [webhook] = await webhooks()
  dataOf(await merchant.post(`/api/user/webhooks/${String(webhook?.id)}/test`))
  const line = await eventually(() => lines()[1])
  expect(line).toMatch(/^verified test \{"event":"test","order":\{"id":"ord_/)
  expect(await interrupt(child)).toBe(0)
  expect(await webhooks()).toEqual([])
})
