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

test('sends the messages of one turn together at its end, in order', async () => {
  const { sender, published } = recorder()
  sender.send('a', '1')
  await Promise.resolve()
  sender.send('b', '2')
  expect(published).toEqual([])
  await nextTurn()
  expect(published).toEqual(['a 1', 'b 2'])
})

test('sends immediately on a flush, and nothing twice', async () => {
  const { sender, published } = recorder()
  sender.send('a', '1')
  sender.flush()
  expect(published).toEqual(['a 1'])
  await nextTurn()
  expect(published).toEqual(['a 1'])
})

test("refuses a payload over the server's limit by its bytes, not by its characters", () => {
  const { sender } = recorder()
  expect(() => sender.send('a', '1234567890')).not.toThrow()
  expect(() => sender.send('a', 'ééééé')).not.toThrow()
  expect(() => sender.send('a', 'éééééé')).toThrow('larger than the bus allows')
})

test('sends nothing over a closed connection', async () => {
  const { sender, published, close } = recorder()
  sender.send('a', '1')
  close()
  await nextTurn()
  expect(published).toEqual([])
})
