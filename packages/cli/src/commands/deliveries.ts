import type { Schemas } from '@causeway/client'
import { Option, type Command } from 'commander'
import { actWith, type Context } from '../context.ts'
import type { Columns } from '../output/table.ts'
import { time } from '../output/values.ts'
import type { DeliveryQuery } from '../session/event-log.ts'
import { addOwnerOptions, logOf, webhookOf, type OwnerOptions } from './log-owner.ts'
import { limitOption, take } from './options.ts'

type Delivery = Schemas['Delivery']

/** The receiver's last response, or why it did not respond. */
const lastAnswer = ({ attempts }: Delivery): string | null => {
  const last = attempts.at(-1)
  return last === undefined ? null : (last.error ?? String(last.status_code))
}

const COLUMNS: Columns<Delivery> = {
  EVENT: (row) => row.event_id,
  TYPE: (row) => row.event_type,
  STATUS: (row) => row.status,
  TRIES: (row) => row.attempts.length,
  LAST: lastAnswer,
  NEXT: (row) => time(row.next_attempt_at),
}

type Options = OwnerOptions & {
  webhook?: string
  type?: string
  status?: 'waiting' | 'delivered' | 'dead'
  limit: number
}

const EXAMPLES = `
LAST is what the receiver answered last, or why there was no answer; --json has each attempt
with the answer's body.

Examples:
  causeway deliveries --status dead
  causeway deliveries --merchant --webhook whk_01m832gaqse0a8fr8xr4qstq81 --json`

/** `causeway deliveries`. */
export const addDeliveries = (program: Command, context: Context): void => {
  addOwnerOptions(program.command('deliveries'))
    .description('list the deliveries of a webhook, newest first')
    .option('--webhook <id>', 'webhook id, whk_…; default: the only webhook')
    .option('--type <type>', 'only this event type')
    .addOption(new Option('--status <status>', 'only this status').choices(['waiting', 'delivered', 'dead']))
    .addOption(limitOption())
    .addHelpText('after', EXAMPLES)
    .action(
      actWith<Options>(context, async (session, { options, output }) => {
        const { type, status, limit } = options
        const query: DeliveryQuery = {
          ...(type !== undefined && { event_type: type }),
          ...(status !== undefined && { status }),
        }
        const log = await logOf(session, options)
        const webhookId = await webhookOf(log, options.webhook)
        output.list(COLUMNS, await take(log.deliveries(webhookId, query), limit))
      }),
    )
}
