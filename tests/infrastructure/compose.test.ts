import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { databaseOf, SERVICES } from '@causeway/contracts'
import {
  operatorVariables,
  PRODUCTION,
  readCompose,
  SANDBOX_OVERLAY,
} from '../../scripts/deployment/compose.ts'
import { envExample, processSettings } from '../../scripts/deployment/env-example.ts'
import { nodeFlagsOf } from '@causeway/dev-env/platform/components'
import { isSealing } from '@causeway/dev-env/platform/service-keys'

const processes = [...SERVICES, 'gateway'] as const
const SET_BY_THE_IMAGE = ['HEALTH_HOST', 'HEALTH_PORT', 'GATEWAY_HOST', 'GATEWAY_PORT']
const NODE_ADDRESSES = [
  'eth_rpc_urls',
  'btc_node_urls',
  'btc_esplora_urls',
  'ltc_node_urls',
  'ltc_esplora_urls',
  'sol_rpc_urls',
  'xrp_rpc_urls',
]
/** Nobody may move the time of a deployment. */
const NEVER_PASSED = 'SANDBOX_CLOCK'
/** Settings of development, which docker-compose.sandbox.yml alone gives. */
const OF_THE_SANDBOX = [
  'CARD_URL',
  'CHAIN_URL',
  'SANDBOX_CARD_SECRET',
  'SANDBOX_RECEIVING_ACCOUNTS',
  'SANDBOX_RATES',
  'ONRAMP_URL',
  'SANDBOX_ONRAMP_SECRET',
  'WEBHOOK_ALLOW_INSECURE',
]
const env = { PUBLIC_BASE_URL: 'https://causeway.example' }
const production = readCompose([PRODUCTION], env)
const tried = readCompose([PRODUCTION, SANDBOX_OVERLAY], env)

const settingsOf = async (name: string) =>
  Object.keys(((await import(`../../services/${name}/src/config.ts`)) as { SETTINGS: object }).SETTINGS)
const passedBy = (file: typeof production, name: string): string[] =>
  Object.keys(file.services[name]?.environment ?? {}).flatMap((each) => [each, each.replace(/_FILE$/, '')])
const membersOf = (file: typeof production, network: string): string[] =>
  Object.entries(file.services)
    .flatMap(([name, { networks = [] }]) => (networks.includes(network) ? [name] : []))
    .sort()

