import { z } from 'zod'
import type { CallbackClient } from '../http/callback-client.ts'
import type { Payment } from './rows.ts'

/** `unavailable`: the platform sent no valid answer, so nothing is charged. */
export type Authorization = 'allowed' | 'blocked' | 'unavailable'

const Answer = z.object({ data: z.object({ allowed: z.boolean() }) })

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

/** Asks the platform before a charge whether this payer is blocked. */
export const requestAuthorization = async (
  callbacks: CallbackClient,
  payment: Payment,
  payer: { ip: string | null; email: string | null },
): Promise<Authorization> => {
  const authorizationRequest = {
    processor: payment.processor,
    payment_id: payment.paymentId,
    order_key: payment.orderKey,
    payer_ip: payer.ip,
    payer_email: payer.email,
  }
  const answer = await callbacks.send(
    `${payment.noticeUrl}/authorizations`,
    JSON.stringify(authorizationRequest),
  )
  const parsed = Answer.safeParse(answer?.status === 200 ? parse(answer.body) : undefined)
  if (!parsed.success) return 'unavailable'
  return parsed.data.data.allowed ? 'allowed' : 'blocked'
}
