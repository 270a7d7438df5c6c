import { equalInConstantTime, type Vault } from '../crypto.ts'

/** Keyset cursors: opaque, authenticated, bound to the list they were issued for (decisions §1, Cursors). */
export type Cursors = {
  /** @param list name of the list and its owner, for example `customers:prt_…` */
  encode(list: string, values: readonly string[]): string
  /** The values of a cursor that this list issued, or null for anything else. */
  decode(list: string, cursor: string): string[] | null
}

const MAC_BYTES = 16

export const createCursors = (vault: Pick<Vault, 'mac'>): Cursors => {
  const macOf = (list: string, body: Buffer) =>
    vault.mac('cursor', `${list}\n${body.toString('base64url')}`).subarray(0, MAC_BYTES)
  return {
    encode(list, values) {
      const body = Buffer.from(JSON.stringify(values))
      return Buffer.concat([macOf(list, body), body]).toString('base64url')
    },
    decode(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return null
      const body = bytes.subarray(MAC_BYTES)
      if (!equalInConstantTime(bytes.subarray(0, MAC_BYTES), macOf(list, body))) return null
      return JSON.parse(body.toString()) as string[]
    },
  }
}
