import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { allowOf, compileRoutes } from './router.ts'

const routes = compileRoutes([
  { method: 'GET', path: '/customers', endpoint: 'list' },
  { method: 'POST', path: '/customers', endpoint: 'create' },
  { method: 'GET', path: '/customers/:customerId', endpoint: 'read' },
  { method: 'GET', path: '/customers/schema', endpoint: 'schema' },
  { method: 'GET', path: '/customers/:customerId/orders/:orderId', endpoint: 'order' },
])

describe('matching', () => {
  test('gives each parameter exactly one segment, in path order, undecoded', () => {
    const found = routes.match('/customers/a%2Fb/orders/2')
    expect(found?.values).toEqual(['a%2Fb', '2'])
    expect(found?.methods.get('GET')).toBe('order')
  })

  test('prefers a literal segment to a parameter', () => {
    expect(routes.match('/customers/schema')).toMatchObject({ values: [] })
  })

  test('tries the parameter if the literal segment has no route', () => {
    expect(routes.match('/customers/schema/orders/1')?.values).toEqual(['schema', '1'])
  })

  test.each([
    '/',
    '',
    '/customers/',
    '/Customers',
    '/customers//orders/1',
    '/customers/1/orders',
    '/customers/1/orders/2/',
  ])('finds no route for %j', (path) => {
    expect(routes.match(path)).toBeNull()
  })

  test('throws for no path', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('customers', 'orders', '', 'schema', '%E0%A4%A', '..')),
        (segments) => {
          const found = routes.match(`/${segments.join('/')}`)
          return found === null || found.methods.size > 0
        },
      ),
    )
  })
})

test('lists every method of a path in Allow, HEAD with GET', () => {
  expect(allowOf(routes.match('/customers')?.methods ?? new Map())).toBe('GET, HEAD, POST')
})

test('refuses to compile the same method and path twice', () => {
  const entry = { method: 'GET', path: '/a', endpoint: 1 }
  expect(() => compileRoutes([entry, entry])).toThrow('GET /a is in the table twice')
})
