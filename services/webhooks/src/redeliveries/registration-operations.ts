import { implement, type Implementation } from '@causeway/chassis'
import { registrationRedeliveries } from '@causeway/contracts'
import { redeliveryHandlers } from './operations.ts'
import type { Parts } from '../dependencies.ts'

type OfCaller = Readonly<{
  caller: Readonly<{ merchantId: string }>
  params: Readonly<{ webhookId: string }>
}>

/** Sending a merchant's events again in bulk. */
export const registrationRedeliveryOperations = (parts: Parts): Implementation[] =>
  implement(
    registrationRedeliveries,
    redeliveryHandlers(parts, 'merchant', ({ caller }: OfCaller) => caller.merchantId),
  )
