import type {
  CapabilityName,
  DisputeMeasure,
  DocumentType,
  NextStep,
  UnavailableReason,
  DisclosedRejectionReason,
  VerificationRejectionReason,
  VerificationStatus,
} from '@causeway/contracts'
import type { CapabilityState } from '../relationship-state/capabilities.ts'
import { disclosedReason, isOpen } from '../verifications/case.ts'

/** Facts from which the steps of one relationship are derived: those of its capabilities and its case. */
export type Facts = Omit<CapabilityState, 'agreementRequired'> &
  Readonly<{
    /** The merchant's case; null before there is one, and for a relationship whose link is unconfirmed. */
    progress: Readonly<{
      status: VerificationStatus
      rejectionReason: VerificationRejectionReason | null
      /** Requirements of the merchant that are open or fulfilled. */
      outstanding: number
    }> | null
    /** Data that this relationship wrote; null before its first write. */
    submission: Readonly<{ wasComplete: boolean }> | null
    /** Dotted paths. */
    incompleteFields: readonly string[]
    missingDocuments: readonly DocumentType[]
    /** Current versions that are not accepted. */
    agreements: readonly Readonly<{ agreementId: string; agreementVersion: string; documentUrl: string }>[]
    /** Open requirements that the partner sees. */
    requirements: readonly Readonly<{ requirementId: string; raisedByReader: boolean }>[]
    disputeMeasure: DisputeMeasure | null
  }>

type Common = Pick<NextStep, 'capabilities' | 'actor' | 'reason'>

type Verification = Readonly<{
  /** Reason of the unavailable capabilities; null while the case is approved. */
  reason: UnavailableReason | null
  /** True if the case waits for a write or a submission. */
  isOpen: boolean
  isPending: boolean
  isExpired: boolean
  rejectionReason: DisclosedRejectionReason | null
}>

/** The case as the relationship sees it: one with an unconfirmed link sees none (decisions §18). */
const verificationOf = ({ progress, linkConfirmed, verification }: Facts): Verification => {
  const seen = linkConfirmed ? verification : 'required'
  const isExpired = seen === 'expired'
  return {
    reason: seen === 'approved' ? null : isExpired ? 'verification_expired' : 'verification_required',
    isOpen: progress === null || isOpen({ status: progress.status, verification: seen }),
    isPending: progress?.status === 'pending',
    isExpired,
    rejectionReason: progress?.status === 'rejected' ? disclosedReason(progress.rejectionReason) : null,
  }
}

/**
 * Checks whether missing data keeps the case from its next state: while it is open, and while a pending one accepts edits, for
 * a relationship whose data was complete before. Data of other relationships is ignored.
 */
const waitsForData = (
  { progress, submission }: Facts,
  { isOpen: takesAll, isPending }: Verification,
): boolean => takesAll || (isPending && submission?.wasComplete === true && (progress?.outstanding ?? 0) > 0)

const linkSteps = ({ granted, linkConfirmed }: Facts): NextStep[] =>
  linkConfirmed
    ? []
    : [
        {
          step: 'confirm_link',
          capabilities: [...granted],
          actor: 'service',
          reason: 'link_unconfirmed',
          message: 'Another partner has already linked this merchant: staff confirm that it is the same one.',
          resource: null,
        },
      ]

const dataSteps = (facts: Facts, verification: Verification): NextStep[] => {
  if (!waitsForData(facts, verification)) return []
  const { granted, submission, incompleteFields, missingDocuments } = facts
  const common: Common = { capabilities: [...granted], actor: 'partner', reason: verification.reason }
  const steps: NextStep[] = []
  if (submission === null && !verification.isExpired)
    steps.push({
      step: 'start_verification',
      ...common,
      message: 'Post the first part of the verification data, or an empty body, to start the verification.',
      resource: null,
    })
  if (incompleteFields.length > 0)
    steps.push({
      step: 'complete_fields',
      ...common,
      message: 'Post the verification fields that are missing or invalid.',
      resource: { fields: [...incompleteFields] },
    })
  if (missingDocuments.length > 0)
    steps.push({
      step: 'upload_documents',
      ...common,
      message: 'Upload a document of each missing type.',
      resource: { document_types: [...missingDocuments] },
    })
  return steps
}

