import { describe, expect, test } from '@jest/globals'
import { grantFault, parseClientRequest } from './oauth-request.ts'

const FORM = 'application/x-www-form-urlencoded'
const parse = (body: string | null, options: { type?: string; authorization?: string } = {}) => {
  const headers = { contentType: options.type ?? FORM, authorization: options.authorization }
  const request = parseClientRequest(headers, body === null ? null : Buffer.from(body), 'grant_type')
  if (!request.ok) return request
  const { credentials, parameters } = request
  return grantFault(request) ?? { ok: true as const, credentials, scope: parameters.scope ?? null }
}
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const errorOf = (parsed: ReturnType<typeof parse>) => (parsed.ok ? null : parsed.error)

describe('the reader of token requests', () => {
  test('reads form parameters in the body', () => {
    expect(parse('grant_type=client_credentials&client_id=a&client_secret=b&scope=x+y&other=1')).toEqual({
      ok: true,
      credentials: { method: 'secret', clientId: 'a', clientSecret: 'b' },
      scope: 'x y',
    })
  })

  test('reads a JSON body and ignores unknown members', () => {
    const body = JSON.stringify({
      grant_type: 'client_credentials',
      client_id: 'a',
      client_secret: 'b',
      audience: [],
    })
    expect(parse(body, { type: 'application/json; charset=utf-8' })).toEqual({
      ok: true,
      credentials: { method: 'secret', clientId: 'a', clientSecret: 'b' },
      scope: null,
    })
  })

  test('form-decodes Basic credentials after base64', () => {
    expect(
      parse('grant_type=client_credentials&scope=', { authorization: basic('a%3Ab:c%2Bd+e%25') }),
    ).toEqual({
      ok: true,
      credentials: { method: 'secret', clientId: 'a:b', clientSecret: 'c+d e%' },
      scope: null,
    })
  })
})

describe('the refusal of token requests', () => {
  const good = 'grant_type=client_credentials&client_id=a&client_secret=b'
  test.each([
    ['no body', null, {}, 'invalid_request'],
    ['another content type', good, { type: 'text/plain' }, 'invalid_request'],
    ['no grant_type', 'client_id=a&client_secret=b', {}, 'invalid_request'],
    ['a parameter twice', `${good}&scope=a&scope=b`, {}, 'invalid_request'],
    [
      'JSON with a duplicate key',
      '{"grant_type":"x","grant_type":"y"}',
      { type: 'application/json' },
      'invalid_request',
    ],
    ['a JSON array', '[]', { type: 'application/json' }, 'invalid_request'],
    ['a JSON number for a string', '{"grant_type":1}', { type: 'application/json' }, 'invalid_request'],
    ['credentials in both places', good, { authorization: basic('a:b') }, 'invalid_request'],
    ['no credentials', 'grant_type=client_credentials', {}, 'invalid_client'],
    ['half of the credentials', 'grant_type=client_credentials&client_id=a', {}, 'invalid_client'],
    ['another scheme', 'grant_type=client_credentials', { authorization: 'Bearer x' }, 'invalid_client'],
    [
      'Basic without a colon',
      'grant_type=client_credentials',
      { authorization: basic('ab') },
      'invalid_client',
    ],
    [
      'Basic with a bad escape',
      'grant_type=client_credentials',
      { authorization: basic('a:%zz') },
      'invalid_client',
    ],
    ['another grant', 'grant_type=password&client_id=a&client_secret=b', {}, 'unsupported_grant_type'],
  ])('names the error of %s', (_, body, options, error) => {
    expect(errorOf(parse(body, options))).toBe(error)
  })
})
