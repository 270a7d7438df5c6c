import { expect, test } from '@jest/globals'
import { circularImports, diagramOf, roomsOf, type Room } from './rooms.ts'

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

const chain = (...names: string[]): Room[] =>
  names.slice(0, -1).map((name, index) => ({ name, imports: [names[index + 1] ?? ''] }))

test('two rooms that import each other are named', () => {
  expect(circularImports(rooms)).toEqual([['orders', 'returns']])
})

test('rooms that import each other over a third are named', () => {
  expect(circularImports(chain('a', 'b', 'c', 'a'))).toEqual([['a', 'b', 'c']])
})

test('two circles are named apart, without the room that only leads from one to the other', () => {
  expect(circularImports([...chain('a', 'b', 'a'), ...chain('d', 'e', 'd'), ...chain('c', 'd')])).toEqual([
    ['a', 'b'],
    ['d', 'e'],
  ])
})

test('rooms in layers import no circle', () => {
  expect(circularImports([...chain('a', 'b', 'c'), ...chain('c', 'd')])).toEqual([])
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
