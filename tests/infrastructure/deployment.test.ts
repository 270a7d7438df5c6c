import { execFileSync, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createBusKeys, SERVICE_SETTINGS } from '@causeway/chassis'
import { SERVICES } from '@causeway/contracts'
import { readDatabaseServers, readNatsServers } from '../../packages/chassis/src/settings/server-list.ts'
import { natsServerBinary } from '@causeway/dev-env/infrastructure/nats-binary'
import { PRODUCTION, readCompose, SANDBOX_OVERLAY } from '../../scripts/deployment/compose.ts'
import { DATABASES } from '@causeway/dev-env/infrastructure/postgres-databases'
import { SEALING_SERVICES, serviceKeyOf } from '@causeway/dev-env/platform/service-keys'

const processes = [...SERVICES, 'gateway'] as const
const folder = mkdtempSync(join(tmpdir(), 'causeway-deployment-'))
const secrets = join(folder, 'secrets')
const makeSecrets = (): void => {
  execFileSync('sh', ['deploy/make-secrets.sh', secrets])
}
/** The files of the image's commands, by the names of the commands. */
const commandFiles = (): Record<string, string> =>
  Object.fromEntries(
    [...readFileSync('deploy/command.js', 'utf8').matchAll(/^ {2}'([\w:-]+)': \['([^']+)'/gm)].map(
      ([, name = '', file = '']) => [name, file],
    ),
  )
const secretOf = (name: string) => readFileSync(join(secrets, name), 'utf8')

