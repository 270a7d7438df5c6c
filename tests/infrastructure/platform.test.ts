import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { COMPONENTS, type ComponentName } from '@causeway/dev-env/platform/components'
import { type Platform, type PlatformOptions, startPlatform } from '@causeway/dev-env/platform/platform'
import { isAlive, whenGone } from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-platform-'))
const stub = join(import.meta.dirname, 'stub-component.ts')
const mains = Object.fromEntries(COMPONENTS.map((name) => [name, stub]))
const running: Platform[] = []

const start = async (options: PlatformOptions = {}): Promise<Platform> => {
  const platform = await startPlatform({
    dataDir: join(folder, 'data'),
    ports: 'free',
    mains,
    withPartner: false,
    ...options,
  })
  running.push(platform)
  return platform
}

const stopAll = () => Promise.all(running.splice(0).map((platform) => platform.stop()))
const supervisedOf = (platform: Platform) =>
  [platform.postgres, platform.nats, ...Object.values(platform.processes)].filter((part) => part !== null)
const pidsOf = (platform: Platform) => supervisedOf(platform).map(({ pid }) => pid ?? 0)

/** The stub answers with its environment. */
const environmentOf = async (platform: Platform, name: ComponentName): Promise<Record<string, string>> => {
  const answer = await fetch(`http://127.0.0.1:${platform.replicas.get(name)?.port}/`)
  return (await answer.json()) as Record<string, string>
}

afterEach(stopAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a platform under its supervisor', () => {
  test('runs eleven processes, and stop ends all of them', async () => {
    const platform = await start()
    const pids = pidsOf(platform)
    expect(pids.map(isAlive)).toEqual(Array.from({ length: 11 }, () => true))
    await stopAll()
    expect(pids.map(isAlive)).toEqual(Array.from({ length: 11 }, () => false))
  })

  test('finds its data and its secrets again at the second start', async () => {
    const first = await start()
    const before = await environmentOf(first, 'payments')
    await stopAll()
    const second = await start()
    const after = await environmentOf(second, 'payments')
    const password = (url = '') => new URL(url).password
    expect(second.operatorKey).toBe(first.operatorKey)
    expect(after['ENCRYPTION_KEY']).toBe(before['ENCRYPTION_KEY'])
    expect(password(after['PAYMENTS_DATABASE_URL'])).toBe(password(before['PAYMENTS_DATABASE_URL']))
  })

  test('keeps secrets in a file that only the owner reads', async () => {
    await start()
    expect(statSync(join(folder, 'data', 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'data', 'nats', 'nats.conf')).mode & 0o777).toBe(0o600)
  })

  test('gives each process its own secrets, and no others', async () => {
    const platform = await start()
    const secret = /DATABASE_URL$|^NATS_URL$|^OPERATOR_API_KEY$|^ENCRYPTION_KEY$/
    const seen = await Promise.all(
      COMPONENTS.map(async (name) => {
        const names = Object.keys(await environmentOf(platform, name)).filter((setting) =>
          secret.test(setting),
        )
        return [name, names.sort()]
      }),
    )
    expect(Object.fromEntries(seen)).toEqual({
      access: ['ENCRYPTION_KEY', 'GATEWAY_DATABASE_URL', 'NATS_URL', 'OPERATOR_API_KEY'],
      onboarding: ['ENCRYPTION_KEY', 'NATS_URL', 'ONBOARDING_DATABASE_URL'],
      payments: ['ENCRYPTION_KEY', 'NATS_URL', 'PAYMENTS_DATABASE_URL'],
      refunds: ['ENCRYPTION_KEY', 'NATS_URL', 'REFUNDS_DATABASE_URL'],
      webhooks: ['ENCRYPTION_KEY', 'NATS_URL', 'WEBHOOKS_DATABASE_URL'],
      onramp: ['NATS_URL', 'ONRAMP_DATABASE_URL'],
      ledger: ['ENCRYPTION_KEY', 'LEDGER_DATABASE_URL', 'NATS_URL'],
      // For the clock only: it may publish the time and receive the followers' reports.
      sandbox: ['NATS_URL'],
      gateway: ['NATS_URL', 'OPERATOR_API_KEY'],
    })
  })

  test('keeps compiled code next to the packages, unless the operator sets a folder', async () => {
    const compileCacheOf = async (options: PlatformOptions) =>
      (await environmentOf(await start(options), 'payments'))['NODE_COMPILE_CACHE']
    const { NODE_COMPILE_CACHE: _unset, ...env } = process.env
    expect(await compileCacheOf({ env })).toBe(resolve('node_modules/.cache/compiled'))
    await stopAll()
    expect(await compileCacheOf({ env: { ...env, NODE_COMPILE_CACHE: folder } })).toBe(folder)
  })

  test('gives each service a different key, and no service the root key', async () => {
    const platform = await start()
    const { encryptionKey } = JSON.parse(readFileSync(join(folder, 'data', 'secrets.json'), 'utf8')) as {
      encryptionKey: string
    }
    const environments = await Promise.all(COMPONENTS.map((name) => environmentOf(platform, name)))
    const keys = environments.flatMap((env) => env['ENCRYPTION_KEY'] ?? [])
    expect(new Set(keys).size).toBe(6)
    expect(environments.filter((env) => JSON.stringify(env).includes(encryptionKey))).toEqual([])
  })

  test('passes the root key once, at the start that finds data from before the key rings', async () => {
    await start()
    await stopAll()
    const path = join(folder, 'data', 'secrets.json')
    const secrets = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    writeFileSync(path, JSON.stringify({ ...secrets, hasKeyRings: undefined }))
    const previous = async (platform: Platform) =>
      (await environmentOf(platform, 'payments'))['PREVIOUS_ENCRYPTION_KEY']
    const adopting = await start()
    expect(await previous(adopting)).toBe(secrets['encryptionKey'])
    await adopting.processes.payments.restart()
    expect(await previous(adopting)).toBeUndefined()
    await stopAll()
    expect(await previous(await start())).toBeUndefined()
  })

  test('starts a killed process again and says so', async () => {
    const lines: string[] = []
    const platform = await start({ log: (line) => lines.push(line) })
    for (const part of supervisedOf(platform)) {
      const before = part.pid ?? 0
      part.kill('SIGKILL')
      await part.whenReady()
      expect(await whenGone(before)).toBe(true)
      expect(isAlive(part.pid ?? 0)).toBe(true)
    }
    const told = lines
      .filter((line) => line.endsWith('started again in 100 ms'))
      .map((line) => line.split(' ')[0])
    expect(told).toEqual(['postgres', 'nats', ...COMPONENTS])
  })

  test('restarts one process and leaves the others alone', async () => {
    const platform = await start()
    const before = pidsOf(platform)
    await platform.processes.payments.restart()
    const changed = pidsOf(platform).filter((pid, index) => pid !== before[index])
    expect(changed).toEqual([platform.processes.payments.pid])
  })

  test('runs next to another platform with its own data and ports', async () => {
    const [one, two] = await Promise.all([start(), start({ dataDir: join(folder, 'other') })])
    expect(new Set([...pidsOf(one), ...pidsOf(two)]).size).toBe(22)
    expect(one.baseUrl).not.toBe(two.baseUrl)
  })

  test('uses the servers that the settings name', async () => {
    const urls = Object.fromEntries(
      ['ONBOARDING', 'PAYMENTS', 'REFUNDS', 'WEBHOOKS', 'ONRAMP', 'LEDGER', 'GATEWAY'].map((name) => [
        `${name}_DATABASE_URL`,
        `postgres://127.0.0.1:1/${name.toLowerCase()}`,
      ]),
    )
    const platform = await start({ env: { ...process.env, ...urls, NATS_URL: 'nats://127.0.0.1:1' } })
    expect([platform.postgres, platform.nats]).toEqual([null, null])
    expect(await environmentOf(platform, 'webhooks')).toMatchObject({
      NATS_URL: 'nats://127.0.0.1:1',
      WEBHOOKS_DATABASE_URL: 'postgres://127.0.0.1:1/webhooks',
    })
  })
})

