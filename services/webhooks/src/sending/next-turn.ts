let waiting: (() => void)[] = []

const run = () => {
  const callbacks = waiting
  waiting = []
  for (const callback of callbacks) callback()
}

/**
 * Calls back once everything that has arrived on any socket by now has been read: one immediate for all that ask.
 * A used connection must not carry a request before it is known what the receiver did to it after its last answer.
 */
export const afterReading = (callback: () => void): void => {
  if (waiting.length === 0) setImmediate(run)
  waiting.push(callback)
}
