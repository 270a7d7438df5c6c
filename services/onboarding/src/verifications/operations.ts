import { implement, refuse, reply, type Db, type Implementation, type Vault } from '@causeway/chassis'
import { KybWrite, REQUIRED_DOCUMENT_TYPES, verifications } from '@causeway/contracts'
import { z } from 'zod'
import { requiredAtSubmission } from './completeness.ts'
import { openRecord, presentVerification } from './presentation.ts'
import { submit } from './submission.ts'
import * as submissionStore from './submission-store.ts'

/**
 * The contract for forms: JSON Schema 2020-12 of a verification write, generated from the schema that validates it, with
 * enums inline. It covers a single write; the endpoint also checks the merged data.
 */
const onboardingSchema = () => ({
  schema: z.toJSONSchema(KybWrite, { target: 'draft-2020-12', io: 'input', reused: 'inline' }),
  required_at_submission: requiredAtSubmission(),
  document_types: [...REQUIRED_DOCUMENT_TYPES],
})

type Dependencies = Readonly<{ db: Db; vault: Vault }>

/** `onboarding.verifications` (spec: Verifications and KYB field rules; decisions §7). */
export const verificationOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, vault } = dependencies
  const schema = onboardingSchema()
  const found = (row: submissionStore.OwnRow | null) =>
    row
      ? reply({ verification: presentVerification(row, openRecord(row, vault)) })
      : refuse('resource_not_found')

  return implement(verifications, {
    submit: (request) => submit(dependencies, request),

    async getByCustomer({ caller: { partnerId }, params: { customerId: partnerCustomerId } }) {
      return found(await submissionStore.getByCustomer(db, { partnerId, partnerCustomerId }))
    },

    async get({ caller: { partnerId }, params: { verificationId } }) {
      return found(await submissionStore.getByCase(db, { partnerId, verificationId }))
    },

    getSchema: async () => reply(schema),
  })
}
