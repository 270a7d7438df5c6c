import { operationRoutes, type OperationRoute } from '@causeway/contracts/http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { KNOWN_MERCHANT } from '../fixtures/script.ts'
import {
  newPartner,
  openFixture,
  OPERATOR_KEY,
  type Fixture,
  type Replica,
} from '../fixtures/running-gateway.ts'
import { SCOPES } from '@causeway/contracts'

let fixture: Fixture
let gateway: Replica
let credentials: Readonly<Record<string, Record<string, string>>>

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  const { token } = await newPartner(gateway, { scopes: SCOPES })
  const { api_key: key } = (await gateway.operate('POST', `/merchants/${KNOWN_MERCHANT}/api-keys`)).data
  credentials = {
    partner: { authorization: `Bearer ${token}` },
    operator: { authorization: `Bearer ${OPERATOR_KEY}` },
    merchant: { 'x-api-key': key },
  }
})
afterAll(() => fixture.close())

const send = ({ method, path, operation }: OperationRoute) =>
  gateway.call(method, `${path.replaceAll(/:\w+/g, 'x')}?unknown_parameter=1`, {
    headers: {
      ...credentials[operation.caller],
      ...(operation.idempotent === true && { 'idempotency-key': 'a' }),
    },
  })

test('answers 400 to an unknown query parameter of every operation, before a service is called', async () => {
  expect(operationRoutes.length).toBeGreaterThan(150)
  fixture.script.asked.length = 0
  const wrong: unknown[] = []
  for (const route of operationRoutes) {
    const { status, code, details } = await send(route)
    const [first] = (details ?? []) as readonly { field?: string; reason?: string }[]
    if (status !== 400 || first?.field !== 'unknown_parameter' || first.reason !== 'unknown_field')
      wrong.push([route.method, route.path, status, code, details])
  }
  expect(wrong).toEqual([])
  expect(fixture.script.asked).toEqual([])
})
