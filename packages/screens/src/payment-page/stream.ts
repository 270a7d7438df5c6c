import { cryptoOrders, type CryptoOrder, type PayableOrder } from '@causeway/contracts'
import type { Ask, StreamWriter } from '../screen.ts'
import { readOffer } from './purchase.ts'
import { isFinal } from './states.ts'
import { orderPart, secondsLeft } from './view.ts'
import type { OrderWatch } from './watch.ts'

/** Interval of the remaining time, which also keeps the connection alive and corrects the browser's clock. */
const TIME_EVERY_MS = 5_000
/** Maximum lifetime of a stream; browsers then reconnect, possibly to a different replica. */
const LONGEST_MS = 600_000

type StreamOptions = Readonly<{
  watch: OrderWatch
  now: () => Date
  onFailure: (error: unknown) => void
}>

/**
 * Sends the changing part of an order's page whenever its version changes, and immediately if the browser has a
 * different version (`Last-Event-ID`) or none. After a final state it sends `end` and closes.
 */
export const streamOrder =
  (
    { watch, now, onFailure }: StreamOptions,
    ask: Ask,
    orderId: CryptoOrder['id'],
    lastEventId: string | null,
  ) =>
  (writer: StreamWriter): void => {
    let sent = lastEventId
    let isReading = false
    let shown: PayableOrder | null = null

    const sendOrder = async (order: PayableOrder) => {
      if (order.version !== sent) {
        const data = orderPart(order, await readOffer(ask, order), now()).toString()
        writer.send({ event: 'order', id: order.version, data })
      }
      shown = order
      sent = order.version
      if (!isFinal(order.status)) return
      writer.send({ event: 'end', data: order.status })
      writer.end()
    }
    const read = async () => {
      isReading = true
      try {
        const reply = await ask(cryptoOrders.getByBuyer, { params: { orderId } })
        if (reply.ok) await sendOrder(reply.value.order)
        else writer.end()
      } catch (error) {
        onFailure(error)
      } finally {
        isReading = false
      }
    }
    const unwatch = watch.watch(orderId, (version) => {
      if ((version !== sent || shown === null) && !isReading) void read()
    })
    const clock = setInterval(() => {
      if (shown !== null) writer.send({ event: 'time', data: String(secondsLeft(shown, now())) })
    }, TIME_EVERY_MS)
    const end = setTimeout(() => writer.end(), LONGEST_MS)
    writer.closed.addEventListener('abort', () => {
      unwatch()
      clearInterval(clock)
      clearTimeout(end)
    })
    void read()
  }
