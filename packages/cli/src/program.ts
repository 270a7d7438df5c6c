import { Command, Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addBalance } from './commands/balance.ts'
import { addClock } from './commands/clock.ts'
import { addCustomers } from './commands/customers.ts'
import { addDeliveries } from './commands/deliveries.ts'
import { addEvents } from './commands/events.ts'
import { addListen } from './commands/listen.ts'
import { addLoginAndLogout } from './commands/login.ts'
import { addOrders } from './commands/orders.ts'
import { addStatement } from './commands/statement.ts'
import { addTrigger } from './commands/trigger.ts'
import { addVerify } from './commands/verify.ts'
import { addWhoami } from './commands/whoami.ts'
import { SETTINGS_HELP } from './config.ts'
import type { Context } from './context.ts'
import { EXIT_CODES_HELP } from './exit-codes.ts'

const FIRST_STEPS = `
First steps with a platform on this machine (its start prints the credentials):
  causeway login partner --base-url http://127.0.0.1:8080 --client-id cli_…
  causeway customers create --external-id shop-1 --email ada@example.com
  causeway customers list`

/** Every command. */
export const createProgram = (context: Context): Command => {
  const program = new Command('causeway')
    .description('The command line of a Causeway platform.')
    .version(manifest.version)
    .addOption(new Option('--profile <name>', 'the profile whose credentials are used'))
    .addOption(new Option('--base-url <url>', 'address of the platform; overrides CAUSEWAY_BASE_URL'))
    .addOption(new Option('--json', 'print JSON'))
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => void context.streams.stdout.write(text),
      writeErr: (text) => void context.streams.stderr.write(text),
      // run.ts prints errors, in one line.
      outputError: () => undefined,
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
    .exitOverride()
    .addHelpText('after', FIRST_STEPS + '\n' + SETTINGS_HELP + '\n' + EXIT_CODES_HELP)
  for (const add of [
    addLoginAndLogout,
    addWhoami,
    addListen,
    addTrigger,
    addCustomers,
    addOrders,
    addBalance,
    addStatement,
    addEvents,
    addDeliveries,
    addClock,
    addVerify,
  ])
    add(program, context)
  return program
}
