/**
 * `pnpm listen`: `causeway listen` for the platform that runs on this machine and its ready partner, with the keys of its
 * data folder. `OPERATOR_API_KEY` and `MERCHANT_API_KEY` are the platform's own names of them.
 */
import { readEnvironment, run, type Environment } from '@causeway/cli'
import { findRunning } from './demo/running-platform.ts'

const NOBODY =
  'No platform runs here: start one with `npx -y pnpm@12 start`; set GATEWAY_PORT and DATA_DIR as at its start; or name one with --base-url'

/** @throws Error with the instruction, when no platform is named and none runs here */
const environment = async (args: readonly string[]): Promise<Environment> => {
  const set = readEnvironment()
  const isNamed = set.baseUrl !== undefined || args.some((arg) => arg.startsWith('--base-url'))
  const running = isNamed || args.includes('--help') ? null : await findRunning()
  if (!isNamed && running === null && !args.includes('--help')) throw new Error(NOBODY)
  return {
    ...set,
    baseUrl: set.baseUrl ?? running?.baseUrl,
    staffKey: process.env['OPERATOR_API_KEY'] ?? set.staffKey ?? running?.operatorKey,
    apiKey: process.env['MERCHANT_API_KEY'] ?? set.apiKey,
    partnerId: set.partnerId ?? running?.partner.partnerId,
  }
}

try {
  const args = process.argv.slice(2)
  const env = await environment(args)
  process.exitCode = await run(['listen', ...args], { env, streams: process })
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
