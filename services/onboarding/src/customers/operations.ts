import {
  createBatcher,
  implement,
  keysetList,
  newId,
  newSealer,
  OLDEST_FIRST,
  refuse,
  reply,
  type Cursors,
  type Db,
  type Implementation,
  type KeysetOrder,
  type Queryable,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import {
  customers,
  ID_PREFIXES,
  MAX_FOUND_CUSTOMERS,
  MAX_SIMILAR_CUSTOMERS,
  type CapabilityName,
  type CustomerSearch,
} from '@causeway/contracts'
import * as merchantStore from '../merchants/store.ts'
import { inOrder } from '../relationship-state/capabilities.ts'
import { emitChange } from '../relationship-state/changes.ts'
import { emailKey, matchSignUp } from './domain.ts'
import { filterName, readPage } from './list.ts'
import { emailContext, presentCustomer, presentToStaff } from './presentation.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{
  db: Db
  vault: Vault
  cursors: Cursors
  /** A link to a merchant that another partner linked already is valid immediately (`open`) or after a confirmation. */
  linking: 'open' | 'confirmed'
  /** Maximum concurrent batches of reads. */
  maxReadBatches: number
}>

type SignUp = Readonly<{
  partnerId: string
  externalCustomerId: string
  email: string
  granted: readonly CapabilityName[]
  now: Date
  /** True if the link is valid immediately although another partner linked the merchant. */
  open: boolean
}>

const MAX_READ_BATCH = 64
/** In no name, and after every other character. */
const LAST_CHARACTER = '\u{10FFFF}'

/** `onboarding.customers` (spec: Customers; decisions §3). */
export const customerOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, vault, cursors } = dependencies
  const reads = createReadBatcher(dependencies)

  return implement(customers, {
    async create({ caller, body, now }) {
      const signUp: SignUp = {
        partnerId: caller.partnerId,
        externalCustomerId: body.external_customer_id,
        email: body.email,
        granted: inOrder(caller.defaultCapabilities ?? []),
        now,
        open: dependencies.linking === 'open',
      }
      const emailMac = vault.mac('merchant-email', emailKey(signUp.email))
      const known = await replyFromLinks(db, vault, signUp, emailMac)
      if (known) return known
      return db.transaction(async (tx) => {
        const created = await insertLink(tx, vault, signUp, emailMac)
        if (created) return reply(presentCustomer(created, vault), 'created')
        const winner = await replyFromLinks(tx, vault, signUp, emailMac)
        if (winner) return winner
        throw new Error('A sign-up failed on a conflict without an existing relationship')
      })
    },

    async list({ caller: { partnerId }, query: { limit, cursor, ...filter } }) {
      const name = `customers:${partnerId}${filterName(filter)}`
      const list = keysetList(cursors, { name, order: OLDEST_FIRST })
      const after = list.after(cursor)
      if (!after) return refuse('invalid_cursor')
      const rows = await readPage(db, { partnerId, after, limit, ...filter })
      const page = list.page({
        rows,
        limit,
        present: (row) => presentCustomer(row, vault),
        positionOf: (row) => ({ at: row.createdAt, id: row.partnerCustomerId }),
        continuesWhenFull: true,
      })
      return reply({ customers: page.items, next_cursor: page.nextCursor })
    },

    async get({ caller: { partnerId }, params: { customerId: partnerCustomerId } }) {
      const row = await reads.load({ partnerId, partnerCustomerId })
      return row ? reply(presentCustomer(row, vault)) : refuse('resource_not_found')
    },

    async search({ body }) {
      if (body.name !== undefined) return searchByName(dependencies, body.name, body.cursor ?? null)
      const rows = await find(dependencies, body)
      return reply({ customers: rows.map((row) => presentFound(row, vault)), next_cursor: null })
    },

    async listNames({ body: { ids } }) {
      const isMerchant = (id: string) => id.startsWith(`${ID_PREFIXES.merchant}_`)
      const [merchantIds, relationshipIds] = [ids.filter(isMerchant), ids.filter((id) => !isMerchant(id))]
      return reply({ names: await store.listNames(db, { merchantIds, relationshipIds }) })
    },
  })
}

const presentFound = (row: store.CustomerOfPartnerRow, vault: Vault) => ({
  ...presentToStaff(row, vault),
  partner_id: row.partnerId,
})

const BY_NAME: KeysetOrder<Readonly<{ name: string; id: string }>> = {
  start: { name: '', id: '' },
  write: ({ name, id }) => [name, id],
  read: ([name, id]) => (name === undefined || id === undefined ? null : { name, id }),
}

