/** A sleep that a call from elsewhere ends; a call that comes while awake ends the next sleep at once. */
export const createWaker = () => {
  let pending = false
  let endSleep = () => {}
  return {
    wake: () => {
      pending = true
      endSleep()
    },
    /** What was asked up to now is being done. */
    reset: () => {
      pending = false
    },
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        if (pending) {
          resolve()
          return
        }
        const timer = setTimeout(resolve, ms)
        endSleep = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
