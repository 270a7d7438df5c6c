import { expect, test } from '@jest/globals'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSender } from './sender.ts'

const recorder = () => {
  const published: string[] = []
  let closed = false
  const sender = createSender(
    {
      publish: (subject, payload) => published.push(`${subject} ${String(payload)}`),
      isClosed: () => closed,
      info: { max_payload: 10 } as never,
    },
    { error: () => undefined },
  )
  return { sender, published, close: () => (closed = true) }
}

test('what is sent in one turn goes out together at its end, in order', async () => {
  const { sender, published } = recorder()
  sender.send('a', '1')
  await Promise.resolve()
  sender.send('b', '2')
  expect(published).toEqual([])
  await nextTurn()
  expect(published).toEqual(['a 1', 'b 2'])
})

test('a flush sends at once, and nothing a second time', async () => {
  const { sender, published } = recorder()
  sender.send('a', '1')
  sender.flush()
  expect(published).toEqual(['a 1'])
  await nextTurn()
  expect(published).toEqual(['a 1'])
})

test('a payload over the limit of the server is refused by its bytes, not by its characters', () => {
  const { sender } = recorder()
  expect(() => sender.send('a', '1234567890')).not.toThrow()
  expect(() => sender.send('a', 'ééééé')).not.toThrow()
  expect(() => sender.send('a', 'éééééé')).toThrow('larger than the bus takes')
})

test('a closed connection is sent nothing', async () => {
  const { sender, published, close } = recorder()
  sender.send('a', '1')
  close()
  await nextTurn()
  expect(published).toEqual([])
})
