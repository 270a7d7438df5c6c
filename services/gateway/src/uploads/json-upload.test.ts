import { describe, expect, test } from '@jest/globals'
import { decodeBase64 } from './json-upload.ts'

const decode = async (pieces: readonly string[]) => {
  const bytes: Buffer[] = []
  let faults = 0
  const source = async function* () {
    yield* pieces
  }
  for await (const piece of decodeBase64(source(), () => (faults += 1))) bytes.push(piece)
  return { text: Buffer.concat(bytes).toString(), faults }
}

describe('base64 in pieces', () => {
  test.each([
    [['QUJDRA=='], 'ABCD'],
    [['Q', 'UJ', 'DRA', '=', '='], 'ABCD'],
    [['QUJD', 'REVG'], 'ABCDEF'],
    [[], ''],
  ])('decodes %j to %j', async (pieces, text) => {
    expect(await decode(pieces)).toEqual({ text, faults: 0 })
  })

  test.each([
    ['without its padding', ['QUJDRA']],
    ['cut off', ['QUJ']],
    ['with something behind the padding', ['QUJDRA==', 'QUJD']],
    ['with padding in the middle', ['QU==QUJD']],
    ['of the URL alphabet', ['QU-_']],
    ['with a line break', ['QUJD\nREVG']],
    ['with an escape', ['QU!D']],
  ])('fails %s', async (_what, pieces) => {
    expect((await decode(pieces)).faults).toBeGreaterThan(0)
  })
})
