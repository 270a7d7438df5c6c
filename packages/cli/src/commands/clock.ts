import type { Command } from 'commander'
import { actWith, type Context } from '../context.ts'
import { duration } from './options.ts'

const EXAMPLES = `
Every process of the platform reads the new time: what is due by then happens now. Time
goes forward alone, and tokens issued before may have expired. Sandbox only.

Examples:
  causeway clock advance 72h
  causeway clock advance 1d12h --json`

/** `causeway clock`. */
export const addClock = (program: Command, context: Context): void => {
  const clock = program.command('clock').description("the sandbox's clock")

  clock
    .command('show')
    .description('show the time')
    .addHelpText('after', '\nExample:\n  causeway clock show')
    .action(
      actWith(context, async (session, { output }) => {
        const now = await session.sandbox().now()
        output.one({ now }, now)
      }),
    )

  clock
    .command('advance')
    .description('move the clock forward')
    .argument('<duration>', 'duration, such as 72h, 90m or 1d12h', duration)
    .addHelpText('after', EXAMPLES)
    .action(
      actWith(context, async (session, { args: [given = ''], output }) => {
        const { now } = await session.sandbox().control('clock', { advance_ms: duration(given) })
        output.one({ now }, String(now))
      }),
    )
}
