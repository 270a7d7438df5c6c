import { expect, test } from '@jest/globals'
import { diagramOf, mutualImports, roomsOf } from './rooms.ts'

const rooms = roomsOf('services/shop/src', [
  { path: 'services/shop/src/service.ts', text: `import { a } from './orders/operations.ts'` },
  {
    path: 'services/shop/src/orders/operations.ts',
    text: `import './store.ts'\nimport { b } from '../payers/store.ts'`,
  },
  {
    path: 'services/shop/src/orders/jobs/expire.ts',
    text: `import type { C } from '../../returns/domain.ts'`,
  },
  { path: 'services/shop/src/payers/store.ts', text: `import { z } from 'zod'` },
  { path: 'services/shop/src/returns/domain.ts', text: `export { d } from '../orders/operations.ts'` },
])

test('a room imports the rooms that its files import', () => {
  expect(rooms).toEqual([
    { name: 'orders', imports: ['payers', 'returns'] },
    { name: 'payers', imports: [] },
    { name: 'returns', imports: ['orders'] },
  ])
})

test('two rooms that import each other are named', () => {
  expect(mutualImports(rooms)).toEqual(['orders and returns'])
})

test('a diagram has every room and every arrow', () => {
  expect(diagramOf(rooms).split('\n')).toEqual([
    'flowchart LR',
    '  orders',
    '  payers',
    '  returns',
    '  orders --> payers',
    '  orders --> returns',
    '  returns --> orders',
  ])
})