/** A post of complete data submits it; under an unconfirmed link it does not, so it is no step there. */
const submissionSteps = (facts: Facts, verification: Verification): NextStep[] => {
  const { granted, linkConfirmed, submission, incompleteFields, missingDocuments } = facts
  if (!verification.isOpen || !linkConfirmed) return []
  const common: Common = { capabilities: [...granted], actor: 'partner', reason: verification.reason }
  if (verification.isExpired)
    return [
      {
        step: 'renew_verification',
        ...common,
        message: 'The approval has expired: check the data and post the verification again.',
        resource: null,
      },
    ]
  if (submission === null || incompleteFields.length > 0 || missingDocuments.length > 0) return []
  const why = verification.rejectionReason
  const message =
    why === null
      ? 'The data is complete: post the verification again to submit it.'
      : `The case was rejected (${why}): correct the data concerned and post the verification again.`
  return [{ step: 'submit_verification', ...common, message, resource: null }]
}

const requirementSteps = ({ granted, requirements }: Facts, { reason }: Verification): NextStep[] =>
  requirements.map(({ requirementId, raisedByReader }) => ({
    step: 'answer_requirement',
    capabilities: reason === null ? [] : [...granted],
    actor: raisedByReader ? 'merchant' : 'partner',
    reason,
    message: 'A requirement is open: provide what it asks for, then set it to fulfilled.',
    resource: { requirement_id: requirementId },
  }))

/** Acceptances count for the capabilities of the relationship, and for the approval of a case. */
const agreementSteps = ({ granted, agreements }: Facts, { reason }: Verification): NextStep[] =>
  granted.length === 0 && reason === null
    ? []
    : agreements.map(({ agreementId, agreementVersion, documentUrl }) => ({
        step: 'accept_agreement',
        capabilities: [...granted],
        actor: 'merchant',
        reason: 'agreement_required',
        message: 'The merchant must accept the current version of an agreement.',
        resource: {
          agreement_id: agreementId,
          agreement_version: agreementVersion,
          document_url: documentUrl,
        },
      }))

const reviewSteps = ({ granted }: Facts, { isPending, reason }: Verification): NextStep[] =>
  isPending
    ? [
        {
          step: 'await_review',
          capabilities: [...granted],
          actor: 'service',
          reason,
          message: 'Staff are reviewing the case.',
          resource: null,
        },
      ]
    : []

const suspensionSteps = ({ granted, linkConfirmed, suspended }: Facts): NextStep[] => {
  const capabilities = granted.filter((capability) => suspended.includes(capability))
  return linkConfirmed && capabilities.length > 0
    ? [
        {
          step: 'await_reinstatement',
          capabilities,
          actor: 'service',
          reason: 'suspended',
          message: 'Staff have suspended these capabilities of the merchant. Staff can lift the suspension.',
          resource: null,
        },
      ]
    : []
}

const CARD: CapabilityName = 'payments.fiat_card'

const disputeSteps = (facts: Facts): NextStep[] => {
  const { granted, linkConfirmed, disputesAboveThreshold, disputeMeasure: measure } = facts
  return linkConfirmed && disputesAboveThreshold && granted.includes(CARD)
    ? [
        {
          step: 'reduce_disputes',
          capabilities: [CARD],
          actor: 'merchant',
          reason: 'chargeback_threshold',
          message:
            'Too many card orders are disputed: card payments become available again when the share has fallen.',
          resource: {
            share: measure?.share ?? null,
            threshold: measure?.threshold ?? null,
            window_hours: measure?.window_hours ?? null,
          },
        },
      ]
    : []
}

/**
 * Every thing that can be done now towards the availability of what is granted and the next state of the case
 * (decisions §21), in an order in which one makes room for the next.
 */
export const nextStepsOf = (facts: Facts): NextStep[] => {
  const verification = verificationOf(facts)
  return [
    ...linkSteps(facts),
    ...dataSteps(facts, verification),
    ...submissionSteps(facts, verification),
    ...requirementSteps(facts, verification),
    ...agreementSteps(facts, verification),
    ...reviewSteps(facts, verification),
    ...suspensionSteps(facts),
    ...disputeSteps(facts),
  ]
}
