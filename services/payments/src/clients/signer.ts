import type { Outcome, ServiceClient } from '@causeway/chassis'
import { addressTransfers, signerRefunds, type SignerRefund } from '@causeway/contracts'
import type { z } from 'zod'

export type SignerRequest = z.input<(typeof signerRefunds.create)['body']>
export type EstimateRequest = z.input<(typeof signerRefunds.estimate)['body']>
export type Estimate = z.output<(typeof signerRefunds.estimate)['reply']>

type AddressTransfers = typeof addressTransfers.list
type OfAddress = typeof addressTransfers.listOfAddress

/** `signer.refunds` and `signer.address-transfers`, over the bus. */
export type Signer = Readonly<{
  /** Asks for a refund, or how far the same one is. */
  refund: (request: SignerRequest) => Promise<Outcome<{ refund: SignerRefund }>>
  /** Estimates the cost of a refund. */
  estimate: (request: EstimateRequest) => Promise<Outcome<Estimate>>
  /** Lists what has left addresses. */
  listLeft: (
    request: z.input<AddressTransfers['body']>,
  ) => Promise<Outcome<z.output<AddressTransfers['reply']>>>
  /** Lists the transfers from one address. */
  listOfAddress: (request: z.input<OfAddress['body']>) => Promise<Outcome<z.output<OfAddress['reply']>>>
}>

/** @param patient asks over the bus, and waits for the signer's nodes */
export const createSigner = (ask: ServiceClient, patient: ServiceClient): Signer => ({
  refund: (request) => ask(signerRefunds.create, request),
  estimate: (request) => patient(signerRefunds.estimate, request),
  listLeft: (request) => ask(addressTransfers.list, request),
  listOfAddress: (request) => ask(addressTransfers.listOfAddress, request),
})