describe('a start that cannot succeed', () => {
  test('says in one line that the same data is in use', async () => {
    await start()
    await expect(start()).rejects.toThrow(
      `DATA_DIR ${join(folder, 'data')} is in use by process ${process.pid}: ` +
        'stop that one, or set DATA_DIR to another folder',
    )
  })

  test.each([
    ['GATEWAY_PORT'],
    ['SANDBOX_PORT'],
    ['SANDBOX_CHAIN_PORT'],
    ['SANDBOX_CARD_PORT'],
    ['SANDBOX_ONRAMP_PORT'],
  ])('says in one line that the port of %s is in use', async (setting) => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const { port } = squatter.address() as AddressInfo
    const env = { ...process.env, GATEWAY_PORT: '0', SANDBOX_PORT: '0', [setting]: String(port) }
    await expect(startPlatform({ dataDir: join(folder, 'data'), mains, env })).rejects.toThrow(
      `${setting} ${port} is taken: set ${setting} to a free port`,
    )
    squatter.close()
  })

  test('says in one line that two ports are the same', async () => {
    const env = { ...process.env, GATEWAY_PORT: '18080', SANDBOX_PORT: '18080' }
    await expect(startPlatform({ dataDir: join(folder, 'data'), mains, env })).rejects.toThrow(
      'GATEWAY_PORT and SANDBOX_PORT are both 18080: set one of them to another port',
    )
    const cards = { ...process.env, SANDBOX_PORT: '18080', SANDBOX_CARD_PORT: '18080' }
    await expect(startPlatform({ dataDir: join(folder, 'data'), mains, env: cards })).rejects.toThrow(
      'SANDBOX_PORT and SANDBOX_CARD_PORT are both 18080: set one of them to another port',
    )
  })

  test('names a bad setting in one line', async () => {
    const env = { ...process.env, GATEWAY_PORT: 'eighty' }
    await expect(startPlatform({ dataDir: join(folder, 'data'), mains, env })).rejects.toThrow(/GATEWAY_PORT/)
  })

  test('says in one line that NATS is missing', async () => {
    const env = { ...process.env, NATS_SERVER_BIN: '/nowhere/nats-server' }
    await expect(start({ env })).rejects.toThrow(
      'NATS_SERVER_BIN names /nowhere/nats-server, which is no program that may be run',
    )
  })

  test('says in one line why a service refuses its settings, and leaves nothing running or in use', async () => {
    const env = { ...process.env, STUB_REFUSES: 'PAYMENTS_DATABASE_URL' }
    await expect(start({ env })).rejects.toThrow('payments: Bad settings: EXAMPLE is not set')
    await start()
    expect(readFileSync(join(folder, 'data', 'platform.pid'), 'utf8')).toMatch(new RegExp(`^${process.pid} `))
  })

  test('reports the line of a service that refuses its settings immediately, while others wait for it', async () => {
    const stubs = { STUB_REFUSES: 'PAYMENTS_DATABASE_URL', STUB_WAITS: 'ONBOARDING_DATABASE_URL' }
    await expect(start({ env: { ...process.env, ...stubs } })).rejects.toThrow(
      'payments: Bad settings: EXAMPLE is not set',
    )
  })
})
