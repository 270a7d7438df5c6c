/** Calls of this process that wait for an order's slot, first come first. */
export type SlotWaiting = Readonly<{
  /** Resolves when it is the call's turn to ask again, after `forMs` at the latest. */
  wait: (order: string, forMs: number) => Promise<void>
  /** Gives the turn to the call that has waited longest. */
  wake: (order: string) => void
}>

export const createSlotWaiting = (): SlotWaiting => {
  const waiting = new Map<string, Set<() => void>>()
  return {
    wait: (order, forMs) =>
      new Promise((resolve) => {
        const calls = waiting.get(order) ?? new Set()
        const end = () => {
          clearTimeout(timer)
          calls.delete(end)
          if (calls.size === 0) waiting.delete(order)
          resolve()
        }
        const timer = setTimeout(end, forMs)
        waiting.set(order, calls.add(end))
      }),
    wake(order) {
      const [first] = waiting.get(order) ?? []
      first?.()
    },
  }
}
