import { NotFoundError, type PartnerClient } from '@causeway/client'
import { acceptAgreements, submitCase, type CaseState } from '@causeway/scenario'
import type { StaffClient } from '../session/staff-client.ts'

/** Reads the current case; null before the first write. */
const readCase = async (partner: PartnerClient, customerId: string): Promise<CaseState | null> => {
  try {
    return (await partner.getCustomerVerification({ customerId })).verification
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Has a customer verified with sample data, whatever the state of its case, and accepts its agreements. */
export const onboard = async (
  partner: PartnerClient,
  staff: StaffClient,
  customerId: string,
): Promise<CaseState> => {
  const found = await readCase(partner, customerId)
  if (found?.status === 'approved') {
    await acceptAgreements(partner, customerId)
    return found
  }
  const pending = found?.status === 'pending' ? found : await submitCase(partner, customerId)
  return (await staff.approveCase({ verificationId: pending.verification_id })).verification
}
