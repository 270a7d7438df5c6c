/** What a test card does when it pays. */
export type CardBehaviour = 'pays' | 'declined' | 'challenged' | 'disputed' | 'cancelled'

/** How long after the payment the cardholder of the `disputed` card disputes it. */
export const DISPUTE_AFTER_MS = 3_000

/** What the bank of the `challenged` card wants to be told. */
export const CHALLENGE_CODE = '123456'

export const TEST_CARDS: readonly Readonly<{ number: string; behaviour: CardBehaviour; says: string }>[] = [
  { number: '4242424242424242', behaviour: 'pays', says: 'Pays' },
  { number: '4000000000000002', behaviour: 'declined', says: 'Is declined; another card may be tried' },
  {
    number: '4000002500003155',
    behaviour: 'challenged',
    says: `Pays after a challenge: code ${CHALLENGE_CODE}`,
  },
  { number: '4000000000000259', behaviour: 'disputed', says: 'Pays, and is disputed three seconds later' },
  { number: '4000000000000341', behaviour: 'cancelled', says: 'Fails for good: the payment is cancelled' },
]

export const spellCardNumber = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ')

/** Null for every other number: the sandbox takes no real card. */
export const behaviourOf = (number: string): CardBehaviour | null =>
  TEST_CARDS.find((card) => card.number === number)?.behaviour ?? null