/** One page of the customers of all partners whose name begins with a text; similar names come with the first page. */
const searchByName = async ({ db, vault, cursors }: Dependencies, name: string, cursor: string | null) => {
  const limit = MAX_FOUND_CUSTOMERS
  const list = keysetList(cursors, { name: `customers-by-name:${name}`, order: BY_NAME })
  const after = list.after(cursor)
  if (!after) return refuse('invalid_cursor')
  const until = `${name}${LAST_CHARACTER}`
  const rows = await store.listByName(db, {
    from: name,
    until,
    afterName: after.name,
    afterId: after.id,
    limit,
  })
  const page = list.page({
    rows,
    limit,
    present: (row) => presentFound(row, vault),
    positionOf: (row) => ({ name: row.sortName, id: row.partnerCustomerId }),
    continuesWhenFull: true,
  })
  const found = { customers: page.items, next_cursor: page.nextCursor }
  if (cursor !== null) return reply(found)
  const similar = await store.listBySimilarName(db, {
    ...{ name, until, limit: MAX_SIMILAR_CUSTOMERS },
    nearest: MAX_FOUND_CUSTOMERS + MAX_SIMILAR_CUSTOMERS,
  })
  return reply({ ...found, similar: similar.map((row) => presentFound(row, vault)) })
}

/** Customers of all partners by the one field that the contract requires, other than the name. */
const find = ({ db, vault }: Dependencies, search: CustomerSearch): Promise<store.CustomerOfPartnerRow[]> => {
  const limit = MAX_FOUND_CUSTOMERS
  const { email, external_customer_id: externalCustomerId, customer_id: merchantId } = search
  if (merchantId !== undefined) return store.listByMerchant(db, { merchantId, limit })
  if (externalCustomerId !== undefined) return store.listByExternalId(db, { externalCustomerId, limit })
  if (email === undefined) throw new Error('The search for customers has no criterion')
  return store.listByEmail(db, { emailMac: vault.mac('merchant-email', emailKey(email)), limit })
}

type Key = Readonly<{ partnerId: string; partnerCustomerId: string }>

/** Reads of the same moment share one statement. */
const createReadBatcher = ({ db, maxReadBatches }: Dependencies) =>
  createBatcher<Key, store.CustomerRow | null>({
    maxBatch: MAX_READ_BATCH,
    maxRunning: maxReadBatches,
    async run(keys) {
      const found = await store.getMany(db, {
        partnerIds: keys.map((key) => key.partnerId),
        partnerCustomerIds: keys.map((key) => key.partnerCustomerId),
      })
      const rows: (store.CustomerRow | null)[] = keys.map(() => null)
      for (const row of found) rows[row.position - 1] = row
      return rows
    },
  })

/** The reply that the partner's existing relationships decide already, or null. */
const replyFromLinks = async (db: Queryable, vault: Vault, signUp: SignUp, emailMac: Buffer) => {
  const { partnerId, externalCustomerId } = signUp
  const links = await store.listLinks(db, { partnerId, externalCustomerId, emailMac })
  const matched = matchSignUp(links, externalCustomerId)
  return matched?.ok ? reply(presentCustomer(matched.value, vault), 'existing') : matched
}

/** Links the merchant, created if need be, and emits the new relationship; null when another call was first. */
const insertLink = async (tx: Transaction, vault: Vault, signUp: SignUp, emailMac: Buffer) => {
  const { email, now, ...link } = signUp
  const merchant = await merchantStore.lockOrInsertMerchant(tx, {
    newId: newId('merchant'),
    emailMac,
    now,
  })
  if (!merchant) throw new Error('A merchant was neither found nor created')
  const partnerCustomerId = newId('relationship')
  const sealer = newSealer(vault, partnerCustomerId)
  const created = await store.insert(tx, {
    ...link,
    partnerCustomerId,
    merchantId: merchant.id,
    emailSealed: sealer.seal(email, emailContext(partnerCustomerId)),
    merchantCreatedAt: merchant.createdAt,
    now,
    keySealed: sealer.keySealed,
  })
  if (!created) return null
  const { suspended, verification, disputesAboveThreshold } = merchant
  const relationship = {
    ...created,
    partnerId: link.partnerId,
    status: 'active',
    granted: link.granted,
    suspended,
    verification,
    disputesAboveThreshold,
    isErased: false,
    feeHandling: null,
    settlementOption: null,
    version: 1,
  } as const
  emitChange(tx, null, relationship, now)
  return { ...created, emailSealed: `${created.emailSealed}.${sealer.keySealed}` }
}
