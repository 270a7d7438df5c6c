import { explore, type Invariant, type Step, type StepRule } from '@causeway/chassis/exploration'
import type { RequirementStatus, VerificationStatus } from '@causeway/contracts'
import { checkTransition, isResolved, OUTSTANDING_STATUSES } from '../../src/requirements/domain.ts'
import { approve, checkWrite, reject, submit, type ApprovalBlocker } from '../../src/verifications/case.ts'

/** The rules of cases and requirements; a mutant replaces one. */
export const SHIPPED = { checkTransition, checkWrite, submit, approve, reject }
export type CaseRules = typeof SHIPPED

type Requirement = Readonly<{
  raisedBy: string | null
  status: RequirementStatus
  resolvedBy: string | null | undefined
}>

/** A case with one submission: whether its data is complete, the agreements accepted, the approval past its time. */
type State = Readonly<{
  status: VerificationStatus
  isExpired: boolean
  isComplete: boolean
  isAccepted: boolean
  requirements: readonly Requirement[]
  /** True if the last step was an edit by the partner. */
  isEdit: boolean
}>

const PARTIES = ['ptn_one', 'ptn_two', null]
const NOW = new Date('2026-01-01T00:00:00Z')
const REVIEW = { now: NOW, timeToLiveMs: 365 * 86_400_000, version: 1 }

const outstandingOf = ({ requirements }: State): number =>
  requirements.filter(({ status }) => OUTSTANDING_STATUSES.some((each) => each === status)).length
const verificationOf = ({ status, isExpired }: State) =>
  status !== 'approved' ? 'required' : isExpired ? 'expired' : 'approved'
const caseOf = (state: State) => ({ status: state.status, verification: verificationOf(state) }) as const
const transitionOf = ({ status }: State) =>
  ({
    status,
    rejectionReason: null,
    submittedAt: null,
    reviewedAt: null,
    expiresAt: null,
    statusSince: NOW,
    version: 1,
  }) as const

/** A partner's POST with data that is complete or not; complete data submits an open case. */
const edits = (rules: CaseRules, state: State): Step<State>[] =>
  [true, false].flatMap((isComplete) => {
    const allowed = rules.checkWrite({ ...caseOf(state), outstanding: outstandingOf(state) }, false)
    if (!allowed.ok || allowed.value !== 'attempt') return []
    const next = isComplete && state.isAccepted ? rules.submit(caseOf(state), NOW) : null
    const submitted = next === null ? state : { ...state, status: next.status, isExpired: false }
    const name = `a partner writes ${isComplete ? 'complete' : 'incomplete'} data`
    return [{ name, to: { ...submitted, isComplete, isEdit: true } }]
  })

const reviews = (rules: CaseRules, state: State): Step<State>[] => {
  const blocker: ApprovalBlocker = !state.isComplete
    ? 'submission_incomplete'
    : state.isAccepted
      ? null
      : 'agreement_required'
  const approval = rules.approve(transitionOf(state), blocker, REVIEW)
  const rejection = rules.reject(transitionOf(state), { reason: 'other', version: undefined, now: NOW })
  return [
    ...(approval.ok
      ? [{ name: 'staff approve', to: { ...state, status: approval.value.status, isExpired: false } }]
      : []),
    ...(rejection.ok ? [{ name: 'staff reject', to: { ...state, status: rejection.value.status } }] : []),
  ]
}

const requirementSteps = (rules: CaseRules, state: State, most: number): Step<State>[] => {
  const raised = PARTIES.filter(() => state.requirements.length < most).map((raisedBy) => ({
    name: `${raisedBy ?? 'staff'} raises a requirement`,
    to: {
      ...state,
      requirements: [...state.requirements, { raisedBy, status: 'open' as const, resolvedBy: undefined }],
    },
  }))
  const updated = state.requirements.flatMap((requirement, at) =>
    PARTIES.flatMap((party) =>
      (['fulfilled', 'satisfied', 'cancelled'] as const).flatMap((to) => {
        if (rules.checkTransition(requirement, to, party)) return []
        const resolvedBy = isResolved(to) ? party : undefined
        const requirements = state.requirements.with(at, { ...requirement, status: to, resolvedBy })
        return [
          { name: `${party ?? 'staff'} makes requirement ${at + 1} ${to}`, to: { ...state, requirements } },
        ]
      }),
    ),
  )
  return [...raised, ...updated]
}

const WAYS: Readonly<Record<VerificationStatus, readonly VerificationStatus[]>> = {
  draft: ['pending'],
  pending: ['approved', 'rejected'],
  rejected: ['pending'],
  approved: ['pending'],
}

const stepRules: StepRule<State>[] = [
  {
    name: 'allowed-ways',
    says: 'A case goes only the ways that it may, and leaves an approval only when that has expired.',
    holds: (before, after) =>
      before.status === after.status ||
      (WAYS[before.status].includes(after.status) && (before.status !== 'approved' || before.isExpired)),
  },
  {
    name: 'approved-when-complete',
    says: 'A case is approved only while its data is complete and the agreements are accepted.',
    holds: (before, after) =>
      before.status === after.status ||
      after.status !== 'approved' ||
      (before.isComplete && before.isAccepted),
  },
  {
    name: 'closed-to-edits',
    says: 'A case that is pending takes edits only while a requirement asks for something, an approved one none.',
    holds: (before, after) =>
      !after.isEdit ||
      (before.status !== 'pending' && verificationOf(before) !== 'approved') ||
      (before.status === 'pending' && outstandingOf(before) > 0),
  },
  {
    name: 'resolved-stays',
    says: 'A requirement that is satisfied or cancelled stays so.',
    holds: (before, after) =>
      before.requirements.every(
        (each, at) => !isResolved(each.status) || after.requirements[at]?.status === each.status,
      ),
  },
]

const invariants: Invariant<State>[] = [
  {
    name: 'resolved-by-its-raiser',
    says: 'Only who has raised a requirement resolves it.',
    holds: ({ requirements }) =>
      requirements.every(({ resolvedBy, raisedBy }) => resolvedBy === undefined || resolvedBy === raisedBy),
  },
]
const canBeApproved: Invariant<State> = {
  name: 'can-be-approved',
  says: 'From everywhere a case can still come to be approved.',
  holds: (state) => verificationOf(state) === 'approved',
}

/** Explores a case with its requirements. Each operation is one transaction under the merchant's lock: one step. */
export const exploreCase = (most: number, rules: CaseRules = SHIPPED) =>
  explore<State>({
    initial: {
      status: 'draft',
      isExpired: false,
      isComplete: false,
      isAccepted: false,
      requirements: [],
      isEdit: false,
    },
    steps: async (found) => {
      const state = { ...found, isEdit: false }
      const others: Step<State>[] = [
        { name: 'the agreements are accepted', to: { ...state, isAccepted: true } },
        { name: 'an agreement gets a new version', to: { ...state, isAccepted: false } },
      ]
      if (state.status === 'approved')
        others.push({ name: 'the approval expires', to: { ...state, isExpired: true } })
      return [
        ...edits(rules, state),
        ...reviews(rules, state),
        ...requirementSteps(rules, state, most),
        ...others,
      ]
    },
    invariants,
    stepRules,
    alwaysReachable: [canBeApproved],
    maxStates: 50_000,
  })
