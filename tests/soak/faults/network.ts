import type { Random } from '../random.ts'
import type { SoakPlatform } from '../soak-platform.ts'
import type { FaultKind } from './fault.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** One component's way to a server, or in one of three cases those of all components to it. */
const pickWays = (
  { ways }: SoakPlatform,
  random: Random,
): Readonly<{ what: string; ways: readonly TcpProxy[] }> => {
  const all = [...ways.keys()]
  const one = random.pick(all)
  const server = one.split(' to ')[1] ?? ''
  const names = random.chance(1 / 3) ? all.filter((name) => name.endsWith(` to ${server}`)) : [one]
  return {
    what: names.length === 1 ? one : `everybody to ${server}`,
    ways: names.flatMap((name) => ways.get(name) ?? []),
  }
}

/** Faults between the components and the servers. */
export const networkFaults = (random: Random): readonly [FaultKind, FaultKind, FaultKind] => [
  {
    kind: 'connections cut',
    next: (platform) => {
      const { what, ways } = pickWays(platform, random)
      return { what: `cut: ${what}`, begin: () => ways.forEach((way) => way.cut()) }
    },
  },
  {
    kind: 'connections silent',
    next: (platform) => {
      const { what, ways } = pickWays(platform, random)
      return {
        what: `silence: ${what}`,
        begin: () => ways.forEach((way) => way.setSilent(true)),
        end: () => ways.forEach((way) => way.setSilent(false)),
        lastsMs: random.integer(1_000, 4_000),
      }
    },
  },
  {
    kind: 'connections slow',
    next: (platform) => {
      const { what, ways } = pickWays(platform, random)
      const delayMs = random.integer(50, 400)
      return {
        what: `${delayMs} ms later: ${what}`,
        begin: () => ways.forEach((way) => way.setDelay(delayMs)),
        end: () => ways.forEach((way) => way.setDelay(0)),
        lastsMs: 4_000,
      }
    },
  },
]
