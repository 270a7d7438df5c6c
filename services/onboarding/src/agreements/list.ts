import {
  jsonBytes,
  PAGE_MAX_BYTES,
  pageOf,
  refuse,
  reply,
  type Cursors,
  type Db,
  type OperationRequest,
  type Queryable,
  type Vault,
} from '@causeway/chassis'
import { MAX_PREVIOUS_ACCEPTANCES, type Acceptance, type agreements } from '@causeway/contracts'
import { standingOn, withEvidence } from './domain.ts'
import * as acceptanceStore from './acceptance-store.ts'
import * as store from './store.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { cursorAfter, positionOf } from '../list-position.ts'
import { openEvidence, presentRecorded, presentVersion } from './presentation.ts'

type Parts = Readonly<{ db: Db; vault: Vault; cursors: Cursors; publicBaseUrl: string }>
type Evidence = ReadonlyMap<string, Acceptance['evidence']>

/** The most that sealed evidence can hold: it is base64. */
const evidenceBytes = (row: acceptanceStore.RecordedRow): number => Math.ceil((row.evidence_length * 3) / 4)

/** One agreement of a page with the standing on it; the evidence of its acceptances is read afterwards. */
const draftOf = (
  version: store.ListedRow,
  acceptances: readonly acceptanceStore.RecordedRow[],
  publicBaseUrl: string,
) => {
  const own = acceptances.filter((acceptance) => acceptance.agreement_id === version.agreement_id)
  const { status, current, previous } = standingOn(version.version, own)
  const shown = previous.slice(0, MAX_PREVIOUS_ACCEPTANCES)
  const omitted = (own[0]?.of_agreement ?? 0) - shown.length - (current ? 1 : 0)
  return { published: presentVersion(version, publicBaseUrl), status, current, previous: shown, omitted }
}
type Draft = ReturnType<typeof draftOf>

const WITHOUT_EVIDENCE = { evidence: {}, evidence_omitted: true } as const

const presentWith = (row: acceptanceStore.RecordedRow, evidence: Evidence): Acceptance => {
  const found = evidence.get(row.acceptance_id)
  return { ...presentRecorded(row), ...(found ? { evidence: found } : WITHOUT_EVIDENCE) }
}

/** Previous acceptances are shown oldest first. */
const presentDraft = ({ published, status, current, previous, omitted }: Draft, evidence: Evidence) => ({
  ...published,
  status,
  current_acceptance: current && presentWith(current, evidence),
  previous_acceptances: previous.map((row) => presentWith(row, evidence)).reverse(),
  ...(omitted > 0 ? { previous_acceptances_omitted: omitted } : {}),
})

const NO_EVIDENCE: Evidence = new Map()

/** What an agreement takes at the least: the evidence of its current acceptance is always shown. */
const bytesOf = (draft: Draft): number =>
  jsonBytes(presentDraft(draft, NO_EVIDENCE)) + (draft.current ? evidenceBytes(draft.current) : 0)

/** Reads the evidence that a page has room for: of current acceptances, then of previous ones, newest first. */
const readEvidence = async (
  db: Queryable,
  vault: Vault,
  key: readonly string[],
  drafts: readonly Draft[],
): Promise<Evidence> => {
  const room = PAGE_MAX_BYTES - drafts.reduce((sum, draft) => sum + bytesOf(draft) + 1, 0)
  const previous = drafts
    .flatMap((draft) => draft.previous)
    .sort((a, b) => b.recorded_at.getTime() - a.recorded_at.getTime())
    .map((row) => ({ acceptance_id: row.acceptance_id, evidence_bytes: evidenceBytes(row) }))
  const current = drafts.flatMap((draft) => draft.current?.acceptance_id ?? [])
  const wanted = [...current, ...withEvidence(previous, room)]
  if (wanted.length === 0) return NO_EVIDENCE
  const rows = await db.query(acceptanceStore.readEvidence, [...key, wanted])
  return new Map(rows.map((row) => [row.acceptance_id, openEvidence(row, vault)]))
}

/**
 * A page of the catalogue with one customer's standing (decisions §5 and §18). Previous acceptances lose their evidence
 * first where a page would pass 512 KiB; of many, the newest 100 are shown.
 */
export const listAgreements = async (
  { db, vault, cursors, publicBaseUrl }: Parts,
  { caller, params, query }: OperationRequest<typeof agreements.list>,
) => {
  const key = [caller.partnerId, params.customerId]
  const list = `agreements:${key.join(':')}`
  const after = positionOf(cursors, list, query.cursor)
  if (!after) return refuse('invalid_cursor')
  const [[relationship], versions] = await Promise.all([
    db.query(relationshipStore.readOfPartner, key),
    db.query(store.readPage, [...after, query.limit + 1]),
  ])
  if (relationship?.status !== 'active') return refuse('resource_not_found')
  const ids = versions.map((version) => version.agreement_id)
  const acceptances = await db.query(acceptanceStore.readNewest, [...key, ids, MAX_PREVIOUS_ACCEPTANCES + 1])
  const present = (version: store.ListedRow) => draftOf(version, acceptances, publicBaseUrl)
  const { items, last } = pageOf({ rows: versions, limit: query.limit, present, bytesOf })
  const evidence = await readEvidence(db, vault, key, items)
  return reply({
    agreements: items.map((draft) => presentDraft(draft, evidence)),
    next_cursor: cursorAfter(cursors, list, last && { at: last.created_at, id: last.agreement_id }),
  })
}