beforeAll(makeSecrets)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the secrets of a deployment', () => {
  test('are those that the compose files name', () => {
    const { secrets: named } = readCompose([PRODUCTION, SANDBOX_OVERLAY], { PUBLIC_BASE_URL: 'https://a' })
    const files = Object.values(named).map(({ file }) => file.replace('./deploy/secrets/', ''))
    expect(files.sort()).toEqual(readdirSync(secrets).sort())
  })

  test('do not change when the script runs again, in a folder closed to others', () => {
    const before = readdirSync(secrets).map(secretOf)
    makeSecrets()
    expect(readdirSync(secrets).map(secretOf)).toEqual(before)
    expect(statSync(secrets).mode & 0o777).toBe(0o700)
  })

  test('fit together: addresses contain the passwords of their users, and each key has 32 bytes and is different', () => {
    for (const name of processes) {
      expect(new URL(secretOf(`${name}_nats_url`)).password).toBe(secretOf(`${name}_nats_password`))
    }
    for (const name of DATABASES)
      expect(new URL(secretOf(`${name}_database_url`)).password).toBe(secretOf(`${name}_database_password`))
    for (const name of processes) {
      const { BUS_KEYS } = SERVICE_SETTINGS
      expect(createBusKeys(name, BUS_KEYS.parse(secretOf(`${name}_bus_keys`))).self).toBe(name)
    }
    expect(secretOf('gateway_bus_keys')).toContain(
      /^gateway>onramp=.+$/m.exec(secretOf('onramp_bus_keys'))?.[0],
    )
    const keys = SEALING_SERVICES.map((name) => secretOf(`${name}_encryption_key`))
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) expect(Buffer.from(key, 'base64')).toHaveLength(32)
    for (const name of SEALING_SERVICES) expect(secretOf(`${name}_previous_encryption_key`)).toBe('')
  })

  test('name the servers that the operator gives', () => {
    const own = join(folder, 'own-servers')
    const env = { DATABASE_SERVERS: 'a:5432,b:5432', NATS_SERVERS: 'c:4222,d:4222', NATS_SCHEME: 'tls' }
    execFileSync('sh', ['deploy/make-secrets.sh', own], { env: { ...process.env, ...env } })
    const read = (name: string) => readFileSync(join(own, name), 'utf8')
    const databases = readDatabaseServers(read('payments_database_url')).servers
    expect(databases).toEqual([
      { host: 'a', port: 5432 },
      { host: 'b', port: 5432 },
    ])
    const bus = readNatsServers(read('payments_nats_url'))
    expect(bus.map(({ protocol, host }) => `${protocol}//${host}`)).toEqual(['tls://c:4222', 'tls://d:4222'])
    expect(bus[0].password).toBe(read('payments_nats_password'))
  })

  test('include the single key of an older deployment as the previous key of each service', () => {
    const older = join(folder, 'older')
    const shared = `${Buffer.alloc(32, 5).toString('base64')}\n`
    mkdirSync(older)
    writeFileSync(join(older, 'encryption_key'), shared)
    execFileSync('sh', ['deploy/make-secrets.sh', older])
    for (const name of SEALING_SERVICES) {
      expect(readFileSync(join(older, `${name}_previous_encryption_key`), 'utf8')).toBe(shared)
      expect(readFileSync(join(older, `${name}_encryption_key`), 'utf8')).not.toBe(shared)
    }
  })

  test('can be derived from one root key, and are never overwritten', () => {
    const [derived, root] = [join(folder, 'derived'), Buffer.alloc(32, 6).toString('base64')]
    const derive = (env: Record<string, string>) =>
      spawnSync(process.execPath, ['scripts/keys.ts', derived], { encoding: 'utf8', env })
    expect(derive({}).stderr).toBe('Bad settings: ENCRYPTION_KEY is not set\n')
    expect(derive({ ENCRYPTION_KEY: root })).toMatchObject({ status: 0, stderr: '' })
    const keys = SEALING_SERVICES.map((name) =>
      readFileSync(join(derived, `${name}_encryption_key`), 'utf8').trim(),
    )
    expect(keys).toEqual(SEALING_SERVICES.map((name) => serviceKeyOf(root, name)))
    expect(derive({ ENCRYPTION_KEY: root }).stderr).toMatch(/exists: keys are never overwritten\n$/)
  })

  test('are replaced by deploy/rotate.sh, by a user who may write to no file', () => {
    const own = mkdtempSync(join(tmpdir(), 'causeway-rotation-'))
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    if (user.uid !== undefined) chownSync(own, user.uid, user.gid)
    const sh = (script: string, ...args: string[]) =>
      execFileSync('sh', ['-es', '--', ...args], {
        input: readFileSync(script, 'utf8'),
        cwd: own,
        ...user,
        // PostgreSQL says that no data key lacks a wrap.
        env: { ...process.env, SECRETS: own, PSQL: 'printf 0', APPLY: 'true' },
      })
    const keyOf = (name: string) => readFileSync(join(own, `onboarding_${name}_key`), 'utf8')
    sh('deploy/make-secrets.sh', own)
    const before = keyOf('encryption')
    sh('deploy/rotate.sh', 'keks')
    expect([Buffer.from(keyOf('encryption'), 'base64').length, keyOf('previous_encryption')]).toEqual([
      32,
      '',
    ])
    expect(keyOf('encryption')).not.toBe(before)
    expect(statSync(join(own, 'onboarding_encryption_key')).mode & 0o222).toBe(0)
    rmSync(own, { recursive: true })
  })

  test('are read by the NATS server through its entry point', () => {
    const { status, stderr } = spawnSync('sh', ['deploy/nats-entrypoint.sh', '-t'], {
      encoding: 'utf8',
      env: {
        PATH: `${dirname(natsServerBinary(process.env))}:${process.env['PATH'] ?? ''}`,
        SECRETS_FOLDER: secrets,
        NATS_CONFIG: 'deploy/nats.conf',
        NATS_RUNNING_CONFIG: join(folder, 'nats.conf'),
      },
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('is valid') })
  })
})

test.each(Object.entries(commandFiles()))('puts the command %s into the image', (_name, file) => {
  expect(existsSync(file)).toBe(true)
})

test('runs the command of a service by a command of the image, and lists all commands without a name', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['deploy/command.js', ...args], {
      encoding: 'utf8',
      env: { NETWORKS_LIVE: 'ETH' },
    })
  expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('chains:check|') })
  const checked = run('chains:check')
  expect([checked.status, checked.stderr]).toEqual([
    1,
    expect.stringMatching(/^chains:check: Bad settings: .*ETH_ACCOUNT is not set/),
  ])
})

test('removes npm from the image, and names its version and revision', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  expect(dockerfile).toContain('RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm')
  for (const label of ['version=$VERSION', 'revision=$REVISION', 'source=$SOURCE'])
    expect(dockerfile).toContain(`org.opencontainers.image.${label}`)
})

test('runs the image as a user other than root', () => {
  const stages = readFileSync('Dockerfile', 'utf8').split(/^FROM /m)
  expect(stages.at(-1)).toMatch(/^USER node$/m)
})
