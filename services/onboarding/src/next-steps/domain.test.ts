import { describe, expect, it } from '@jest/globals'
import type { NextStepName } from '@causeway/contracts'
import { nextStepsOf, type Facts } from './domain.ts'

const DONE: Facts = {
  granted: ['payments.crypto', 'payments.fiat_card'],
  linkConfirmed: true,
  suspended: [],
  verification: 'approved',
  disputesAboveThreshold: false,
  disputeMeasure: null,
  progress: { status: 'approved', rejectionReason: null, outstanding: 0 },
  submission: { wasComplete: true },
  incompleteFields: [],
  missingDocuments: [],
  agreements: [],
  requirements: [],
}
const NEW: Facts = {
  ...DONE,
  verification: 'required',
  progress: null,
  submission: null,
  incompleteFields: ['business.legal_name'],
  missingDocuments: ['proof_of_address'],
}
const AGREEMENT = {
  agreementId: 'agr_01k0000000e00800000000000a',
  agreementVersion: '2',
  documentUrl: 'https://api.example/agreements/a',
}
const REQUIREMENT = { requirementId: 'rqm_01k0000000e00800000000000a', raisedByReader: false }
const MEASURE = { share: 0.02, threshold: 0.01, window_hours: 720, measured_at: '2026-01-01T00:00:00.000Z' }
const PENDING = { status: 'pending', rejectionReason: null, outstanding: 0 } as const

const namesOf = (facts: Facts) => nextStepsOf(facts).map(({ step }) => step)

describe('next steps', () => {
  it.each<[string, Partial<Facts>, NextStepName[]]>([
    ['with everything done', {}, []],
    [
      'with everything to do, in the order in which the steps are possible',
      { ...NEW, agreements: [AGREEMENT], suspended: ['payments.crypto'], disputesAboveThreshold: true },
      [
        'start_verification',
        'complete_fields',
        'upload_documents',
        'accept_agreement',
        'await_reinstatement',
        'reduce_disputes',
      ],
    ],
    [
      'that is complete and not submitted',
      { ...NEW, submission: { wasComplete: false }, incompleteFields: [], missingDocuments: [] },
      ['submit_verification'],
    ],
    [
      'under review',
      { verification: 'required', progress: PENDING, requirements: [REQUIREMENT] },
      ['answer_requirement', 'await_review'],
    ],
    [
      'whose case another partner submitted',
      { ...NEW, progress: { ...PENDING, outstanding: 1 } },
      ['await_review'],
    ],
    [
      'under review, made incomplete while a requirement is outstanding',
      {
        verification: 'required',
        progress: { ...PENDING, outstanding: 1 },
        incompleteFields: ['consent.version'],
      },
      ['complete_fields', 'await_review'],
    ],
    ['that has expired', { verification: 'expired' }, ['renew_verification']],
    [
      'that has expired and is incomplete',
      { verification: 'expired', missingDocuments: ['proof_of_address'] },
      ['upload_documents', 'renew_verification'],
    ],
    [
      'with an unconfirmed link, without the steps of its merchant',
      {
        linkConfirmed: false,
        progress: null,
        suspended: ['payments.crypto'],
        disputesAboveThreshold: true,
        disputeMeasure: MEASURE,
      },
      ['confirm_link'],
    ],
    [
      'that is approved without a grant',
      { granted: [], agreements: [AGREEMENT], disputesAboveThreshold: true },
      [],
    ],
  ])('lists the steps of a relationship %s', (_, changed, names) => {
    expect(namesOf({ ...DONE, ...changed })).toEqual(names)
  })

  it('names the resource, the actor and the blocked capabilities of each step', () => {
    const facts: Facts = {
      ...NEW,
      agreements: [AGREEMENT],
      suspended: ['payments.crypto', 'payouts'],
      disputesAboveThreshold: true,
      disputeMeasure: MEASURE,
      requirements: [REQUIREMENT],
    }
    const all = ['payments.crypto', 'payments.fiat_card']
    const reason = 'verification_required'
    expect(nextStepsOf(facts).map(({ message, ...said }) => [message.length > 0, said])).toEqual(
      [
        { step: 'start_verification', capabilities: all, actor: 'partner', reason, resource: null },
        {
          step: 'complete_fields',
          capabilities: all,
          actor: 'partner',
          reason,
          resource: { fields: ['business.legal_name'] },
        },
        {
          step: 'upload_documents',
          capabilities: all,
          actor: 'partner',
          reason,
          resource: { document_types: ['proof_of_address'] },
        },
        {
          step: 'answer_requirement',
          capabilities: all,
          actor: 'partner',
          reason,
          resource: { requirement_id: REQUIREMENT.requirementId },
        },
        {
          step: 'accept_agreement',
          capabilities: all,
          actor: 'merchant',
          reason: 'agreement_required',
          resource: {
            agreement_id: AGREEMENT.agreementId,
            agreement_version: '2',
            document_url: AGREEMENT.documentUrl,
          },
        },
        {
          step: 'await_reinstatement',
          capabilities: ['payments.crypto'],
          actor: 'service',
          reason: 'suspended',
          resource: null,
        },
        {
          step: 'reduce_disputes',
          capabilities: ['payments.fiat_card'],
          actor: 'merchant',
          reason: 'chargeback_threshold',
          resource: { share: 0.02, threshold: 0.01, window_hours: 720 },
        },
      ].map((said) => [true, said]),
    )
  })
})
