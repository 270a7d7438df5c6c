import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { alternateUserOf, backupUserOf } from '@causeway/contracts'
import { natsServerBinary } from '@causeway/dev-env/infrastructure/nats-binary'
import { deploymentNatsConfig } from '@causeway/dev-env/infrastructure/nats-config'
import { NATS_USERS, PASSWORD_OWNERS, streamUserOf } from '@causeway/dev-env/infrastructure/nats-permissions'

const deployed = 'deploy/nats.conf'

const check = (env: Record<string, string>) =>
  spawnSync(natsServerBinary(process.env), ['-c', deployed, '-t'], {
    env,
    encoding: 'utf8',
  })

describe('deploy/nats.conf', () => {
  test('is up to date with the topology; "pnpm generate:nats" regenerates it', () => {
    expect(readFileSync(deployed, 'utf8')).toBe(deploymentNatsConfig())
  })

  test('serves monitoring on the loopback of its container alone, which no other process reaches', () => {
    const monitoring = deploymentNatsConfig().match(/^(monitor_port|https?(_port)?)\b.*$/gm)
    expect(monitoring).toEqual(['http: "127.0.0.1:8222"'])
  })

  test('is accepted by the server, with the passwords from its environment', () => {
    const passwords = PASSWORD_OWNERS.flatMap((user) =>
      ['', '_B'].map((which) => [`NATS_${user.toUpperCase()}_PASSWORD${which}`, `secret-of-${user}`]),
    )
    const { status, stderr } = check(Object.fromEntries(passwords) as Record<string, string>)
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('is valid') })
  })

  test('is refused by the server when a password is not set', () => {
    const { status, stderr } = check({})
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("'NATS_ACCESS_PASSWORD'"),
    })
  })
})

test('lets a user of a stream account answer on no subject that its permissions do not name', () => {
  const users = deploymentNatsConfig().split('        user: ').slice(1)
  const namesOf = (text: readonly string[]) => text.map((user) => user.slice(0, user.indexOf('\n')))
  const answering = users.filter((user) => user.includes('allow_responses'))
  const backing = (['events', 'documents'] as const).map(backupUserOf)
  const withAlternates = (names: readonly string[]) => [...names, ...names.map(alternateUserOf)]
  const processes = withAlternates(NATS_USERS)
  const streams = withAlternates(NATS_USERS.map(streamUserOf))
  expect(namesOf(users).sort()).toEqual([...processes, ...streams, ...backing].sort())
  expect(namesOf(answering).sort()).toEqual(processes.sort())
})

test('gives an alternate user the permissions of its user', () => {
  const blocks = deploymentNatsConfig().split('      {\n        user: ').slice(1)
  const permissions = new Map(
    blocks.map((block) => [
      block.slice(0, block.indexOf('\n')),
      /permissions: \{[^]*?\n {8}\}\n/.exec(block)?.[0],
    ]),
  )
  for (const user of [...NATS_USERS, ...NATS_USERS.map(streamUserOf)]) {
    expect(permissions.get(user)).toMatch(/publish: \{ allow: \[\n/)
    expect(permissions.get(alternateUserOf(user))).toBe(permissions.get(user))
  }
})

describe("the NATS server's program", () => {
  test('is the one that NATS_SERVER_BIN names', () => {
    expect(natsServerBinary({ NATS_SERVER_BIN: process.execPath })).toBe(process.execPath)
  })

  test('is refused when NATS_SERVER_BIN names no program', () => {
    expect(() => natsServerBinary({ NATS_SERVER_BIN: '/nowhere/nats-server' })).toThrow(
      'NATS_SERVER_BIN names /nowhere/nats-server, which is no program that may be run',
    )
  })

  test('is reported with the install command of the system when it is missing everywhere', () => {
    const binary = () => natsServerBinary({ PATH: '/nowhere' }, 'darwin')
    expect(binary).toThrow(
      'NATS server 2.10 or newer is missing: brew install nats-server, ' +
        'or set NATS_SERVER_BIN to the program, or NATS_URL to a running server',
    )
  })
})
