import {
  fingerprintOf,
  implement,
  keysetList,
  newId,
  OLDEST_FIRST,
  refuse,
  reply,
  withBefore,
  withIdempotency,
  type Cursors,
  type Db,
  type Implementation,
  type KeyUse,
  type OperationRequest,
  type ServiceClient,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import { MAX_PAYOUT_WALLETS, payoutWallets } from '@causeway/contracts'
import { isProof } from '@causeway/rails/ownership'
import type { Relationships } from '../relationships/relationships.ts'
import { sealAccount } from './account.ts'
import { activeEvent, changeEvent } from './events.ts'
import { checkWallet, type CheckedWallet } from './new-wallet.ts'
import { messageOf, presentToStaff, presentWallet } from './present.ts'
import { confirmed, newStanding, proved, type Standing, type WalletRules } from './rules.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{
  db: Db
  vault: Vault
  ask: ServiceClient
  relationships: Relationships
  cursors: Cursors
  rules: WalletRules
  publicBaseUrl: string
}>

const refuseState = ({ status }: store.WalletRow, to: string) =>
  refuse('invalid_state', [{ from: status, to }])

/** Stores a new standing of a locked wallet, and announces that it can be used. @returns the wallet with it */
const change = async (
  tx: Transaction,
  row: store.WalletRow,
  standing: Pick<Standing, 'status' | 'confirmedAt' | 'provedAt'>,
  { now, refusalReason = null }: Readonly<{ now: Date; refusalReason?: string | null }>,
): Promise<store.WalletRow> => {
  const { payoutWalletId } = row
  const { status, confirmedAt, provedAt } = standing
  const changed = { ...row, status, confirmedAt, provedAt, refusalReason }
  await store.updateStanding(tx, { payoutWalletId, status, confirmedAt, provedAt, refusalReason })
  if (status === 'active' && row.status !== 'active') tx.emit(activeEvent(changed, now))
  return changed
}

type Adding = Readonly<{ partnerId: string; partnerCustomerId: string; checked: CheckedWallet; now: Date }>

const add = async (
  tx: Transaction,
  { vault, rules, publicBaseUrl }: Dependencies,
  { partnerId, partnerCustomerId, checked, now }: Adding,
) => {
  const owner = await store.lockOwner(tx, { partnerId, partnerCustomerId })
  if (owner === null) return refuse('resource_not_found')
  const count = (await store.countWallets(tx, { partnerCustomerId }))?.count ?? 0
  if (count >= MAX_PAYOUT_WALLETS)
    return refuse('limit_reached', [{ resource: 'payout_wallets', limit: MAX_PAYOUT_WALLETS }])
  const payoutWalletId = newId('payoutWallet')
  const { account, isProvable, ...wallet } = checked
  const standing = newStanding(rules, isProvable, now)
  const accountSealed =
    account === null ? null : await sealAccount(tx, vault, { payoutWalletId, account, now })
  const row = { ...wallet, ...standing, ...owner, payoutWalletId, partnerCustomerId }
  await store.insert(tx, { ...row, accountSealed, now })
  const stored = await store.get(tx, { partnerId, partnerCustomerId, payoutWalletId })
  if (stored === null) throw new Error(`${payoutWalletId} was not stored`)
  tx.emit(changeEvent('payout_wallet.added', stored, now))
  return reply({ payout_wallet: presentWallet(stored, publicBaseUrl) })
}

type StaffRequest = OperationRequest<typeof payoutWallets.confirm>

/** Runs a decision of staff on a locked wallet. */
const decide = (
  { db, publicBaseUrl }: Dependencies,
  { params: { payoutWalletId } }: Pick<StaffRequest, 'params'>,
  next: (tx: Transaction, row: store.WalletRow) => Promise<store.WalletRow | null>,
  to: string,
) =>
  db.transaction(async (tx) => {
    const row = await store.lockByStaff(tx, { payoutWalletId })
    if (row === null) return refuse('resource_not_found')
    const decided = await next(tx, row)
    if (decided === null) return refuseState(row, to)
    const before = { status: row.status }
    return withBefore(reply({ payout_wallet: presentToStaff(decided, publicBaseUrl) }), before)
  })

