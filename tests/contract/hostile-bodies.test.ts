import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createApiClient } from '../../scripts/demo/api-client.ts'
import type { ApiDocument } from '../../services/gateway/src/reference/document.ts'
import { startTestPlatform, type TestPlatform } from '../journeys/platform.ts'
import { differenceOf, openDatabases, type Databases } from './database.ts'
import { createJudge } from './documented.ts'
import { hostileRequests, targetsOf, type Target } from './hostile-requests.ts'
import { forEachOf, openHttp, type Http, type Sent } from './http.ts'
import { preparePlatform, settled } from './platform-state.ts'
import { buildTenant, newContractPartner, startSink, type Tenant } from './tenant.ts'

/** Requests of each operation that takes a body; `pnpm soak:bodies` sends 100,000. */
const REQUESTS = Number(process.env['BODIES'] ?? 1_000)
/** Of those without one there is a fifth: a path and a query have fewer ways to be wrong. */
const WITHOUT_BODY = Math.ceil(REQUESTS / 5)
/** Names the requests: the same seed sends the same ones. A run of a number of one's own takes another each time. */
const SEED = Number(
  process.env['BODIES_SEED'] ?? (process.env['BODIES'] === undefined ? 554_149 : Date.now() % 1_000_000),
)
/** Refused writes of each operation that are sent once more, to see that they leave nothing. */
const REPEATED = 25
/** What is refused for what it says, and not for what there is at the moment. */
const REFUSED_FOR_GOOD = [400, 404, 413, 415, 422]
/** Most faults of one operation that are shown. */
const SHOWN = 3
/** Requests drawn at a time, so that a soak does not hold all of them. */
const BATCH = 1_000
const AT_ONCE = 24
/** An order's refunds are taken one at a time: those that wait for each other too long are rightly answered 503. */
const ONE_AT_A_TIME = ['/api/v1/partner/fiat-orders/{orderKey}/refunds']
const TIMEOUT_MS = 120_000 + REQUESTS * 1_000
/** Refused attempts of staff are written down, and uploads that were given up, for the sweep that removes their bytes. */
const OF_REFUSALS = ['audit_entries', 'document_uploads']
const CARD_SECRET = 'card secret of the hostile bodies'
const ONRAMP_SECRET = 'onramp secret of the hostile bodies'

let platform: TestPlatform
let sink: Awaited<ReturnType<typeof startSink>>
let http: Http
let databases: Databases
let document: ApiDocument
let targets: Target[]
const refusedWrites: Sent[] = []

beforeAll(async () => {
  platform = await startTestPlatform({
    CREDENTIAL_FAILURES_PER_SECOND: '100000',
    CREDENTIAL_FAILURES_BURST: '100000',
    CHARGEBACK_THRESHOLD_MIN: '1000',
    // Nothing is polled meanwhile: what changes was changed by a request.
    CARD_POLL_AFTER: '24h',
    ONRAMP_POLL_AFTER: '24h',
    // A token outlives a soak.
    ACCESS_TOKEN_TTL: '24h',
    SANDBOX_CARD_SECRET: CARD_SECRET,
    SANDBOX_ONRAMP_SECRET: ONRAMP_SECRET,
  })
  databases = await openDatabases(platform)
  http = openHttp(platform.baseUrl)
  sink = await startSink()
  await preparePlatform(platform, databases)
  const build = async (): Promise<[Tenant, Awaited<ReturnType<typeof newContractPartner>>]> => {
    const partner = await newContractPartner(platform)
    return [
      await buildTenant({ platform, sink, partnerId: partner.partnerId, partner: partner.api }),
      partner,
    ]
  }
  const [tenant, client] = await build()
  const [subject] = await build()
  const answer = await createApiClient(platform).post('/api/oauth/token', {
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
  })
  document = (await createApiClient(platform).get('/openapi.json')).body as unknown as ApiDocument
  targets = targetsOf(document, {
    tenant,
    subject,
    bearer: { authorization: `Bearer ${String(answer.body['access_token'])}` },
    operatorKey: platform.operatorKey,
    cardSecret: CARD_SECRET,
    onrampSecret: ONRAMP_SECRET,
    now: () => new Date(),
  })
})
afterAll(async () => {
  await http.close()
  await databases.close()
  await platform.stop()
  await sink.stop()
})

const shown = ({ method, target, headers, body }: Sent): string =>
  `${method} ${target.slice(0, 300)} ${headers['content-type'] ?? ''} ${JSON.stringify(String(body ?? '').slice(0, 600))}`

/** Sends so many requests of an operation. @returns what was wrong with the first few answers that were */
const attack = async (
  target: Target,
  index: number,
  judge: ReturnType<typeof createJudge>,
): Promise<string[]> => {
  const faults = new Map<string, string>()
  let kept = 0
  const atOnce = ONE_AT_A_TIME.includes(target.path) ? 1 : AT_ONCE
  const count = target.operation.requestBody === undefined ? WITHOUT_BODY : REQUESTS
  for (let sent = 0; sent < count; sent += BATCH) {
    const numRuns = Math.min(BATCH, count - sent)
    const requests = fc.sample(hostileRequests(target), { numRuns, seed: SEED + index * 1_000 + sent })
    await forEachOf(requests, atOnce, async (request) => {
      const answer = await http.send(request)
      const fault = judge(target.path, target.method, answer)
      if (fault !== null && !faults.has(fault))
        faults.set(
          fault,
          `${target.method} ${target.path}: ${fault}\n  ${shown(request)}\n  ${answer.text.slice(0, 300)}`,
        )
      if (!REFUSED_FOR_GOOD.includes(answer.status) || target.method === 'GET' || kept >= REPEATED) return
      kept += 1
      refusedWrites.push(request)
    })
  }
  return [...faults.values()].slice(0, SHOWN)
}

test(
  `hostile requests of every operation get an answer that the document lists, and never a fault (BODIES_SEED=${SEED})`,
  async () => {
    const judge = createJudge(document)
    const faults: string[] = []
    for (const [index, target] of targets.entries()) faults.push(...(await attack(target, index, judge)))
    expect(faults.join('\n')).toBe('')
  },
  TIMEOUT_MS,
)

test(
  'a write that is refused leaves no row behind',
  async () => {
    const before = await settled(databases, OF_REFUSALS)
    const taken: string[] = []
    await forEachOf(refusedWrites, AT_ONCE, async (request) => {
      const answer = await http.send(request)
      if (answer.status < 400) taken.push(shown(request))
    })
    expect(refusedWrites.length).toBeGreaterThan(REPEATED * 20)
    expect(taken).toEqual([])
    expect(differenceOf(before, await settled(databases, OF_REFUSALS))).toEqual({})
  },
  TIMEOUT_MS,
)
