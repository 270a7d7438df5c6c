import type { Transaction, Vault } from '@causeway/chassis'
import { rolesOfNotice } from '@causeway/contracts'
import { queueMail } from '../mail/queue.ts'
import { personContext } from '../people/address.ts'
import type { Owner } from '../people/store.ts'
import { noticeMail, type Notice } from './mails.ts'
import { restMsOf } from './rules.ts'
import { claimNotices } from './store.ts'

const HOUR_MS = 3_600_000

type Due = Omit<Notice, 'reader'> &
  Readonly<{
    owner: Owner
    /** The merchant or webhook: a person gets one notice of the kind about it in a time. */
    subject: string
    now: Date
    expiresAt: Date
  }>

/** Queues the mails of a notice to the people of an owner, within their limits. */
export async function queueNotices(
  tx: Transaction,
  vault: Vault,
  { owner, subject, now, expiresAt, ...notice }: Due,
): Promise<void> {
  const { kind } = notice
  const before = (ms: number) => new Date(now.getTime() - ms)
  const people = await claimNotices(tx, {
    ...owner,
    roles: rolesOfNotice(kind, owner.ownerKind),
    kind,
    subject,
    now,
    since: before(restMsOf(kind)),
    hourAgo: before(HOUR_MS),
  })
  for (const { personId, emailSealed } of people) {
    const to = vault.open(emailSealed, personContext(personId)).toString('utf8')
    const message = noticeMail(to, { ...notice, reader: owner.ownerKind })
    await queueMail(tx, vault, { kind, message, now, expiresAt })
  }
}
