/**
 * The load generator: a separate process that speaks HTTP/1.1 on raw sockets, so that it takes little of the CPU it
 * shares with what it measures. Closed loop: each connection sends its next request when it has its answer, immediately or,
 * with a pace, at the next free slot.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { childArgument, serveParent } from '../parts/child-main.ts'
import { quantile } from '../measure/statistics.ts'
import type { LoadOrder, LoadResult } from './generator-process.ts'
import { createMessageParser } from './message-parser.ts'
import { createSequence } from './requests.ts'

const { port, requests } = (await childArgument()) as { port: number; requests: string[] }
const sequence = createSequence(requests)

const STATUS_AT = 'HTTP/1.1 '.length
const ZERO = 48

const statusOf = (answer: Buffer): number => {
  const digit = (index: number) => (answer[STATUS_AT + index] ?? 0) - ZERO
  return digit(0) * 100 + digit(1) * 10 + digit(2)
}

type Tally = { running: boolean; latenciesMs: number[]; finished: number; statuses: Map<number, number> }
/** Waits for the moment to send the next request. */
type Pace = (send: () => void) => void

const open = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })

/** Sends and waits in turns until the tally is closed and the last answer has arrived. */
const drive = (socket: Socket, tally: Tally, pace: Pace): Promise<void> =>
  new Promise((resolve, reject) => {
    let sentAtMs = 0
    const send = () => {
      if (!tally.running) {
        resolve()
        return
      }
      sentAtMs = performance.now()
      socket.write(sequence.next())
    }
    const answered = (status: number) => {
      tally.finished += 1
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
      if (tally.running) tally.latenciesMs.push(performance.now() - sentAtMs)
      pace(send)
    }
    const parse = createMessageParser((answer) => answered(statusOf(answer)))
    socket.on('data', parse)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('A connection was closed under load')))
    pace(send)
  })

/** Paces the sends of ready connections evenly; at the end each sends immediately. */
const createPace = (tally: Tally, perSecond: number): Pace => {
  const ready: (() => void)[] = []
  const startedMs = performance.now()
  const beat = async (): Promise<void> => {
    for (let count = 1; tally.running; count += 1) {
      ready.shift()?.()
      const dueMs = startedMs + (count * 1_000) / perSecond
      await delay(Math.max(0, dueMs - performance.now()))
    }
    for (const send of ready) send()
  }
  void beat()
  return (send) => (tally.running ? void ready.push(send) : send())
}

const run = async (order: LoadOrder): Promise<LoadResult> => {
  const sockets = await Promise.all(Array.from({ length: order.connections }, open))
  const tally: Tally = { running: true, latenciesMs: [], finished: 0, statuses: new Map() }
  const pace: Pace = order.perSecond === undefined ? (send) => send() : createPace(tally, order.perSecond)
  const startedMs = performance.now()
  const driven = Promise.all(sockets.map((socket) => drive(socket, tally, pace)))
  await Promise.race([driven, delay(order.durationMs)])
  const seconds = (performance.now() - startedMs) / 1_000
  tally.running = false
  await driven
  for (const socket of sockets) socket.destroy()
  const sorted = Float64Array.from(tally.latenciesMs).sort()
  return {
    done: sorted.length,
    seconds,
    finished: tally.finished,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    statuses: Object.fromEntries(tally.statuses),
  }
}

serveParent('ready', run)
