import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICES } from '@causeway/contracts'
import { afterAll, beforeEach, expect, test } from '@jest/globals'

const folder = mkdtempSync(join(tmpdir(), 'causeway-rotate-'))
const secrets = join(folder, 'secrets')
const calls = join(folder, 'calls')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const script = (name: string, lines: string): string => {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${lines}\n`)
  chmodSync(file, 0o755)
  return file
}
/** Records a call and what it is given; ends with 1 at the call number that is in the file `fails`. */
const recorder = (name: string, reads: string) =>
  script(
    name,
    `echo "${name} $* $(${reads})" >> ${calls}\n[ "$(grep -c . ${calls})" != "$(cat ${folder}/fails)" ]`,
  )

beforeEach(() => {
  rmSync(secrets, { recursive: true, force: true })
  spawnSync('sh', ['deploy/make-secrets.sh', secrets])
  writeFileSync(calls, '')
  writeFileSync(join(folder, 'fails'), '0')
})

const failAt = (call: number) => writeFileSync(join(folder, 'fails'), String(call))
const contents = () =>
  Object.fromEntries(
    readdirSync(secrets)
      .filter((name) => statSync(join(secrets, name)).isFile())
      .map((name) => [name, readFileSync(join(secrets, name), 'utf8')]),
  )
const rotate = (...args: string[]) =>
  spawnSync('sh', ['deploy/rotate.sh', ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      SECRETS: secrets,
      // Of the wraps of data keys none is counted as missing.
      PSQL: script(
        'psql',
        `case "$*" in *ALTER*|*count*) echo 0 ;; *command*) ;; *) cat >> ${calls}; [ "$(grep -c . ${calls})" != "$(cat ${folder}/fails)" ] ;; esac`,
      ),
      NATS_RELOAD: recorder('reload', 'true'),
      NATS_CONNECTIONS: script('connections', 'echo "{}"'),
      APPLY: recorder('apply', `grep -c . ${secrets}/gateway_bus_keys`),
    },
  })

test.each(['databases', 'nats', 'bus-keys', 'keks'])(
  'continues a run of %s that was killed at any call, with the secrets that it had made',
  (subject) => {
    const before = contents()
    for (let call = 1; ; call += 1) {
      failAt(call)
      const killed = rotate(subject)
      if (killed.status === 0) break
      const begun = readdirSync(secrets).filter((name) => name === `rotation-${subject}`)
      expect(begun).toEqual([`rotation-${subject}`])
      const made = readFileSync(join(secrets, begun[0] ?? '', 'stage'), 'utf8')
      expect(made).toMatch(/^\d$/m)
      writeFileSync(calls, '')
    }
    const after = contents()
    const changed = Object.keys(before).filter((name) => before[name] !== after[name])
    expect(changed.length).toBeGreaterThanOrEqual(5)
    for (const name of changed) expect(after[name]).not.toBe('')
    expect(Object.keys(after)).toEqual(Object.keys(before))
    // The addresses carry the passwords of their users.
    for (const name of ['payments', 'gateway']) {
      expect(new URL(after[`${name}_database_url`] ?? '').password).toBe(after[`${name}_database_password`])
      const { username, password } = new URL(after[`${name}_nats_url`] ?? '')
      const suffix = username === name ? '' : '_b'
      expect(password).toBe(after[`${name}_nats_password${suffix}`])
    }
  },
  120_000,
)

test('sends the roles of PostgreSQL the passwords that the files then hold', () => {
  expect(rotate('databases')).toMatchObject({ status: 0, stderr: '' })
  const sent = readFileSync(calls, 'utf8')
  expect(sent).toContain(
    `ALTER ROLE "payments" PASSWORD '${contents()['payments_database_password']?.trim()}';`,
  )
  expect(sent).toContain(`ALTER ROLE "postgres" PASSWORD '${contents()['postgres_password']?.trim()}';`)
})

test('gives every process both keys of a pair before one seals with the new key, and leaves webhooks one for events', () => {
  expect(rotate('bus-keys')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /webhooks keeps the former key of payments>webhooks .* Run this again after/,
    ),
  })
  // The gateway has a pair with every service.
  const pairs = SERVICES.length
  expect(readFileSync(calls, 'utf8').trim().split('\n')).toEqual([
    `apply  ${2 * pairs}`,
    `apply  ${2 * pairs}`,
    `apply  ${pairs}`,
  ])
  const ofEvents = () => contents()['webhooks_bus_keys']?.match(/^payments>webhooks=/gm)?.length
  expect(ofEvents()).toBe(2)
  expect(rotate('bus-keys').stdout).toContain('Run this again after')
  expect(ofEvents()).toBe(2)
  writeFileSync(join(secrets, 'rotation-bus-keys', 'until'), '1')
  expect(rotate('bus-keys')).toMatchObject({ status: 0, stdout: expect.stringContaining('Done') })
  expect(ofEvents()).toBe(1)
})

test('replaces no password of NATS that a connected process still uses', () => {
  const before = contents()
  const env = { ...process.env, SECRETS: secrets, NATS_RELOAD: 'true', APPLY: 'true' }
  const NATS_CONNECTIONS = script('still', `echo '"authorized_user": "payments-stream",'`)
  const { status, stderr } = spawnSync('sh', ['deploy/rotate.sh', 'nats'], {
    encoding: 'utf8',
    env: { ...env, NATS_CONNECTIONS, PATIENCE: '1' },
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining('Still as before after 1 s')])
  expect(stderr).toContain('payments-stream')
  expect(contents()['payments_nats_password']).toBe(before['payments_nats_password'])
})

test('names what it can rotate', () => {
  expect(rotate('everything')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('databases|nats|bus-keys|keks|signing-keys'),
  })
})
