import { decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createLogger } from '@causeway/chassis'
import { openTestDb, eventually, testKeyRing } from '@causeway/chassis/testing'
import { PUBLISH_LEAD_MS } from '@causeway/contracts'
import { createKeyring } from '../../src/signing-keys/keyring.ts'
import {
  ENCRYPTION_KEY,
  newPartner,
  openFixture,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

const TOKEN_TTL_MS = 900_000
const SKEW_MS = 60_000

let fixture: Fixture
let one: Replica
let two: Replica

beforeEach(async () => {
  fixture = await openFixture()
  ;[one, two] = await Promise.all([fixture.startReplica(), fixture.startReplica()])
})
afterEach(async () => {
  await fixture.close()
})

const kidsOf = async (replica: Replica) => {
  const set = JSON.parse((await replica.call('GET', '/.well-known/jwks.json')).text) as JSONWebKeySet
  return set.keys.map((key) => key.kid)
}
const kidOf = (token: string) => decodeProtectedHeader(token).kid

/** Does what the rotation command does, while the replicas run. */
const rotateByCommand = async () => {
  const log = createLogger({ service: 'test', level: 'silent' })
  const { clock } = fixture
  const db = openTestDb(fixture.databaseUrl, clock)
  const { vault } = await testKeyRing('gateway', {
    db,
    databaseUrl: fixture.databaseUrl,
    config: { encryptionKey: ENCRYPTION_KEY },
  })
  const keyring = createKeyring({ db, vault, clock, log, tokenTtlMs: TOKEN_TTL_MS, rotateAfterMs: 1e12 })
  await keyring.rotate({ now: true })
  await db.close()
}

test('creates one signing key when replicas start together', async () => {
  const [first, second] = await Promise.all([kidsOf(one), kidsOf(two)])
  expect(first).toHaveLength(1)
  expect(second).toEqual(first)
})

test('publishes a new key on every replica before it signs, and accepts tokens of the old one until they expire', async () => {
  const { token, client } = await newPartner(one)
  const [oldKid] = await kidsOf(one)
  await rotateByCommand()
  for (const replica of [one, two]) await eventually(async () => (await kidsOf(replica)).length === 2)
  expect(kidOf((await two.askToken(client)).json.access_token)).toBe(oldKid)

  fixture.clock.advance(PUBLISH_LEAD_MS)
  const fresh = (await two.askToken(client)).json.access_token
  expect(kidOf(fresh)).not.toBe(oldKid)
  for (const replica of [one, two])
    for (const held of [token, fresh])
      expect((await replica.call('GET', '/api/v1/partner/customers', { token: held })).status).toBe(200)
})

test('deletes a replaced key once the last token that it signed has expired', async () => {
  const [oldKid] = await kidsOf(one)
  await rotateByCommand()
  fixture.clock.advance(PUBLISH_LEAD_MS + TOKEN_TTL_MS + SKEW_MS + 1)
  await rotateByCommand()
  await eventually(async () => {
    const kids = await kidsOf(one)
    return kids.length === 2 && !kids.includes(oldKid ?? '')
  })
})
