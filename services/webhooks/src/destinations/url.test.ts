import { describe, expect, test } from '@jest/globals'
import { parseWebhookUrl } from './url.ts'

const strict = (text: string) => {
  const parsed = parseWebhookUrl(text, { allowInsecure: false })
  return parsed.ok ? 'ok' : parsed.reason
}

describe('a webhook URL', () => {
  test.each([
    ['https://hooks.example.org/in?x=1', 'ok'],
    ['https://hooks.example.org:8443', 'ok'],
    ['https://8.8.8.8/in', 'ok'],
    ['http://hooks.example.org/', 'not_https'],
    ['ftp://hooks.example.org/', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['hooks.example.org', 'invalid_value'],
    ['https://', 'invalid_value'],
    ['https://user@hooks.example.org/', 'invalid_value'],
    ['https://user:pass@hooks.example.org/', 'invalid_value'],
    [`https://hooks.example.org/${'a'.repeat(2048)}`, 'too_long'],
  ])('checks %s as %s', (text, result) => {
    expect(strict(text)).toBe(result)
  })

  test.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '10.0.0.1',
    '167772161',
    '192.168.257',
    '0xa9fea9fe',
    '[fe80::1]',
    '[fc00::]',
  ])('refuses the address spelled %s as forbidden', (host) => {
    expect(strict(`https://${host}/`)).toBe('forbidden_address')
  })

  test('allows http and loopback in the sandbox, and no other reserved address', () => {
    const check = (text: string) => parseWebhookUrl(text, { allowInsecure: true })
    expect(check('http://127.0.0.1:9999/hook?a=b#c')).toEqual({
      ok: true,
      target: {
        protocol: 'http:',
        hostname: '127.0.0.1',
        port: 9999,
        origin: 'http://127.0.0.1:9999',
        path: '/hook?a=b',
      },
    })
    expect(check('http://[::1]/')).toMatchObject({ ok: true, target: { hostname: '::1', port: 80 } })
    expect(check('http://10.0.0.1/')).toEqual({ ok: false, reason: 'forbidden_address' })
    expect(check('http://169.254.169.254/')).toEqual({ ok: false, reason: 'forbidden_address' })
  })
})
