/** Lets this process send a queued mail immediately instead of at the next poll. */
export type MailAlarm = Readonly<{
  /** Call it after the commit. */
  ring: () => void
  onRing: (listener: () => void) => void
}>

export const createMailAlarm = (): MailAlarm => {
  let notify = () => {}
  return {
    ring: () => notify(),
    onRing(listener) {
      notify = listener
    },
  }
}
