import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { CAPABILITIES, REQUIRED_DOCUMENT_TYPES, type NextStep } from '@causeway/contracts'
import fc from 'fast-check'
import { asked } from '../requirements/requirement-calls.ts'
import { newPartner, VERIFICATION_TTL_MS } from '../running-onboarding.ts'
import { COMPLETE } from '../verifications/kyb-data.ts'
import { startWithNextSteps, type StepCustomer, type WithNextSteps } from './next-step-calls.ts'

let onboarding: WithNextSteps
beforeAll(async () => {
  onboarding = await startWithNextSteps()
})
afterAll(() => onboarding.stop())

type Event = (customer: StepCustomer, number: number) => Promise<unknown>

/** Actions of partners, staff and time on a merchant, including refused ones. */
const EVENTS: Readonly<Record<string, Event>> = {
  start: ({ partner, id }) => onboarding.kyb.submit(partner, id),
  write: ({ partner, id }) => onboarding.kyb.submit(partner, id, COMPLETE),
  unwrite: ({ partner, id }) => onboarding.kyb.submit(partner, id, { contact: { email: null } }),
  upload: (customer, number) =>
    onboarding.addDocuments(customer, REQUIRED_DOCUMENT_TYPES.slice(number % REQUIRED_DOCUMENT_TYPES.length)),
  ask: ({ partner, id }) => onboarding.kyb.raise(partner, id, asked),
  askByStaff: ({ merchantId }) => onboarding.kyb.raiseByStaff(merchantId, asked),
  review: (customer) => onboarding.do(customer, REVIEW),
  suspend: ({ merchantId }, number) => onboarding.suspend(merchantId, CAPABILITIES.slice(number % 7, 4)),
  dispute: (customer, number) => onboarding.setDisputes(customer, number % 2 === 0),
  confirm: ({ id }) => onboarding.confirmLink(id),
  publish: (_, number) => onboarding.publish({ version: `${number} ${(publications += 1)}` }),
  expire: async () => {
    onboarding.clock.advance(VERIFICATION_TTL_MS)
    await eventually(async () => (await onboarding.unexpired()) === 0)
  },
}
let publications = 0
const REVIEW: NextStep = {
  step: 'await_review',
  capabilities: [],
  actor: 'service',
  reason: null,
  message: '',
  resource: null,
}

const MAX_ROUNDS = 10

/** Completes the steps in the lists of a merchant's customers, each list in a separate order, until they are empty. */
const empty = async (customers: readonly StepCustomer[], pick: (of: number) => number): Promise<void> => {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    let done = 0
    for (const customer of customers) {
      const listed = await onboarding.stepsOf(customer)
      while (listed.length > 0) {
        const [step] = listed.splice(pick(listed.length), 1)
        const now = await onboarding.stepsOf(customer)
        const still = now.find(
          (each) =>
            JSON.stringify([each.step, each.resource]) === JSON.stringify([step?.step, step?.resource]),
        )
        if (!still) continue
        await onboarding.do(customer, still)
        done += 1
      }
    }
    if (done === 0) return
  }
}

it('empties the lists of two partners of one merchant from every state by following them in any order', async () => {
  let merchants = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(EVENTS)), fc.boolean(), fc.nat(99)), {
        maxLength: 14,
      }),
      fc.infiniteStream(fc.nat(1_000)),
      async (happenings, numbers) => {
        const email = `walk-${(merchants += 1)}@example.com`
        const customers = [
          await onboarding.customer(newPartner(['payments.crypto', 'payments.fiat_card']), email),
          await onboarding.customer(newPartner(['payments.fiat_card', 'refunds']), email),
        ]
        for (const [name, isFirst, number] of happenings) {
          const customer = customers[isFirst ? 0 : 1]
          if (customer) await EVENTS[name]?.(customer, number)
        }
        await empty(customers, (of) => numbers.next().value % of)
        for (const customer of customers) {
          expect(await onboarding.stepsOf(customer)).toEqual([])
          const listed = await onboarding.listCapabilities(customer.partner, customer.id)
          const granted = listed.ok ? listed.value.capabilities.filter(({ enabled }) => enabled) : []
          expect(granted.map(({ available }) => available)).toEqual([true, true])
        }
      },
    ),
    { numRuns: 12 },
  )
})
