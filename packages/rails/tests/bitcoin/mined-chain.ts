import { Address, RawTx, TEST_NETWORK, OutScript } from '@scure/btc-signer'
import { createHash } from 'node:crypto'
import type { NodeCalls } from '../node-calls.ts'

/** Address and amount in satoshi. */
export type Outputs = readonly (readonly [address: string, satoshi: bigint])[]
export type MinedBlock = Readonly<{ hash: string; number: number; bytes: Buffer }>

/** Bitcoin blocks in regtest, mined in this process: half of all hashes show enough work there. */
export type MinedChain = NodeCalls &
  Readonly<{
    /** Appends a block with these transactions behind its coinbase. */
    mine: (...transactions: readonly Buffer[]) => MinedBlock
    /** Blocks of this height and above are dropped; their bytes stay readable, as at a node. */
    dropFrom: (number: number) => void
    /** Transactions that wait to be mined. */
    waiting: Buffer[]
  }>

const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }
export const REGTEST_GENESIS = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'
const EASIEST = 0x207fffff
const FIRST_TIME = 1_700_000_000

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
export const doubleSha256 = (bytes: Uint8Array) => sha256(sha256(bytes))
const reversed = (hash: string) => Buffer.from(hash, 'hex').reverse()
const textOf = (hash: Buffer) => Buffer.from(hash).reverse().toString('hex')

type RawTransaction = Parameters<typeof RawTx.encode>[0]
const encode = (transaction: RawTransaction) => Buffer.from(RawTx.encode(transaction))
const outputsOf = (outputs: Outputs) =>
  outputs.map(([address, amount]) => ({ amount, script: OutScript.encode(Address(REGTEST).decode(address)) }))

let made = 0
/** A transaction that pays these outputs, with a witness unless it is of the older form. */
export const transactionOf = (outputs: Outputs, { legacy = false } = {}): Buffer => {
  made += 1
  const input = {
    txid: sha256(Buffer.from(`coin ${made}`)),
    index: 0,
    finalScriptSig: Buffer.alloc(0),
    sequence: 0xfffffffd,
  }
  const common = { version: 2, inputs: [input], outputs: outputsOf(outputs), lockTime: 0 }
  return encode(
    legacy
      ? { ...common, segwitFlag: false }
      : { ...common, segwitFlag: true, witnesses: [[Buffer.alloc(71, made), Buffer.alloc(33, 2)]] },
  )
}
/** The id of a transaction, from the library's own reading of it. */
export const idOf = (transaction: Buffer): string => {
  const { witnesses: _, ...stripped } = RawTx.decode(transaction)
  return textOf(doubleSha256(encode({ ...stripped, segwitFlag: false })))
}

/** The output that it spends, as `txId:index`, from the library's own reading of it. */
export const spentBy = (transaction: Buffer): string => {
  const [input] = RawTx.decode(transaction).inputs
  return `${Buffer.from(input?.txid ?? []).toString('hex')}:${input?.index}`
}

const coinbaseOf = (number: number): Buffer => {
  const height = Buffer.alloc(3)
  height.writeUIntLE(number, 0, 3)
  const finalScriptSig = Buffer.from([
    3,
    ...height,
    ...sha256(Buffer.from(`extra ${(made += 1)}`)).subarray(0, 4),
  ])
  const input = { txid: Buffer.alloc(32), index: 0xffffffff, finalScriptSig, sequence: 0xffffffff }
  return encode({
    version: 1,
    segwitFlag: false,
    inputs: [input],
    outputs: [{ amount: 50n, script: Buffer.from([0x51]) }],
    lockTime: 0,
  })
}

const rootOf = (hashes: readonly Buffer[]): Buffer => {
  const [first = Buffer.alloc(32)] = hashes
  if (hashes.length <= 1) return first
  const pairs = hashes.flatMap((left, at) =>
    at % 2 === 0 ? [doubleSha256(Buffer.concat([left, hashes[at + 1] ?? left]))] : [],
  )
  return rootOf(pairs)
}

