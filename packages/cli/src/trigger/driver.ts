import type { Scene } from './scene.ts'

/** How one event is had. */
export type Driver = Readonly<{
  /** Description for the list of events. */
  how: string
  /** Only with `--move-clock`: the time of the whole sandbox goes forward, and never back. */
  movesClock?: true
  /** @returns the merchant that it is about, by whose log a merchant's event is found */
  drive: (scene: Scene) => Promise<Readonly<{ customer_id: string }>>
}>
