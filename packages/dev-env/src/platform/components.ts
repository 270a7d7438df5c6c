import { join } from 'node:path'
import { REQUIRED_SERVICES } from '@causeway/contracts'

/** The Node processes that every start has. The gateway comes last: it is ready when all behind it are. */
export const COMPONENTS = [...REQUIRED_SERVICES, 'sandbox', 'gateway'] as const
export type ComponentName = (typeof COMPONENTS)[number] | 'signer'

/** The signer runs if the settings give it its keys. */
export const hasSigner = (env: NodeJS.ProcessEnv): boolean => (env['SIGNER_SEED_FILE'] ?? '') !== ''

/** Components that start with these settings. */
export const componentsOf = (env: NodeJS.ProcessEnv): readonly ComponentName[] =>
  hasSigner(env) ? ['signer', ...COMPONENTS] : COMPONENTS

/** A replica of a component with its settings; the label names it and its log. */
export type Launch = Readonly<{
  name: ComponentName
  label: string
  settings: Readonly<Record<string, string>>
}>

const root = join(import.meta.dirname, '..', '..', '..', '..')

/** The entry file of each component. */
export const mainOf = (name: ComponentName): string =>
  name === 'sandbox'
    ? join(root, 'sandbox', 'src', 'main.ts')
    : join(root, 'services', name, 'src', 'main.ts')

/**
 * Greatest semi-space of V8's young generation in MiB; two of them are held. Left to itself V8 takes up to 64, by the
 * memory of the machine, and what a burst has grown is given back late. 16 where requests are many: with 4 a read took a
 * seventh more CPU. webhooks holds each event until its destinations have answered, and copies all at every scavenge.
 */
const SEMI_SPACE_MIB: Readonly<Record<ComponentName, number>> = {
  access: 4,
  onboarding: 16,
  payments: 16,
  refunds: 4,
  webhooks: 32,
  onramp: 4,
  ledger: 4,
  signer: 4,
  sandbox: 4,
  gateway: 16,
}

/** Node's options before the file; docker-compose.yml repeats it, and a test holds the two equal. */
export const nodeFlagsOf = (name: ComponentName): readonly string[] => [
  `--max-semi-space-size=${SEMI_SPACE_MIB[name]}`,
]
