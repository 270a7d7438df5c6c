import { describe, expect, test } from '@jest/globals'
import { Socket } from 'node:net'
import { ForbiddenAddressError } from './failure.ts'
import { parseWebhookUrl } from '../destinations/url.ts'
import type { Target } from './target.ts'
import { createConnect } from './connect.ts'
import type { DialTarget } from './dial.ts'

/** Records what would have been dialled, and opens nothing. */
const recorder = (answers: readonly (readonly string[])[], options = { allowInsecure: false, fail: 0 }) => {
  const dialled: DialTarget[] = []
  let asked = 0
  const connect = createConnect({
    allowInsecure: options.allowInsecure,
    resolve: async () => answers[Math.min(asked++, answers.length - 1)] ?? [],
    dial: async (target) => {
      dialled.push(target)
      if (dialled.length <= options.fail) throw new Error('unreachable')
      return new Socket()
    },
  })
  return { connect: (target: Target) => connect(target, new AbortController().signal), dialled }
}

const target = (url: string): Target => {
  const parsed = parseWebhookUrl(url, { allowInsecure: true })
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.target
}
const named = target('https://hooks.example.org/in')

describe('the connect guard', () => {
  test('dials exactly the address that it checked, with the host as SNI', async () => {
    const { connect, dialled } = recorder([['8.8.8.8']])
    await connect(named)
    expect(dialled).toEqual([{ address: '8.8.8.8', port: 443, tls: true, hostname: 'hooks.example.org' }])
  })

  test.each([
    [['10.0.0.1']],
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['fd00::1']],
    [['8.8.8.8', '10.0.0.1']],
    [['8.8.8.8', '::1']],
  ])('does not dial a name that resolves to %p', async (addresses) => {
    const { connect, dialled } = recorder([addresses])
    await expect(connect(named)).rejects.toBeInstanceOf(ForbiddenAddressError)
    expect(dialled).toEqual([])
  })

  test('refuses a name that resolves to a private address at the second connect', async () => {
    const { connect, dialled } = recorder([['8.8.8.8'], ['192.168.1.1']])
    await connect(named)
    await expect(connect(named)).rejects.toBeInstanceOf(ForbiddenAddressError)
    expect(dialled.map((dial) => dial.address)).toEqual(['8.8.8.8'])
  })

  test('checks an IP literal in the same way', async () => {
    const { connect, dialled } = recorder([['127.0.0.1']])
    await expect(connect(target('https://127.0.0.1/'))).rejects.toBeInstanceOf(ForbiddenAddressError)
    expect(dialled).toEqual([])
  })

  test('tries the next address when one does not answer', async () => {
    const { connect, dialled } = recorder([['8.8.8.8', '1.1.1.1']], { allowInsecure: false, fail: 1 })
    await connect(named)
    expect(dialled.map((dial) => dial.address)).toEqual(['8.8.8.8', '1.1.1.1'])
  })

  test('refuses plain http unless the sandbox allows it', async () => {
    const plain = target('http://127.0.0.1/')
    await expect(recorder([['8.8.8.8']]).connect(plain)).rejects.toBeInstanceOf(ForbiddenAddressError)
    const sandbox = recorder([['127.0.0.1']], { allowInsecure: true, fail: 0 })
    await sandbox.connect(plain)
    expect(sandbox.dialled).toEqual([{ address: '127.0.0.1', port: 80, tls: false, hostname: '127.0.0.1' }])
  })

  test('allows only loopback in the sandbox', async () => {
    const { connect, dialled } = recorder([['10.0.0.1']], { allowInsecure: true, fail: 0 })
    await expect(connect(named)).rejects.toBeInstanceOf(ForbiddenAddressError)
    expect(dialled).toEqual([])
  })
})
