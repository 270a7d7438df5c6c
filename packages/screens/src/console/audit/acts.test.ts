import { expect, test } from '@jest/globals'
import { refunds, reviews } from '@causeway/contracts'
import { operationRoutes } from '@causeway/contracts/http'
import { ACT_OPTIONS, actOf } from './acts.ts'

test('names every act of staff in words, in alphabetical order', () => {
  const subjects = operationRoutes
    .filter(({ role }) => role !== null)
    .map(({ operation }) => operation.subject)
  expect(ACT_OPTIONS.map(({ value }) => value).toSorted()).toEqual(subjects.toSorted())
  const texts = ACT_OPTIONS.map(({ text }) => text)
  expect(texts.filter((text) => /^[a-z]+\.[a-z.-]+$|^$/.test(text))).toEqual([])
  expect(texts).toEqual(texts.toSorted((a, b) => a.localeCompare(b, 'en')))
})

test('uses the titles of pending actions, and shows an operation that is gone by its name', () => {
  expect([refunds.createByStaff.subject, reviews.approve.subject, 'gateway.gone.create'].map(actOf)).toEqual([
    'Refund a card order',
    'Approve a case',
    'gateway.gone.create',
  ])
})
