import { NotDoneError, refuse, type ServiceClient } from '@causeway/chassis'
import { recipients, type NewPayoutWallet, type Refusal } from '@causeway/contracts'
import { maskIban, parseBic, parseHolderName, parseIban } from '@causeway/rails/bank'
import { hasProof } from '@causeway/rails/ownership'
import type { Account } from './account.ts'
import { maskAddress } from './rules.ts'

/** A destination of a request, checked. `account` is to be sealed. */
export type CheckedWallet = Readonly<{
  kind: NewPayoutWallet['kind']
  unit: string
  masked: string
  network: string | null
  address: string | null
  account: Account | null
  isProvable: boolean
}>
type Checked = CheckedWallet | Refusal<'invalid_request'>

const bad = (field: string, expected: string) => ({ field, reason: 'invalid_value', expected })

/** Payment files are in euro. */
const UNIT_OF_IBANS = 'EUR'

const checkAccount = (given: Extract<NewPayoutWallet, { kind: 'iban' }>): Checked => {
  const iban = parseIban(given.iban)
  const holderName = parseHolderName(given.holder_name)
  const bic = given.bic === undefined ? null : parseBic(given.bic)
  const faults = [
    ...(iban === null ? [bad('iban', 'an IBAN with the length and the checksum of its country')] : []),
    ...(holderName === null
      ? [bad('holder_name', "1 to 70 Latin letters, digits, spaces and / - ? : ( ) . , ' +, accents aside")]
      : []),
    ...(given.bic !== undefined && bic === null ? [bad('bic', 'a BIC of 8 or 11 characters')] : []),
  ]
  if (iban === null || holderName === null || faults.length > 0) return refuse('invalid_request', faults)
  return {
    kind: 'iban',
    unit: UNIT_OF_IBANS,
    masked: maskIban(iban),
    ...{ network: null, address: null, isProvable: false },
    account: { iban, holder_name: holderName, bic },
  }
}

/** Payments knows the chains, and the platform's own addresses. @throws NotDoneError while it is unavailable */
const checkAddress = async (
  ask: ServiceClient,
  { network, asset, address }: Extract<NewPayoutWallet, { kind: 'address' }>,
): Promise<Checked> => {
  const outcome = await ask(recipients.check, { network, address })
  if (!outcome.ok) {
    if (outcome.code === 'invalid_request') return refuse('invalid_request', outcome.details)
    throw new NotDoneError(`payments returned ${outcome.code}`)
  }
  return {
    kind: 'address',
    unit: `${network}/${asset}`,
    masked: maskAddress(outcome.value.address),
    network,
    address: outcome.value.address,
    account: null,
    isProvable: hasProof(network),
  }
}

/** Checks a destination before it is stored. @throws NotDoneError while payments is needed and unavailable */
export const checkWallet = async (ask: ServiceClient, given: NewPayoutWallet): Promise<Checked> =>
  given.kind === 'iban' ? checkAccount(given) : checkAddress(ask, given)
