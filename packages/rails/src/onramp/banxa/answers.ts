import { z } from 'zod'
import { failureOfStatus, type JsonAnswer } from '../../http/json-client.ts'
import { OutsideAmount, OutsideId, OutsideText, OutsideUrl } from '../../outside-text.ts'
import { RailError } from '../../rail-error.ts'
import type { OpenedOrder, ProviderOrder } from '../adapter.ts'
import { toOnrampStatus } from './statuses.ts'

const FORM = /^(\d{4}-\d{2}-\d{2})[T ]?(\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/

/**
 * A time as Banxa writes it, UTC unless it says otherwise: `2025-04-07T02:36:22.000000Z`, `2024-01-31 12:48:36` and
 * `2026-01-1604:04:21`, which its page on webhooks shows. Null for what is no time at all.
 */
export const parseBanxaTime = (text: string): Date | null => {
  const [, day, time, fraction = '.0', zone = 'Z'] = FORM.exec(text.trim()) ?? []
  if (day === undefined || time === undefined) return null
  const at = new Date(`${day}T${time}${fraction.slice(0, 4)}${zone}`)
  if (Number.isNaN(at.getTime())) return null
  // Date reads the 31st of June as the 1st of July.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? at : null
}

/** A field that may be omitted, null or malformed while the order stays readable. */
const lenient = <T>(shape: z.ZodType<T>) =>
  shape
    .nullish()
    .transform((value) => value ?? null)
    .catch(null)

const Amount = z.union([z.string(), z.number()]).transform(String).pipe(OutsideAmount)
const Hash = OutsideText.transform((hash) => (hash === '' || hash === '0' ? null : hash))

const Fields = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  /** The API's name for it; Banxa's documentation says `externalId`. */
  externalOrderId: lenient(OutsideId),
  externalId: lenient(OutsideId),
  orderType: lenient(OutsideText.max(40)),
  fiatAmount: lenient(Amount),
  cryptoAmount: lenient(Amount),
  transactionHash: lenient(Hash),
  orderStatusUrl: lenient(OutsideUrl),
  createdAt: lenient(z.string()),
  updatedAt: lenient(z.string()),
})
const CreatedFields = Fields.extend({ checkoutUrl: OutsideUrl })
const ReadFields = Fields.extend({ checkoutUrl: lenient(OutsideUrl), status: z.string() })

const changedAtOf = ({ updatedAt, createdAt }: z.infer<typeof Fields>): Date | null => {
  const stated = updatedAt ?? createdAt
  return stated === null ? null : parseBanxaTime(stated)
}

const orderOf = (fields: z.infer<typeof Fields>) => ({
  providerOrderId: fields.id,
  onrampOrderId: fields.externalOrderId ?? fields.externalId,
  changedAt: changedAtOf(fields),
  orderType: fields.orderType,
  fiatAmount: fields.fiatAmount,
  cryptoAmount: fields.cryptoAmount,
  transactionHash: fields.transactionHash,
  orderStatusUrl: fields.orderStatusUrl,
})

/** The answer to a creation may omit the status: the order waits for its payment. */
export const CreatedOrder = CreatedFields.transform((fields): OpenedOrder => ({
  ...orderOf(fields),
  status: 'pendingPayment',
  checkoutUrl: fields.checkoutUrl,
}))

export const ReadOrder = ReadFields.transform((fields): ProviderOrder => ({
  ...orderOf(fields),
  status: toOnrampStatus(fields.status),
  checkoutUrl: fields.checkoutUrl,
}))

const Code = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\w{1,20}$/))
const Errors = z.object({
  errors: z.array(z.object({ status: lenient(Code), code: lenient(Code) })).min(1),
})
const Wrapped = z.object({ data: z.looseObject({}) }).transform(({ data }) => data)

/** Banxa's error codes, null when there are none. Messages are dropped: they may repeat a payer's input. */
const codesOf = (body: unknown): readonly string[] | null => {
  const parsed = Errors.safeParse(body)
  if (!parsed.success) return null
  return parsed.data.errors.flatMap(({ status, code }) => [status, code]).filter((code) => code !== null)
}

/**
 * The order in an answer, which may be inside `data`.
 * @throws RailError as `readAnswer`; also `refused` for a 2xx that lists errors
 */
export const readBanxaAnswer = <T>({ status, body }: JsonAnswer, shape: z.ZodType<T>): T => {
  const codes = codesOf(body)
  const failure = failureOfStatus(status) ?? (codes === null ? null : 'refused')
  if (failure !== null)
    throw new RailError(failure, ['answered', status, ...(codes ?? []).slice(0, 4)].join(' '))
  const parsed = shape.safeParse(Wrapped.safeParse(body).data ?? body)
  if (!parsed.success)
    throw new RailError('malformed', 'the response has the wrong format', { cause: parsed.error })
  return parsed.data
}
