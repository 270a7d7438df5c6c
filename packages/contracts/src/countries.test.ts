import { createRequire } from 'node:module'
import { expect, it } from '@jest/globals'
import { COUNTRIES } from './countries.ts'

type Library = { getAlpha2Codes: () => Record<string, string> }
const { getAlpha2Codes } = createRequire(import.meta.url)('i18n-iso-countries') as Library
/** Kosovo's code is user-assigned: in wide use, but not one of the standard's. */
const USER_ASSIGNED = 'XK'

it('lists the country codes of the ISO 3166 library, except the user-assigned one', () => {
  const known = Object.keys(getAlpha2Codes()).filter((code) => code !== USER_ASSIGNED)
  expect(COUNTRIES).toEqual(known.sort())
})
