import type { Outcome, ServiceClient } from '@causeway/chassis'
import { signerRefunds, type SignerRefund } from '@causeway/contracts'
import type { z } from 'zod'

export type SignerRequest = z.input<(typeof signerRefunds.create)['body']>

/** `signer.refunds`, over the bus. */
export type Signer = Readonly<{
  /** Asks for a refund, or how far the same one is. */
  refund: (request: SignerRequest) => Promise<Outcome<{ refund: SignerRefund }>>
}>

/** @param ask asks over the bus */
export const createSigner = (ask: ServiceClient): Signer => ({
  refund: (request) => ask(signerRefunds.create, request),
})
