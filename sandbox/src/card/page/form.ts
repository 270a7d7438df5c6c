import { z } from 'zod'
import { behaviourOf, type CardBehaviour, CHALLENGE_CODE } from './test-cards.ts'

export const FIELDS = ['email', 'card_number', 'expiry', 'cvc', 'code'] as const
export type Field = (typeof FIELDS)[number]
export type FieldErrors = Readonly<Partial<Record<Field, string>>>

/** A form field of the browser; a missing one becomes an empty string. */
const Text = z.string().max(400).catch('')
const CardForm = z.object({ email: Text, card_number: Text, expiry: Text, cvc: Text })
export type CardForm = z.infer<typeof CardForm>
const ChallengeForm = z.object({ code: Text })

export const EMPTY_FORM: CardForm = { email: '', card_number: '', expiry: '', cvc: '' }

const EMAIL = z.email().max(320)
const EXPIRY = /^(0?[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d{2})$/

const isOver = (expiry: string, now: Date): boolean => {
  const [, month, year] = EXPIRY.exec(expiry) ?? []
  // A card is valid until its month has ended in every time zone (UTC-12 is the last).
  return Date.UTC(2000 + Number(year), Number(month), 1) + 86_400_000 / 2 < now.getTime()
}

const errorOfExpiry = (expiry: string, now: Date): string | undefined => {
  if (!EXPIRY.test(expiry)) return 'Enter month and year, for example 04/30.'
  return isOver(expiry, now) ? 'This card has expired.' : undefined
}

const errorOfNumber = (number: string): string | undefined => {
  if (!/^\d{12,19}$/.test(number)) return 'Enter the card number: 12 to 19 digits.'
  if (behaviourOf(number) === null)
    return 'Only the test cards listed below work here. Never enter a real card.'
  return undefined
}

const without = (errors: Readonly<Partial<Record<Field, string | undefined>>>): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined))

export type CardEntry =
  | Readonly<{ ok: true; email: string; behaviour: CardBehaviour; form: CardForm }>
  | Readonly<{ ok: false; errors: FieldErrors; form: CardForm }>

/** Validates the card form. `form` has the entered values, to show them again. */
export const readCardForm = (body: unknown, now: Date): CardEntry => {
  const form = CardForm.parse(body ?? {})
  const number = form.card_number.replace(/[\s-]/g, '')
  const email = form.email.trim()
  const errors = without({
    email: EMAIL.safeParse(email).success
      ? undefined
      : 'Enter an e-mail address, for example name@example.com.',
    card_number: errorOfNumber(number),
    expiry: errorOfExpiry(form.expiry.trim(), now),
    cvc: /^\d{3,4}$/.test(form.cvc.trim()) ? undefined : 'Enter the security code: 3 or 4 digits.',
  })
  const behaviour = behaviourOf(number)
  if (behaviour === null || Object.keys(errors).length > 0) return { ok: false, errors, form }
  return { ok: true, email, behaviour, form }
}

export const isCorrectCode = (body: unknown): boolean =>
  ChallengeForm.parse(body ?? {}).code.replace(/\s/g, '') === CHALLENGE_CODE
