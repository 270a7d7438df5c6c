import { implement, refuse, reply, type Db, type Implementation, type Vault } from '@causeway/chassis'
import { verifications } from '@causeway/contracts'
import { onboardingSchema } from './onboarding-schema.ts'
import { openRecord, presentVerification } from './presentation.ts'
import { submit } from './submission.ts'
import * as submissionStore from './submission-store.ts'

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
