import { parseArgs } from 'node:util'
import { findRunning } from '../demo/running-platform.ts'
import type { Subject } from './subscription.ts'

export const USAGE = `Prints verified events while you develop. A webhook is registered for it, and removed at Ctrl-C.

  pnpm listen                     the ready partner of the platform that runs on this machine
  pnpm listen --partner prt_…     another partner, with the operator key (OPERATOR_API_KEY)
  pnpm listen --merchant cus_…    a merchant, with the operator key: an API key is borrowed for it
  pnpm listen --merchant          the merchant whose API key is in MERCHANT_API_KEY

  --base-url URL      the platform; default: the one that runs here
  --types a,b         a partner's event types alone
  --port N            the port to listen on; default: a free one
  --public-url URL    where the platform reaches that port, if it runs elsewhere (a tunnel)`

type Listening = Readonly<{ baseUrl: string; subject: Subject; port: number; publicUrl: string | null }>

const OPTIONS = {
  'base-url': { type: 'string' },
  partner: { type: 'string' },
  merchant: { type: 'boolean', default: false },
  types: { type: 'string', default: '' },
  port: { type: 'string', default: '0' },
  'public-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/** The first value that is set and not empty. @throws Error with the instruction when there is none */
const required = (instruction: string, ...values: (string | undefined)[]): string => {
  const value = values.find((text) => text !== undefined && text !== '')
  if (value === undefined) throw new Error(instruction)
  return value
}

const merchantOf = (id: string | undefined, operatorKey: () => string, env: NodeJS.ProcessEnv): Subject => {
  if (id !== undefined) return { channel: 'merchant', merchantId: id, operatorKey: operatorKey() }
  const instruction = 'Name a merchant after --merchant, or set MERCHANT_API_KEY to its API key'
  return { channel: 'merchant', apiKey: required(instruction, env['MERCHANT_API_KEY']) }
}

/**
 * Reads what to listen to from the command line, the environment and the platform of this machine. Keys come from the
 * environment only: every process can read the arguments of others.
 * @returns null for `--help`
 * @throws Error that says what to set
 */
export const readArguments = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Listening | null> => {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  if (values.help) return null
  const running = values['base-url'] === undefined ? await findRunning() : null
  const options = {
    baseUrl: required(
      'No platform runs here: start one with `npx -y pnpm@12 start`; set GATEWAY_PORT and DATA_DIR as at its start; or name one with --base-url',
      values['base-url'],
      running?.baseUrl,
    ),
    port: Number(values.port),
    publicUrl: values['public-url'] ?? null,
  }
  const operatorKey = () => required('Set OPERATOR_API_KEY', env['OPERATOR_API_KEY'], running?.operatorKey)
  if (values.merchant) return { ...options, subject: merchantOf(positionals[0], operatorKey, env) }
  return {
    ...options,
    subject: {
      channel: 'partner',
      partnerId: required('Name a partner with --partner', values.partner, running?.partner.partnerId),
      operatorKey: operatorKey(),
      eventTypes: values.types.split(',').filter((type) => type !== ''),
    },
  }
}
