import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { createClock, createLogger, type Db, type Loop } from '@causeway/chassis'
import { eventually, openTestDb, runSql, testDatabase, testVault } from '@causeway/chassis/testing'
import { readMails, setMailFault, startSandbox } from '../../../../sandbox/src/testing/index.ts'
import { startSendingMail } from '../../src/mail/jobs/send.ts'
import { queueMail } from '../../src/mail/queue.ts'
import { toMailConfig } from '../../src/mail/settings.ts'
import { createSendMail } from '../../src/mail/transport.ts'

const MINUTE_MS = 60_000
const startedMs = Date.now()
const clock = createClock(() => startedMs)
const vault = testVault(Buffer.alloc(32, 7))
const log = createLogger({ service: 'test', level: 'silent' })

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let loops: Loop[] = []

beforeAll(async () => {
  database = await testDatabase('gateway')
  db = openTestDb(database.url, clock)
  sandbox = await startSandbox({ mailPort: 0 }, clock)
})
afterEach(async () => {
  for (const loop of loops) await loop.stop()
  loops = []
  await runSql(database.url, 'DELETE FROM mails')
})
afterAll(async () => {
  await sandbox.stop()
  await db.close()
  await database.drop()
})

const start = (replicas = 1) => {
  const config = toMailConfig({
    MAIL_URL: sandbox.mailUrl() ?? '',
    MAIL_FROM: 'Causeway <no-reply@pay.example>',
  })
  if (config === null) throw new Error('The sandbox has no mail server')
  const send = createSendMail(config)
  loops = Array.from({ length: replicas }, () => startSendingMail({ db, clock, log, vault, send }))
}
const wake = () => loops.forEach((loop) => loop.wake())
const messageTo = (to: string, subject = 'Your sign-in link') => ({
  to,
  subject,
  text: `Hello\nhttps://pay.example/portal/sign-in/abc`,
  html: '<p>Hello</p>',
})
const queue = (to: string, ttlMs = 15 * MINUTE_MS, subject?: string) =>
  db.transaction(async (tx) =>
    queueMail(tx, vault, {
      kind: 'sign_in_link',
      message: messageTo(to, subject),
      now: clock.now(),
      expiresAt: new Date(clock.nowMs() + ttlMs),
    }),
  )
const rows = () =>
  runSql<{ mail_id: string; outcome: string | null; attempts: number; message_sealed: string | null }>(
    database.url,
    'SELECT * FROM mails ORDER BY mail_id',
  )

test('sends a queued mail once from several replicas, deletes its content and keeps id, kind and time', async () => {
  await queue('ada@shop.example')
  const [queued] = await rows()
  expect(queued?.message_sealed).not.toContain('ada')
  start(3)
  await eventually(async () => (await rows())[0]?.outcome === 'sent')
  const mails = await readMails(sandbox.url(), 'ada@shop.example')
  expect(mails.map(({ message_id: id, links }) => [id, links])).toEqual([
    [`<${queued?.mail_id}@pay.example>`, ['https://pay.example/portal/sign-in/abc']],
  ])
  expect((await rows()).map(({ attempts, message_sealed: sealed }) => [attempts, sealed])).toEqual([
    [1, null],
  ])
})

test('retries a mail that the server refuses temporarily, with the same Message-ID', async () => {
  await setMailFault(sandbox.url(), { mode: 'refuse_temporarily', count: 2 })
  await queue('bo@shop.example')
  start()
  for (const pauseMs of [5_000, 10_000]) {
    await eventually(async () => {
      const [due] = await runSql<{ due: boolean }>(
        database.url,
        'SELECT next_attempt_at > $1 AND next_attempt_at <= $2 AS due FROM mails',
        [clock.now(), new Date(clock.nowMs() + pauseMs)],
      )
      return due?.due === true
    })
    expect(await readMails(sandbox.url(), 'bo@shop.example')).toEqual([])
    clock.advance(pauseMs)
    wake()
  }
  await eventually(async () => (await rows())[0]?.outcome === 'sent')
  expect((await rows())[0]?.attempts).toBe(3)
  expect(await readMails(sandbox.url(), 'bo@shop.example')).toHaveLength(1)
})

test('ends a mail that the server refuses permanently, and deletes its content', async () => {
  await setMailFault(sandbox.url(), { mode: 'refuse', count: 1 })
  await queue('cy@shop.example')
  start()
  await eventually(async () => (await rows())[0]?.outcome === 'refused')
  expect((await rows())[0]?.message_sealed).toBeNull()
})

test('ends a mail unsent once its deadline has passed', async () => {
  await queue('di@shop.example', MINUTE_MS)
  clock.advance(MINUTE_MS)
  start()
  await eventually(async () => (await rows())[0]?.outcome === 'expired')
  expect(await readMails(sandbox.url(), 'di@shop.example')).toEqual([])
})

test('queues nothing when the transaction of its cause rolls back', async () => {
  const failing = db.transaction(async (tx) => {
    const message = messageTo('ed@shop.example')
    await queueMail(tx, vault, { kind: 'invitation', message, now: clock.now(), expiresAt: clock.now() })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await rows()).toEqual([])
})

test('adds no header and no recipient for line breaks in a subject', async () => {
  await queue('fay@shop.example', 15 * MINUTE_MS, 'Hello\r\nBcc: eve@evil.example\r\n\r\nbody')
  start()
  await eventually(async () => (await rows())[0]?.outcome === 'sent')
  const [mail] = await readMails(sandbox.url(), 'fay@shop.example')
  expect([mail?.to, mail?.source.includes('\nBcc:')]).toEqual([['fay@shop.example'], false])
  expect(await readMails(sandbox.url(), 'eve@evil.example')).toEqual([])
})
