import { createLogger } from '@causeway/chassis'
import { openTestService, testPartner, type TestRequest as Request } from '@causeway/chassis/testing'
import { parkedEventsOf, type Caller, type Operation } from '@causeway/contracts'
import type { LedgerConfig } from '../src/config.ts'
import { startLedger } from '../src/service.ts'
import { sumsOf } from './fixtures/books.ts'
import { createFakeOnboarding } from './fixtures/fake-onboarding.ts'

/** The ledger on its own database, with events as payments publishes them. */
export const startForTests = async ({ compareEveryMs = 600_000 } = {}) => {
  const service = await openTestService('ledger')
  const { bus, clock, db } = service
  const config: LedgerConfig = { ...service.config, compareEveryMs, publicBaseUrl: 'https://api.example' }
  const startReplica = () => service.addReplica(startLedger(config))
  await startReplica()
  const onboarding = createFakeOnboarding(bus, clock)
  const ask = <O extends Operation>(operation: O, caller: Caller, request: Request = {}) =>
    service.ask(operation, caller, { safe: true, ...request })
  return {
    ...service,
    config,
    onboarding,
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
  }
}
export type RunningLedger = Awaited<ReturnType<typeof startForTests>>
