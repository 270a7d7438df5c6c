import { expect, test } from '@jest/globals'
import { createPlaces, type Places } from './places.ts'

/** How many of so many requests get a place. @param clientOf names the client of each */
const enterMany = (places: Places, service: string, count: number, clientOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => places.enter(service, clientOf(index))).filter(Boolean).length
const eachItsOwn = (index: number) => `client ${index}`

test('gives a service at most half of all places, and the next one half of the rest', () => {
  const places = createPlaces(1_000)
  expect(enterMany(places, 'payments', 1_000, eachItsOwn)).toBe(500)
  expect(enterMany(places, 'onboarding', 1_000, eachItsOwn)).toBe(250)
})

test('gives a client at most a quarter of all places, and leaves some of the service’s for another client', () => {
  const places = createPlaces(1_000)
  expect(enterMany(places, 'payments', 1_000, () => 'busy')).toBe(250)
  expect(enterMany(places, 'payments', 100, () => 'other')).toBe(100)
})

test('frees a place when its request has ended', () => {
  const places = createPlaces(10)
  expect(enterMany(places, 'payments', 10, eachItsOwn)).toBe(5)
  places.leave('payments', 'client 0')
  expect(enterMany(places, 'payments', 2, eachItsOwn)).toBe(1)
})
