import { REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { customerBody, SAMPLE_CASE, SAMPLE_FILE } from '@causeway/scenario'
import type { Entry } from '../journal.ts'
import type { Scenario } from './scenario.ts'

const PDF = Buffer.from(SAMPLE_FILE).toString('base64')

const idIn = ({ data }: Entry, object: string, field: string): string | undefined =>
  (data[object] as Record<string, string> | undefined)?.[field]

/** Signs a customer up; two in five submit their case, and staff approve or reject it. */
export const signUp: Scenario = async ({ random, name, partner, sessions }) => {
  const made = await partner.insist(
    { act: 'customer.create', key: name },
    {
      method: 'post',
      path: '/api/v1/partner/customers',
      body: customerBody(name),
    },
  )
  const customerId = made.data['partner_customer_id']
  if (typeof customerId !== 'string' || !random.chance(0.4)) return
  const about = customerId
  const path = `/api/v1/partner/customers/${customerId}`
  for (const type of REQUIRED_DOCUMENT_TYPES)
    await partner.insist(
      { act: 'case.step', about },
      {
        method: 'post',
        path: `${path}/documents`,
        body: { document_type: type, file_name: `${type}.pdf`, content_base64: PDF },
      },
    )
  const submitted = await partner.insist(
    { act: 'case.step', about },
    { method: 'post', path: `${path}/verifications`, body: SAMPLE_CASE },
  )
  const caseId = idIn(submitted, 'verification', 'verification_id')
  if (caseId === undefined) return
  const review = `/api/operator/verifications/${caseId}`
  if (random.chance(0.8))
    await sessions.staff.insist({ act: 'staff', about }, { method: 'post', path: `${review}/approve` })
  else
    await sessions.staff.insist(
      { act: 'staff', about },
      { method: 'post', path: `${review}/reject`, body: { rejection_reason: 'document_illegible' } },
    )
}

/** Reads what a partner's page shows. */
export const browse: Scenario = async ({ random, partner, shop }) => {
  const paths = [
    `${shop.path}/orders?limit=20`,
    `${shop.path}/fiat-orders?limit=20`,
    shop.path,
    `${shop.path}/chargebacks`,
  ]
  await partner.insist(
    { act: 'list.read', about: shop.customerId },
    { method: 'get', path: random.pick(paths) },
  )
}
