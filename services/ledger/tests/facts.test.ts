import { readLedgerFact } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { deposited, disputed, paid, refunded, sentBack, swept } from './fixtures/facts.ts'

test.each([paid(), refunded(), disputed(), deposited(), sentBack(), swept()])('reads $kind', (fact) => {
  expect(readLedgerFact(JSON.parse(JSON.stringify(fact)))).toEqual(fact)
})

test.each([
  ['without a known kind', { kind: 'card_lost' }, 'kind: '],
  ['without an id', paid({ fact_id: '' }), 'fact_id: '],
  ['with a fraction of a cent', paid({ total_cents: 100.5 }), 'total_cents: '],
  ['with a negative fee', paid({ service_fee_cents: -1 }), 'service_fee_cents: '],
  [
    'whose fees exceed its total',
    paid({ total_cents: 249 }),
    'total_cents: Fees and splits exceed the total',
  ],
  ['in an unknown currency', paid({ currency: 'EURO' }), 'currency: '],
  ['with an amount that is not decimal', deposited({ late: '1e8' }), 'late: '],
  [
    'with an asset of another network',
    deposited({ asset: 'ETH' }),
    'asset: The network does not have this asset',
  ],
  [
    'that lets the payer bear a fee in another asset',
    sentBack({ network_fee: { ...sentBack().network_fee, borne_by: 'bucket' } }),
    'network_fee.borne_by: A fee in another asset is borne by the platform',
  ],
  [
    'that arrives before it is confirmed',
    swept({ step: 'failed', arrives: '0.1' }),
    'arrives: Nothing arrives before the transfer is confirmed',
  ],
])('refuses a fact %s, and names the field', (_, fact, fault) => {
  expect(() => readLedgerFact(fact)).toThrow(`This fact does not match its schema: ${fault}`)
})
