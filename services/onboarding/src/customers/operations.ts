import {
  createBatcher,
  implement,
  newId,
  newSealer,
  pageOf,
  refuse,
  reply,
  type Cursors,
  type Db,
  type Implementation,
  type Queryable,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import { customers, type CapabilityName } from '@causeway/contracts'
import { inOrder } from '../relationship-state/capabilities.ts'
import { emailKey, judgeSignUp } from './domain.ts'
import * as merchantStore from '../merchants/store.ts'
import * as store from './store.ts'
import { announce } from '../relationship-state/emit.ts'
import { cursorAfter, positionOf } from '../list-position.ts'
import { emailContext, presentCustomer } from './presentation.ts'

type Parts = Readonly<{
  db: Db
  vault: Vault
  cursors: Cursors
  /** Whether a link to a merchant that another partner has linked already waits for confirmation. */
  linking: 'open' | 'confirmed'
  /** How many batches of reads may be under way at once. */
  batchesAtOnce: number
}>

type SignUp = Readonly<{
  partnerId: string
  externalCustomerId: string
  email: string
  grants: readonly CapabilityName[]
  now: Date
  /** Whether the link counts at once, be the merchant linked already or not. */
  open: boolean
}>

const MAX_READS_A_BATCH = 64

/** `onboarding.customers` (spec: Customers; decisions §3). */
export const customerOperations = (parts: Parts): Implementation[] => {
  const { db, vault, cursors } = parts
  const reader = readCoalesced(parts)

  return implement(customers, {
    async create({ caller, body, now }) {
      const signUp: SignUp = {
        partnerId: caller.partnerId,
        externalCustomerId: body.external_customer_id,
        email: body.email,
        grants: inOrder(caller.defaultCapabilities ?? []),
        now,
        open: parts.linking === 'open',
      }
      const emailMac = vault.mac('merchant-email', emailKey(signUp.email))
      const known = await settleByLinks(db, vault, signUp, emailMac)
      if (known) return known
      return db.transaction(async (tx) => {
        const created = await link(tx, vault, signUp, emailMac)
        if (created) return reply(presentCustomer(created, vault), 'created')
        const winner = await settleByLinks(tx, vault, signUp, emailMac)
        if (winner) return winner
        throw new Error('A sign-up met a conflict that no relationship explains')
      })
    },

    async list({ caller, query }) {
      const list = `customers:${caller.partnerId}`
      const after = positionOf(cursors, list, query.cursor)
      if (!after) return refuse('invalid_cursor')
      const rows = await db.query(store.readPage, [caller.partnerId, ...after, query.limit])
      const page = pageOf({ rows, limit: query.limit, present: (row) => presentCustomer(row, vault) })
      const last = page.last ?? (rows.length === query.limit ? rows.at(-1) : undefined)
      return reply({
        customers: [...page.items],
        next_cursor: cursorAfter(
          cursors,
          list,
          last ? { at: last.created_at, id: last.partner_customer_id } : null,
        ),
      })
    },

    async read({ caller, params }) {
      const row = await reader.load({ partnerId: caller.partnerId, id: params.customerId })
      return row ? reply(presentCustomer(row, vault)) : refuse('resource_not_found')
    },
  })
}

/** Reads of the same moment share one statement. */
const readCoalesced = ({ db, batchesAtOnce }: Parts) =>
  createBatcher<{ partnerId: string; id: string }, store.CustomerRow | null>({
    maxBatch: MAX_READS_A_BATCH,
    maxRunning: batchesAtOnce,
    async run(asked) {
      const found = await db.query(store.readMany, [
        asked.map((key) => key.partnerId),
        asked.map((key) => key.id),
      ])
      const rows: (store.CustomerRow | null)[] = asked.map(() => null)
      for (const row of found) rows[row.position - 1] = row
      return rows
    },
  })

/** The answer that the partner's existing relationships already decide, or null. */
const settleByLinks = async (database: Queryable, vault: Vault, signUp: SignUp, emailMac: Buffer) => {
  const links = await database.query(store.findLinks, [signUp.partnerId, signUp.externalCustomerId, emailMac])
  const judged = judgeSignUp(links, signUp.externalCustomerId)
  return judged?.ok ? reply(presentCustomer(judged.value, vault), 'existing') : judged
}

/** Links the merchant, created if need be, and announces it; null when another call has taken its place. */
const link = async (tx: Transaction, vault: Vault, signUp: SignUp, emailMac: Buffer) => {
  const { partnerId, externalCustomerId, grants, now, open } = signUp
  const [merchant] = await tx.query(merchantStore.findOrCreate, [newId('merchant'), emailMac, now])
  if (!merchant) throw new Error('A merchant was neither found nor created')
  const id = newId('relationship')
  const sealer = newSealer(vault, id)
  const sealed = sealer.seal(signUp.email, emailContext(id))
  const [created] = await tx.query(store.insert, [
    id,
    partnerId,
    merchant.id,
    externalCustomerId,
    sealed,
    grants,
    merchant.created_at,
    now,
    open,
    sealer.keySealed,
  ])
  if (!created) return null
  const relationship = {
    partner_customer_id: id,
    partner_id: partnerId,
    customer_id: merchant.id,
    status: 'active',
    granted: grants,
    link_confirmed: created.link_confirmed,
    suspended: merchant.suspended,
    verification: merchant.verification,
    agreement_required: created.agreement_required,
    disputes_over: merchant.disputes_over,
    version: 1,
  } as const
  announce(tx, null, relationship, now)
  return { ...created, email_sealed: `${created.email_sealed}.${sealer.keySealed}` }
}
