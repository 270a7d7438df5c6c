import { SCOPES, type Client, type clients } from '@causeway/contracts'
import type { z } from 'zod'
import { chosen, type Field } from '../partners/form.ts'

/** Changes to a client. */
export type ClientUpdate = z.input<(typeof clients)['update']['body']>

/** Fills the form with a client. */
export const formOfClient = (client: Client): URLSearchParams =>
  new URLSearchParams([
    ...client.scopes.map((scope): Field => ['scopes', scope]),
    ['allowed_addresses', client.allowed_addresses?.join('\n') ?? ''],
    ['daily_refund_limit_cents', client.daily_refund_limit_cents?.toString() ?? ''],
  ])

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text)

/** Reads the form. An empty field removes its limit. The operation refuses text that is not a number. */
export const clientOfForm = (form: URLSearchParams): ClientUpdate => {
  const addresses = (form.get('allowed_addresses') ?? '').split(/[\s,]+/).filter((text) => text !== '')
  const limit = (form.get('daily_refund_limit_cents') ?? '').trim()
  return {
    scopes: chosen(form, 'scopes', SCOPES),
    allowed_addresses: addresses.length === 0 ? null : addresses,
    daily_refund_limit_cents: limit === '' ? null : isNumber(limit) ? Number(limit) : (limit as never),
  }
}
