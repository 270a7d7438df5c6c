import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { composeText, PRODUCTION } from '../../scripts/deployment/compose.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-images-'))
const env = join(folder, '.env')
const digest = `sha256:${'5'.repeat(64)}`
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A docker that knows one digest, and records what it is asked. */
const asked = join(folder, 'asked')
writeFileSync(
  join(folder, 'docker'),
  `#!/bin/sh\necho "$*" >> ${asked}\n[ "$1" = pull ] || echo "docker.io/library/some@${digest}"\n`,
)
chmodSync(join(folder, 'docker'), 0o755)

const pin = (...args: string[]) =>
  spawnSync('sh', ['deploy/pin-images.sh', ...args, env], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  })

const NAMES = ['NODE_IMAGE', 'CADDY_IMAGE', 'NATS_IMAGE', 'POSTGRES_IMAGE']

test('pins images by digest in .env, which the check then accepts, and keeps other lines', () => {
  writeFileSync(env, 'PUBLIC_BASE_URL=https://localhost\nNATS_IMAGE=registry.example/nats:2.14\n')
  const before = pin('--check')
  expect([before.status, before.stdout.trim().split('\n')]).toEqual([
    1,
    NAMES.map((name) => expect.stringMatching(new RegExp(`^${name} has no digest: `))),
  ])
  expect(pin()).toMatchObject({ status: 0, stderr: '' })
  const written = readFileSync(env, 'utf8')
  expect(written).toContain('PUBLIC_BASE_URL=https://localhost\n')
  expect(written).toContain(`NATS_IMAGE=registry.example/nats:2.14@${digest}\n`)
  expect(readFileSync(asked, 'utf8')).toContain('pull --quiet postgres:18-alpine\n')
  expect(pin('--check')).toMatchObject({ status: 0, stdout: '' })
  // Those that have a digest are left alone.
  expect(pin()).toMatchObject({ status: 0 })
  expect(readFileSync(env, 'utf8')).toBe(written)
})

test('pins the images of the compose file and of the image', () => {
  const defaultsIn = (text: string) =>
    [...text.matchAll(/^pin (\w+) (\S+)$/gm)].map(([, name, image]) => [name, image])
  const pinned = Object.fromEntries(defaultsIn(readFileSync('deploy/pin-images.sh', 'utf8'))) as Record<
    string,
    string
  >
  const named = [...composeText(PRODUCTION).matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}/g)]
    .filter(([, name]) => name !== 'CAUSEWAY_IMAGE')
    .map(([, name, image]) => [name, image])
  expect(pinned).toEqual(Object.fromEntries(named))
  expect(readFileSync('Dockerfile', 'utf8')).toContain(`ARG NODE_IMAGE=${pinned['NODE_IMAGE'] ?? ''}\n`)
})
