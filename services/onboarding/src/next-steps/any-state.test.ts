import { describe, expect, it } from '@jest/globals'
import { CAPABILITIES, REQUIRED_DOCUMENT_TYPES, type NextStep, type NextStepName } from '@causeway/contracts'
import fc from 'fast-check'
import { capabilityOf } from '../relationship-state/capabilities.ts'
import { nextStepsOf, type Facts } from './domain.ts'

const APPROVED = { status: 'approved', rejectionReason: null, outstanding: 0 } as const
const PENDING = { status: 'pending', rejectionReason: null, outstanding: 0 } as const
const AGREEMENT = {
  agreementId: 'agr_01k0000000e00800000000000a',
  agreementVersion: '2',
  documentUrl: 'https://api.example/agreements/a',
}
const REQUIREMENT = { requirementId: 'rqm_01k0000000e00800000000000a', raisedByReader: false }

/** A merchant as it is: its case is there also while an unconfirmed link hides it. */
type Model = Facts & Readonly<{ hidden: Facts['progress'] }>

const submitted = (model: Model): Model => {
  const { progress, verification, incompleteFields, missingDocuments, linkConfirmed } = model
  const takes = progress?.status === 'draft' || progress?.status === 'rejected' || verification === 'expired'
  return linkConfirmed &&
    (progress === null || takes) &&
    incompleteFields.length + missingDocuments.length === 0
    ? { ...model, verification: 'required', progress: PENDING, submission: { wasComplete: true } }
    : model
}
const begun = (model: Model): Model => ({ ...model, submission: model.submission ?? { wasComplete: false } })

/** Staff approve what they may; what is incomplete they reject. */
const reviewed = (model: Model): Model => {
  if (model.progress?.status !== 'pending') return model
  const approved: Model = {
    ...model,
    verification: 'approved',
    progress: { ...model.progress, status: 'approved', outstanding: 0 },
  }
  // Another partner has submitted it, and does what its own list says.
  if (model.submission?.wasComplete !== true) return approved
  if (model.incompleteFields.length + model.missingDocuments.length > 0)
    return { ...model, progress: { ...model.progress, status: 'rejected', rejectionReason: 'other' } }
  return model.agreements.length > 0 ? model : approved
}

const DO: Readonly<Record<NextStepName, (model: Model, step: NextStep) => Model>> = {
  start_verification: begun,
  complete_fields: (model) => submitted({ ...begun(model), incompleteFields: [] }),
  upload_documents: (model) => ({ ...model, missingDocuments: [] }),
  submit_verification: submitted,
  renew_verification: (model) => submitted(begun(model)),
  answer_requirement: (model, { resource }) => ({
    ...model,
    requirements: model.requirements.filter(
      ({ requirementId }) => requirementId !== resource?.requirement_id,
    ),
  }),
  accept_agreement: (model, { resource }) => ({
    ...model,
    agreements: model.agreements.filter(({ agreementId }) => agreementId !== resource?.agreement_id),
  }),
  await_review: reviewed,
  await_reinstatement: (model) => ({ ...model, suspended: [] }),
  reduce_disputes: (model) => ({ ...model, disputesAboveThreshold: false }),
  confirm_link: (model) => ({ ...model, linkConfirmed: true, progress: model.hidden }),
}

const some = <T>(values: readonly T[]) => fc.subarray([...values])
const anyCase = fc.oneof(
  fc.record({ verification: fc.constant('required' as const), progress: fc.constant(null) }),
  fc.record({
    verification: fc.constant('required' as const),
    progress: fc.record({
      status: fc.constantFrom('draft', 'pending', 'rejected'),
      rejectionReason: fc.constant(null),
      outstanding: fc.nat(2),
    }),
  }),
  fc.record({
    verification: fc.constantFrom('approved', 'expired'),
    progress: fc.constant(APPROVED),
  }),
)
const anyModel = fc
  .tuple(
    anyCase,
    fc.record({
      granted: some(CAPABILITIES),
      suspended: some(CAPABILITIES),
      linkConfirmed: fc.boolean(),
      disputesAboveThreshold: fc.boolean(),
      submission: fc.option(fc.record({ wasComplete: fc.boolean() })),
      incompleteFields: some(['business.legal_name', 'directors.0.full_name']),
      missingDocuments: some(REQUIRED_DOCUMENT_TYPES),
      agreements: some([AGREEMENT, { ...AGREEMENT, agreementId: 'agr_01k0000000e00800000000000b' }]),
      requirements: some([
        REQUIREMENT,
        { requirementId: 'rqm_01k0000000e00800000000000b', raisedByReader: true },
      ]),
    }),
  )
  .map(([shared, own]): Model => {
    const seen = own.linkConfirmed ? shared : { ...shared, progress: null }
    return { ...own, ...seen, hidden: shared.progress, disputeMeasure: null }
  })

/** Rounds in which all that is listed is done once: what is rejected in one is completed and reviewed in the next. */
const MAX_ROUNDS = 8

describe('the list of next steps', () => {
  it('is emptied from any state by following it in any order, and everything granted is available', () => {
    fc.assert(
      fc.property(anyModel, fc.infiniteStream(fc.nat(1_000)), (start, picks) => {
        let model = start
        for (let round = 0; round < MAX_ROUNDS && nextStepsOf(model).length > 0; round += 1) {
          const left = nextStepsOf(model)
          while (left.length > 0) {
            const [step] = left.splice(picks.next().value % left.length, 1)
            const listed = nextStepsOf(model).find(
              (now) =>
                JSON.stringify([now.step, now.resource]) === JSON.stringify([step?.step, step?.resource]),
            )
            if (listed) model = DO[listed.step](model, listed)
          }
        }
        expect(nextStepsOf(model)).toEqual([])
        for (const capability of model.granted) {
          const state = { ...model, agreementRequired: model.agreements.length > 0 }
          expect(capabilityOf(capability, state).reason).toBeNull()
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it('names every reason for which something granted is unavailable', () => {
    fc.assert(
      fc.property(anyModel, (model) => {
        const steps = nextStepsOf(model)
        const state = { ...model, agreementRequired: model.agreements.length > 0 }
        for (const capability of model.granted) {
          const { reason } = capabilityOf(capability, state)
          const naming = steps.filter(
            (step) => step.reason === reason && step.capabilities.includes(capability),
          )
          expect([reason, reason === null || naming.length > 0]).toEqual([reason, true])
        }
      }),
      { numRuns: 5_000 },
    )
  })
})
