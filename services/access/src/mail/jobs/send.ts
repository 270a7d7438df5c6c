import {
  metrics,
  startLoop,
  type Clock,
  type Db,
  type Logger,
  type Loop,
  type Vault,
} from '@causeway/chassis'
import { mailContext, MailMessage } from '../message.ts'
import { faultOf, isPermanent, nextStep, type Attempt } from '../rules.ts'
import { claimMails, endMail, purgeMails, readMailBacklog, retryMail, type ClaimedMail } from '../store.ts'
import { ATTEMPT_MS, type SendMail } from '../transport.ts'

const EVERY_MS = 1_000
const REST_MS = 50
/** Mails of one run, which are sent simultaneously. */
const BATCH = 10
const LEASE_MS = ATTEMPT_MS + 30_000
/** How long id, kind and times of a mail are kept after its end. */
const KEPT_MS = 30 * 24 * 3_600_000
const DEAD_SHOWN_MS = 24 * 3_600_000
const TEND_EVERY_MS = 10_000
const BOUND = 10_000

const ended = metrics.counter(
  'causeway_mails_ended_total',
  'E-mail that was sent, refused or not sent in time',
  ['outcome'],
)
const waiting = metrics.gauge(
  'causeway_mails_waiting',
  `E-mail that waits to be sent; counted up to ${BOUND}`,
)
const dead = metrics.gauge(
  'causeway_mails_dead',
  `E-mail of the last 24 h that a server refused or that was not sent in time; counted up to ${BOUND}`,
)

type Options = Readonly<{ db: Db; clock: Clock; log: Logger; vault: Vault; send: SendMail }>

const attempt = async ({ vault, send, log }: Options, mail: ClaimedMail): Promise<Attempt> => {
  const { mailId, kind, attempts, messageSealed } = mail
  const opened = vault.open(messageSealed, mailContext(mailId)).toString('utf8')
  const message = MailMessage.parse(JSON.parse(opened))
  try {
    await send(mailId, message)
    return 'sent'
  } catch (error) {
    const fault = faultOf(error)
    const isRefused = isPermanent(fault)
    log.warn(
      {
        event: 'mail.attempt_failed',
        mail_id: mailId,
        kind,
        attempts,
        refused: isRefused,
        code: fault.code,
        smtp_status: fault.status,
      },
      'An attempt to send a mail failed',
    )
    return isRefused ? 'refused' : 'failed'
  }
}

async function sendOne(options: Options, mail: ClaimedMail): Promise<void> {
  const { db, clock } = options
  const { mailId, attempts, expiresAt } = mail
  const isLate = expiresAt <= clock.now()
  const result = isLate ? 'failed' : await attempt(options, mail)
  const now = clock.now()
  const step = nextStep(result, { attempts, expiresAt, now })
  if (step.outcome === null) {
    await retryMail(db, { mailId, attempts, nextAttemptAt: step.nextAttemptAt })
    return
  }
  await endMail(db, { mailId, attempts, outcome: step.outcome, now })
  ended.inc({ outcome: step.outcome })
}

async function sendDue(options: Options): Promise<boolean> {
  const { db, clock } = options
  const now = clock.now()
  const mails = await claimMails(db, { now, leaseUntil: new Date(now.getTime() + LEASE_MS), limit: BATCH })
  const results = await Promise.allSettled(mails.map((mail) => sendOne(options, mail)))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return mails.length === BATCH
}

/** Sends queued mails, on every replica: each mail is claimed by one. */
export const startSendingMail = (options: Options): Loop =>
  startLoop({
    name: 'mails',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log: options.log,
    run: () => sendDue(options),
  })

/** Keeps the gauges of mail, and purges mails that ended long ago. */
export const startTendingMail = ({ db, clock, log }: Omit<Options, 'send' | 'vault'>): Loop =>
  startLoop({
    name: 'mail-upkeep',
    everyMs: TEND_EVERY_MS,
    restMs: TEND_EVERY_MS,
    log,
    async run() {
      const deadAfter = new Date(clock.nowMs() - DEAD_SHOWN_MS)
      const backlog = await readMailBacklog(db, { deadAfter, bound: BOUND })
      waiting.set(backlog?.waiting ?? 0)
      dead.set(backlog?.dead ?? 0)
      await purgeMails(db, { before: new Date(clock.nowMs() - KEPT_MS) })
    },
  })
