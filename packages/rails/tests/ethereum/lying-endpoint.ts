import { type HttpAnswer, type HttpCall, type HttpExchange } from '../../src/http/exchange.ts'
import { RailError } from '../../src/index.ts'
import { CHAIN_ID } from './fixture.ts'
import type { RecordedBlock } from './recorded-chain.ts'

/** The chain that an endpoint shows: the blocks of one fork up to its head. */
export type View = readonly RecordedBlock[]

type Call = { id: number; method: string; params: readonly unknown[] }
type Answer = Record<string, unknown>
/** A number from 0 up to, and without, 1. */
export type Random = () => number

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T

const honest = ({ method, params }: Call, view: View): unknown => {
  const [which] = params
  const found =
    method === 'eth_getBlockByNumber'
      ? which === 'latest'
        ? view.at(-1)
        : view[Number(which)]
      : view.find(({ hash }) => hash === which)
  if (method === 'eth_chainId') return `0x${CHAIN_ID.toString(16)}`
  if (method === 'eth_getBlockReceipts') return found?.receipts ?? null
  if (params[1] === true || !found) return found?.answer ?? null
  return { ...found.answer, transactions: found.answer.transactions.map(({ hash }) => hash) }
}

const cut = (list: unknown, random: Random): unknown =>
  Array.isArray(list) ? list.filter(() => random() < 0.5) : list
const withoutLogs = (receipts: unknown): unknown =>
  Array.isArray(receipts) ? (receipts as Answer[]).map((receipt) => ({ ...receipt, logs: [] })) : receipts
/** The digits of one field are others: a value, a recipient, a status, a hash. */
const altered = (value: unknown, random: Random): unknown => {
  const text = JSON.stringify(value)
  const digits = [...text.matchAll(/"0x[0-9a-f]*([0-9a-f])"/g)]
  if (digits.length === 0) return value
  const place = pick(digits, random)
  const at = place.index + place[0].length - 2
  return JSON.parse(`${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`) as unknown
}

/** Returns a false result: that of a faulty endpoint, or of one that tries to deceive. */
const falsify = (call: Call, view: View, random: Random): unknown => {
  const truth = honest(call, view)
  const isReceipts = call.method === 'eth_getBlockReceipts'
  const other = pick(view, random)
  return pick<() => unknown>(
    [
      () => null,
      () => (isReceipts ? [] : truth),
      () => (isReceipts ? cut(truth, random) : { ...(truth as Answer), transactions: [] }),
      () => (isReceipts ? withoutLogs(truth) : truth),
      () => (isReceipts ? other.receipts : other.answer),
      () => altered(truth, random),
    ],
    random,
  )()
}

/** One node's answers over HTTP, without a network: honest about its view unless told otherwise. */
export const createLyingEndpoint = (random: Random) => {
  let view: View = []
  let faults = 0

  const answerTo = (text: string): string => {
    const asked = JSON.parse(text) as Call | Call[]
    const one = (call: Call) => ({
      jsonrpc: '2.0',
      id: call.id,
      result:
        call.method !== 'eth_chainId' && random() < faults ? falsify(call, view, random) : honest(call, view),
    })
    return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked))
  }
  const broken = (text: string): HttpAnswer =>
    pick<() => HttpAnswer>(
      [
        () => ({ status: 429, headers: { 'retry-after': String(Math.floor(random() * 3)) }, text: '' }),
        () => ({ status: 503, headers: {}, text: 'busy' }),
        () => ({ status: 200, headers: {}, text: text.slice(0, Math.floor(random() * text.length)) }),
        () => ({ status: 200, headers: {}, text: '<html>' }),
        () => ({
          status: 200,
          headers: {},
          text: '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"header not found"}}',
        }),
        () => {
          throw new RailError(
            pick(['reset', 'timeout', 'unreachable'] as const, random),
            'a fault of the test',
          )
        },
      ],
      random,
    )()
  const http: HttpExchange = {
    send: async ({ body = '' }: HttpCall) => {
      const text = answerTo(body)
      return random() < faults / 2 ? broken(text) : { status: 200, headers: {}, text }
    },
    close: () => Promise.resolve(),
  }
  return {
    http,
    /** @param share of the calls that are answered by a lie; half as many fail */
    behave: (shown: View, share: number) => {
      view = shown
      faults = share
    },
  }
}
