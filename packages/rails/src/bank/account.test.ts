import { expect, test } from '@jest/globals'
import { maskIban, parseBic, parseHolderName, parseIban } from './account.ts'

test.each([
  ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['gb29nwbk60161331926819', 'GB29NWBK60161331926819'],
  ['NL91-ABNA-0417-1643-00', 'NL91ABNA0417164300'],
])('reads the IBAN %s', (text, iban) => {
  expect(parseIban(text)).toBe(iban)
})

test.each([
  ['a wrong checksum', 'DE88370400440532013000'],
  ['a digit too few', 'DE8937040044053201300'],
  ['a digit too many', 'DE893704004405320130000'],
  ['a country without IBANs', 'US89370400440532013000'],
  ['letters where the country has digits', 'DE89A70400440532013000'],
  ['another alphabet (Greek Ε)', 'DΕ89370400440532013000'],
  ['full-width digits', 'DE８９370400440532013000'],
  ['a dotless i, which has I as its upper case', 'ıE29AIBK93115212345678'],
  ['nothing', ''],
])('refuses an IBAN with %s', (_, text) => {
  expect(parseIban(text)).toBeNull()
})

test('shows the country and the last four characters of an IBAN', () => {
  expect(maskIban('DE89370400440532014242')).toBe('DE•• •••• 4242')
})

test.each([
  ['Müller & Söhne', 'Muller + Sohne'],
  ['  Jane   Doe ', 'Jane Doe'],
  ["O'Neill (Dublin) Ltd.", "O'Neill (Dublin) Ltd."],
  ['Ｊａｎｅ', 'Jane'],
])('writes the holder’s name %j as banks carry it', (text, name) => {
  expect(parseHolderName(text)).toBe(name)
})

test.each(['', ' ', 'Иван', 'Jаne (with a Cyrillic a)', 'a'.repeat(71), 'A;B', '株式会社'])(
  'refuses %j as the name of a holder',
  (text) => {
    expect(parseHolderName(text)).toBeNull()
  },
)

test.each([
  ['cobadeff', 'COBADEFF'],
  ['COBADEFFXXX', 'COBADEFFXXX'],
  ['COBADEF', null],
  ['COBAZZFF', null],
  ['COBADEFFXX', null],
])('reads the BIC %j as %j', (text, bic) => {
  expect(parseBic(text)).toBe(bic)
})
