import { operationRoutes } from '@causeway/contracts/http'
import { expect, test } from '@jest/globals'
import { actionTitle } from './words.ts'

test('names every action that may need a second person', () => {
  const held = operationRoutes.filter(({ operation }) => operation.fourEyes.length > 0)
  expect(held.length).toBeGreaterThan(20)
  const unnamed = held.filter(({ operation: { subject } }) => actionTitle({ action: subject }) === subject)
  expect(unnamed.map(({ operation }) => operation.subject)).toEqual([])
})
