/** Outcome of a payment with the test card. */
export type CardBehaviour = 'pays' | 'declined' | 'challenged' | 'disputed' | 'cancelled'

/** Time from the payment to the dispute of the `disputed` card. */
export const DISPUTE_AFTER_MS = 3_000

/** The correct code for the `challenged` card. */
export const CHALLENGE_CODE = '123456'

export const TEST_CARDS: readonly Readonly<{
  number: string
  behaviour: CardBehaviour
  description: string
}>[] = [
  { number: '4242424242424242', behaviour: 'pays', description: 'Pays' },
  {
    number: '4000000000000002',
    behaviour: 'declined',
    description: 'Is declined; the payer can try another card',
  },
  {
    number: '4000002500003155',
    behaviour: 'challenged',
    description: `Pays after a challenge: code ${CHALLENGE_CODE}`,
  },
  {
    number: '4000000000000259',
    behaviour: 'disputed',
    description: 'Pays, and is disputed three seconds later',
  },
  {
    number: '4000000000000341',
    behaviour: 'cancelled',
    description: 'Fails permanently: the payment is cancelled',
  },
]

export const formatCardNumber = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ')

/** Null for every other number: the sandbox accepts no real card. */
export const behaviourOf = (number: string): CardBehaviour | null =>
  TEST_CARDS.find((card) => card.number === number)?.behaviour ?? null
