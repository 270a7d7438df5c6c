import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { dataOf } from '../../scripts/demo/api-client.ts'
import { newCustomer, newPartner, orderBody, startTestPlatform, type TestPlatform } from './platform.ts'

type Onramp = { onramp: { id: string; status: string; createdAt: string } }
type Order = { order: { id: string; status: string; expiresAt: string } }
const HOUR_MS = 3_600_000

let platform: TestPlatform
beforeAll(async () => {
  platform = await startTestPlatform({ ONRAMP_EXTEND_AFTER: '3s', ONRAMP_HARD_CAP: '8s' })
}, 120_000)
afterAll(async () => {
  await platform.stop()
})

test('a purchase is followed by its notices; one that hangs extends its invoice and is cut off at the cap', async () => {
  const { api } = await newPartner(platform)
  const customer = await newCustomer(platform, api)
  const orderOf = async (reference: string) =>
    dataOf<Order>(await api.post(`${customer}/orders`, orderBody(reference))).order
  const buy = async (orderId: string) =>
    dataOf<Onramp>(await api.post(`/api/v1/partner/orders/${orderId}/onramp`, { fiat: 'EUR' })).onramp
  const readOrder = async (orderId: string) =>
    dataOf<Order>(await api.get(`/api/v1/partner/orders/${orderId}`)).order
  const [bought, hanging] = [await orderOf('onramp-1'), await orderOf('onramp-2')]
  const [good, slow] = [await buy(bought.id), await buy(hanging.id)]
  expect(await buy(bought.id)).toEqual(good)

  await platform.sandbox.post(`/control/onramp/${good.id}`, { status: 'declined' })
  await eventually(async () => (await readOrder(bought.id)).status === 'cancelled')
  const again = await api.post(`/api/v1/partner/orders/${bought.id}/onramp`, { fiat: 'EUR' })
  expect(again.status).toBe(409)

  const capAt = new Date(Date.parse(slow.createdAt) + 8_000).toISOString()
  expect(Date.parse(hanging.expiresAt) - Date.parse(slow.createdAt)).toBeGreaterThan(11 * HOUR_MS)
  await eventually(async () => (await readOrder(hanging.id)).expiresAt === capAt)
  await eventually(async () => (await readOrder(hanging.id)).status === 'cancelled')
  const ended = dataOf<Onramp>(await api.get(`/api/v1/partner/orders/${hanging.id}/onramp`)).onramp
  expect(ended.status).toBe('expired')
}, 60_000)
