import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from '@jest/globals'

const folder = mkdtempSync(join(tmpdir(), 'causeway-upgrade-'))
const calls = join(folder, 'calls')
const running = join(folder, 'running.conf')
const secrets = join(folder, 'deploy', 'secrets')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An installation of an earlier release: fewer secrets, and NATS with other permissions. */
beforeEach(() => {
  rmSync(join(folder, 'deploy'), { recursive: true, force: true })
  mkdirSync(join(folder, 'deploy'))
  for (const file of [
    'deploy/make-secrets.sh',
    'deploy/upgrade.sh',
    'deploy/nats.conf',
    'docker-compose.yml',
  ])
    cpSync(file, join(folder, file))
  cpSync('.env.example', join(folder, '.env.example'))
  writeFileSync(join(folder, '.env'), 'PUBLIC_BASE_URL=https://localhost\nCOMPOSE_PROJECT_NAME=pay\n')
  writeFileSync(calls, '')
  writeFileSync(running, 'older permissions')
  const docker = join(folder, 'docker')
  writeFileSync(docker, `#!/bin/sh\necho "$*" >> ${calls}\n[ "$2" != exec ] || cat ${running}\n`)
  chmodSync(docker, 0o755)
})

const upgrade = (...args: string[]) =>
  spawnSync('sh', [join(folder, 'deploy', 'upgrade.sh'), ...args], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  })
const called = () => readFileSync(calls, 'utf8').trim().split('\n').slice(1)

test('makes the secrets that are missing, keeps the others, and gives NATS its permissions before the processes', () => {
  mkdirSync(secrets)
  writeFileSync(join(secrets, 'postgres_password'), 'kept')
  expect(upgrade()).toMatchObject({ status: 0, stderr: '' })
  expect(readFileSync(join(secrets, 'postgres_password'), 'utf8')).toBe('kept')
  expect(readdirSync(secrets)).toContain('signer_bus_keys')
  expect(called()).toEqual([
    'compose build',
    'compose up --detach --no-deps --force-recreate nats',
    'compose up --detach',
  ])
})

test('leaves NATS alone when its permissions are those of the release', () => {
  cpSync('deploy/nats.conf', running)
  expect(upgrade()).toMatchObject({ status: 0, stderr: '' })
  expect(called()).toEqual(['compose build', 'compose up --detach'])
})

test('pulls an image that .env names by its digest, and builds none', () => {
  cpSync('deploy/nats.conf', running)
  const image = `CAUSEWAY_IMAGE=registry.example/causeway:1.2.3@sha256:${'5'.repeat(64)}`
  writeFileSync(join(folder, '.env'), `PUBLIC_BASE_URL=https://localhost\n${image}\n`)
  expect(upgrade()).toMatchObject({ status: 0, stderr: '' })
  expect(called()).toEqual(['compose pull --quiet gateway', 'compose up --detach'])
})

test('changes nothing in a dry run, and lists the secrets that are missing', () => {
  const { status, stdout } = upgrade('--dry-run')
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/Secrets to make: [^]*signer_seed[^]*NATS: changed\n$/),
  ])
  expect(readdirSync(join(folder, 'deploy'))).not.toContain('secrets')
  expect(called()).toEqual([])
})

test('names settings of .env that this release does not have, before it changes anything', () => {
  writeFileSync(join(folder, '.env'), 'PUBLIC_BASE_URL=https://localhost\nCRYPTO_REFUND=signer\n')
  const { status, stderr } = upgrade()
  expect([status, stderr]).toEqual([1, expect.stringContaining('in .env: CRYPTO_REFUND')])
  expect(readFileSync(calls, 'utf8')).toBe('')
})
