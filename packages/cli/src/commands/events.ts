import { Option, type Command } from 'commander'
import { actWith, type Context } from '../context.ts'
import type { Columns } from '../output/table.ts'
import { time } from '../output/values.ts'
import type { EventQuery, LoggedEvent } from '../session/event-log.ts'
import { addOwnerOptions, logOf, webhookOf, type OwnerOptions } from './log-owner.ts'
import { feedStart, limitOption, take, type FeedStart } from './options.ts'

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

type FeedOptions = { since?: FeedStart; types?: string; follow?: boolean }

/** Prints the feed of the partner that is logged in: one line an event, JSON lines for programs. */
const printFeed = (context: Context) =>
  actWith<FeedOptions>(context, async (session, { options, output }) => {
    const { since, types, follow } = options
    const client = session.partner()
    const input = { ...since, ...(types !== undefined && { types }) }
    const events = follow === true ? client.followEvents(input) : client.listFeedEvents.all(input)
    for await (const event of events)
      output.line(`${event.event_id}  ${String(time(event.created_at))}  ${event.event_type}`, event)
  })

/** `causeway events`. */
export const addEvents = (program: Command, context: Context): void => {
  const events = program.command('events').description('events and their delivery')
  const print = printFeed(context)
  events
    .addOption(
      new Option('--since <start>', 'list your events since a time, a duration or an event').argParser(
        feedStart,
      ),
    )
    .option('--types <types>', 'only these event types, separated by commas')
    .option('--follow', 'wait for new events until you press Ctrl+C')
    .addHelpText(
      'after',
      '\nExamples:\n  causeway events --since 24h\n  causeway events --since evt_01m801kp0de4dv5rcsca33wem0 --follow --json',
    )
    .action((options: FeedOptions, command: Command) => {
      if (options.since === undefined && options.follow !== true) return command.help({ error: true })
      return print(options, command)
    })
  addEventList(events, context)
  addEventShow(events, context)
  addEventResend(events, context)
}
