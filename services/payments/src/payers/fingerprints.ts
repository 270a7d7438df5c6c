import type { Vault } from '@causeway/chassis'
import { isIPv4, isIPv6 } from 'node:net'

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** An IP address in its canonical form; null for any other text. */
export const canonicalIp = (text: string): string | null => {
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return null
  const canonical = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1) ?? null
  const [, high, low] = MAPPED.exec(canonical ?? '') ?? []
  if (high === undefined || low === undefined) return canonical
  const parts = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return parts.flatMap((part) => [part >> 8, part & 255]).join('.')
}

/** E-mail addresses are compared case-insensitively, as customers' are (decisions §3). */
export const canonicalEmail = (text: string): string => text.trim().toLowerCase()

/** The network of an IP address: enough to recognise it for somebody who knows the address. */
export const maskIp = (ip: string): string =>
  ip.includes(':') ? `${ip.split(':').slice(0, 2).join(':')}:****` : ip.replace(/\.\d+\.\d+$/, '.***.***')

/** The first letter and the domain. */
export const maskEmail = (email: string): string =>
  `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`

/** Keyed hashes that identify a payer without storing who it is; null for unknown values. */
export const fingerprintsOf = (
  vault: Vault,
  payer: Readonly<{ ip: string | null; email: string | null }>,
): Readonly<{ ip: Buffer | null; email: Buffer | null }> => {
  const ip = payer.ip === null ? null : canonicalIp(payer.ip)
  return {
    ip: ip === null ? null : vault.mac('payer-ip', ip),
    email: payer.email === null ? null : vault.mac('payer-email', canonicalEmail(payer.email)),
  }
}
