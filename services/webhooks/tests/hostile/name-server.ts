import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

const [A, CNAME, AAAA] = [1, 5, 28]
const HEADER_BYTES = 12
const TTL_S = 0

type Question = Readonly<{ name: string; isV4: boolean; bytes: Buffer }>

/** A name server's answer to a question: addresses, a code (RFC 1035, 4.1.1), custom bytes, or nothing. */
export type Say = (question: Question) => Readonly<{
  addresses?: readonly string[]
  /** Canonical name of the requested one. */
  alias?: string
  code?: number
  bytes?: Buffer
  /** A forged answer of another transaction, sent ahead. */
  forged?: readonly string[]
}> | null

const readName = (packet: Buffer): Question => {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = packet[at] as number; length > 0; length = packet[at] as number) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const bytes = packet.subarray(HEADER_BYTES, at + 5)
  return { name: labels.join('.').toLowerCase(), isV4: packet.readUInt16BE(at + 1) === A, bytes }
}

const encodeName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])),
    Buffer.alloc(1),
  ])

const encodeAddress = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':')).map((group) => parseInt(group, 16))
  const [first, last] = [groups(head), groups(tail)]
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

const record = (owner: Buffer, type: number, data: Buffer): Buffer => {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(TTL_S, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

const answerOf = (
  id: number,
  question: Question,
  { addresses = [], alias, code = 0 }: NonNullable<ReturnType<Say>>,
): Buffer => {
  const asked = Buffer.from([0xc0, HEADER_BYTES])
  const owner = alias === undefined ? asked : encodeName(alias)
  const records = [
    ...(alias === undefined ? [] : [record(asked, CNAME, owner)]),
    ...addresses
      .filter((address) => isIPv4(address) === question.isV4)
      .map((address) => record(owner, question.isV4 ? A : AAAA, encodeAddress(address))),
  ]
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question.bytes, ...records])
}

/** A name server on loopback (UDP). */
export const startNameServer = async (
  say: Say,
): Promise<Readonly<{ server: string; close: () => Promise<void> }>> => {
  const socket = createSocket('udp4')
  socket.on('message', (packet, { address, port }) => {
    const question = readName(packet)
    const said = say(question)
    if (!said) return
    const id = packet.readUInt16BE(0)
    if (said.forged) socket.send(answerOf(id ^ 0xffff, question, { addresses: said.forged }), port, address)
    socket.send(said.bytes ?? answerOf(id, question, said), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}
