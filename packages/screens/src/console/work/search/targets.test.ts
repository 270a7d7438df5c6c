import { expect, test } from '@jest/globals'
import { lookupOf, pageOfId } from './targets.ts'

const id = (prefix: string) => `${prefix}_01m8shxagpa6kxdfz0rd9ps29j`

test('returns the page of an id, and none for other texts', () => {
  expect(
    ['pcu', 'ver', 'ord', 'rfd', 'evt', 'prt', 'umy', 'int', 'xyz'].map((prefix) => pageOfId(id(prefix))),
  ).toEqual([
    `/console/customers/${id('pcu')}`,
    `/console/cases/${id('ver')}`,
    `/console/orders/${id('ord')}`,
    `/console/refunds/${id('rfd')}`,
    `/console/events/${id('evt')}`,
    `/console/partners/${id('prt')}`,
    `/console/unattributed-money/${id('umy')}`,
    null,
    null,
  ])
  expect(['pcu_', `${id('pcu')}/../x`, '1001'].map(pageOfId)).toEqual([null, null, null])
})

test('chooses the searches for another text by its form', () => {
  expect(lookupOf('ada@example.com').customers).toEqual([{ email: 'ada@example.com' }])
  expect(lookupOf(id('cus'))).toEqual({
    customers: [{ customer_id: id('cus') }],
    orders: [],
    orderKey: null,
  })
  expect(lookupOf('1001')).toMatchObject({
    orderKey: '1001',
    customers: [{ external_customer_id: '1001' }, { name: '1001' }],
  })
  const address = 'bc1qp59yckz4ae5c4efgw2s5wfyvrz0ala7rgvuz8z'
  expect(lookupOf(address).orders).toEqual([
    { reference: address },
    { address },
    { tx_id: address },
    { processor_order_id: address },
  ])
  expect(lookupOf('cart 7').orders).toEqual([{ reference: 'cart 7' }, { processor_order_id: 'cart 7' }])
})
