import { cryptoOrders, type CryptoOrder, type PayableOrder } from '@causeway/contracts'
import type { Ask, StreamWriter } from '../screen.ts'
import type { Language } from '../languages/language.ts'
import { readOffer, type Offer } from './purchase.ts'
import { isFinal } from './states.ts'
import { orderPart, partVersion, secondsLeft } from './view.ts'
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

/** The order of a stream, and its browser. */
type Streamed = Readonly<{
  ask: Ask
  orderId: CryptoOrder['id']
  language: Language
  lastEventId: string | null
}>

/**
 * Sends the changing part of an order's page whenever its version changes, a purchase at a provider within 5 s, and
 * immediately if the browser has a different version (`Last-Event-ID`) or none. After a final state it sends `end` and closes.
 */
export const streamOrder =
  ({ watch, now, onFailure }: StreamOptions, { ask, orderId, language, lastEventId }: Streamed) =>
  (writer: StreamWriter): void => {
    let sent = lastEventId
    let isReading = false
    let shown: Readonly<{ order: PayableOrder; offer: Offer }> | null = null

    const sendOrder = async (order: PayableOrder) => {
      const offer = await readOffer(ask, order)
      const version = partVersion(order, offer)
      if (version !== sent)
        writer.send({
          event: 'order',
          id: version,
          data: orderPart(order, offer, language, now()).toString(),
        })
      shown = { order, offer }
      sent = version
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
      if (version !== shown?.order.version && !isReading) void read()
    })
    const clock = setInterval(() => {
      if (shown === null) return
      writer.send({ event: 'time', data: String(secondsLeft(shown.order, now())) })
      // Neither a purchase nor confirmations change anything of the order that the watch would see.
      if ((shown.offer !== null || shown.order.unconfirmed !== '0') && !isReading) void read()
    }, TIME_EVERY_MS)
    const end = setTimeout(() => writer.end(), LONGEST_MS)
    writer.closed.addEventListener('abort', () => {
      unwatch()
      clearInterval(clock)
      clearTimeout(end)
    })
    void read()
  }
