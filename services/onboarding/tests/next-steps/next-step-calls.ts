import { newId, queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import {
  nextSteps,
  REQUIRED_DOCUMENT_TYPES,
  type DocumentType,
  type NextStep,
  type NextStepName,
} from '@causeway/contracts'
import { z } from 'zod'
import { startWithAgreements } from '../agreements/agreement-fixture.ts'
import { OPERATOR, startForTests, type Partner } from '../running-onboarding.ts'
import { kybCalls, valueOf } from '../verifications/kyb-calls.ts'
import { COMPLETE } from '../verifications/kyb-data.ts'

const getDisputesVersion = queryOne({
  name: 'test.read-disputes-version',
  parameters: { merchantId: 'text' },
  text: 'SELECT disputes_version AS version FROM merchants WHERE id = :merchantId',
  row: z.object({ version: z.number() }),
})
const countUnexpired = queryOne({
  name: 'test.count-unexpired',
  parameters: { now: 'timestamptz' },
  text: 'SELECT count(*) AS total FROM merchants WHERE verification_expires_at <= :now',
  row: z.object({ total: z.number() }),
})

export type StepCustomer = Readonly<{ partner: Partner; id: string; merchantId: string }>

/** Starts onboarding with what reading next steps and doing them takes. */
export const startWithNextSteps = async () => {
  const onboarding = await startWithAgreements(await startForTests({ merchantLinking: 'confirmed' }))
  const kyb = kybCalls(onboarding)
  let version = 0

  const tryList = ({ partner, id }: Pick<StepCustomer, 'partner' | 'id'>) =>
    onboarding.ask(nextSteps.list, partner, { params: { customerId: id } })
  const stepsOf = async (customer: StepCustomer) => valueOf(await tryList(customer)).next_steps
  const stepsByStaff = async ({ id }: Pick<StepCustomer, 'id'>) =>
    onboarding.ask(nextSteps.listByStaff, OPERATOR, { params: { partnerCustomerId: id } })

  /** Publishes payments' fact of a merchant's disputes, and waits until onboarding knows it. */
  const setDisputes = async (customer: StepCustomer, isOver: boolean, share = 0.02) => {
    version += 1
    const now = onboarding.clock.now().toISOString()
    const measure = { share, threshold: 0.01, window_hours: 720, measured_at: now }
    const { merchantId: customer_id } = customer
    const standing = { customer_id, over_threshold: isOver, version, ...(isOver ? { measure } : {}) }
    const event = {
      id: newId('event'),
      name: 'dispute_standing.changed',
      created_at: now,
      partners: [],
      merchant: null,
      fact: { kind: 'dispute_standing', standing },
    }
    await onboarding.bus.publishEvent(
      'events.payments.dispute_standing.changed',
      JSON.stringify(event),
      event.id,
      null,
    )
    await eventually(
      async () => (await getDisputesVersion(onboarding.db, { merchantId: customer_id }))?.version === version,
    )
  }

  const DO: Readonly<Record<NextStepName, (customer: StepCustomer, step: NextStep) => Promise<unknown>>> = {
    start_verification: (customer) => kyb.submit(customer.partner, customer.id),
    complete_fields: (customer) => kyb.submit(customer.partner, customer.id, COMPLETE),
    async upload_documents({ partner, id }, { resource }) {
      for (const type of resource?.document_types ?? []) await kyb.addDocument(partner, id, type)
    },
    submit_verification: (customer) => kyb.submit(customer.partner, customer.id),
    renew_verification: (customer) => kyb.submit(customer.partner, customer.id),
    answer_requirement: async ({ partner, id }, { resource }) =>
      valueOf(await kyb.update(partner, id, resource?.requirement_id ?? '', { status: 'fulfilled' })),
    accept_agreement: async (customer, { resource }) =>
      valueOf(
        await onboarding.accept(customer, resource?.agreement_id ?? '', {
          agreement_version: resource?.agreement_version,
        }),
      ),
    /** Staff approve the case, or reject it where its data is incomplete. */
    async await_review({ merchantId }) {
      const { verifications } = valueOf(await kyb.queue({ status: 'pending' }))
      const found = verifications.find(({ customer_id }) => customer_id === merchantId)
      if (!found) return
      const approved = await kyb.approve(found.verification_id, found.version)
      const reason = approved.ok ? null : approved.details?.[0]?.['reason']
      if (reason === 'submission_incomplete') valueOf(await kyb.reject(found.verification_id))
    },
    await_reinstatement: async ({ merchantId }) => valueOf(await onboarding.suspend(merchantId, [])),
    reduce_disputes: (customer) => setDisputes(customer, false),
    confirm_link: async ({ id }) => valueOf(await onboarding.confirmLink(id)),
  }

  return {
    ...onboarding,
    kyb,
    tryList,
    stepsOf,
    stepsByStaff,
    setDisputes,
    /** How many approvals are past their time and not expired yet. */
    unexpired: async () => (await countUnexpired(onboarding.db, { now: onboarding.clock.now() }))?.total,
    namesOf: async (customer: StepCustomer) => (await stepsOf(customer)).map(({ step }) => step),
    /** Does one step of a customer's list by the operation that it means. */
    do: (customer: StepCustomer, step: NextStep) => DO[step.step](customer, step),
    async addDocuments(
      { partner, id }: StepCustomer,
      types: readonly DocumentType[] = REQUIRED_DOCUMENT_TYPES,
    ) {
      for (const type of types) await kyb.addDocument(partner, id, type)
    },
  }
}
export type WithNextSteps = Awaited<ReturnType<typeof startWithNextSteps>>
