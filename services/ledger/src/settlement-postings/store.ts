import { batchOf, queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import type { SettlementPosting } from './movements.ts'

const POSTINGS = batchOf<SettlementPosting>()('posting', {
  source: ['text', (posting) => posting.source],
  processor: ['text', (posting) => posting.processor],
  orderKey: ['text?', (posting) => posting.orderKey],
  orderId: ['text?', (posting) => posting.orderId],
  effectiveAt: ['time', (posting) => posting.effectiveAt.getTime()],
  movements: [
    'text',
    (posting) => JSON.stringify(posting.movements.map((each) => ({ ...each, amount: String(each.amount) }))),
  ],
})
export const postingValues = POSTINGS.values

/** Keeps the contents of postings, each once. */
export const insertPostings = queryNone({
  name: 'settlement-postings.insert',
  parameters: POSTINGS.parameters,
  text: `
    INSERT INTO settlement_postings (${POSTINGS.names})
    SELECT source, processor, order_key, order_id, effective_at, movements::jsonb FROM ${POSTINGS.from('p')}
    ON CONFLICT (source) DO NOTHING`,
})

const PostingRow = z.object({
  source: z.string(),
  processor: z.string(),
  orderKey: z.string().nullable(),
  orderId: z.string().nullable(),
  effectiveAt: z.date(),
  movements: z.unknown(),
})
const POSTING = 'source, processor, order_key, order_id, effective_at, movements'

export const getPosting = queryOne({
  name: 'settlement-postings.get',
  parameters: { source: 'text' },
  text: `SELECT ${POSTING} FROM settlement_postings WHERE source = :source`,
  row: PostingRow,
})

/** The next postings of the matching, by their sources. */
export const listPostings = queryMany({
  name: 'settlement-postings.list',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT ${POSTING} FROM settlement_postings WHERE source > :after ORDER BY source LIMIT :limit`,
  row: PostingRow,
})
