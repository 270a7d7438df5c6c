/** `pnpm projections:rebuild onboarding|payments`: on the database of a local start by default (docs/OPERATIONS.md). */
import { settingsOfService } from '@causeway/dev-env/platform/local-service'
import { databaseSetting } from '@causeway/dev-env/platform/settings'

const COMMANDS = {
  onboarding: () => import('../services/onboarding/src/relationship-state/rebuild-command.ts'),
  payments: () => import('../services/payments/src/projected-states/rebuild-command.ts'),
} as const
const isSource = (name: string): name is keyof typeof COMMANDS => name in COMMANDS
const fail = (line: string): never => {
  console.error(line)
  process.exit(1)
}

const [name = ''] = process.argv.slice(2)
if (!isSource(name)) fail(`Usage: npx -y pnpm@12 projections:rebuild ${Object.keys(COMMANDS).join('|')}`)
else {
  const settings =
    settingsOfService(name, process.env) ??
    fail(`No platform runs here: start it, set DATA_DIR as at its start, or set ${databaseSetting(name)}`)
  Object.assign(process.env, settings)
  await COMMANDS[name]()
}
