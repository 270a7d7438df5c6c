import { expect, test } from '@jest/globals'
import { DOMAIN_NAME, EmailAddress } from './internet-names.ts'

test.each([
  'ada@example.com',
  'Ada.Lovelace+shop@mail.example.co.uk',
  "o'hara@example.com",
  "a!#$%&'*+/=?^_`{|}~-z@example.com",
  '1@2.example',
  'ada@xn--80aswg.xn--p1ai',
  `${'a'.repeat(242)}@example.com`,
])('accepts %s as an e-mail address', (address) => {
  expect(EmailAddress.safeParse(address).success).toBe(true)
})

test.each([
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'ada@@example.com',
  'ada example@example.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..da@example.com',
  'ada@-example.com',
  'ada@example-.com',
  'ada@example..com',
  'ada@example.com.',
  'ada@127.0.0.1',
  'Ada <ada@example.com>',
  'ada@example.com\n',
  `${'a'.repeat(243)}@example.com`,
])('rejects %j', (address) => {
  expect(EmailAddress.safeParse(address).success).toBe(false)
})

test.each(['example.com', 'a-b.example', 'xn--80aswg.xn--p1ai'])('accepts %s as a domain name', (name) => {
  expect(DOMAIN_NAME.test(name)).toBe(true)
})

test.each(['localhost', '127.0.0.1', 'a_b.example', '-a.example', `${'a'.repeat(64)}.example`])(
  'rejects %s as the address of a website',
  (name) => {
    expect(DOMAIN_NAME.test(name)).toBe(false)
  },
)
