import { describe, expect, test } from '@jest/globals'
import { loadSettings } from '@causeway/chassis'
import { OIDC_SETTINGS, toOidcConfig } from './settings.ts'

const ALL = {
  CONSOLE_OIDC_ISSUER: 'https://id.example.com',
  CONSOLE_OIDC_CLIENT_ID: 'console',
  CONSOLE_OIDC_CLIENT_SECRET: 'a-long-secret',
}
const load = (env: Record<string, string>) => toOidcConfig(loadSettings(OIDC_SETTINGS, env))

describe('the identity provider of the staff', () => {
  test('is configured with all three settings, and absent without any', () => {
    expect(load(ALL)).toEqual({
      issuer: 'https://id.example.com',
      clientId: 'console',
      clientSecret: 'a-long-secret',
    })
    expect(load({})).toBeNull()
  })

  test.each(Object.keys(ALL))('stops the start without %s, or with it alone, and says so', (missing) => {
    const rest = Object.fromEntries(Object.entries(ALL).filter(([name]) => name !== missing))
    const set = Object.keys(rest).join(' and ')
    expect(() => load(rest)).toThrow(`Bad settings: ${missing} not set, but ${set}`)
    expect(() => load({ [missing]: ALL[missing as keyof typeof ALL] })).toThrow(`not set, but ${missing}`)
  })

  test.each([
    ['http://id.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['http://127.0.0.1:9000', true],
    ['http://localhost:9000/realms/staff', true],
    ['http://[::1]:9000', true],
  ])('is accepted at %s: %j', (issuer, isTaken) => {
    const attempt = () => load({ ...ALL, CONSOLE_OIDC_ISSUER: issuer })
    if (isTaken) expect(attempt()?.issuer).toBe(issuer)
    else expect(attempt).toThrow('CONSOLE_OIDC_ISSUER must be https, or http on a loopback address')
  })
})
