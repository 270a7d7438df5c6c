import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  newPartner,
  openFixture,
  type Fixture,
  type Replica,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

const SOON = { withinMs: 15_000 }

let fixture: Fixture
let gateway: Replica

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
})
beforeEach(() => {
  fixture.script.disabledPartners.length = 0
  fixture.script.isWebhooksAway = false
})
afterAll(() => fixture.close())

const setStatus = async (partnerId: string, status: 'active' | 'disabled') => {
  const answer = await gateway.operate('PATCH', `/partners/${partnerId}`, { status })
  expect(answer.status).toBe(200)
}
/** Waits until the newest set that webhooks received fits: sooner than the 30 s after which it is repeated. */
const sentSet = (fits: (partnerIds: readonly string[]) => boolean) =>
  eventually(() => {
    const sent = fixture.script.disabledPartners.at(-1)
    return sent !== undefined && fits(sent.partner_ids) ? sent : undefined
  }, SOON)
const newPartnerId = async () => (await newPartner(gateway)).partner.partner_id

test('sends all disabled partners to webhooks after each change, under a higher revision', async () => {
  const [first, second] = [await newPartnerId(), await newPartnerId()]
  await setStatus(first, 'disabled')
  const one = await sentSet((ids) => ids.includes(first))
  expect([one.caller, one.partner_ids]).toEqual([{ kind: 'service', service: 'access' }, [first]])
  await setStatus(second, 'disabled')
  const both = await sentSet((ids) => ids.includes(second))
  expect([...both.partner_ids].sort()).toEqual([first, second].sort())
  expect(both.revision).toBeGreaterThan(one.revision)
  await setStatus(first, 'active')
  const last = await sentSet((ids) => !ids.includes(first))
  expect(last.partner_ids).toEqual([second])
  expect(last.revision).toBeGreaterThan(both.revision)
  await setStatus(second, 'active')
})

test('retries to send the set until webhooks accepts it', async () => {
  const partnerId = await newPartnerId()
  fixture.script.isWebhooksAway = true
  await setStatus(partnerId, 'disabled')
  await sentSet((ids) => ids.includes(partnerId))
  fixture.script.disabledPartners.length = 0
  fixture.script.isWebhooksAway = false
  await sentSet((ids) => ids.includes(partnerId))
  await setStatus(partnerId, 'active')
})

test('sends the set when access starts, without a change', async () => {
  const partnerId = await newPartnerId()
  await setStatus(partnerId, 'disabled')
  await sentSet((ids) => ids.includes(partnerId))
  await fixture.access.stopWhile(async () => {
    fixture.script.disabledPartners.length = 0
  })
  const sent = await sentSet((ids) => ids.includes(partnerId))
  expect(sent.partner_ids).toEqual([partnerId])
})
