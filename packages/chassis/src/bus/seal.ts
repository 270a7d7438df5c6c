import { createHmac, timingSafeEqual, randomBytes, type KeyObject } from 'node:crypto'
import type { BusKeys } from './keys.ts'

/**
 * A sealed request's bytes: `<sender> <deadline in ms> <nonce> <MAC>`, a line feed, and the request in JSON. The MAC is
 * HMAC-SHA256 in base64url over the subject, the first three, and the JSON, by the key of the pair (ADR 0031).
 */
export type Seal = (subject: string, deadlineMs: number, json: string) => string

const LINE_FEED = 10
const MAC_BYTES = 32
const HEAD_MAX_BYTES = 160
const HEAD = /^([a-z]{1,20}) (\d{1,15}) ([\w.-]{1,40}) ([\w-]{43})$/

const macOf = (key: KeyObject, subject: string, head: string, json: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${subject} ${head}\n`).update(json).digest()

/** Seals requests as one process. It can call only the receivers whose keys it has. */
export const createSealer = ({ self, sealing }: Pick<BusKeys, 'self' | 'sealing'>): Seal => {
  // A nonce is a prefix unique to this process and a counter: cheaper than random bytes for each request.
  const instance = randomBytes(12).toString('base64url')
  let count = 0
  return (subject, deadlineMs, json) => {
    const receiver = subject.slice(0, subject.indexOf('.'))
    const key = sealing.get(receiver)
    if (key === undefined) throw new Error(`${self} has no key to call ${receiver}`)
    count += 1
    const head = `${self} ${deadlineMs} ${instance}.${count.toString(36)}`
    // One update of one string: a second update costs as much as hashing 400 bytes.
    const mac = createHmac('sha256', key).update(`${subject} ${head}\n${json}`).digest('base64url')
    return `${head} ${mac}\n${json}`
  }
}

/** A request whose seal was checked: its sender, its deadline, and its parts in JSON. */
export type Opened = Readonly<{ sender: string; deadlineMs: number; nonce: string; json: Uint8Array }>

/** @returns null unless a sender that may call this process sealed these bytes for this subject */
export const openSeal = (
  { checking }: Pick<BusKeys, 'checking'>,
  subject: string,
  bytes: Uint8Array,
): Opened | null => {
  const end = bytes.subarray(0, HEAD_MAX_BYTES).indexOf(LINE_FEED)
  if (end < 0) return null
  const head = HEAD.exec(Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('latin1'))
  const [, sender = '', deadline = '', nonce = '', mac = ''] = head ?? []
  const keys = checking.get(sender)
  if (keys === undefined) return null
  const told = Buffer.from(mac, 'base64url')
  if (told.length !== MAC_BYTES) return null
  const json = bytes.subarray(end + 1)
  const signed = `${sender} ${deadline} ${nonce}`
  const isSealed = keys.some((key) => timingSafeEqual(macOf(key, subject, signed, json), told))
  return isSealed ? { sender, deadlineMs: Number(deadline), nonce, json } : null
}
