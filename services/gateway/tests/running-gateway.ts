import { createClock, createLogger, type Clock } from '@causeway/chassis'
import { testBus, testBusKeys, testDatabase, testNatsUrl } from '@causeway/chassis/testing'
import type { ApiKey, AuditEntry, Client, Partner, StaffKey, StaffRole } from '@causeway/contracts'
import { Agent, request, type Dispatcher } from 'undici'
import type { z } from 'zod'
import type { GatewayConfig } from '../src/config.ts'
import { startGateway } from '../src/service.ts'
import { newScript, serveStandIns } from './responders.ts'

export const OPERATOR_KEY = 'operator-key-for-tests'
export const ENCRYPTION_KEY = Buffer.alloc(32, 9)
export const BASE_URL = 'http://127.0.0.1:8080'

type Credentials = Readonly<{ client_id: string; client_secret: string }>

/** Whatever `data` may hold in these tests. */
export type Data = Readonly<{
  partner: Partner
  partners: Partner[]
  client: Credentials & Client
  clients: Client[]
  entries: z.infer<typeof AuditEntry>[]
  next_cursor: string | null
  partner_customer_id: string
  external_customer_id: string
  webhook_secret: string
  api_key: string
  api_keys: ApiKey[]
  staff_key: StaffKey
  staff_keys: StaffKey[]
  key: string
  apiKeys: { keyId: string; hint: string }[]
}>

/** What a JSON body may be: an envelope, a token, or an OAuth error. */
export type Json = Readonly<{
  request_id: string
  api_version: string
  data: Data
  access_token: string
  scope: string
}>

/** An answer as tests look at it. */
export type Answer = Readonly<{
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
  json: Json
  data: Data
  /** The error envelope's code, or the OAuth error. */
  code: string | undefined
  details: unknown
}>

type Call = {
  token?: string
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Buffer
}

const configOf = (databaseUrl: string, clock: Clock): GatewayConfig => ({
  databaseUrl,
  natsUrl: testNatsUrl(),
  busKeys: testBusKeys('gateway'),
  keys: { encryptionKey: ENCRYPTION_KEY },
  logLevel: 'silent',
  healthHost: '127.0.0.1',
  healthPort: 0,
  poolSize: 4,
  lanes: 2,
  tracing: 'off',
  traceEndpoint: 'http://127.0.0.1:4318',
  checkReplies: true,
  clock,
  host: '127.0.0.1',
  port: 0,
  publicBaseUrl: BASE_URL,
  operatorKey: OPERATOR_KEY,
  blobs: { kind: 'jetstream' },
  limits: { ratePerSecond: 100_000, burst: 100_000 },
  credentialFailures: { ratePerSecond: 100_000, burst: 100_000 },
  trustedProxies: 0,
  eventBytes: 64 * 1_048_576,
  documentBytes: 64 * 1_048_576,
  connections: { perAddress: 10_000, total: 10_000 },
  maxUploads: 64,
  accessLog: true,
  tokenTtlMs: 900_000,
  rotateKeysAfterMs: 720 * 3_600_000,
  busTimeoutMs: 400,
  shutdownTimeoutMs: 5_000,
  traceSampleRatio: 0,
})

const answerOf = (status: number, headers: Answer['headers'], text: string): Answer => {
  const isJson = String(headers['content-type']).startsWith('application/json') && text !== ''
  const json = (isJson ? JSON.parse(text) : {}) as Json & {
    error?: string | { code: string; details?: unknown }
  }
  const { error } = json
  const refusal = typeof error === 'object' ? error : { code: error, details: undefined }
  return { status, headers, text, json, data: json.data, code: refusal.code, details: refusal.details }
}

const callerOf = (port: number, agent: Agent) => {
  const origin = `http://127.0.0.1:${port}`
  const call = async (method: Dispatcher.HttpMethod, path: string, options: Call = {}): Promise<Answer> => {
    const headers: Record<string, string> = { ...options.headers }
    if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`
    if (options.body !== undefined) headers['content-type'] ??= 'application/json'
    const body = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body))
    const response = await request(`${origin}${path}`, {
      method,
      headers,
      body,
      dispatcher: agent,
    })
    return answerOf(response.statusCode, response.headers, await response.body.text())
  }
  const operate = (method: Dispatcher.HttpMethod, path: string, body?: unknown) =>
    call(method, `/api/operator${path}`, { token: OPERATOR_KEY, ...(body === undefined ? {} : { body }) })
  const askToken = ({ client_id, client_secret }: Credentials, scope?: string) =>
    call('POST', '/api/oauth/token', {
      body: { grant_type: 'client_credentials', client_id, client_secret, scope },
    })
  return { port, origin, call, operate, askToken }
}

/** One gateway process's worth of it, with callers of its API. */
export type Replica = ReturnType<typeof callerOf> & { stop: () => Promise<void> }

/** A database, the bus with stand-ins for every service, and as many replicas as a test wants. */
export const openStage = async () => {
  const database = await testDatabase('gateway')
  const bus = await testBus()
  const clock = createClock()
  const log = createLogger({ service: 'test', level: 'silent' })
  const script = newScript()
  serveStandIns(bus, clock, log, script)
  await bus.connection.flush()
  const replicas: Replica[] = []
  const agents: Agent[] = []
  return {
    bus,
    clock,
    script,
    databaseUrl: database.url,
    async startReplica(overrides: Partial<GatewayConfig> = {}): Promise<Replica> {
      const running = await startGateway({ ...configOf(database.url, clock), ...overrides })
      const agent = new Agent()
      agents.push(agent)
      let stopped: Promise<void> | null = null
      const replica = { ...callerOf(running.port, agent), stop: () => (stopped ??= running.stop()) }
      replicas.push(replica)
      return replica
    },
    async close() {
      await Promise.all(agents.map((agent) => agent.close()))
      await Promise.all(replicas.map((replica) => replica.stop()))
      await bus.close()
      await database.drop()
    },
  }
}
export type Stage = Awaited<ReturnType<typeof openStage>>

/** Gives somebody of the staff a key by the operator API. */
export const newStaffKey = async (replica: Replica, role: StaffRole) => {
  const { data } = await replica.operate('POST', '/staff-keys', { name: `A ${role}`, role })
  return { id: data.staff_key.staff_key_id, key: data.key }
}

/** Creates a partner by the operator API and gets a token of its first client. */
export const newPartner = async (replica: Replica, body: Record<string, unknown> = {}) => {
  const created = await replica.operate('POST', '/partners', { name: 'Acme', ...body })
  const { partner, client } = created.data
  const issued = await replica.askToken(client)
  return { partner, client, token: issued.json.access_token, created }
}
