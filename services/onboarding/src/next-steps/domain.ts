import type {
  CapabilityName,
  DisputeMeasure,
  DocumentType,
  NextStep,
  UnavailableReason,
  VerificationRejectionReason,
  VerificationStatus,
} from '@causeway/contracts'
import type { CapabilityState } from '../relationship-state/capabilities.ts'
import { isOpen } from '../verifications/case.ts'

/** What the steps of one relationship are derived from: the facts that its capabilities and its case depend on. */
export type Facts = Omit<CapabilityState, 'agreementRequired'> &
  Readonly<{
    /** The merchant's case; null before there is one, and for a relationship whose link is unconfirmed. */
    progress: Readonly<{
      status: VerificationStatus
      rejectionReason: VerificationRejectionReason | null
      /** Requirements of the merchant that are open or fulfilled. */
      outstanding: number
    }> | null
    /** What this relationship has written; null before its first write. */
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
  /** Whether a write or a submission is what the case waits for. */
  isOpen: boolean
  isPending: boolean
  isExpired: boolean
  rejectionReason: VerificationRejectionReason | null
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
    rejectionReason: progress?.status === 'rejected' ? progress.rejectionReason : null,
  }
}

/**
 * Whether what is missing keeps the case from its next state: while it is open, and while a pending one takes edits, for
 * a relationship whose data was complete once. What other relationships have written is not looked at.
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
          message: 'Another partner has linked this merchant before: staff confirm that it is the same one.',
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
      message: 'Post a first part of the verification data, or an empty body, to begin the verification.',
      resource: null,
    })
  if (incompleteFields.length > 0)
    steps.push({
      step: 'complete_fields',
      ...common,
      message: 'Post the verification fields that are missing or cannot be read.',
      resource: { fields: [...incompleteFields] },
    })
  if (missingDocuments.length > 0)
    steps.push({
      step: 'upload_documents',
      ...common,
      message: 'Upload a document of each type that is missing.',
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
      ? 'Everything is there: post the verification once more to submit it.'
      : `The case was rejected (${why}): correct what that concerns and post the verification again.`
  return [{ step: 'submit_verification', ...common, message, resource: null }]
}

const requirementSteps = ({ granted, requirements }: Facts, { reason }: Verification): NextStep[] =>
  requirements.map(({ requirementId, raisedByReader }) => ({
    step: 'answer_requirement',
    capabilities: reason === null ? [] : [...granted],
    actor: raisedByReader ? 'merchant' : 'partner',
    reason,
    message: 'A requirement asks for something: send it, and set the requirement to fulfilled.',
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
        message: 'The merchant has to accept the current version of an agreement.',
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
          message: 'Staff review the case.',
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
          message: 'Staff have suspended these capabilities of the merchant, and lift the suspension.',
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
          message: 'Too many card orders are disputed: cards return by themselves when the share has fallen.',
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
