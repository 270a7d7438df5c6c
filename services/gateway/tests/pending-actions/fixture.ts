import { createLogger, implement, newId, refuse, refuseChanged, reply, serve } from '@causeway/chassis'
import { eventually, testReceiverKeys } from '@causeway/chassis/testing'
import {
  reviews,
  type AuditEntry,
  type PendingAction,
  type StaffRole,
  type VerificationStatus,
  FOUR_EYES,
  HTTP_OPERATIONS,
  type FourEyes,
} from '@causeway/contracts'
import pg from 'pg'
import type { z } from 'zod'
import { newStaffKey, openFixture, type Answer, type Replica } from '../fixtures/running-gateway.ts'

const AT = '2026-01-02T03:04:05.678Z'

/** The one case that onboarding has in these tests. */
const newCase = () => ({
  id: newId('verification'),
  status: 'pending' as VerificationStatus,
  submittedAt: AT,
  version: 1,
  editedAt: null as string | null,
  /** Called when an approval has arrived, before it is judged. */
  beforeApproval: () => undefined as unknown,
  /** Actors whose approvals arrived. */
  approvedBy: [] as string[],
  /** The next approval is done, and nobody hears of it. */
  losesAnswer: false,
})

const fakeReviews = (fake: ReturnType<typeof newCase>) => {
  const shown = () => ({
    verification_id: fake.id,
    customer_id: newId('merchant'),
    status: fake.status,
    rejection_reason: null,
    submitted_at: fake.submittedAt,
    reviewed_at: null,
    expires_at: null,
    created_at: AT,
    version: fake.version,
    edited_at: fake.editedAt,
  })
  const state = () => ({
    status: fake.status,
    submitted_at: fake.submittedAt,
    version: fake.version,
    edited_at: fake.editedAt,
  })
  const judge = (version: number | undefined) => {
    const transition = { from: fake.status, to: 'approved' }
    if (fake.status !== 'pending') return refuse('invalid_state', [transition])
    if (version === undefined ? fake.editedAt === null : version === fake.version) return null
    const { version: present, edited_at } = state()
    return refuse('invalid_state', [{ ...transition, reason: 'modified', version: present, edited_at }])
  }
  const customerId = newId('merchant')
  return implement(reviews, {
    list: async () => reply({ verifications: [], next_cursor: null }),
    get: async ({ params }) =>
      params.verificationId === fake.id
        ? reply({
            verification: {
              ...shown(),
              customer_id: customerId,
              relationships: [],
              requirements: [],
              // Cursors differ from read to read.
              requirements_next_cursor: newId('request'),
            },
            next_cursor: null,
          })
        : refuse('resource_not_found'),
    prepareApproval: async ({ params, body }) =>
      params.verificationId === fake.id
        ? (judge(body?.version) ?? reply({ before: state(), groups: ['approval'] }))
        : refuse('resource_not_found'),
    approve: async ({ caller, body, expected }) => {
      fake.beforeApproval()
      const refusal = judge(body?.version) ?? refuseChanged(expected, state())
      if (refusal) return refusal
      fake.status = 'approved'
      fake.approvedBy.push(caller.actor)
      if (fake.losesAnswer) throw new Error('The answer is lost')
      return reply({ verification: shown() })
    },
    reject: async ({ body: { version } }) => {
      if (version !== undefined && version !== fake.version)
        return refuse('invalid_state', [{ from: 'pending', to: 'rejected', reason: 'modified' }])
      fake.status = 'rejected'
      return reply({ verification: shown() })
    },
  })
}

/** Subjects of all operations that can need a second person. */
export const HELD_SUBJECTS: readonly string[] = HTTP_OPERATIONS.filter(
  ({ fourEyes }) => fourEyes.length > 0,
).map(({ subject }) => subject)

export const ALL: ReadonlySet<FourEyes> = new Set(FOUR_EYES)

/** A member of staff with a key of its own. */
const personWith = (replica: Replica, { id, key }: Readonly<{ id: string; key: string }>) => ({
  id,
  key,
  at: (elsewhere: Replica) => personWith(elsewhere, { id, key }),
  ask: (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    replica.call(method, `/api/operator${path}`, { token: key, ...(body === undefined ? {} : { body }) }),
  decide: (action: PendingAction, decision: 'confirm' | 'decline' | 'result') =>
    replica.call('POST', `/api/operator/pending-actions/${action.pending_action_id}/${decision}`, {
      token: key,
    }),
})
export type Person = ReturnType<typeof personWith>

/** The pending action in an answer. */
export const actionIn = (answer: Answer): PendingAction =>
  (answer.data as unknown as { pending_action: PendingAction }).pending_action

/** The ids of the pending actions of a list. */
export const actionsIn = (answer: Answer): string[] =>
  (answer.data as unknown as { pending_actions: PendingAction[] }).pending_actions.map(
    ({ pending_action_id: id }) => id,
  )

export const resultIn = (answer: Answer): unknown => (answer.data as unknown as { result: unknown }).result

/** One replica without the setting, and two with all of it, over one database. */
export const openFourEyes = async () => {
  const fixture = await openFixture()
  const plain = await fixture.startReplica()
  const gateway = await fixture.startReplica({ fourEyes: ALL })
  const other = await fixture.startReplica({ fourEyes: ALL })
  const fakeCase = newCase()
  serve(fixture.bus, fakeReviews(fakeCase), {
    clock: fixture.clock,
    log: createLogger({ service: 'test', level: 'silent' }),
    checkReplies: true,
    keys: testReceiverKeys(),
    service: 'onboarding',
  })
  await fixture.bus.connection.flush()
  const sql = async (text: string, values: readonly unknown[] = []) => {
    const client = new pg.Client({ connectionString: fixture.databaseUrl })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text, [...values])).rows
    } finally {
      await client.end()
    }
  }
  return {
    ...fixture,
    plain,
    gateway,
    other,
    fakeCase,
    /** A new person; the key is made where no second person is needed. */
    newPerson: async (role: StaffRole): Promise<Person> =>
      personWith(gateway, await newStaffKey(plain, role)),
    /** A key that a member of staff makes where no second person is needed. */
    async newKeyBy(maker: Person, role: StaffRole): Promise<Person> {
      const { data } = await maker.at(plain).ask('POST', '/staff-keys', { name: `A ${role}`, role })
      return personWith(gateway, { id: data.staff_key.staff_key_id, key: data.key })
    },
    /** The whole audit log of some pages, newest first. */
    async audit(): Promise<z.infer<typeof AuditEntry>[]> {
      return (await plain.operate('GET', '/audit?order=newest&limit=100')).data.entries
    },
    /** Holds up every change of partners, clients and keys while work runs. */
    async whileChangesWait(work: (held: pg.Client) => Promise<void>) {
      const client = new pg.Client({ connectionString: fixture.databaseUrl })
      await client.connect()
      try {
        await client.query('BEGIN')
        await client.query('SELECT revision FROM registry FOR UPDATE')
        await work(client)
        await client.query('COMMIT')
      } finally {
        await client.end()
      }
    },
    sql,
    /** Waits until a person's confirmation has claimed an action. */
    untilClaimed: ({ pending_action_id: id }: PendingAction, person: Person) =>
      eventually(async () => {
        const claimed = `SELECT FROM pending_actions
          WHERE pending_action_id = $1 AND status = 'confirmed' AND decided_by = $2`
        return (await sql(claimed, [id, person.id])).length === 1
      }),
  }
}
export type FourEyesFixture = Awaited<ReturnType<typeof openFourEyes>>