describe('docker-compose.yml', () => {
  test('runs the same processes as the local start, which docker-compose.sandbox.yml completes', () => {
    const servers = ['front', 'nats', 'postgres', 'prepare']
    expect(Object.keys(production.services).sort()).toEqual([...servers, ...processes].sort())
    expect(Object.keys(tried.services).sort()).toEqual([...servers, 'sandbox', ...processes].sort())
    expect(tried.services['sandbox']?.command).toEqual([...nodeFlagsOf('sandbox'), 'sandbox/src/main.ts'])
  })

  test.each(processes)('gives %s its own secrets as files, and no others', (name) => {
    const container = production.services[name]
    const database = name === 'gateway' ? null : databaseOf(name)
    const databases = database === null ? [] : [`${database}_database_url`]
    const keys =
      database !== null && isSealing(database)
        ? [`${database}_encryption_key`, `${database}_previous_encryption_key`, `${database}_vault_token`]
        : []
    const accounts = {
      access: ['operator_api_key', 'gateway_approval_signing_key', 'console_oidc_client_secret', 'mail_url'],
      onboarding: ['blob_s3_secret_access_key'],
      payments: ['stripe_secret_key', 'stripe_webhook_secret', ...NODE_ADDRESSES],
      refunds: ['stripe_secret_key'],
      webhooks: [],
      onramp: ['banxa_api_key', 'banxa_webhook_secret'],
      ledger: [],
      signer: ['signer_seed', 'signer_approval_verifying_keys', ...NODE_ADDRESSES],
      gateway: ['blob_s3_secret_access_key', 'operator_api_key'],
    }[name]
    expect(container?.command).toEqual([...nodeFlagsOf(name), `services/${name}/src/main.ts`])
    expect(container?.secrets).toEqual([
      ...databases,
      `${name}_nats_url`,
      `${name}_bus_keys`,
      ...keys,
      ...accounts,
    ])
    const files = Object.values(container?.environment ?? {}).filter((value) =>
      value?.startsWith('/run/secrets/'),
    )
    expect(files.sort()).toEqual(container?.secrets?.map((secret) => `/run/secrets/${secret}`).sort())
  })

  test.each(processes)(
    'passes every setting of %s through, those of development in the overlay',
    async (name) => {
      const settings = await settingsOf(name)
      const inProduction = new Set([...passedBy(production, name), ...SET_BY_THE_IMAGE])
      const missing = settings.filter((setting) => !inProduction.has(setting))
      const ofTheSandbox = settings.filter((setting) => OF_THE_SANDBOX.includes(setting))
      expect(missing.sort()).toEqual([NEVER_PASSED, ...ofTheSandbox].sort())
      const completed = new Set(passedBy(tried, name))
      expect(ofTheSandbox.filter((setting) => !completed.has(setting))).toEqual([])
      expect(completed.has(NEVER_PASSED)).toBe(false)
    },
  )

  test('names the sandbox in no setting, and no secret among the variables', async () => {
    const values = Object.values(production.services).flatMap(({ environment = {} }) =>
      Object.entries(environment),
    )
    expect(values.filter(([name, value]) => /sandbox/i.test(`${name}=${value ?? ''}`))).toEqual([])
    const settings = await processSettings()
    expect(operatorVariables().filter((name) => settings[name]?.secret === true)).toEqual([])
  })

  test('opens the TLS front to the network, the sandbox to this machine, and nothing else', () => {
    const openIn = (file: typeof production) =>
      Object.entries(file.services).flatMap(([name, { ports = [] }]) =>
        ports.length === 0 ? [] : [[name, ports]],
      )
    const front = ['front', ['80:80', '443:443']]
    expect(openIn(production)).toEqual([front])
    expect(openIn(tried)).toEqual([front, ['sandbox', ['127.0.0.1:8090:8090']]])
  })

  test('joins NATS and PostgreSQL with the processes that use them, and the front with the gateway alone, which has no database', () => {
    expect(membersOf(tried, 'bus')).toEqual([...processes, 'nats'].sort())
    expect(membersOf(tried, 'database')).toEqual([...SERVICES, 'postgres', 'prepare'].sort())
    expect(membersOf(tried, 'front')).toEqual(['front', 'gateway'])
    expect(membersOf(tried, 'sandbox')).toEqual([
      'gateway',
      'onramp',
      'payments',
      'refunds',
      'sandbox',
      'signer',
    ])
    for (const server of ['nats', 'postgres', 'front', 'sandbox'])
      expect(tried.services[server]?.networks).toHaveLength(1)
    const withoutWayOut = Object.entries(tried.networks).filter(([, { internal }]) => internal === true)
    expect(withoutWayOut.map(([name]) => name)).toEqual(['bus', 'database'])
  })

  test('limits each container to the memory that docs/OPERATIONS.md recommends, and to processors', () => {
    const page = readFileSync('docs/OPERATIONS.md', 'utf8')
    const rows = [...page.matchAll(/^\| ([\w ,]+?) +\| \d+ +\| \d+ +\| ([\d,]+) +\|$/gm)]
    const recommended = rows.flatMap(([, names = '', mib = '']) =>
      names
        .replace(/, all.*/, '')
        .toLowerCase()
        .split(', ')
        .map((name) => [name === 'postgresql' ? 'postgres' : name, `${mib.replace(',', '')}m`] as const),
    )
    expect(recommended.map(([name]) => name).sort()).toEqual([...processes, 'nats', 'postgres'].sort())
    for (const [name, limit] of recommended)
      expect([name, production.services[name]?.mem_limit]).toEqual([name, limit])
    for (const { mem_limit, cpus } of Object.values(tried.services)) {
      expect(mem_limit).toMatch(/^\d+m$/)
      expect(cpus).toBeGreaterThan(0)
    }
  })

  test('does not start without the address of the API, and says what to do', () => {
    expect(() => readCompose([PRODUCTION], {})).toThrow(
      'PUBLIC_BASE_URL: copy .env.example to .env and set it there',
    )
  })
})

describe('.env.example', () => {
  const text = readFileSync('.env.example', 'utf8')

  test('is up to date with the compose files and the settings; "pnpm generate:deployment" regenerates it', async () => {
    expect(text).toBe(await envExample())
  })

  test('describes each variable of the compose files once', () => {
    const named = [...text.matchAll(/^# \S.+\n#?([A-Z0-9_]+)=.*$/gm)].map(([, name]) => name)
    expect(named.sort()).toEqual(operatorVariables())
  })
})
