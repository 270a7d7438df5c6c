import { z } from 'zod'
import { failureOfStatus, type JsonAnswer } from '../../http/json-client.ts'
import { OutsideAmount, OutsideId, OutsideText, OutsideUrl } from '../../outside-text.ts'
import { RailError } from '../../rail-error.ts'
import type { OpenedOrder, ProviderOrder } from '../adapter.ts'
import { toOnrampStatus } from './statuses.ts'
import { parseBanxaTime } from './times.ts'

/** What may be left out, be null or be nonsense without making the order unreadable. */
const perhaps = <T>(shape: z.ZodType<T>) =>
  shape
    .nullish()
    .transform((value) => value ?? null)
    .catch(null)

const Amount = z.union([z.string(), z.number()]).transform(String).pipe(OutsideAmount)
const Hash = OutsideText.transform((hash) => (hash === '' || hash === '0' ? null : hash))

const Fields = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  /** Named so by the API, and `externalId` by its pages. */
  externalOrderId: perhaps(OutsideId),
  externalId: perhaps(OutsideId),
  orderType: perhaps(OutsideText.max(40)),
  fiatAmount: perhaps(Amount),
  cryptoAmount: perhaps(Amount),
  transactionHash: perhaps(Hash),
  orderStatusUrl: perhaps(OutsideUrl),
  createdAt: perhaps(z.string()),
  updatedAt: perhaps(z.string()),
})
const CreatedFields = Fields.extend({ checkoutUrl: OutsideUrl })
const ReadFields = Fields.extend({ checkoutUrl: perhaps(OutsideUrl), status: z.string() })

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

/** An order that was just made waits for its payment, whatever its answer leaves out. */
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
  errors: z.array(z.object({ status: perhaps(Code), code: perhaps(Code) })).min(1),
})
const Wrapped = z.object({ data: z.looseObject({}) }).transform(({ data }) => data)

/** Banxa's own codes of what it refuses, null when it lists none; its words may repeat what a payer has typed. */
const codesOf = (body: unknown): readonly string[] | null => {
  const parsed = Errors.safeParse(body)
  if (!parsed.success) return null
  return parsed.data.errors.flatMap(({ status, code }) => [status, code]).filter((code) => code !== null)
}

/**
 * The order in an answer, which may lie in `data`.
 * @throws RailError as `readAnswer`; also `refused` for a 2xx that lists errors
 */
export const readBanxaAnswer = <T>({ status, body }: JsonAnswer, shape: z.ZodType<T>): T => {
  const codes = codesOf(body)
  const failure = failureOfStatus(status) ?? (codes === null ? null : 'refused')
  if (failure !== null)
    throw new RailError(failure, ['answered', status, ...(codes ?? []).slice(0, 4)].join(' '))
  const parsed = shape.safeParse(Wrapped.safeParse(body).data ?? body)
  if (!parsed.success)
    throw new RailError('malformed', 'the answer has another shape', { cause: parsed.error })
  return parsed.data
}
