import { createLogger } from '@causeway/chassis'
import {
  openTestService,
  startServiceProcess,
  testPartner,
  type TestRequest as Request,
} from '@causeway/chassis/testing'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parkedEventsOf, type Caller, type Operation } from '@causeway/contracts'
import type { LedgerConfig } from '../src/config.ts'
import { startLedger } from '../src/service.ts'
import { sumsOf } from './fixtures/books.ts'
import { createFakeOnboarding } from './fixtures/fake-onboarding.ts'
import { createFakePayments } from './fixtures/fake-payments.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The ledger on its own database, with events as payments publishes them. */
export const startForTests = async ({
  compareEveryMs = 600_000,
  chainCompareEveryMs = 3_600_000,
  pollMs = 3_600_000,
  walletRules = { requiresProof: false, waitMs: 86_400_000 },
  debtor = {},
}: Partial<Pick<LedgerConfig, 'compareEveryMs' | 'chainCompareEveryMs' | 'walletRules' | 'debtor'>> &
  Readonly<{ pollMs?: number }> = {}) => {
  const service = await openTestService('ledger')
  const { bus, clock, db } = service
  const config: LedgerConfig = {
    ...service.config,
    keys: { encryptionKey: randomBytes(32) },
    compareEveryMs,
    chainCompareEveryMs,
    publicBaseUrl: 'https://api.example',
    walletRules,
    cutOffMs: 0,
    settlement: { fees: new Map(), termMs: 604_800_000, pollMs },
    debtor,
  }
  const startReplica = () => service.addReplica(startLedger(config))
  await startReplica()
  const onboarding = createFakeOnboarding(bus, clock)
  const payments = createFakePayments(bus, clock)
  const ask = <O extends Operation>(operation: O, caller: Caller, request: Request = {}) =>
    service.ask(operation, caller, { safe: true, ...request })
  return {
    ...service,
    config,
    onboarding,
    payments,
    /** Calls an operation as the gateway does. */
    ask,
    asPartner: <O extends Operation>(operation: O, partnerId: string, request?: Request) =>
      ask(operation, testPartner(partnerId), request),
    asMerchant: <O extends Operation>(operation: O, merchantId: string, request?: Request) =>
      ask(operation, { kind: 'merchant', merchantId }, request),
    asStaff: <O extends Operation>(operation: O, request?: Request) =>
      ask(operation, { kind: 'operator', actor: 'finance' }, request),
    log: createLogger({ service: 'test', level: 'silent' }),
    sums: () => sumsOf(db),
    /** The reasons of the parked events, by the events' ids. */
    async parked(): Promise<Record<string, string>> {
      const body = { state: 'waiting', after: { at: new Date(0).toISOString(), key: '' }, limit: 10 }
      const answer = await ask(parkedEventsOf('ledger').list, { kind: 'operator', actor: 'test' }, { body })
      if (!answer.ok) throw new Error(answer.code)
      return Object.fromEntries(answer.value.parked_events.map(({ event_id: id, error }) => [id, error]))
    },
    startReplica,
    /** Starts a replica as a process that a test can kill. */
    startProcess: () =>
      startServiceProcess('ledger', [MAIN], config, {
        ENCRYPTION_KEY: config.keys.encryptionKey?.toString('base64'),
        PUBLIC_BASE_URL: config.publicBaseUrl,
        PAYOUT_DEBTOR_NAME: config.debtor.name,
        PAYOUT_DEBTOR_IBAN: config.debtor.iban,
      }),
  }
}
export type RunningLedger = Awaited<ReturnType<typeof startForTests>>
