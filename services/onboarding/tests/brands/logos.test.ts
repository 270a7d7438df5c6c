import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { brands, MAX_LOGO_BYTES } from '@causeway/contracts'
import { newPartner, startForTests, type Partner, type RunningOnboarding } from '../running-onboarding.ts'
import { ANIMATED_WEBP, chunk, JPEG_WITH_PLACE, noise, png, readPng } from './images.ts'

/** Chunks that say how pixels look, and nothing else. */
const PIXEL_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'pHYs']

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests()
})
afterAll(() => onboarding.stop())

const putLogo = (partner: Partner, bytes: Buffer) =>
  onboarding.ask(brands.putLogo, partner, { body: { content_base64: bytes.toString('base64') } })

/** Sets a logo. @returns its description, and the image at its address */
const setLogo = async (bytes: Buffer, partner = newPartner()) => {
  const answer = await putLogo(partner, bytes)
  if (!answer.ok || answer.value.brand.logo === null) throw new Error(JSON.stringify(answer))
  const { logo } = answer.value.brand
  const found = await getLogo(logo.content_hash)
  if (!found.ok) throw new Error(JSON.stringify(found))
  return { logo, image: Buffer.from(found.value.content_base64, 'base64') }
}
const getLogo = (contentHash: string) =>
  onboarding.ask(brands.getLogo, { kind: 'public' }, { params: { contentHash } })

const refusal = (reason: string) => ({
  ok: false,
  code: 'invalid_request',
  details: [{ field: 'content_base64', reason }],
})

describe('a logo', () => {
  it('is scaled into its box, encoded as a PNG, and addressed by its hash', async () => {
    const { logo, image } = await setLogo(png(1_000, 200))
    expect(readPng(image)).toMatchObject({ isPng: true, width: 400, height: 80 })
    const hash = createHash('sha256').update(image).digest('hex')
    expect(logo).toEqual({
      url: `https://api.example/logos/${hash}`,
      content_hash: hash,
      width: 400,
      height: 80,
    })
  })

  it('loses the place and the name in its EXIF data', async () => {
    expect(JPEG_WITH_PLACE.includes('A Person')).toBe(true)
    const { image } = await setLogo(JPEG_WITH_PLACE)
    expect(readPng(image).names.filter((name) => !PIXEL_CHUNKS.includes(name))).toEqual([])
    expect(image.includes('A Person')).toBe(false)
  })

  it('loses text and bytes that are not pixels: a page hidden in an image is no page', async () => {
    const script = Buffer.from('<html><script>alert(1)</script></html>')
    const text = chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script]))
    const { image } = await setLogo(Buffer.concat([png(20, 20, undefined, [text]), script]))
    expect(image.includes('script')).toBe(false)
    expect(readPng(image).names.filter((name) => !PIXEL_CHUNKS.includes(name))).toEqual([])
  })

  it('is the first frame of an animation, and keeps its size if it fits', async () => {
    const { logo, image } = await setLogo(ANIMATED_WEBP)
    expect(logo).toMatchObject({ width: 16, height: 8 })
    expect(readPng(image).names.filter((name) => !PIXEL_CHUNKS.includes(name))).toEqual([])
  })

  it('leaves its address when it is replaced or deleted, unless another partner has the same', async () => {
    const [one, two] = [newPartner(), newPartner()]
    const { logo } = await setLogo(png(17, 11), one)
    await setLogo(png(17, 11), two)
    await onboarding.ask(brands.deleteLogo, one, {})
    expect((await getLogo(logo.content_hash)).ok).toBe(true)
    await setLogo(png(18, 11), two)
    expect(await getLogo(logo.content_hash)).toMatchObject({ ok: false, code: 'resource_not_found' })
  })

  it('stays when name and colour are replaced', async () => {
    const partner = newPartner()
    const { logo } = await setLogo(png(9, 9), partner)
    const changed = await onboarding.ask(brands.put, partner, { body: { name: 'Acme' } })
    expect(changed).toMatchObject({ ok: true, value: { brand: { name: 'Acme', logo } } })
  })
})

describe('an image that is no logo', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const whole = noise(120, 60)

  it.each([
    ['an SVG with a script', svg, 'unsupported_type'],
    ['an SVG after the signature of a PNG', Buffer.concat([whole.subarray(0, 8), svg]), 'invalid_value'],
    ['a GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1'), 'unsupported_type'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'unsupported_type'],
    ['a PNG that ends early', whole.subarray(0, whole.length / 2), 'invalid_value'],
    ['a JPEG that ends early', JPEG_WITH_PLACE.subarray(0, 720), 'invalid_value'],
    ['an image that is too wide', png(4_097, 1), 'too_big'],
    ['an image of 16 megapixels', png(4_096, 4_096), 'too_big'],
    ['a bomb: 30,000 × 30,000 pixels in few bytes', declared(30_000), 'too_big'],
  ])('is refused: %s', async (_name, bytes, reason) => {
    expect(bytes.length).toBeLessThanOrEqual(MAX_LOGO_BYTES)
    expect(await putLogo(newPartner(), bytes)).toMatchObject(refusal(reason))
  })

  it('is refused above 180 KiB', async () => {
    const body = { content_base64: randomBytes(MAX_LOGO_BYTES + 1).toString('base64') }
    expect(await onboarding.ask(brands.putLogo, newPartner(), { body })).toMatchObject(refusal('too_long'))
  })
})

/** A PNG that declares a size beyond its pixels. */
function declared(side: number): Buffer {
  const bytes = png(1, 1)
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  const header = bytes.subarray(16, 29)
  return Buffer.concat([bytes.subarray(0, 8), chunk('IHDR', header), bytes.subarray(33)])
}
