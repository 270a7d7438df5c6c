import { isIPv4, isIPv6 } from 'node:net'

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** One spelling of an address, so that it is recognised however it is written; null for what is none. */
export const canonicalIp = (text: string): string | null => {
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return null
  const canonical = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1) ?? null
  const [, high, low] = MAPPED.exec(canonical ?? '') ?? []
  if (high === undefined || low === undefined) return canonical
  const parts = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return parts.flatMap((part) => [part >> 8, part & 255]).join('.')
}

/** Mailboxes are told apart without regard to case, as customers are (decisions §3). */
export const canonicalEmail = (text: string): string => text.trim().toLowerCase()

/** Enough to be recognised by who knows it: the network of an address. */
export const maskIp = (ip: string): string =>
  ip.includes(':') ? `${ip.split(':').slice(0, 2).join(':')}:****` : ip.replace(/\.\d+\.\d+$/, '.***.***')

/** The first letter and the domain. */
export const maskEmail = (email: string): string =>
  `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`
