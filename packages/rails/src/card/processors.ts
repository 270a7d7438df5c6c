import { ConfigError, setting } from '@causeway/chassis/settings'
import type { SettlementReport } from '../settlement/line.ts'
import type { CardAccountKind, ConnectionOptions, TextSettings } from './account.ts'
import type { CardProcessor, CardProcessors } from './adapter.ts'
import { SANDBOX_CARD_ACCOUNT } from './sandbox/account.ts'
import { STRIPE_ACCOUNT } from './stripe/account.ts'

/** Every processor that a deployment may have an account with, in the order in which integrations prefer them. */
const KINDS = {
  sandbox: SANDBOX_CARD_ACCOUNT,
  stripe: STRIPE_ACCOUNT,
} as const

type Kinds = typeof KINDS
type Merged<T> = (T extends unknown ? (part: T) => void : never) extends (merged: infer M) => void ? M : never
type AnyKind = CardAccountKind<TextSettings, TextSettings, unknown>
const kinds = Object.entries(KINDS) as unknown as readonly (readonly [keyof Kinds, AnyKind])[]

const mergeSettings = <P extends 'settings' | 'checkoutSettings'>(part: P) =>
  Object.assign({}, ...kinds.map(([, kind]) => kind[part])) as Merged<Kinds[keyof Kinds][P]>

/** Settings of a service that calls card processors. */
export const CARD_SETTINGS = {
  ...mergeSettings('settings'),
  PROCESSOR_CONNECTIONS: setting.integer({
    default: '64',
    min: 1,
    max: 1_024,
    doc: 'Maximum connections of a replica to a card processor, and maximum card orders that it creates concurrently. Further calls wait',
  }),
} as const

/** Settings of the service that also opens checkouts and takes notices. */
export const CARD_CHECKOUT_SETTINGS = { ...CARD_SETTINGS, ...mergeSettings('checkoutSettings') } as const

/** The accounts of a deployment, by the processor's name in the table. */
export type CardAccounts = Readonly<{ [K in keyof Kinds]?: ReturnType<Kinds[K]['toAccount']> }>

/** Configuration with which a service calls the card processors of its deployment. */
export type CardConfig = Readonly<{ connections: number; accounts: CardAccounts }>

type Values = Readonly<Record<string, unknown>> & Readonly<{ PROCESSOR_CONNECTIONS: number }>

/**
 * Returns the accounts that the loaded settings describe.
 * @param options.takesCheckouts true if the service has {@link CARD_CHECKOUT_SETTINGS}
 * @throws ConfigError for an account that is half configured, and when no account is configured
 */
export const toCardConfig = (values: Values, { takesCheckouts }: { takesCheckouts: boolean }): CardConfig => {
  const faults: string[] = []
  const accounts = kinds.flatMap(([name, kind]) => {
    const settings = { ...kind.settings, ...(takesCheckouts && kind.checkoutSettings) }
    const names = Object.keys(settings)
    const given = names.filter((setting) => values[setting] !== undefined)
    if (given.length === names.length) return [[name, kind.toAccount(values as Record<string, string>)]]
    if (given.length > 0) faults.push(`${names.join(' and ')}: set both or neither`)
    return []
  })
  if (accounts.length === 0 && faults.length === 0) faults.push(NO_ACCOUNT)
  if (faults.length > 0) throw new ConfigError(`Bad settings: ${faults.join('; ')}`)
  return { connections: values.PROCESSOR_CONNECTIONS, accounts: Object.fromEntries(accounts) as CardAccounts }
}

const namesOf = (isSandbox: boolean): string =>
  kinds
    .filter(([, kind]) => kind.isSandbox === isSandbox)
    .map(([, kind]) => Object.keys(kind.settings).join(' and '))
    .join(' or ')
const NO_ACCOUNT = `no card processor: set ${namesOf(false)}, or ${namesOf(true)} in development`

/** The processors that a deployment has accounts with, by key. */
export const openCardProcessors = async ({
  accounts,
  ...options
}: CardConfig & ConnectionOptions): Promise<CardProcessors> => {
  const opened = await Promise.all(
    kinds.map(async ([name, kind]) => {
      const account: unknown = accounts[name]
      return account === undefined ? [] : kind.open(account, options)
    }),
  )
  return new Map(opened.flat().map((processor) => [processor.traits.key, processor]))
}

/** The settlement reports of the processors that a deployment has accounts with, by the processor's key. */
export const openSettlementReports = async ({
  accounts,
  ...options
}: Pick<CardConfig, 'accounts'> & ConnectionOptions): Promise<ReadonlyMap<string, SettlementReport>> => {
  const opened = await Promise.all(
    kinds.map(async ([name, kind]) => {
      const account: unknown = accounts[name]
      return account === undefined ? [] : kind.openReports(account, options)
    }),
  )
  return new Map(opened.flat().map((report) => [report.processor, report]))
}

/** @throws Error for a processor with which this deployment has no account any more */
export const cardProcessorOf = (processors: CardProcessors, key: string): CardProcessor => {
  const processor = processors.get(key)
  if (!processor) throw new Error(`No card processor ${key} is configured`)
  return processor
}

const secretsOf = (settings: TextSettings): string[] =>
  Object.entries(settings).flatMap(([name, { secret }]) => (secret ? [name] : []))

/** Names of the secret settings: `all` for every service that calls processors, `checkout` for the one with checkouts. */
export const CARD_SECRETS: Readonly<{ all: readonly string[]; checkout: readonly string[] }> = {
  all: secretsOf(mergeSettings('settings')),
  checkout: secretsOf(mergeSettings('checkoutSettings')),
}
