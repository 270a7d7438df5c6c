import { describe, expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { testBusKeys, testEventSeals } from '../testing/keys.ts'

const PAIR = { sender: 'payments', receiver: 'webhooks' } as const
const [older, newer] = [randomBytes(32), randomBytes(32)]

/** A service's seals where the keys of the pair are these, the first of which seals. */
const sealsOf = (self: 'payments' | 'webhooks', ...keys: Buffer[]) => {
  const others = testBusKeys(self).filter(
    ({ sender, receiver }) => sender !== PAIR.sender || receiver !== PAIR.receiver,
  )
  return testEventSeals(self, [...others, ...keys.map((key) => ({ ...PAIR, key }))])
}
const sealed = sealsOf('payments', older).seal('webhooks', 'evt_1', '{"ip":"203.0.113.9"}')

describe('a sealed text of an event', () => {
  test('is opened by its receiver and hides its content in transit', () => {
    expect(sealed).not.toContain(Buffer.from('203.0.113.9').toString('base64url').slice(0, 10))
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/)
    expect(sealsOf('webhooks', older).open('payments', 'evt_1', sealed)).toBe('{"ip":"203.0.113.9"}')
  })

  test('is opened while its key is one of the two valid keys, and refused after the key is removed', () => {
    expect(sealsOf('webhooks', newer, older).open('payments', 'evt_1', sealed)).toBe('{"ip":"203.0.113.9"}')
    const fresh = sealsOf('payments', newer, older).seal('webhooks', 'evt_2', 'x')
    expect(sealsOf('webhooks', newer).open('payments', 'evt_2', fresh)).toBe('x')
    expect(() => sealsOf('webhooks', newer).open('payments', 'evt_1', sealed)).toThrow(
      /^A sealed event names a key of payments>webhooks that is not in BUS_KEYS; known keys: [0-9a-f]{8}$/,
    )
  })

  test('is refused for another event, for another sender, and when altered', () => {
    const { open } = sealsOf('webhooks', older)
    expect(() => open('payments', 'evt_2', sealed)).toThrow('unable to authenticate')
    expect(() => open('refunds', 'evt_1', sealed)).toThrow('names a key of refunds>webhooks')
    const at = sealed.length - 30
    const altered = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    expect(() => open('payments', 'evt_1', altered)).toThrow('unable to authenticate')
  })

  test('is created only for receivers with which the sender shares a key', () => {
    expect(() => sealsOf('payments', older).seal('refunds', 'evt_1', 'x')).toThrow(
      'payments has no key to seal events for refunds',
    )
  })
})
