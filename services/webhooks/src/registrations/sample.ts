import { newId } from '@causeway/chassis'
import type { TestPayload } from '@causeway/contracts'

/**
 * What the test call sends (spec: Merchant webhook management API). Its order id is new every time, so that a receiver
 * that drops repetitions sees every test.
 */
export const samplePayload = (): TestPayload => ({
  event: 'test',
  order: {
    id: newId('cryptoOrder'),
    reference: 'TEST',
    chain: 'BTC',
    asset: 'BTC',
    amount: '0.001',
    status: 'pending',
  },
})
