import { expect, test } from '@jest/globals'
import { operationRoutes } from '../http/index.ts'
import { mayCallInPortal, PORTAL_ROLES, ROLES_OF_OPERATIONS } from './portal-roles.ts'

const ofPortal = operationRoutes
  .filter(({ portal, operation }) => portal || operation.caller === 'merchant')
  .map(({ operation, method }) => ({ subject: operation.subject, method }))

test('lists the roles of each operation that a session of the portal can call, and of no other', () => {
  expect(Object.keys(ROLES_OF_OPERATIONS).toSorted()).toEqual(
    ofPortal.map(({ subject }) => subject).toSorted(),
  )
})

test('lets each role read, and viewers and finance change nothing', () => {
  for (const { subject, method } of ofPortal)
    for (const role of PORTAL_ROLES)
      if (method === 'GET')
        expect([subject, role, mayCallInPortal(role, subject)]).toEqual([subject, role, true])
      else if (role === 'viewer' || role === 'finance') expect(mayCallInPortal(role, subject)).toBe(false)
})

test('lets an owner call whatever another role may call', () => {
  for (const [subject, roles] of Object.entries(ROLES_OF_OPERATIONS))
    if (roles.length > 0) expect([subject, roles.includes('owner')]).toEqual([subject, true])
})
