import { createClock, createLogger, newId, type Db, type ServiceClient } from '@causeway/chassis'
import { openTestDb, runSql, testDatabase, testVault } from '@causeway/chassis/testing'
import type { deliveries } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { z } from 'zod'
import { mailContext, MailMessage } from '../../src/mail/message.ts'
import { notifyOfFailingWebhooks } from '../../src/notices/jobs/failing-webhooks.ts'
import { macOfEmail, personContext } from '../../src/people/address.ts'

const HOUR_MS = 3_600_000
const startedMs = Date.now()
const clock = createClock(() => startedMs)
const vault = testVault(Buffer.alloc(32, 7))
const log = createLogger({ service: 'test', level: 'silent' })

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
let pages: z.input<typeof deliveries.listFailing.reply>[] = []
let asked: unknown[] = []

beforeAll(async () => {
  database = await testDatabase('gateway')
  db = openTestDb(database.url, clock)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})
beforeEach(() => {
  pages = []
  asked = []
})

const join = async (ownerKind: 'partner' | 'merchant', ownerId: string, role: string) => {
  const personId = newId('person')
  const email = `${role}-${personId}@shop.example`
  await runSql(
    database.url,
    `INSERT INTO people (person_id, owner_kind, owner_id, role, email_mac, email_sealed, invited_by, invited_at,
       accepted_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'operator:test', $7, $7)`,
    [
      personId,
      ownerKind,
      ownerId,
      role,
      macOfEmail(vault, email),
      vault.seal(email, personContext(personId)),
      clock.now(),
    ],
  )
  return email
}
const queued = async () => {
  const rows = await runSql<{ mail_id: string; message_sealed: string }>(
    database.url,
    `SELECT mail_id, message_sealed FROM mails WHERE kind = 'webhook_failing' ORDER BY created_at, mail_id`,
  )
  return rows.map(({ mail_id: id, message_sealed: sealed }) =>
    MailMessage.parse(JSON.parse(vault.open(sealed, mailContext(id)).toString('utf8'))),
  )
}
const ask = (async (_: unknown, body: unknown) => {
  asked.push(body)
  return { ok: true, value: pages.shift() ?? { webhooks: [], next_id: null } }
}) as unknown as ServiceClient
const run = () =>
  notifyOfFailingWebhooks({
    db,
    clock,
    log,
    vault,
    ask,
    publicBaseUrl: 'https://pay.example',
    mailAlarm: { ring: () => undefined, onRing: () => undefined },
  })

test('mails owners and developers of a failing webhook once a day, on whichever replica, and nobody else', async () => {
  const [merchantId, otherId] = [newId('merchant'), newId('merchant')]
  const webhookId = newId('webhook')
  const receivers = await Promise.all(
    ['owner', 'developer'].map((role) => join('merchant', merchantId, role)),
  )
  for (const role of ['finance', 'viewer']) await join('merchant', merchantId, role)
  await join('merchant', otherId, 'owner')
  const page = {
    webhooks: [{ webhook_id: webhookId, partner_id: null, customer_id: merchantId }],
    next_id: null,
  }
  pages = [page, page, page]
  await Promise.all([run(), run()])
  const mails = await queued()
  expect(mails.map(({ to }) => to).toSorted()).toEqual(receivers.toSorted())
  expect(mails.map(({ subject }) => subject)).toEqual(['Webhook failing', 'Webhook failing'])
  expect(mails[0]?.text).toContain(`https://pay.example/portal/webhooks/${webhookId}`)
  clock.advance(23 * HOUR_MS)
  await run()
  expect(await queued()).toHaveLength(2)
  clock.advance(HOUR_MS)
  pages = [page]
  await run()
  expect(await queued()).toHaveLength(4)
})

test('reads every page, of the last six hours', async () => {
  pages = [
    { webhooks: [], next_id: 'whk_1' },
    { webhooks: [], next_id: null },
  ]
  await run()
  const since = new Date(clock.nowMs() - 6 * HOUR_MS).toISOString()
  expect(asked).toEqual([
    { since, after_id: '', limit: 200 },
    { since, after_id: 'whk_1', limit: 200 },
  ])
})
