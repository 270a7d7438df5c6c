import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { REQUIRED_SERVICES } from '@causeway/contracts'
import { newCustomer, newPartner, orderBody, startTestPlatform, type TestPlatform } from './platform.ts'

const WORKERS = 4

let platform: TestPlatform
beforeAll(async () => {
  platform = await startTestPlatform()
})
afterAll(() => platform.stop())

test('fails no request in a rolling restart of every service under load', async () => {
  const partner = await newPartner(platform)
  const { path: customer } = await newCustomer(platform, partner.causeway)
  const statuses = new Map<number, number>()
  let rolling = true
  const load = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let number = 0; rolling; number += 1) {
      const answers = await Promise.all([
        partner.api.post(`${customer}/orders`, orderBody(`w${worker}-${number}`)),
        partner.api.get(`${customer}/orders?limit=5`),
        partner.api.get(customer),
        partner.api.get('/api/v1/partner/webhooks'),
      ])
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  for (const service of REQUIRED_SERVICES) {
    await platform.startReplica(service, {})
    await platform.processes[service].stop()
  }
  rolling = false
  await Promise.all(load)
  expect([...statuses.keys()].sort()).toEqual([200, 201])
})
