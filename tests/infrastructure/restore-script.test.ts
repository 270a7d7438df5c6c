import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from '@jest/globals'

const folder = mkdtempSync(join(tmpdir(), 'causeway-restore-'))
const calls = join(folder, 'calls')
const MOMENT = '2026-01-31T12:00:00Z'
const HISTORY_SINCE = '2026-01-31T09:00:00Z'
const SNAPSHOTS = ['0830', '1030', '1130', '1230'].map((time) => `2026-01-31T${time}00Z`)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Commands that answer a call of docker, by a pattern of its arguments. The first pattern that matches counts. */
type Answers = Readonly<Record<string, string>>
const ANSWERS: Answers = {
  '*config --services': 'echo gateway; echo backup-databases',
  '*CHOOSE=yes*': `echo base 2026-01-31T020000Z; echo since ${HISTORY_SINCE}`,
  '*restore-databases': `echo base 2026-01-31T020000Z; echo since ${HISTORY_SINCE}; echo until ${MOMENT}`,
  '*ls backup-streams*': `printf '%s\\n' ${[...SNAPSHOTS, '2026-01-31T115900Z.part'].join(' ')}`,
}
const fakeDocker = (answers: Answers): void => {
  const cases = Object.entries({ ...ANSWERS, ...answers }).map(
    ([pattern, answer]) => `  ${pattern.replaceAll(' ', '\\ ')}) ${answer} ;;`,
  )
  const docker = join(folder, 'docker')
  writeFileSync(docker, `#!/bin/sh\necho "$*" >> ${calls}\ncase "$*" in\n${cases.join('\n')}\nesac\n`)
  chmodSync(docker, 0o755)
}

beforeEach(() => {
  rmSync(join(folder, 'backup'), { recursive: true, force: true })
  mkdirSync(join(folder, 'deploy'), { recursive: true })
  cpSync('deploy/restore.sh', join(folder, 'deploy', 'restore.sh'))
  for (const kind of ['base', 'wal', 'streams']) mkdirSync(join(folder, 'backup', kind), { recursive: true })
  writeFileSync(join(folder, '.env'), 'PUBLIC_BASE_URL=https://localhost\n')
  writeFileSync(calls, '')
  fakeDocker({})
})

const restore = (...args: string[]) =>
  spawnSync('sh', [join(folder, 'deploy', 'restore.sh'), ...args], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  })
/** Calls that change something, without what one of them runs in its container. */
const changes = () =>
  readFileSync(calls, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('compose ') && !/CHOOSE|config|ps --services| ls /.test(line))
    .map((line) => line.replaceAll(/before-restore-\S+/g, 'KEPT').replace(/ -c (.*)$/, ''))

test('stops what writes, restores the databases, then the streams, and starts everything', () => {
  const { status, stdout, stderr } = restore(MOMENT)
  expect([status, stderr]).toEqual([0, ''])
  expect(changes()).toEqual([
    'compose --profile signer stop --timeout 60 gateway access onboarding payments refunds webhooks onramp ledger signer backup-databases backup-streams',
    'compose stop --timeout 300 nats postgres',
    `compose run --rm --no-deps -T -e MOMENT=${MOMENT} restore-databases`,
    'compose run --rm --no-deps -T --entrypoint sh postgres',
    'compose run --rm --no-deps -T --entrypoint sh nats',
    'compose up --detach --no-deps nats',
    'compose exec -T nats wget -q -O /dev/null http://127.0.0.1:8222/healthz',
    'compose run --rm --no-deps -T --entrypoint sh backup-streams',
    'compose run --rm --no-deps -T --entrypoint sh backup-streams',
    'compose up --detach',
  ])
  expect(stdout).toMatch(
    /Restored until 2026-01-31T12:00:00Z[^]+rm -rf \/var\/lib\/postgresql\/before-restore-/,
  )
})

test('restores the newest events from before the end of the databases, and the newest documents', () => {
  expect(restore()).toMatchObject({ status: 0, stderr: '' })
  expect(readFileSync(calls, 'utf8')).toMatch(/command\.ts restore .* 2026-01-31T123000Z --documents\n/)
  expect(readFileSync(calls, 'utf8')).toMatch(
    /command\.ts restore .* 2026-01-31T113000Z --until 2026-01-31T12:00:00Z\n/,
  )
})

test('leaves the events out when every earlier snapshot belongs to the history before another restore', () => {
  fakeDocker({ '*ls backup-streams*': `echo ${SNAPSHOTS[0] ?? ''}; echo ${SNAPSHOTS[3] ?? ''}` })
  expect(restore()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('No snapshot of the events fits'),
  })
  expect(readFileSync(calls, 'utf8')).not.toContain('--until')
})

test('starts the signer again only where it ran', () => {
  fakeDocker({ '*ps --services*': 'echo gateway; echo signer' })
  expect(restore()).toMatchObject({ status: 0, stderr: '' })
  expect(changes().at(-1)).toBe('compose --profile signer up --detach')
})

test('changes nothing in a dry run, and says what it would restore', () => {
  const { status, stdout } = restore('--dry-run', MOMENT)
  expect([status, stdout]).toEqual([
    0,
    `Base backup: 2026-01-31T020000Z, and the log until ${MOMENT}\nSnapshot of the events: 2026-01-31T113000Z\n` +
      'Dry run: nothing was changed\n',
  ])
  expect(changes()).toEqual([])
})

const NOT_MOMENTS = ['', 'yesterday', '2026-01-31', '2026-01-31T12:00Z', '2026-13-01T00:00:00Z', '--dry']
test.each(NOT_MOMENTS)('refuses "%s" as a moment', (text) => {
  expect(restore(text)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Usage: sh deploy/restore.sh'),
  })
  expect(readFileSync(calls, 'utf8')).toBe('')
})

test('refuses a moment in the future', () => {
  const moment = '2099-01-01T00:00:00Z'
  expect(restore(moment)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${moment} is in the future`),
  })
  expect(readFileSync(calls, 'utf8')).toBe('')
})

test('refuses an installation that runs without backups', () => {
  fakeDocker({ '*config --services': 'echo gateway' })
  expect(restore()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('does not name docker-compose.backup.yml'),
  })
  expect(changes()).toEqual([])
})

test('names the folder of the backups that is missing', () => {
  writeFileSync(join(folder, '.env'), 'BACKUP_FOLDER=/srv/nowhere\n')
  expect(restore()).toMatchObject({
    status: 1,
    stderr: '/srv/nowhere has no folder base: mount the backups there, or set BACKUP_FOLDER in .env\n',
  })
  expect(changes()).toEqual([])
})

test('stops nothing when no base backup is from before the moment', () => {
  fakeDocker({ '*CHOOSE=yes*': `echo 'No base backup from before ${MOMENT}' >&2; exit 1` })
  expect(restore(MOMENT)).toMatchObject({ status: 1, stderr: `No base backup from before ${MOMENT}\n` })
  expect(changes()).toEqual([])
})

test('replaces nothing when the databases cannot be restored, and says how to continue', () => {
  fakeDocker({ '*restore-databases': 'exit 1' })
  expect(restore()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Nothing was replaced: "docker compose up --detach"'),
  })
  expect(changes().at(-1)).toMatch(/restore-databases$/)
})

test('says that the databases were restored when the streams cannot be', () => {
  fakeDocker({ '*command.ts restore*': 'exit 1' })
  expect(restore()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('the stream of events was not. Run this again'),
  })
  expect(changes().at(-1)).toMatch(/backup-streams$/)
})
