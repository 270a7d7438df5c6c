import { receiverOf } from '@causeway/contracts'
import { randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { HmacKey } from '../hmac.ts'
import type { BusKeys } from './keys.ts'

/**
 * A sealed request's bytes: `<sender> <deadline in ms> <nonce> <MAC>`, a line feed, and the request in JSON. The MAC is
 * HMAC-SHA256 in base64url over the subject, the first three, and the JSON, by the key of the pair (ADR 0031).
 */
export type Seal = (subject: string, deadlineMs: number, json: string) => string

const LINE_FEED = 10
/** A digest of SHA-256 in base64url. */
const MAC_CHARACTERS = 43
const HEAD_MAX_BYTES = 160
const HEAD = /^([a-z]{1,20}) (\d{1,15}) ([\w.-]{1,40}) ([\w-]{43})$/

const prepared = new WeakMap<KeyObject, HmacKey>()

/** Prepared once for each key. */
const toHmacKey = (key: KeyObject): HmacKey => {
  const known = prepared.get(key) ?? new HmacKey(key.export())
  prepared.set(key, known)
  return known
}

const macOf = (key: HmacKey, subject: string, head: string, json: Uint8Array): string =>
  key.macOf(`${subject} ${head}\n`, json, 'base64url')

/** Seals requests as one process. It can call only the receivers whose keys it has. */
export const createSealer = (keys: Pick<BusKeys, 'self' | 'sealing'>): Seal => {
  const { self } = keys
  // A nonce is a prefix unique to this process and a counter: cheaper than random bytes for each request.
  const instance = randomBytes(12).toString('base64url')
  let count = 0
  return (subject, deadlineMs, json) => {
    const receiver = receiverOf(subject)
    const key = keys.sealing.get(receiver)
    if (key === undefined) throw new Error(`${self} has no key to call ${receiver}`)
    count += 1
    const head = `${self} ${deadlineMs} ${instance}.${count.toString(36)}`
    return `${head} ${macOf(toHmacKey(key), subject, head, Buffer.from(json))}\n${json}`
  }
}

/** A request whose seal was checked: its sender, its deadline, and its parts in JSON. */
export type Opened = Readonly<{ sender: string; deadlineMs: number; nonce: string; json: Uint8Array }>

/** @returns null unless a sender that may call this process sealed these bytes for this subject */
export type OpenSeal = (subject: string, bytes: Uint8Array) => Opened | null

/** Checks the seals of requests that one process receives. */
export const createSealOpener = (own: Pick<BusKeys, 'checking'>): OpenSeal => {
  const [given, computed] = [Buffer.alloc(MAC_CHARACTERS), Buffer.alloc(MAC_CHARACTERS)]
  return (subject, bytes) => {
    const end = bytes.subarray(0, HEAD_MAX_BYTES).indexOf(LINE_FEED)
    if (end < 0) return null
    const head = HEAD.exec(Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('latin1'))
    const [, sender = '', deadline = '', nonce = '', mac = ''] = head ?? []
    const keys = own.checking.get(sender)
    if (keys === undefined) return null
    const json = bytes.subarray(end + 1)
    const signed = `${sender} ${deadline} ${nonce}`
    given.write(mac, 'latin1')
    const isSealed = keys.some((key) => {
      computed.write(macOf(toHmacKey(key), subject, signed, json), 'latin1')
      return timingSafeEqual(computed, given)
    })
    return isSealed ? { sender, deadlineMs: Number(deadline), nonce, json } : null
  }
}
