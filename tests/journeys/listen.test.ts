import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { startListener, type Listener } from './pages/listener.ts'
import { newMerchant, newPartner, signUp, claimPlatform, type ClaimedPlatform } from './platform.ts'

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
const listeners: Listener[] = []
beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform)
})
afterEach(() => listeners.splice(0).forEach((listener) => listener.kill()))
afterAll(() => platform.release())

const startListening = async (args: readonly string[], env: Record<string, string>): Promise<Listener> => {
  const listener = await startListener(['--base-url', platform.baseUrl, ...args], env)
  listeners.push(listener)
  return listener
}

test('prints a partner’s verified events, and removes the webhook at Ctrl-C', async () => {
  const destinations = async () => (await partner.causeway.listWebhookSubscriptions()).webhooks
  const { interrupt, lines } = await startListening(
    ['--partner', partner.partnerId, '--types', 'customer.updated'],
    { OPERATOR_API_KEY: platform.operatorKey },
  )
  expect((await destinations()).map((webhook) => webhook.event_types)).toEqual([['customer.updated']])
  const { customerId: id } = await signUp(partner.causeway)
  dataOf(await platform.staff.post(`/api/operator/customers/${id}/revoke`))
  dataOf(await platform.staff.post(`/api/operator/customers/${id}/reinstate`))
  const line = await eventually(() => lines()[0])
  expect(line).toMatch(/^verified customer\.updated \{"event_id":"evt_/)
  expect(await interrupt()).toBe(0)
  expect(await destinations()).toEqual([])
})

test('prints a merchant’s verified events, and removes the webhook and the temporary key at Ctrl-C', async () => {
  const { merchantId } = await signUp(partner.causeway)
  const path = `/api/operator/merchants/${merchantId}/api-keys`
  const { apiKey: key, causeway: merchant } = await newMerchant(platform, merchantId)
  const webhooks = async () => (await merchant.listWebhooks()).webhooks
  const keys = async () => dataOf<{ api_keys: unknown[] }>(await platform.staff.get(path)).api_keys.length
  const byKey = await startListening(['--merchant'], { MERCHANT_API_KEY: key })
  const byStaff = await startListening(['--merchant', merchantId], { OPERATOR_API_KEY: platform.operatorKey })
  expect([(await webhooks()).length, await keys()]).toEqual([2, 2])
  for (const { id: webhookId } of await webhooks()) await merchant.testWebhook({ webhookId })
  for (const listener of [byKey, byStaff]) {
    const line = await eventually(() => listener.lines()[0])
    expect(line).toMatch(/^verified test \{"event":"test","order":\{"id":"ord_/)
    expect(await listener.interrupt()).toBe(0)
  }
  expect([(await webhooks()).length, await keys()]).toEqual([0, 1])
})

test('names the setting to change without a platform, or with the data folder of another one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-listen-'))
  const said = (port: string) =>
    once(
      spawn(process.execPath, ['--conditions=platform-source', 'scripts/listen.ts'], {
        env: { GATEWAY_PORT: port, DATA_DIR: folder },
        stdio: ['ignore', 'ignore', 'pipe'],
      }).stderr,
      'data',
    ).then(([chunk]) => String(chunk))
  const { port } = new URL(platform.baseUrl)
  expect(await said(port)).toBe(
    `The platform at GATEWAY_PORT ${port} does not run from DATA_DIR ${folder}: set both as at its start\n`,
  )
  expect(await said('1')).toMatch(/set GATEWAY_PORT and DATA_DIR as at its start/)
  rmSync(folder, { recursive: true })
})
