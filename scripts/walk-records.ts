import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { AuthenticationError, createPartnerClient, type PartnerClient } from '@causeway/client'
import { NETWORKS } from '@causeway/contracts'

type Credentials = Readonly<{ clientId: string; clientSecret: string }>

/** A customer that was taken through the platform, and where each of its orders is paid: an address, or a card order's key. */
type WalkRecord = Credentials & Readonly<{ customerId: string; places: readonly string[] }>
/** State of an earlier walk after a restore. */
const FATES = ['kept', 'lost'] as const
export type Fate = (typeof FATES)[number]

export const parseFate = (text: string): Fate => {
  const fate = FATES.find((each) => each === text)
  if (fate === undefined) throw new Error(`An earlier walk is ${FATES.join(' or ')}, not "${text}"`)
  return fate
}

/** On SOL all orders have one address, and a reference each. */
const placeOf = ({ paymentUri, address }: Readonly<{ paymentUri: string; address: string }>): string =>
  /reference=(\w+)/.exec(paymentUri)?.[1] ?? address

const listPlaces = async (partner: PartnerClient, customerId: string): Promise<string[]> => {
  const [{ orders: crypto }, { orders: card }] = await Promise.all([
    partner.listCryptoOrders({ customerId, limit: 100 }),
    partner.listFiatOrders({ customerId, limit: 100 }),
  ])
  return [...crypto.map(placeOf), ...card.map(({ order_key: key }) => key)].sort()
}

/** The walks that were recorded in a file, one a line. */
const readRecords = (file: string): WalkRecord[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as WalkRecord)
    : []

/** @throws Error unless all orders of the kept walks are there, and the partners of the lost ones are unknown */
export const verifyWalks = async (baseUrl: string, file: string, fates: readonly Fate[]): Promise<void> => {
  const records = readRecords(file)
  if (records.length !== fates.length)
    throw new Error(`${file} has ${records.length} walks, and ${fates.length} are expected`)
  for (const [index, { customerId, places, ...credentials }] of records.entries()) {
    const found = await listPlaces(createPartnerClient({ baseUrl, ...credentials }), customerId).catch(
      (error: unknown) => {
        if (error instanceof AuthenticationError) return null
        throw error
      },
    )
    const expected = fates[index] === 'kept' ? places : null
    if (JSON.stringify(found) !== JSON.stringify(expected))
      throw new Error(`Walk ${index + 1} should be ${fates[index] ?? ''}, but has ${JSON.stringify(found)}`)
  }
  if (fates.length > 0) console.log(`Earlier walks are as expected: ${fates.join(', ')}.`)
}

/**
 * Creates an order on each network and records where all orders of the walk are paid.
 * @throws Error when an earlier walk had one of these places
 */
export const recordWalk = async (
  { partner, customerId, suffix }: Readonly<{ partner: PartnerClient; customerId: string; suffix: string }>,
  credentials: Credentials,
  file: string,
): Promise<void> => {
  for (const network of NETWORKS)
    await partner.createCryptoOrder({
      customerId,
      body: {
        reference: `${network}-${suffix}`,
        network,
        asset: network,
        amount: 25,
        currency: 'EUR',
        email: 'buyer@example.com',
      },
    })
  const places = await listPlaces(partner, customerId)
  const given = new Set(readRecords(file).flatMap((record) => record.places))
  const again = places.filter((place) => given.has(place))
  if (again.length > 0) throw new Error(`Given to a second order: ${again.join(', ')}`)
  appendFileSync(file, `${JSON.stringify({ ...credentials, customerId, places } satisfies WalkRecord)}\n`)
  console.log(`${places.length} addresses and order keys, all different from ${given.size} earlier ones.`)
}
