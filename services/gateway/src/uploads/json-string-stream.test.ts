import { describe, expect, test } from '@jest/globals'
import { streamJsonString } from './json-string-stream.ts'

const inChunks = async function* (text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const stream = async (text: string, size = 3) => {
  const streamed: string[] = []
  const kept: number[] = []
  const rest = await streamJsonString(inChunks(text, size), {
    key: 'content',
    stream: async (characters) => {
      let all = ''
      for await (const piece of characters) all += piece
      streamed.push(all)
    },
    onKept: (bytes) => kept.push(bytes),
  })
  return { rest: rest.toString(), streamed, kept: Math.max(...kept) }
}

describe('streaming a JSON string', () => {
  test.each([1, 2, 3, 7, 1_000])('leaves "" in its place, in chunks of %d bytes', async (size) => {
    const text = '{"a":"x\\"y","content" : "QUJD","b":[1,"content",{"c":"é"}]}'
    expect(await stream(text, size)).toMatchObject({
      rest: '{"a":"x\\"y","content" : "","b":[1,"content",{"c":"é"}]}',
      streamed: ['QUJD'],
    })
  })

  test('decodes the escapes that serialisers write in base64, and replaces every other by !', async () => {
    for (const size of [1, 5, 100])
      expect(await stream('{"content":"a\\/b\\u002Bc\\u003d\\n\\"d"}', size)).toEqual({
        rest: '{"content":""}',
        streamed: ['a/b+c=!!d'],
        kept: 14,
      })
  })

  test('happens once: a second value of the same key is kept', async () => {
    expect(await stream('{"content":"A","content":"B"}')).toMatchObject({
      rest: '{"content":"","content":"B"}',
      streamed: ['A'],
    })
  })

  test('ignores text that only looks like the key', async () => {
    for (const text of ['{"x\\"content":"A"}', '{"a":"content","b":"B"}', '["content","C"]', '{"content":5}'])
      expect(await stream(text)).toMatchObject({ rest: text, streamed: [] })
  })

  test('returns the bytes before the end of a truncated text', async () => {
    expect(await stream('{"content":"QUJ')).toMatchObject({ rest: '{"content":"', streamed: ['QUJ'] })
    expect(await stream('{"conte')).toMatchObject({ rest: '{"conte', streamed: [] })
  })

  test('reports how much is kept as it grows, without what is streamed', async () => {
    expect((await stream(`{"content":"${'A'.repeat(10_000)}"}`, 100)).kept).toBe(14)
    expect((await stream(`{"other":"${'A'.repeat(10_000)}"}`, 100)).kept).toBe(10_012)
  })
})
