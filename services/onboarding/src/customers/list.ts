import { NEWEST_FIRST, type Db, type OperationRequest, type TimePosition } from '@causeway/chassis'
import type { customers } from '@causeway/contracts'
import * as store from './store.ts'

type Filter = Omit<OperationRequest<(typeof customers)['list']>['query'], 'limit' | 'cursor'>

/** The part of a cursor's list that a filter adds: cursors of other filters are refused. */
export const filterName = (filter: Filter): string => {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined)
  return set.length === 0 ? '' : `:${JSON.stringify(set.toSorted())}`
}

type Page = Filter & Readonly<{ partnerId: string; after: TimePosition; limit: number }>

/** Reads one page of a partner's active customers, oldest first (decisions §62). */
export const readPage = async (
  db: Db,
  { partnerId, after, limit, external_customer_id: externalCustomerId, created_since, created_until }: Page,
): Promise<store.CustomerRow[]> => {
  const since = new Date(created_since ?? 0)
  const until = created_until === undefined ? NEWEST_FIRST.start.at : new Date(created_until)
  if (externalCustomerId === undefined) {
    const from = since > after.at ? { at: since, id: '' } : after
    return store.listPage(db, { partnerId, ...from, until, limit })
  }
  // The one that there can be is on the first page.
  const found =
    after.id === '' ? await store.findActiveByExternalId(db, { partnerId, externalCustomerId }) : []
  return found.filter(({ createdAt }) => createdAt >= since && createdAt < until)
}
