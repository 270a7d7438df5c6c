import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createHmac, createSecretKey } from 'node:crypto'
import { createSealer, createSealOpener } from './seal.ts'

const SUBJECT = 'payments.orders.create'
const [key, former] = [createSecretKey(Buffer.alloc(32, 1)), createSecretKey(Buffer.alloc(32, 2))]
const seal = createSealer({ self: 'gateway', sealing: new Map([['payments', key]]) })
const open = createSealOpener({ checking: new Map([['gateway', [former, key]]]) })

/** Also around the 16,384 bytes up to which a message is laid out in one buffer. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.integer({ min: 16_000, max: 16_500 }).map((length) => 'é'.padEnd(length, 'x')),
)

test('computes HMAC-SHA256 over subject, head and text, the same in every version', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const [head = '', ...rest] = seal(SUBJECT, 1_700_000_000_000, text).split('\n')
      const at = head.lastIndexOf(' ')
      const signed = `${SUBJECT} ${head.slice(0, at)}\n${text}`
      expect(head.slice(at + 1)).toBe(createHmac('sha256', key).update(signed).digest('base64url'))
      expect(rest.join('\n')).toBe(text)
    }),
  )
})

test('opens what it sealed and refuses it when any bit has changed', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.integer({ min: 0, max: 7 }), (text, at, bit) => {
      const bytes = Buffer.from(seal(SUBJECT, 1_700_000_000_000, text))
      const opened = open(SUBJECT, bytes)
      expect(opened).toMatchObject({ sender: 'gateway', deadlineMs: 1_700_000_000_000 })
      expect(Buffer.from(opened?.json ?? []).equals(Buffer.from(text))).toBe(true)
      const altered = Buffer.from(bytes)
      const index = at % bytes.length
      altered.writeUInt8((bytes[index] ?? 0) ^ (1 << bit), index)
      expect(open(SUBJECT, altered)).toBeNull()
    }),
  )
})
