import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { PAGE_MAX_BYTES } from '@causeway/chassis'
import {
  newPartner,
  openFixture,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
})
afterAll(() => fixture.close())

test('allows a partner at most 100 clients, and returns all of them', async () => {
  const { partner } = await newPartner(gateway)
  const create = () => gateway.operate('POST', `/partners/${partner.partner_id}/clients`, {})
  for (let made = 1; made < 100; made += 1) expect((await create()).status).toBe(201)
  const refused = await create()
  expect([refused.status, refused.code, refused.details]).toEqual([
    409,
    'limit_reached',
    [{ resource: 'clients', limit: 100 }],
  ])
  const read = await gateway.operate('GET', `/partners/${partner.partner_id}`)
  expect(read.data.clients).toHaveLength(100)
  expect(Buffer.byteLength(read.text)).toBeLessThan(PAGE_MAX_BYTES)
})
