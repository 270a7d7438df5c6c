import { Option, type Command } from 'commander'
import { actWith, type Context } from '../context.ts'
import type { Columns } from '../output/table.ts'
import { time } from '../output/values.ts'
import type { EventQuery, LoggedEvent } from '../session/event-log.ts'
import { addOwnerOptions, logOf, webhookOf, type OwnerOptions } from './log-owner.ts'
import { limitOption, take } from './options.ts'

const COLUMNS: Columns<LoggedEvent> = {
  EVENT: (row) => row.event_id,
  TYPE: (row) => row.event_type,
  CREATED: (row) => time(row.created_at),
  DELIVERIES: (row) => row.deliveries.map(({ status }) => status).join(' ') || 'none',
}

type ListOptions = OwnerOptions & {
  type?: string
  status?: 'waiting' | 'delivered' | 'dead' | 'missed'
  limit: number
}

const addEventList = (events: Command, context: Context): void => {
  addOwnerOptions(events.command('list'))
    .description('list events, newest first, including those without a receiver')
    .option('--type <type>', 'only this event type')
    .addOption(
      new Option('--status <status>', 'only this status').choices(['waiting', 'delivered', 'dead', 'missed']),
    )
    .addOption(limitOption())
    .addHelpText(
      'after',
      '\nExamples:\n  causeway events list --type payment.confirmed\n  causeway events list --merchant --status dead --json',
    )
    .action(
      actWith<ListOptions>(context, async (session, { options, output }) => {
        const { type, status, limit } = options
        const query: EventQuery = {
          ...(type !== undefined && { event_type: type }),
          ...(status !== undefined && { status }),
        }
        output.list(COLUMNS, await take((await logOf(session, options)).events(query), limit))
      }),
    )
}

const addEventShow = (events: Command, context: Context): void => {
  addOwnerOptions(events.command('show'))
    .description('show an event, with its body')
    .argument('<event>', 'event id, evt_…')
    .addHelpText('after', '\nExample:\n  causeway events show evt_01m801kp0de4dv5rcsca33wem0')
    .action(
      actWith<OwnerOptions>(context, async (session, { args: [eventId = ''], options, output }) => {
        const { payload, ...event } = await (await logOf(session, options)).event(eventId)
        // What is sent is JSON: it is shown so to people too, below the rest.
        output.one(
          { ...event, payload },
          `${event.event_id}  ${event.event_type}  ${String(time(event.created_at))}\n${JSON.stringify(payload, null, 2)}`,
        )
      }),
    )
}

const addEventResend = (events: Command, context: Context): void => {
  addOwnerOptions(events.command('resend'))
    .description('send an event again, with the same event_id')
    .argument('<event>', 'event id, evt_…')
    .option('--webhook <id>', 'webhook id, whk_…; default: the only webhook')
    .addHelpText('after', '\nExample:\n  causeway events resend evt_01m801kp0de4dv5rcsca33wem0')
    .action(
      actWith<OwnerOptions & { webhook?: string }>(
        context,
        async (session, { args: [eventId = ''], options, output }) => {
          const log = await logOf(session, options)
          const webhookId = await webhookOf(log, options.webhook)
          const delivery = await log.resend(webhookId, eventId)
          output.one(delivery, `${delivery.event_type} ${eventId} is sent again to ${webhookId}.`)
        },
      ),
    )
}

/** `causeway events`. */
export const addEvents = (program: Command, context: Context): void => {
  const events = program.command('events').description('events and their delivery')
  addEventList(events, context)
  addEventShow(events, context)
  addEventResend(events, context)
}
