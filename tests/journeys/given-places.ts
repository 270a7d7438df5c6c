import { dataOf, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { orderBody } from './platform.ts'

/** Networks of each kind of place: an address, a destination tag, a reference. */
const NETWORKS = ['BTC', 'LTC', 'ETH', 'XRP', 'SOL'] as const
/** Calls at the same time. */
const AT_ONCE = 8

type Created = Readonly<{ order: Readonly<{ paymentUri: string; address: string; order_key: string }> }>

/** Where an order is to be paid: on SOL all have one address, and a reference of their own. */
const placeOf = ({ order }: Created): string => /reference=(\w+)/.exec(order.paymentUri)?.[1] ?? order.address

/** Creates orders of all kinds and keeps where they are paid, to find what is given to a second order. */
export const createGivenPlaces = ({
  customer,
  integrationId,
}: Readonly<{ customer: string; integrationId: string }>) => {
  const given = new Set<string>()
  const givenAgain: string[] = []
  const add = (places: readonly string[]): void => {
    for (const place of places)
      if (given.has(place)) givenAgain.push(place)
      else given.add(place)
  }
  const createCrypto = async (api: RawClient, network: (typeof NETWORKS)[number], name: string) => {
    const body = { ...orderBody(name), network, asset: network }
    const answer = await api.post(`${customer}/orders`, body, { 'idempotency-key': name })
    return placeOf(dataOf<Created>(answer))
  }
  const createCard = async (api: RawClient, name: string) => {
    const body = { integration_id: integrationId, amount_cents: 1_000, currency: 'EUR' }
    const answer = await api.post(`${customer}/fiat-orders`, body, { 'idempotency-key': name })
    return dataOf<Created>(answer).order.order_key
  }
  return {
    add,
    /** Those that were given to a second order. */
    givenAgain: givenAgain as readonly string[],
    count: () => given.size + givenAgain.length,
    /** Creates `count` orders on each network, and as many card orders; `name` begins their references. */
    async create(api: RawClient, name: string, count: number): Promise<void> {
      for (let made = 0; made < count; made += AT_ONCE) {
        const numbers = Array.from({ length: Math.min(AT_ONCE, count - made) }, (_, index) => made + index)
        const places = await Promise.all(
          numbers.flatMap((number) => [
            ...NETWORKS.map((network) => createCrypto(api, network, `${name}-${network}-${number}`)),
            createCard(api, `${name}-card-${number}`),
          ]),
        )
        add(places)
      }
    },
  }
}
