import {
  jsonBytes,
  keysetList,
  OLDEST_FIRST,
  PAGE_MAX_BYTES,
  refuse,
  reply,
  type Cursors,
  type Db,
  type OperationRequest,
  type Queryable,
  type Vault,
} from '@causeway/chassis'
import { MAX_PREVIOUS_ACCEPTANCES, type Acceptance, type agreements } from '@causeway/contracts'
import { getOwnRelationship } from '../relationship-state/access.ts'
import * as acceptanceStore from './acceptance-store.ts'
import { agreementStatus, selectEvidence } from './domain.ts'
import { documentUrl, openEvidence, presentVersion, presentWithoutEvidence } from './presentation.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{ db: Db; vault: Vault; cursors: Cursors; publicBaseUrl: string }>
type Evidence = ReadonlyMap<string, Acceptance['evidence']>

/** Upper bound of what sealed evidence holds: it is base64. */
const evidenceBytes = (row: acceptanceStore.ListedRow): number => Math.ceil((row.evidenceLength * 3) / 4)

const upcomingOf = (
  { agreementId, upcomingVersion, upcomingAt, upcomingHash }: store.ListedRow,
  accepted: boolean,
  publicBaseUrl: string,
) =>
  upcomingVersion === null || upcomingAt === null || upcomingHash === null
    ? {}
    : {
        upcoming: {
          version: upcomingVersion,
          effective_at: upcomingAt.toISOString(),
          document_url: documentUrl(publicBaseUrl, agreementId, upcomingHash),
          accepted,
        },
      }

/** One agreement of a page with its status; the evidence of its acceptances is read afterwards. */
const draftOf = (
  version: store.ListedRow,
  acceptances: readonly acceptanceStore.ListedRow[],
  publicBaseUrl: string,
) => {
  const ofAgreement = acceptances.filter((acceptance) => acceptance.agreementId === version.agreementId)
  // What was accepted in advance is neither current nor previous.
  const own = ofAgreement.filter((acceptance) => acceptance.agreementVersion !== version.upcomingVersion)
  const isUpcomingAccepted = own.length < ofAgreement.length
  const { status, current, previous } = agreementStatus(version.version, own)
  const shown = previous.slice(0, MAX_PREVIOUS_ACCEPTANCES)
  const total = (ofAgreement[0]?.ofAgreement ?? 0) - (isUpcomingAccepted ? 1 : 0)
  const omitted = total - shown.length - (current ? 1 : 0)
  const upcoming = upcomingOf(version, isUpcomingAccepted, publicBaseUrl)
  return {
    published: presentVersion(version, publicBaseUrl),
    upcoming,
    status,
    current,
    previous: shown,
    omitted,
  }
}
type Draft = ReturnType<typeof draftOf>

const WITHOUT_EVIDENCE = { evidence: {}, evidence_omitted: true } as const

const presentWith = (row: acceptanceStore.ListedRow, evidence: Evidence): Acceptance => {
  const found = evidence.get(row.acceptanceId)
  return { ...presentWithoutEvidence(row), ...(found ? { evidence: found } : WITHOUT_EVIDENCE) }
}

/** Previous acceptances are shown oldest first. */
const presentDraft = (
  { published, upcoming, status, current, previous, omitted }: Draft,
  evidence: Evidence,
) => ({
  ...published,
  status,
  current_acceptance: current && presentWith(current, evidence),
  previous_acceptances: previous.map((row) => presentWith(row, evidence)).reverse(),
  ...(omitted > 0 ? { previous_acceptances_omitted: omitted } : {}),
  ...upcoming,
})

const NO_EVIDENCE: Evidence = new Map()

/** Returns the minimum size of an agreement: the evidence of its current acceptance is always shown. */
const bytesOf = (draft: Draft): number =>
  jsonBytes(presentDraft(draft, NO_EVIDENCE)) + (draft.current ? evidenceBytes(draft.current) : 0)

/** Reads the evidence that fits on a page: of current acceptances, then of previous ones, newest first. */
const readEvidence = async (
  db: Queryable,
  vault: Vault,
  key: Readonly<{ partnerId: string; partnerCustomerId: string }>,
  drafts: readonly Draft[],
): Promise<Evidence> => {
  const left = PAGE_MAX_BYTES - drafts.reduce((sum, draft) => sum + bytesOf(draft) + 1, 0)
  const previous = drafts
    .flatMap((draft) => draft.previous)
    .sort((a, b) => b.recordedAt.getTime() - a.recordedAt.getTime())
    .map((row) => ({ acceptanceId: row.acceptanceId, evidenceBytes: evidenceBytes(row) }))
  const current = drafts.flatMap((draft) => draft.current?.acceptanceId ?? [])
  const acceptanceIds = [...current, ...selectEvidence(previous, left)]
  if (acceptanceIds.length === 0) return NO_EVIDENCE
  const rows = await acceptanceStore.listEvidence(db, { ...key, acceptanceIds })
  return new Map(rows.map((row) => [row.acceptanceId, openEvidence(row, vault)]))
}

/**
 * A page of the agreements with one customer's acceptances (decisions §5 and §18). Where a page would pass 512 KiB,
 * the oldest previous acceptances lose their evidence first; of many acceptances the newest 100 are shown.
 */
export const listAgreements = async (
  { db, vault, cursors, publicBaseUrl }: Dependencies,
  { caller, params, query: { limit, cursor } }: OperationRequest<typeof agreements.list>,
) => {
  const key = { partnerId: caller.partnerId, partnerCustomerId: params.customerId }
  const name = `agreements:${key.partnerId}:${key.partnerCustomerId}`
  const list = keysetList(cursors, { name, order: OLDEST_FIRST })
  const after = list.after(cursor)
  if (!after) return refuse('invalid_cursor')
  const [relationship, versions] = await Promise.all([
    getOwnRelationship(db, key.partnerId, key.partnerCustomerId),
    store.listPage(db, { ...after, limit: limit + 1 }),
  ])
  if (!relationship) return refuse('resource_not_found')
  const acceptances = await acceptanceStore.listNewest(db, {
    ...key,
    agreementIds: versions.map((version) => version.agreementId),
    limitOfEach: MAX_PREVIOUS_ACCEPTANCES + 1,
  })
  const page = list.page({
    rows: versions,
    limit,
    present: (version) => draftOf(version, acceptances, publicBaseUrl),
    bytesOf,
    positionOf: (version) => ({ at: version.createdAt, id: version.agreementId }),
  })
  const evidence = await readEvidence(db, vault, key, page.items)
  return reply({
    agreements: page.items.map((draft) => presentDraft(draft, evidence)),
    next_cursor: page.nextCursor,
  })
}
