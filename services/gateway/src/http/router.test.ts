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
  test('a parameter takes exactly one segment, in path order, undecoded', () => {
    const found = routes.match('/customers/a%2Fb/orders/2')
    expect(found?.values).toEqual(['a%2Fb', '2'])
    expect(found?.methods.get('GET')).toBe('order')
  })

  test('a literal segment wins over a parameter', () => {
    expect(routes.match('/customers/schema')).toMatchObject({ values: [] })
  })

  test('a parameter is tried where the literal leads nowhere', () => {
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
  ])('%j is no route', (path) => {
    expect(routes.match(path)).toBeNull()
  })

  test('arbitrary paths never throw', () => {
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

test('Allow names every method of the path, HEAD with GET', () => {
  expect(allowOf(routes.match('/customers')?.methods ?? new Map())).toBe('GET, HEAD, POST')
})

test('the same method and path twice does not compile', () => {
  const entry = { method: 'GET', path: '/a', endpoint: 1 }
  expect(() => compileRoutes([entry, entry])).toThrow('GET /a is in the table twice')
})
