import type { Command } from 'commander'
import { usageError } from '../cli-error.ts'
import { act, onSession, type Context } from '../context.ts'
import type { Columns } from '../output/table.ts'
import { merchantLog } from '../session/event-log.ts'
import type { Session } from '../session/session.ts'
import { TEST_EVENT, trigger, TRIGGERABLE, type Triggerable } from '../trigger/trigger.ts'
import type { Output } from '../output/output.ts'
import { webhookOf } from './log-owner.ts'

type Options = { list?: true; customer?: string; webhook?: string; moveClock?: true }

const COLUMNS: Columns<Triggerable> = {
  EVENT: (row) => row.name,
  CHANNEL: (row) => row.channel,
  HOW: (row) => row.how,
}

const ABOUT = `
Causes the event and waits until it is in the platform's event log. Needs a partner's client,
a staff key and the sandbox; test needs only a merchant's own key. Uses the orders of
--customer, or of a separate customer that is verified with sample data.

Examples:
  causeway trigger --list
  causeway trigger payment.confirmed
  causeway trigger paid --customer pcu_01m831… --json
  causeway trigger ramping.kyc_pending --move-clock`

/** The merchant's own sample, sent to one of its webhooks. */
const test = async (session: Session, { webhook }: Options, output: Output): Promise<void> => {
  const merchant = session.merchant()
  const webhookId = await webhookOf(merchantLog(merchant), webhook)
  const sent = await merchant.testWebhook({ webhookId })
  output.one(sent, `test was sent to ${webhookId}: ${sent.success ? 'accepted' : 'not accepted'}`)
}

/** `causeway trigger`. */
export const addTrigger = (program: Command, context: Context): void => {
  program
    .command('trigger')
    .description('cause an event in the sandbox')
    .argument('[event]', 'event of either channel, such as payment.confirmed or paid')
    .option('--list', 'list all events, and how each is caused')
    .option('--customer <id>', 'customer of the orders, pcu_…')
    .option('--webhook <id>', 'test: webhook id, whk_…; default: the only webhook')
    .option('--move-clock', 'allow moving the clock of the whole sandbox')
    .addHelpText('after', ABOUT)
    .action(
      act<Options>(context, async ({ args: [name], options, output }) => {
        if (options.list === true) {
          output.list(COLUMNS, TRIGGERABLE)
          return
        }
        if (name === undefined) throw usageError('Name an event: causeway trigger --list lists all')
        await onSession(context, options, async (session) => {
          if (name === TEST_EVENT) return test(session, options, output)
          const { customer, moveClock = false } = options
          const event = await trigger(session, name, { customer, mayMoveClock: moveClock })
          output.one(event, `${name}  ${event.event_id}`)
        })
      }),
    )
}