/** A block of these transactions, the first of them its coinbase. */
export const blockOf = (
  transactions: readonly Buffer[],
  {
    parent,
    time = FIRST_TIME,
    bits = EASIEST,
    wrongWork = false,
  }: { parent: string; time?: number; bits?: number; wrongWork?: boolean },
): Readonly<{ hash: string; bytes: Buffer }> => {
  const header = Buffer.alloc(80)
  header.writeUInt32LE(0x20000000, 0)
  reversed(parent).copy(header, 4)
  rootOf(transactions.map((transaction) => reversed(idOf(transaction)))).copy(header, 36)
  header.writeUInt32LE(time, 68)
  header.writeUInt32LE(bits, 72)
  // The hash's highest byte is the last: below 0x80 it meets the easiest target.
  for (let nonce = 0; (doubleSha256(header)[31] ?? 0) < 0x7f === wrongWork; nonce++)
    header.writeUInt32LE(nonce, 76)
  const bytes = Buffer.concat([header, Buffer.from([transactions.length]), ...transactions])
  return { hash: textOf(doubleSha256(header)), bytes }
}

/** A coinbase for a block of this height. */
export const newCoinbase = coinbaseOf

export const createMinedChain = (): MinedChain => {
  const known = new Map<string, MinedBlock>()
  const chain: string[] = [REGTEST_GENESIS]
  const waiting: Buffer[] = []
  const blockAt = (hash: unknown): MinedBlock => {
    const block = known.get(String(hash))
    if (!block) throw Object.assign(new Error('Block not found'), { code: -5 })
    return block
  }
  /** Ids of the transactions of each block. */
  const idsIn = new Map<string, readonly string[]>()
  const confirmationsOf = (txId: string): number => {
    const number = chain.findIndex((hash) => idsIn.get(hash)?.includes(txId))
    return number < 0 ? 0 : chain.length - number
  }
  const calls: Record<string, (...params: readonly unknown[]) => unknown> = {
    getblockcount: () => chain.length - 1,
    // Nothing that was mined is spent.
    gettxout: (txId, index) => {
      const confirmations = confirmationsOf(String(txId))
      return confirmations === 0 || index !== 0 ? null : { bestblock: chain.at(-1), confirmations }
    },
    getblockchaininfo: () => ({
      blocks: chain.length - 1,
      bestblockhash: chain.at(-1),
      initialblockdownload: false,
    }),
    getbestblockhash: () => chain.at(-1),
    getblockhash: (number) => {
      const hash = chain[Number(number)]
      if (hash === undefined) throw Object.assign(new Error('Block height out of range'), { code: -8 })
      return hash
    },
    getblockheader: (hash, verbose) =>
      verbose === false
        ? blockAt(hash).bytes.subarray(0, 80).toString('hex')
        : { height: blockAt(hash).number },
    getblock: (hash, verbosity) => {
      const { bytes } = blockAt(hash)
      const tx = (idsIn.get(String(hash)) ?? []).map((txid) => ({ txid, vin: [] }))
      return verbosity === 2 ? { tx } : bytes.toString('hex')
    },
    getrawmempool: () => waiting.map(idOf),
    getrawtransaction: (txId, verbose) => {
      const found = waiting.find((transaction) => idOf(transaction) === txId)
      if (!found) throw Object.assign(new Error('No such mempool transaction'), { code: -5 })
      return verbose === true ? { txid: txId, vin: [] } : found.toString('hex')
    },
  }
  return {
    waiting,
    rpc: async <T>(method: string, ...params: readonly unknown[]) => calls[method]?.(...params) as T,
    mine: (...transactions) => {
      const number = chain.length
      const parent = chain.at(-1) ?? REGTEST_GENESIS
      const { hash, bytes } = blockOf([coinbaseOf(number), ...transactions], {
        parent,
        time: FIRST_TIME + number,
      })
      const block = { hash, number, bytes }
      known.set(hash, block)
      idsIn.set(hash, transactions.map(idOf))
      chain.push(hash)
      return block
    },
    dropFrom: (number) => void chain.splice(number),
  }
}
