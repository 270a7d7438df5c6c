/** A client may hold a third of the places that are free: alone a quarter of all, more than its burst by default. */
const CLIENT_PART = 3

/** Bounds requests that are being carried out, by the service that does it and by client. */
export type Places = Readonly<{
  /** Takes a place. @returns whether there was one */
  enter: (service: string, client: string) => boolean
  /** Gives the place back; called once for every place that was taken. */
  leave: (service: string, client: string) => void
}>

const take = (held: Map<string, number>, name: string) => held.set(name, (held.get(name) ?? 0) + 1)

const giveBack = (held: Map<string, number>, name: string) => {
  const left = (held.get(name) ?? 1) - 1
  if (left === 0) held.delete(name)
  else held.set(name, left)
}

/**
 * Limits concurrent requests to `total`, because each keeps its body and waits for seconds when a service is slow. A service
 * may not occupy more places than are still free, and a client at most a third of those: one slow service leaves half of
 * all places to the others, one client that sends without a pause three quarters.
 */
export const createPlaces = (total: number): Places => {
  const ofServices = new Map<string, number>()
  const ofClients = new Map<string, number>()
  let free = total
  return {
    enter(service, client) {
      const isFree =
        (ofServices.get(service) ?? 0) < free && (ofClients.get(client) ?? 0) * CLIENT_PART < free
      if (!isFree) return false
      take(ofServices, service)
      take(ofClients, client)
      free -= 1
      return true
    },
    leave(service, client) {
      giveBack(ofServices, service)
      giveBack(ofClients, client)
      free += 1
    },
  }
}
