import { expect, test } from '@jest/globals'
import { toMailConfig } from './settings.ts'

const FROM = 'Causeway <no-reply@pay.example.com>'
const configOf = (url: string) => toMailConfig({ MAIL_URL: url, MAIL_FROM: FROM })
const faultOf = (url: string | undefined, from: string | undefined) => {
  try {
    toMailConfig({ MAIL_URL: url, MAIL_FROM: from })
    return null
  } catch (error) {
    return (error as Error).message
  }
}

test('reads the server and the sender of e-mail', () => {
  expect(configOf('smtps://user:p%40ss@mail.example.com')).toEqual({
    host: 'mail.example.com',
    port: 465,
    isImplicitTls: true,
    needsTls: true,
    auth: { user: 'user', pass: 'p@ss' },
    from: { name: 'Causeway', address: 'no-reply@pay.example.com' },
  })
  expect(toMailConfig({ MAIL_URL: undefined, MAIL_FROM: undefined })).toBeNull()
})

test('requires TLS on every server except on loopback', () => {
  const needed = ['smtp://mail.example.com', 'smtp://10.0.0.1:25', 'smtps://127.0.0.1'].map(
    (url) => configOf(url)?.needsTls,
  )
  expect(needed).toEqual([true, true, true])
  expect(['smtp://127.0.0.1:25', 'smtp://[::1]:25'].map((url) => configOf(url)?.needsTls)).toEqual([
    false,
    false,
  ])
})

test('names the setting that is missing or wrong, and never its value', () => {
  expect(faultOf('smtp://mail.example.com', undefined)).toContain('MAIL_FROM is not set')
  expect(faultOf(undefined, FROM)).toContain('MAIL_URL is not set')
  for (const url of ['https://u:hidden@mail.example.com', 'smtp://u:hidden@h/path', 'smtp://h?a=hidden'])
    expect(faultOf(url, FROM)).toMatch(/^Bad settings: MAIL_URL must (?!.*hidden)/)
  for (const from of ['nobody', 'a@b.example\r\nBcc: c@d.example', 'A <a@b.example>, B <c@d.example>'])
    expect(faultOf('smtp://mail.example.com', from)).toContain('MAIL_FROM must be')
})