const staffOperations = (dependencies: Dependencies) => {
  const { db, cursors, publicBaseUrl } = dependencies
  return {
    async listByStaff({
      query: { status, limit, cursor },
    }: OperationRequest<typeof payoutWallets.listByStaff>) {
      const list = keysetList(cursors, { name: `payout-wallets:${status}`, order: OLDEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await store.listPage(db, { status, ...after, limit: limit + 1 }),
        limit,
        present: (row) => presentToStaff(row, publicBaseUrl),
        positionOf: (row) => ({ at: row.createdAt, id: row.payoutWalletId }),
      })
      return reply({ payout_wallets: items, next_cursor: nextCursor })
    },

    confirm: (request: StaffRequest) =>
      decide(
        dependencies,
        request,
        async (tx, row) => {
          const standing = confirmed(row, request.now)
          return standing && change(tx, row, standing, request)
        },
        'active',
      ),

    refuse: (request: OperationRequest<typeof payoutWallets.refuse>) =>
      decide(
        dependencies,
        request,
        (tx, row) =>
          row.status === 'refused'
            ? Promise.resolve(row)
            : change(
                tx,
                row,
                { ...row, status: 'refused' },
                { now: request.now, refusalReason: request.body.reason },
              ),
        'refused',
      ),
  }
}

/** `ledger.payout-wallets` (decisions §50). */
export const payoutWalletOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, vault, ask, relationships, publicBaseUrl } = dependencies
  const present = (row: store.WalletRow) => presentWallet(row, publicBaseUrl)

  /** The use of an idempotency key. The request names an account, so that its hash is keyed. */
  const useOf = (
    {
      caller,
      params,
      body,
      idempotencyKey: key,
      requestId,
      now,
    }: OperationRequest<typeof payoutWallets.create | typeof payoutWallets.prove>,
    operation: string,
  ): KeyUse => ({
    ...{ partnerId: caller.partnerId, operation, key: key ?? '', requestId, now },
    fingerprint: vault.mac('payout-wallet-request', fingerprintOf(params, body)).toString('hex'),
  })
  const refuseUngranted = (partnerId: string, partnerCustomerId: string) =>
    relationships.refuseUngranted({ partnerId, partnerCustomerId }, 'payout_wallets')

  return implement(payoutWallets, {
    async create(request) {
      const { partnerId } = request.caller
      const { customerId: partnerCustomerId } = request.params
      const refusal = await refuseUngranted(partnerId, partnerCustomerId)
      if (refusal) return refusal
      const checked = await checkWallet(ask, request.body)
      if ('ok' in checked) return checked
      const adding = { partnerId, partnerCustomerId, checked, now: request.now }
      return withIdempotency(db, useOf(request, payoutWallets.create.subject), (tx) =>
        add(tx, dependencies, adding),
      )
    },

    async list({ caller: { partnerId }, params: { customerId: partnerCustomerId } }) {
      const refusal = await refuseUngranted(partnerId, partnerCustomerId)
      if (refusal) return refusal
      const rows = await store.list(db, { partnerId, partnerCustomerId })
      return reply({ payout_wallets: rows.map(present) })
    },

    async get({ caller: { partnerId }, params: { customerId: partnerCustomerId, payoutWalletId } }) {
      const refusal = await refuseUngranted(partnerId, partnerCustomerId)
      if (refusal) return refusal
      const row = await store.get(db, { partnerId, partnerCustomerId, payoutWalletId })
      return row === null ? refuse('resource_not_found') : reply({ payout_wallet: present(row) })
    },

    async delete({ caller: { partnerId }, params: { customerId: partnerCustomerId, payoutWalletId }, now }) {
      const refusal = await refuseUngranted(partnerId, partnerCustomerId)
      if (refusal) return refusal
      return db.transaction(async (tx) => {
        const row = await store.lock(tx, { partnerId, partnerCustomerId, payoutWalletId })
        if (row === null) return refuse('resource_not_found')
        await store.markDeleted(tx, { payoutWalletId, now })
        tx.emit(changeEvent('payout_wallet.deleted', row, now))
        return reply({})
      })
    },

    async prove(request) {
      const { partnerId } = request.caller
      const { customerId: partnerCustomerId, payoutWalletId } = request.params
      const refusal = await refuseUngranted(partnerId, partnerCustomerId)
      if (refusal) return refusal
      return withIdempotency(db, useOf(request, payoutWallets.prove.subject), async (tx) => {
        const row = await store.lock(tx, { partnerId, partnerCustomerId, payoutWalletId })
        if (row === null) return refuse('resource_not_found')
        const message = messageOf(row, publicBaseUrl)
        const standing = proved(row, request.now)
        if (message === null || standing === null) return refuseState(row, 'proved')
        const { network, address } = row
        const { signature } = request.body
        if (network === null || address === null || !isProof(network, { address, message, signature }))
          return refuse('invalid_request', [
            {
              field: 'signature',
              reason: 'invalid_value',
              expected: 'a signature of proof.message by the key of the address',
            },
          ])
        return reply({ payout_wallet: present(await change(tx, row, standing, request)) })
      })
    },

    ...staffOperations(dependencies),
  })
}
