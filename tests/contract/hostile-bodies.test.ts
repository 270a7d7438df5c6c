import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createRawClient } from '@causeway/dev-env/platform/raw-client'
import { type ApiDocument, withoutReferences } from '@causeway/reference'
import { startTestPlatform, type TestPlatform } from '../journeys/platform.ts'
import { differenceOf, openDatabases, type Databases } from './database.ts'
import { createResponseValidator } from './documented.ts'
import { hostileRequests, targetsOf, type Target } from './hostile-requests.ts'
import { forEachOf, openHttp, type Http, type Sent } from './http.ts'
import { postponePolls, preparePlatform, rowsWhenIdle } from './platform-state.ts'
import { buildTenant, newContractPartner, startWebhookReceiver, type Tenant } from './tenant.ts'

/** Requests of each operation that takes a body; `pnpm soak:bodies` sends 100,000. */
const REQUESTS = Number(process.env['BODIES'] ?? 200)
/** Operations without a body get a fifth: a path and a query can be wrong in fewer ways. */
const WITHOUT_BODY = Math.ceil(REQUESTS / 5)
/** The same seed sends the same requests. With `BODIES` set, each run takes a new seed. */
const SEED = Number(
  process.env['BODIES_SEED'] ?? (process.env['BODIES'] === undefined ? 554_149 : Date.now() % 1_000_000),
)
/** Refused writes of each operation that are sent again, to check that they store nothing. */
const REPEATED = 25
/** Statuses of refusals that depend on the request alone, not on stored state. */
const REFUSED_FOR_GOOD = [400, 404, 413, 415, 422]
/** Faults shown of one operation. */
const SHOWN = 3
/** Requests generated at a time, so that a soak does not hold all in memory. */
const BATCH = 1_000
const AT_ONCE = 24
/** The signer answers it, and none runs here: 503 is right. */
const OF_SIGNER = '/api/operator/treasury-addresses'
/** An order's refunds run one at a time, and one that waits too long is rightly answered 503. */
const ONE_AT_A_TIME = ['/api/v1/partner/fiat-orders/{orderKey}/refunds']
/** A bound that a busy machine does not reach: it ends a test that hangs, and measures nothing. */
const TIMEOUT_MS = 900_000 + REQUESTS * 1_000
/** Tables that refusals write to: staff's refused attempts, and abandoned uploads for the purge of their bytes. */
const TABLES_OF_REFUSALS = ['audit_entries', 'document_uploads']
const CARD_SECRET = 'card secret of the hostile bodies'
const ONRAMP_SECRET = 'onramp secret of the hostile bodies'

let platform: TestPlatform
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
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
    // Rows change by requests alone.
    CARD_POLL_AFTER: '24h',
    ONRAMP_POLL_AFTER: '24h',
    REFUND_RECONCILIATION_INTERVAL: '24h',
    // Longer than a soak.
    ACCESS_TOKEN_TTL: '24h',
    SANDBOX_CARD_SECRET: CARD_SECRET,
    SANDBOX_ONRAMP_SECRET: ONRAMP_SECRET,
  })
  databases = await openDatabases(platform)
  http = openHttp(platform.baseUrl)
  receiver = await startWebhookReceiver()
  await preparePlatform(platform, databases)
  const build = async (): Promise<[Tenant, Awaited<ReturnType<typeof newContractPartner>>]> => {
    const partner = await newContractPartner(platform)
    return [await buildTenant({ platform, receiver, ...partner, partner: partner.api }), partner]
  }
  const [tenant, client] = await build()
  const [subject] = await build()
  const answer = await createRawClient(platform).post('/api/oauth/token', {
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
  })
  const [open, operator] = await Promise.all(
    ['/openapi.json', '/openapi.operator.json'].map(async (path) =>
      withoutReferences((await createRawClient(platform).get(path)).body as unknown as ApiDocument),
    ),
  )
  document = { ...open, paths: { ...open?.paths, ...operator?.paths } } as ApiDocument
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
  await receiver.stop()
})

const shown = ({ method, target, headers, body }: Sent): string =>
  `${method} ${target.slice(0, 300)} ${headers['content-type'] ?? ''} ${JSON.stringify(String(body ?? '').slice(0, 600))}`

/** Sends `REQUESTS` requests of an operation. @returns the first few faults */
const attack = async (
  target: Target,
  index: number,
  validate: ReturnType<typeof createResponseValidator>,
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
      if (target.path === OF_SIGNER && answer.status === 503) return
      const fault = validate(target.path, target.method, answer)
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
  `answers hostile requests of every operation by a documented response, never by a 5xx (BODIES_SEED=${SEED})`,
  async () => {
    const validate = createResponseValidator(document)
    const faults: string[] = []
    for (const [index, target] of targets.entries()) faults.push(...(await attack(target, index, validate)))
    expect(faults.join('\n')).toBe('')
  },
  TIMEOUT_MS,
)

test(
  'stores no row for a refused write',
  async () => {
    await postponePolls(databases)
    const before = await rowsWhenIdle(databases, TABLES_OF_REFUSALS)
    const accepted: string[] = []
    await forEachOf(refusedWrites, AT_ONCE, async (request) => {
      const answer = await http.send(request)
      if (answer.status < 400) accepted.push(shown(request))
    })
    expect(refusedWrites.length).toBeGreaterThan(REPEATED * 20)
    expect(accepted).toEqual([])
    expect(differenceOf(before, await rowsWhenIdle(databases, TABLES_OF_REFUSALS))).toEqual({})
  },
  TIMEOUT_MS,
)
