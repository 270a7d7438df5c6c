import { ConfigError, setting, type Settings } from '@causeway/chassis'
import { z } from 'zod'

/** How the platform sends e-mail (decisions §56); both settings, or neither. */
export const MAIL_SETTINGS = {
  MAIL_URL: setting.secretText({
    optional: true,
    minLength: 8,
    doc: 'SMTP server that sends e-mail: smtps://user:password@host:465, or smtp://…:587 with STARTTLS, which is required except on loopback. Without it, nothing sends e-mail, and people enter the portal by links alone',
  }),
  MAIL_FROM: setting.string({
    optional: true,
    doc: 'Sender of e-mail: an address, or a name with an address, such as Causeway <no-reply@pay.example.com>',
  }),
} as const

/** The server and sender of e-mail. */
export type MailConfig = Readonly<{
  host: string
  port: number
  /** TLS from the beginning; otherwise by STARTTLS. */
  isImplicitTls: boolean
  /** False on loopback only. */
  needsTls: boolean
  auth: Readonly<{ user: string; pass: string }> | null
  from: Readonly<{ name: string; address: string }>
}>

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const
const SENDER = /^(?:([^<>"\r\n]{1,100}?)\s*<([^<>\s]+)>|([^<>\s]+))$/

const bad = (problem: string) => new ConfigError(`Bad settings: ${problem}`)

const isScheme = (protocol: string): protocol is keyof typeof PORTS => protocol in PORTS

const parseSender = (text: string): MailConfig['from'] => {
  const [, name = '', named, bare] = SENDER.exec(text.trim()) ?? []
  const address = z.email().safeParse(named ?? bare)
  if (!address.success) throw bad('MAIL_FROM must be an e-mail address, or a name followed by <address>')
  return { name, address: address.data }
}

const parseServer = (text: string): Omit<MailConfig, 'from'> => {
  const url = URL.parse(text)
  if (url === null || !isScheme(url.protocol) || url.hostname === '')
    throw bad('MAIL_URL must be smtp://host:port or smtps://host:port')
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    throw bad('MAIL_URL must have no path, query or fragment')
  const { protocol, hostname, port, username, password } = url
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? PORTS[protocol] : Number(port),
    isImplicitTls: protocol === 'smtps:',
    needsTls: protocol === 'smtps:' || !LOOPBACK.test(hostname),
    auth: username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
  }
}

/** @throws ConfigError that names the setting that is missing or wrong, without its value */
export const toMailConfig = ({ MAIL_URL, MAIL_FROM }: Settings<typeof MAIL_SETTINGS>): MailConfig | null => {
  if (MAIL_URL === undefined && MAIL_FROM === undefined) return null
  if (MAIL_URL === undefined) throw bad('MAIL_URL is not set, but MAIL_FROM is')
  if (MAIL_FROM === undefined) throw bad('MAIL_FROM is not set, but MAIL_URL is')
  return { ...parseServer(MAIL_URL), from: parseSender(MAIL_FROM) }
}
