import { implement, keysetList, refuse, reply, type KeysetOrder, type Queryable } from '@causeway/chassis'
import { accessAudit, audit, type AuditEntry, type Operation } from '@causeway/contracts'
import type { z } from 'zod'
import type { AccessContext } from '../context.ts'
import { entryOf, type RecordedEntry } from './record.ts'
import {
  listBeginnings,
  listEnds,
  listNewestBeginnings,
  listStaffKeyNames,
  listStaffKeysNamed,
} from './store.ts'
import type { AuditTrail } from './trail.ts'

/** A position is a record's sequence in the chain. */
const bySequence = (start: number): KeysetOrder<number> => ({
  start,
  write: (sequence) => [String(sequence)],
  read: ([sequence]) => (sequence === undefined ? null : Number(sequence)),
})
const ORDERS = {
  oldest: { order: bySequence(0), list: listBeginnings },
  newest: { order: bySequence(Number.MAX_SAFE_INTEGER), list: listNewestBeginnings },
} as const

/** Maximum actions that one page of a filtered list reads, each of about 1 KiB; the list then continues on the next page. */
const MAX_SCANNED = 250

type Query = z.output<(typeof audit)['list']['query']>
type Entry = z.output<typeof AuditEntry>
type Scanned = Awaited<ReturnType<typeof listBeginnings>>[number]

const isFiltered = ({ actor = '', action = '', target = '' }: Query): boolean =>
  [actor, action, target].some((part) => part !== '')

/** Name of the list for its cursors. Not the one from before the chain: cursors from then hold a time and an id. */
const nameOf = ({ order, actor = '', action = '', target = '' }: Query): string =>
  order === 'oldest' && actor + action + target === ''
    ? 'audit-records'
    : `audit-records:${JSON.stringify([order, actor, action, target])}`

/** The actions that began with these records, each completed by its end, as far as they match. */
const entriesOf = async (db: Queryable, query: Query, scanned: readonly Scanned[]) => {
  const { actor = '', action = '', target = '' } = query
  const named = actor === '' ? [] : await listStaffKeysNamed(db, { name: actor })
  const actors = new Set([actor, ...named.map(({ staffKeyId }) => staffKeyId)])
  const began = scanned.filter(({ began: record }) => {
    const { actor: first, confirmed_by: second = first, action: done } = entryOf(record, null)
    return (actor === '' || actors.has(first) || actors.has(second)) && done.startsWith(action)
  })
  const ends = await listEnds(db, { requestIds: began.map(({ requestId }) => requestId) })
  const endOf = new Map(ends.map(({ requestId, ended }) => [requestId, ended]))
  return began
    .map((row) => ({ sequence: row.sequence, entry: entryOf(row.began, endOf.get(row.requestId) ?? null) }))
    .filter(({ entry }) => (entry.target ?? '').includes(target))
}

/** Adds the present names of staff keys: a record, which is part of a chain, has ids alone. */
const withNames = async (db: Queryable, entries: readonly RecordedEntry[]): Promise<Entry[]> => {
  const actors = new Set(entries.flatMap(({ actor, confirmed_by: second }) => [actor, second ?? actor]))
  const keys = await listStaffKeyNames(db, { staffKeyIds: [...actors] })
  const names = new Map(keys.map(({ staffKeyId, name }) => [staffKeyId, name]))
  const nameOf = (actor: string) => names.get(actor) ?? null
  return entries.map((entry) => ({
    ...entry,
    actor_name: nameOf(entry.actor),
    ...(entry.confirmed_by !== undefined && { confirmed_by_name: nameOf(entry.confirmed_by) }),
  }))
}

/** `gateway.audit` (decisions §14). */
export const auditOperations = ({ db, cursors }: AccessContext) =>
  implement(audit, {
    async list({ query }) {
      const { order, list } = ORDERS[query.order]
      const records = keysetList(cursors, { name: nameOf(query), order })
      const sequence = records.after(query.cursor)
      if (sequence === null) return refuse('invalid_cursor')
      const limit = isFiltered(query) ? MAX_SCANNED : query.limit + 1
      const scanned = await list(db, { sequence, limit })
      const page = records.page({
        rows: await entriesOf(db, query, scanned),
        limit: query.limit,
        present: (row) => row.entry,
        positionOf: (row) => row.sequence,
      })
      const goesOn = isFiltered(query) && scanned.length === limit
      const lastScanned = goesOn ? (scanned.at(-1)?.sequence ?? null) : null
      return reply({
        entries: await withNames(db, page.items),
        next_cursor: page.nextCursor ?? records.cursorAfter(lastScanned),
      })
    },
  })

/** `access.audit`. @param operationOf the operation with a subject */
export const auditTrailOperations = (
  trail: AuditTrail,
  operationOf: (subject: string) => Operation | undefined,
) =>
  implement(accessAudit, {
    async begin({ body: { request_id: requestId, operation: subject, actor, params_json: paramsJson } }) {
      const operation = operationOf(subject)
      if (operation === undefined) return refuse('resource_not_found')
      await trail.begin({ requestId, operation, actor, paramsJson, safe: false })
      return reply({})
    },
    async end({ body: { request_id: requestId, operation: subject, result } }) {
      const operation = operationOf(subject)
      if (operation === undefined) return refuse('resource_not_found')
      await trail.end({ requestId, operation }, result)
      return reply({})
    },
    async refuse({ body: { request_id: requestId, operation: subject, actor, params_json: paramsJson } }) {
      const operation = operationOf(subject)
      if (operation === undefined) return refuse('resource_not_found')
      await trail.recordRefusal({ requestId, operation, actor, paramsJson })
      return reply({})
    },
  })
