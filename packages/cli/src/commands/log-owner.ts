import type { Command } from 'commander'
import { usageError } from '../cli-error.ts'
import {
  merchantLog,
  merchantLogOfStaff,
  ownPartnerLog,
  partnerLog,
  type EventLog,
  type Webhook,
} from '../session/event-log.ts'
import type { Session } from '../session/session.ts'

/** Whose events. */
export type OwnerOptions = { partner?: string; merchant?: string | true }

export const addOwnerOptions = (command: Command): Command =>
  command
    .option('--partner <id>', 'partner id, prt_…; default: the partner that is logged in')
    .option(
      '--merchant [id]',
      'events of a merchant: cus_… with a staff key; without id with its own API key',
    )

/** By the options, else by who is logged in: staff read a partner's; a partner and a merchant read their own. */
export const logOf = async (session: Session, { partner, merchant }: OwnerOptions): Promise<EventLog> => {
  const { staff, partner: client, merchant: own } = session.credentials
  const isOwn = partner === undefined && merchant === undefined && staff === undefined
  if (isOwn && client !== undefined) return ownPartnerLog(session.partner())
  if (merchant === true || (isOwn && own !== undefined)) return merchantLog(session.merchant())
  if (merchant !== undefined) return merchantLogOfStaff(session.staff(), merchant)
  return partnerLog(session.staff(), partner ?? (await session.partnerId()))
}

/** The webhook that was named, or the only one there is. @throws CliError when that is not clear */
export const webhookOf = async (log: EventLog, named: string | undefined): Promise<string> => {
  if (named !== undefined) return named
  const found: Webhook[] = []
  for await (const webhook of log.webhooks()) found.push(webhook)
  const [only] = found
  if (only === undefined) throw usageError(`There is no webhook of ${log.whose}: run causeway listen`)
  if (found.length === 1) return only.webhookId
  const list = found.map(({ webhookId, url }) => `${webhookId} (${url})`).join(', ')
  throw usageError(`Name the webhook: --webhook with one of ${list}`)
}
